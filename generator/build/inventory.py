"""Which files a folder holds, packed so that a hundred thousand of them compare in one step.

Imports nothing heavy: a build that finds nothing to do has imported little more than this.
"""

from __future__ import annotations

import hashlib
import marshal
import os
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

#: What is noted of an input: mtime and ctime in ns, and size; of an output: mtime in ns, and size.
Stat = tuple[int, ...]
INPUT, OUTPUT = 3, 2
NO_STAT: Stat = (0, 0, 0)
NO_DIGEST = bytes(20)
#: So many files of a folder at most are looked for among its names as they are joined; more than
#: the second number are sooner changed where it is unpacked.
_FEW, _MANY = 8, 1000
#: A file changed this short before a look at it may change again without its time changing (ns);
#: file systems that keep whole seconds need more.
RACY, _RACY_COARSE = 50_000_000, 2_000_000_000


class Folder(NamedTuple):
    """The files of one folder by name: names joined by NUL, `width` numbers of each, 20 bytes of
    digest of each.
    """

    names: bytes
    stats: bytes
    digests: bytes = b""

    def files(self, width: int) -> dict[bytes, tuple[Stat, bytes]]:
        numbers = unpacked(self.stats)
        return {
            name: (tuple(numbers[i * width : (i + 1) * width]), self.digests[i * 20 : (i + 1) * 20])
            for i, name in enumerate(self.names.split(b"\0") if self.names else ())
        }

    def numbers(self, place: int | None, width: int) -> Stat | None:
        """What is noted of the file in one place."""
        if place is None:
            return None
        return tuple(unpacked(self.stats[place * width * 8 : (place + 1) * width * 8]))


Inventory = Mapping[str, Folder]


def pack(files: Mapping[bytes, tuple[Stat, bytes]]) -> Folder:
    names = sorted(files)
    numbers = [number for name in names for number in files[name][0]]
    return Folder(b"\0".join(names), packed(numbers), b"".join(files[name][1] for name in names))


def packed(numbers: Sequence[int]) -> bytes:
    """Numbers of 64 bits; of a time that has more, as file systems may tell, the last ones."""
    try:
        return array("q", numbers).tobytes()
    except OverflowError:
        return array(
            "q", [(number + (1 << 63)) % (1 << 64) - (1 << 63) for number in numbers]
        ).tobytes()


def unpacked(stats: bytes) -> array[int]:
    numbers = array("q")
    numbers.frombytes(stats)
    return numbers


def blob_id(raw: bytes) -> bytes:
    """The identity of a file's bytes, as git has it."""
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).digest()


def settled(stat: Stat, began: int) -> Stat:
    """An input's stat, read after `began`; one of no file where that could change again unseen."""
    latest = max(stat[0], stat[1])
    window = _RACY_COARSE if stat[0] % 1_000_000_000 == 0 else RACY
    return (0, 0, stat[2]) if latest >= began - window else stat


def folder_of(files: list[tuple[Any, ...]]) -> Folder:
    """Names, each followed by its numbers, packed."""
    files.sort()
    return Folder(
        b"\0".join([file[0] for file in files]),
        packed([number for file in files for number in file[1:]]),
    )


class _Files:
    """The names of files of a folder, and the numbers of each, as they come: as objects these are
    more than all that is made of many files.
    """

    __slots__ = ("names", "numbers")

    def __init__(self) -> None:
        self.names, self.numbers = list[bytes](), array("q")

    def folder(self) -> Folder:
        if len(self.names) == 1:  # as of every page of a record
            return Folder(self.names[0], self.numbers.tobytes())
        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        stats = array("q", bytes(8 * len(self.numbers)))
        for which in range(OUTPUT):
            stats[which::OUTPUT] = array("q", map(self.numbers[which::OUTPUT].__getitem__, order))
        return Folder(b"\0".join(map(self.names.__getitem__, order)), stats.tobytes())


def count(inventory: Inventory, width: int) -> int:
    return sum(len(held.stats) for held in inventory.values()) // (8 * width)


def gathered(written: Iterable[tuple[str, int, int]]) -> dict[str, Folder]:
    """The inventory of an output from what was written: (path, mtime in ns, size)."""
    folders: dict[str, _Files] = {}
    for path, mtime, size in written:
        folder, _, name = path[1:].rpartition("/")
        files = folders.get(folder)
        if files is None:
            files = folders[folder] = _Files()
        files.names.append(name.encode())
        try:
            files.numbers.append(mtime)
        except OverflowError:
            files.numbers.frombytes(packed((mtime,)))
        files.numbers.append(size)
    return {folder: files.folder() for folder, files in folders.items()}


def of_inputs(
    names: Mapping[str, Iterable[str]], seen: Iterable[tuple[str, Stat, bytes]]
) -> dict[str, Folder]:
    """The inventory of a content folder: what its folders hold, and the stats and digests of the
    files read, with their paths.
    """
    read: dict[str, list[bytes]] = {}
    for folder, some in groupby(seen, lambda one: one[0].rpartition("/")[0]):
        # Packed, for of many files it is more than all that is made of it.
        here = [(path[len(folder) + 1 if folder else 0 :], *rest) for path, *rest in some]
        read.setdefault(folder, []).append(marshal.dumps(here))
    return {folder: _of_read(held, read.pop(folder, ())) for folder, held in names.items()}


def _of_read(held: Iterable[str], read: Iterable[bytes]) -> Folder:
    """The files that a folder holds, with what is noted of those that were read."""
    names = sorted(map(os.fsencode, held))
    width, last = 8 * INPUT, len(names)
    stats, digests, place = bytearray(width * last), bytearray(20 * last), -1
    for some in read:
        for path, stat, digest in marshal.loads(some):
            name, place = os.fsencode(path), place + 1
            if place >= last or names[place] != name:  # not the one after that before
                place = bisect_left(names, name)
                if place == last or names[place] != name:  # it has just come
                    names.insert(place, name)
                    stats[place * width : place * width] = bytes(width)
                    digests[place * 20 : place * 20] = NO_DIGEST
                    last += 1
            stats[place * width : (place + 1) * width] = packed(stat)
            digests[place * 20 : (place + 1) * 20] = digest
    return Folder(b"\0".join(names), bytes(stats), bytes(digests))


class Difference(NamedTuple):
    """What differs between two inventories: paths of files, with a slash after those of folders."""

    added: list[str]
    removed: list[str]
    changed: list[str]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def difference(old: Inventory, new: Inventory, width: int) -> Difference:
    """Names and stats compared; digests are not."""
    added, removed, changed = [], [], []
    for folder in old.keys() | new.keys():
        before, after = old.get(folder, Folder(b"", b"")), new.get(folder, Folder(b"", b""))
        if before.names == after.names and before.stats == after.stats:
            continue
        was, now = before.files(width), after.files(width)
        for name in was.keys() | now.keys():
            path = os.fsdecode(
                (folder.encode("utf-8", "surrogateescape") + b"/" + name) if folder else name
            )
            if name not in now:
                removed.append(path)
            elif name not in was:
                added.append(path)
            elif was[name][0] != now[name][0]:
                changed.append(path)
    return Difference(sorted(added), sorted(removed), sorted(changed))


def patched(
    inventory: Inventory, files: Mapping[str, tuple[Stat, bytes] | None], width: int
) -> dict[str, Folder]:
    """The inventory with some files put in or (None) taken out; paths without a leading slash."""
    folders: dict[str, dict[bytes, tuple[Stat, bytes] | None]] = {}
    for path, what in files.items():
        folder, name = _split(path)
        folders.setdefault(folder, {})[os.fsencode(name)] = what
    after = dict(inventory)
    for folder, changes in folders.items():
        now = after.get(folder, Folder(b"", b""))
        quick = _replaced(now, changes, width)
        if quick is None:
            every = now.files(width)
            every |= {name: what for name, what in changes.items() if what is not None}
            quick = pack(
                {name: what for name, what in every.items() if changes.get(name, what) is not None}
            )
        if quick.names:
            after[folder] = quick
        else:
            after.pop(folder, None)
    return after


def _replaced(
    folder: Folder, changes: Mapping[bytes, tuple[Stat, bytes] | None], width: int
) -> Folder | None:
    """The folder with some of its files replaced, put in or taken out, without unpacking it; None
    where that cannot be.
    """
    if not folder.names or len(changes) > _MANY:
        return None
    stats, digests, each = bytearray(folder.stats), bytearray(folder.digests), 8 * width

    def put(place: int, end: int, what: tuple[Stat, bytes] | None) -> None:
        stats[place * each : end * each] = b"" if what is None else packed(what[0])
        if folder.digests:
            digests[place * 20 : end * 20] = b"" if what is None else what[1]

    if len(changes) <= _FEW and None not in changes.values():
        places = [_find(folder.names, name) for name in changes]
        held = [place for place in places if place is not None]
        if len(held) == len(changes):
            for place, what in zip(held, changes.values(), strict=True):
                put(place, place + 1, what)
            return Folder(folder.names, bytes(stats), bytes(digests))
    names = folder.names.split(b"\0")
    for name, what in changes.items():
        place = bisect_left(names, name)
        end = place + (names[place : place + 1] == [name])
        names[place:end] = [] if what is None else [name]
        put(place, end, what)
    return Folder(b"\0".join(names), bytes(stats), bytes(digests))


def _find(names: bytes, name: bytes) -> int | None:
    """The place of a name among names joined by NUL."""
    if names == name or names.startswith(name + b"\0"):
        return 0
    at = names.find(b"\0" + name + b"\0")
    if at < 0:
        if not names.endswith(b"\0" + name):
            return None
        at = len(names) - len(name) - 1
    return names.count(b"\0", 0, at) + 1


def _split(path: str) -> tuple[str, str]:
    """Folder and name; a folder's own name ends in a slash, or two (see
    generator.records.folder.walk).
    """
    bare = path.rstrip("/")
    folder, _, name = bare.rpartition("/")
    return folder, name + path[len(bare) :]


def digest_of(inventory: Inventory, path: str) -> bytes | None:
    """The digest of one file."""
    folder, name = _split(path)
    held = inventory.get(folder)
    place = _find(held.names, os.fsencode(name)) if held is not None else None
    return (
        held.digests[place * 20 : (place + 1) * 20]
        if held is not None and place is not None
        else None
    )


def lookup(inventory: Inventory, path: str, width: int) -> Stat | None:
    """What is noted of one file; the path without a leading slash."""
    folder, name = _split(path)
    held = inventory.get(folder)
    place = _find(held.names, os.fsencode(name)) if held is not None and held.names else None
    return held.numbers(place, width) if held is not None else None


def paths(inventory: Inventory) -> Iterator[str]:
    """Every path, without a leading slash."""
    for folder, held in inventory.items():
        below = f"{folder}/" if folder else ""
        yield from (below + os.fsdecode(name) for name in held.names.split(b"\0"))


def content_digest(inventory: Inventory) -> str:
    """SHA-256 over folders, names and git blob ids of every input that is read."""
    whole = hashlib.sha256()
    for folder in sorted(inventory):
        names, digests = inventory[folder].names, inventory[folder].digests
        if NO_DIGEST in digests:
            pairs = [(n, digests[i * 20 : (i + 1) * 20]) for i, n in enumerate(names.split(b"\0"))]
            names = b"\0".join(n for n, d in pairs if d != NO_DIGEST)
            digests = b"".join(d for _, d in pairs if d != NO_DIGEST)
        if names:
            whole.update(b"%b\0%b\0\0%b" % (os.fsencode(folder), names, digests))
    return "sha256:" + whole.hexdigest()
