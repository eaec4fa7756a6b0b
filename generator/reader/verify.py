"""A whole registry, or a sample of it, held against its manifest; what is wrong is told by path."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Set
from pathlib import Path
from typing import NamedTuple

from generator.contract import manifest
from generator.contract.manifest import Entry, Root
from generator.grammar.paths import BUILD, MANIFEST_ROOT
from generator.reader.documents import MAX_READ
from generator.reader.location import Read
from generator.reader.verified import Manifest, Trust, Untrusted, fault

#: Files that are asked for at once, and their bytes.
_MOST_FILES, _MOST_BYTES = 64, 4 << 20

Progress = Callable[[int, int], None]


class Fault(NamedTuple):
    """What is wrong with a file."""

    path: str
    what: str


class Outcome(NamedTuple):
    """What was looked at: the root, where it was one, and files with their bytes; `paths` has those
    that the manifest has, where all were looked at.
    """

    root: Root | None
    files: int
    bytes: int
    faults: list[Fault]
    paths: frozenset[str] = frozenset()


def verify(
    read: Read,
    trust: Trust,
    sample: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Outcome:
    """Look at every file that the manifest has, or at `sample` of them, taken by chance.  Raises
    ClientError where something cannot be read.
    """
    [raw] = read([MANIFEST_ROOT])
    root, wrong = trust.judge(raw)
    faults = [Fault(MANIFEST_ROOT, what) for what in wrong]
    if root is None:
        return Outcome(None, 0, 0, faults)
    known, files, size = Manifest(root, read), 0, 0
    entries: Iterable[Entry] = (
        _all(known, faults)
        if sample is None
        else _some(known, sample, random.SystemRandom(), faults)
    )
    total = root.files if sample is None else min(sample, root.files)
    paths, listed = set(), 0
    for some in in_batches([root.build], entries):
        contents = read([entry.path for entry in some])
        for entry, data in zip(some, contents, strict=True):
            files, size = files + 1, size + len(data or b"")
            if entry.path != BUILD:
                paths.add(entry.path)
                listed += entry.size
            what = fault(entry, data)
            if entry.size > MAX_READ:
                what = f"it has {entry.size:,} bytes, more than any reader takes"
            if what is not None:
                faults.append(Fault(entry.path, what))
        progress(files, total)
    if sample is None and not faults and (len(paths), listed) != (root.files, root.bytes):
        faults.append(Fault(MANIFEST_ROOT, "it tells another number of files than its bins have"))
    every = frozenset(paths) if sample is None else frozenset[str]()
    return Outcome(root, files, size, faults, every)


def in_batches(*entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Entries as many at a time as are read at once."""
    some: list[Entry] = []
    size = 0
    for of in entries:
        for entry in of:
            if some and (len(some) == _MOST_FILES or size + entry.size > _MOST_BYTES):
                yield some
                some, size = [], 0
            some.append(entry)
            size += entry.size
    if some:
        yield some


def unlisted(folder: Path, known: Set[str]) -> Iterator[Fault]:
    """What a server publishes from a folder and the manifest does not have: other files, and links,
    which no build makes.
    """
    for here, folders, names in os.walk(folder):
        above = os.path.relpath(here, folder)
        for name in (*folders, *names):
            path = f"/{name}" if above == "." else f"/{above}/{name}"
            if path in known:
                continue
            if os.path.islink(os.path.join(here, name)):
                yield Fault(path, "it is a link, and the manifest does not have it")
            elif name in names and manifest.lists(path):
                yield Fault(path, "the manifest does not have it")


def _all(known: Manifest, faults: list[Fault]) -> Iterator[Entry]:
    for numbers in known.root.layout.batches():
        yield from _of(known, numbers, faults)


def _of(known: Manifest, numbers: Iterable[int], faults: list[Fault]) -> Iterator[Entry]:
    """The entries of bins; one that is wrong is told, and the others are read."""
    numbers = list(numbers)
    try:
        every = known.entries(numbers)
    except Untrusted as error:
        if len(numbers) == 1:
            path, _, what = str(error).partition(": ")
            if (told := Fault(path, what)) not in faults:
                faults.append(told)
            return
        for number in numbers:
            yield from _of(known, [number], faults)
        return
    for of in every.values():
        yield from of.values()


def _some(
    known: Manifest, count: int, chance: random.Random, faults: list[Fault]
) -> Iterator[Entry]:
    """Entries of bins in a random order, a few of each."""
    numbers = list(range(1 << known.root.layout.bits))
    chance.shuffle(numbers)
    for left, number in zip(range(len(numbers), 0, -1), numbers, strict=True):
        if count <= 0:
            return
        entries = sorted(_of(known, [number], faults))
        taken = chance.sample(entries, min(-(-count // left), len(entries)))
        count -= len(taken)
        yield from taken
