"""Whether an output is a build of the same content, day, commit, version and options already.

build.json says of what it is a build, and a note beside the output of which folder.  Another note
has a digest of everything else: the generator and its libraries, the options, and the names, sizes
and times of all files, so that files that somebody changed are made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

import orjson

from generator.build.options import Job
from generator.build.tree import Stat
from generator.contract import manifest
from generator.disk import safe_paths
from generator.disk.fingerprint import fingerprint
from generator.disk.output_state import (
    FEATURES,
    MADE,
    find_content,
    name_of_content,
    read_state_file,
)
from generator.engine.note import NOTE, note_of
from generator.feature import features
from generator.grammar.paths import BUILD, MANIFEST_ROOT
from generator.published.history.provenance import is_shallow, is_whole
from generator.published.published import Published


def last_root(out: Path) -> bytes | None:
    """The root of the manifest in an output; None if there is none."""
    return _read(out, MANIFEST_ROOT)


def _read(out: Path, address: str) -> bytes | None:
    return safe_paths.read_below(out, address[1:], manifest.MAX_FILE_SIZE)


def is_current(job: Job, published: Published, files: Mapping[str, Stat]) -> bool:
    """Whether the output, which has these files, is what this build would write."""
    out, moment, root = job.state.out, job.moment, published.options.last_root
    if root is None or find_content(out) != name_of_content(job.folder):
        return False  # with another history
    try:
        there = orjson.loads(_read(out, BUILD) or b"")
        issued = datetime.fromisoformat(manifest.read_root(root).issued).timestamp()
    except (OSError, ValueError, manifest.Malformed):
        return False
    wanted = orjson.loads(dict(published.documents.make("outputs.about"))[BUILD])
    if moment.from_clock:  # only the time of this build
        there["generated_at"] = wanted["generated_at"]
    return (
        there == wanted
        and not moment.needs_renewal(int(issued))
        and read_state_file(out, MADE) == _digest(job, files)
    )


def note(job: Job, published: Published, files: Mapping[str, Stat]) -> None:
    """Note of what the output, which has these files, is a build; and the table of its engine."""
    notes = {
        MADE: _digest(job, files),
        FEATURES: orjson.dumps({f.name: f.origin for f in features()}),
        NOTE: note_of(published.grammar, partial(_read, job.state.out)),
    }
    with contextlib.suppress(OSError):  # the next build makes everything
        for name, data in notes.items():
            job.state.replace_file(name, data)


def _digest(job: Job, files: Mapping[str, Stat]) -> bytes:
    options, whole = job.options, hashlib.sha256(fingerprint().encode())
    # A commit may get a longer history.
    history = is_shallow(job.folder), is_whole(job.folder)
    key = options.signer.public if options.signer is not None else None
    asked = options.hosts, (*options.finishes,), options.site, key, job.theme
    whole.update(repr((history, asked)).encode("utf-8", "surrogatepass"))
    for path, stat in sorted(files.items()):
        whole.update(b"%b\0%d\0%d\0" % (os.fsencode(path), stat.size, stat.mtime))
    return whole.hexdigest().encode()
