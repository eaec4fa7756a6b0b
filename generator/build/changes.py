"""What changed since the last build: of the content, by git where it is a clean checkout, else by
stat, else by bytes; and of the output, which nothing but a build should change.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from generator.build.buildlog import Log
from generator.build.executors import processors
from generator.build.executors.forked import Forked
from generator.build.executors.here import Here
from generator.build.inventory import (
    INPUT,
    OUTPUT,
    Difference,
    Folder,
    Inventory,
    Stat,
    blob_id,
    count,
    difference,
    digest_of,
    lookup,
    patched,
    settled,
)
from generator.build.look import inputs, unlike, unlike_share
from generator.build.provenance import git

#: Fewer files than this are read sooner than git is asked.
_WORTH_ASKING_GIT = 300
#: Fewer files than this are looked at sooner than a process is made.
_WORTH_FORKING = 5000


@dataclass(slots=True)
class Changes:
    """`content` holds paths below the content folder; `inputs` is its last inventory with new times
    of what has not changed, `outputs` that of the output; `seen` is the content as it is now,
    without digests.

    `damaged` names one file of the output that is not as it was left; `restat` says that only file
    times changed.
    """

    content: Difference
    inputs: dict[str, Folder]
    outputs: dict[str, Folder]
    seen: dict[str, Folder]
    damaged: str | None
    restat: bool


def changes(folder: str, out: Path, log: Log, began: int) -> Changes:
    """Compare content and output with the log.  Raises LogDamaged, OSError."""
    outputs, before = log.inventory("outputs"), log.inventory("inputs")
    root = str(out)
    if not out.is_dir():
        return Changes(Difference([], [], []), before, outputs, {}, root, False)
    # Another process looks at the output meanwhile, where there is much of it, and leaves this one
    # an equal share.
    written, read = count(outputs, OUTPUT), count(before, INPUT)
    parallel = written > _WORTH_FORKING and processors() > 1
    largest = max(outputs, key=lambda folder: len(outputs[folder].stats), default="")
    most = len(outputs[largest].stats) // (8 * OUTPUT) if largest in outputs else 0
    share = (largest, min(most, max(0, (written - read) // 2)) if parallel else 0)
    verdict = (Forked(1) if parallel else Here()).run(_unlike_rest, [share], (root, outputs))
    after = inputs(folder, before)
    damaged = unlike_share(root, outputs, share)
    damaged = next((path for path in verdict if path is not None), damaged)
    other = difference(before, after, INPUT)
    suspects = [path for path in other.changed if not path.endswith("/")]
    same = _unchanged(folder, suspects, before, after, began)
    changed = [path for path in other.changed if path not in same]
    inventory = patched(before, same, INPUT) if same else before
    return Changes(
        Difference(other.added, other.removed, changed),
        inventory,
        outputs,
        after,
        damaged,
        bool(same),
    )


def _unlike_rest(shares: list[tuple[str, int]], output: tuple[str, Inventory]) -> str | None:
    """One path that is not as it was, of all that is not in the share."""
    return unlike(*output, *shares)


def _unchanged(
    folder: str, paths: list[str], before: Inventory, after: Inventory, began: int
) -> dict[str, tuple[Stat, bytes]]:
    """Of files whose stat is another, those whose bytes are the same, with their new stat and their
    digest.
    """
    ids = _git_ids(folder, paths) if len(paths) > _WORTH_ASKING_GIT else {}
    same: dict[str, tuple[Stat, bytes]] = {}
    for path in paths:
        was, stat = digest_of(before, path), lookup(after, path, INPUT)
        assert was is not None and stat is not None
        try:
            digest = ids.get(path) or blob_id(Path(folder, path).read_bytes())
        except OSError:
            continue
        if digest == was:
            same[path] = settled(stat, began), digest
    return same


def _git_ids(folder: str, paths: Iterable[str]) -> dict[str, bytes]:
    """Blob ids of the files that git knows to be as they are in its index.

    None where git may store other bytes than lie on disk: attributes, line-end conversion, another
    hash.
    """

    if git(folder, "config", "--get", "core.autocrlf") not in (None, b"false\n"):
        return {}
    listed = git(folder, "ls-files", "-s", "-v", "-z", "--", ".")
    dirty = git(folder, "diff-files", "--name-only", "-z", "--relative", "--", ".")
    attributes = git(folder, "ls-files", "-z", "--full-name", ":(top,glob)**/.gitattributes")
    if listed is None or dirty is None or attributes != b"":
        return {}
    unsure = set(dirty.split(b"\0"))
    ids: dict[str, bytes] = {}
    for entry in listed.split(b"\0"):
        # "H 100644 <id> 0\tpath"; other letters mean that git does not look at the file.
        head, _, path = entry.partition(b"\t")
        words = head.split(b" ")
        plain = (
            len(words) == 4
            and (words[0], words[3]) == (b"H", b"0")
            and words[1] in (b"100644", b"100755")
        )
        if plain and len(words[2]) == 40 and path not in unsure:
            ids[os.fsdecode(path)] = bytes.fromhex(words[2].decode())
    return ids
