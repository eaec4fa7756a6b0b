"""What changed since the last build: of the content, by git where it is a clean checkout, else by
stat, else by bytes; and of the output, which nothing but a build should change.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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
from generator.build.look import Side, bundles, inputs, look, unlike
from generator.build.provenance import git
from generator.build.settled import Settled, proved, settles

#: Fewer files than this are read sooner than git is asked.
_WORTH_ASKING_GIT = 300
#: Fewer files than this are looked at sooner than a process is made.
_WORTH_FORKING = 5000
#: Names that are listed sooner than the log is told of their folders, and names that are listed in
#: the time that a folder takes besides.
_WORTH_NOTING, _FOLDER = 10_000, 20


@dataclass(slots=True)
class Changes:
    """`content` holds paths below the content folder; `inputs` is its last inventory with new times
    of what has not changed, `outputs` that of the output; `seen` is the content as it is now,
    without digests; `settled` has the stamps of folders of both (see generator.build.settled).

    `damaged` names one file of the output that is not as it was left; `restat` says that only file
    times changed, and `resettled` that so many folders were listed that the next look is better
    told of them.
    """

    content: Difference
    inputs: dict[str, Folder]
    outputs: dict[str, Folder]
    seen: dict[str, Folder]
    damaged: str | None
    restat: bool
    settled: Settled = field(default_factory=lambda: ({}, {}))
    resettled: bool = False


def changes(folder: str, out: Path, log: Log, began: int) -> Changes:
    """Compare content and output with the log.  Raises LogDamaged, OSError."""
    outputs, known = log.inventory("outputs"), log.settled()
    if not out.is_dir():
        return Changes(Difference([], [], []), {}, outputs, {}, str(out), False)
    before = log.inventory("inputs")
    sides = (
        Side.of(folder or ".", before, INPUT, known[0]),
        Side.of(str(out), outputs, OUTPUT, known[1]),
    )
    others, now = _seen(sides, began)
    after = inputs(folder, before, others[0])
    damaged = unlike(sides[1], others[1])
    now = proved(log.folder, known, now)
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
        now,
        _resettled(known, now, (before, outputs)),
    )


def _seen(sides: Sequence[Side], began: int) -> tuple[tuple[set[str], set[str]], Settled]:
    """Of content and output, the folders that may not be as noted, and the stamps of the others."""
    many = sum(count(side.noted, side.width) for side in sides) > _WORTH_FORKING
    workers = Forked(processors()) if many and processors() > 1 else Here()
    others, settled = (set[str](), set[str]()), (dict(sides[0].settled), dict(sides[1].settled))
    for seen in workers.run(look, [*bundles(sides)], sides, 1):
        for number, unlike_, stamps in seen:
            others[number].update(unlike_)
            settled[number].update(stamp for stamp in stamps if settles(stamp[1], began))
    for side, held, of in zip(sides, others, settled, strict=True):
        for folder in of.keys() - (side.within.keys() - held):
            del of[folder]
    return others, settled


def _resettled(known: Settled, settled: Settled, noted: tuple[Inventory, Inventory]) -> bool:
    """Whether the next look saves much by what this one knows of folders."""
    names = (
        len(of[folder].stats) // (8 * width) if folder in of else 0
        for of, width, was, now in zip(noted, (INPUT, OUTPUT), known, settled, strict=True)
        for folder, _ in now.items() - was.items()
    )
    return sum(_FOLDER + number for number in names) > _WORTH_NOTING


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
