"""Whether an output is a build of the same content, day, commit, version and options already.

build.json says of what it is a build.  A note beside the output has a digest of everything else:
the generator and its libraries, the options, and the names, sizes and times of all files, so that
files that somebody touched are made again.
"""

from __future__ import annotations

import hashlib
import os
from datetime import datetime
from pathlib import Path

import orjson

from generator.build.options import Job
from generator.contract import manifest
from generator.disk.fingerprint import fingerprint
from generator.disk.output_state import read_state_file
from generator.grammar.paths import BUILD, MANIFEST_ROOT
from generator.published.published import Published

_NOTE = "made"


def last_root(out: Path) -> bytes | None:
    """The root of the manifest in an output; None if there is none."""
    try:
        with open(f"{out}{MANIFEST_ROOT}", "rb") as file:
            return file.read(manifest.MAX_FILE_SIZE)
    except OSError:
        return None


def is_current(job: Job, published: Published) -> bool:
    """Whether the output has the files that this build would write."""
    out, moment, root = job.workspace.out, job.moment, published.options.last_root
    if root is None or not job.workspace.whole:
        return False
    try:
        there = orjson.loads(Path(f"{out}{BUILD}").read_bytes())
        issued = datetime.fromisoformat(manifest.read_root(root).issued).timestamp()
    except (OSError, ValueError, manifest.Malformed):
        return False
    wanted = orjson.loads(published[BUILD])
    if moment.from_clock:  # only the time of this build
        there["generated_at"] = wanted["generated_at"]
    return (
        there == wanted
        and not moment.needs_renewal(int(issued))
        and read_state_file(out, _NOTE) == _digest(job)
    )


def note(job: Job) -> None:
    """Note of what the output is a build."""
    job.workspace.keep(_NOTE, _digest(job))


def _digest(job: Job) -> bytes:
    options, whole = job.options, hashlib.sha256(fingerprint().encode())
    asked = options.hosts, options.precompress, options.site, options.signing_key, job.theme
    whole.update(repr(asked).encode("utf-8", "surrogatepass"))
    todo = [str(job.workspace.out)]
    while todo:
        folder = todo.pop()
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        folders = {e.name for e in found if e.is_dir(follow_symlinks=False)}
        todo += [f"{folder}/{name}" for name in sorted(folders)]
        stats = {e.name: e.stat(follow_symlinks=False) for e in found if e.name not in folders}
        lines = [folder, *(f"{name}\0{s.st_size}\0{s.st_mtime_ns}" for name, s in stats.items())]
        whole.update(os.fsencode("\0".join(lines)))
    return whole.hexdigest().encode()
