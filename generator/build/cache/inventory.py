"""Inventories of a folder: paths, stats and digests of its files, packed so that two inventories of
a hundred thousand files compare in one step.

Imports nothing heavy, because a build that has nothing to do imports little more than this.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from generator.dialect.folder import is_input, walk

#: Input files: mtime and ctime in ns, and size.  Output files: mtime in ns, and size.
Stat = tuple[int, ...]
#: Numbers in a stat.
INPUT, OUTPUT = 3, 2
#: The stat of an input that no build reads.
NO_STAT: Stat = (0, 0, 0)
#: Bytes of a digest: the git blob id of an input, the SHA-256 of an output file.
BLOB_ID, SHA_256 = 20, 32
NO_DIGEST = bytes(BLOB_ID)
#: A file that changed less than this before the build began (ns) may change again and keep the same
#: time.  File systems with times in whole seconds need the longer one.
RACY, _RACY_COARSE = 50_000_000, 2_000_000_000


class Inventory(NamedTuple):
    """The files of a folder, sorted by path: paths, each followed by a NUL; stats, in numbers of 64
    bits; and digests, if they are known.
    """

    paths: bytes = b""
    stats: bytes = b""
    digests: bytes = b""

    @property
    def files(self) -> int:
        """The number of files."""
        return self.paths.count(b"\0")

    def names(self) -> list[str]:
        """The paths as text."""
        return os.fsdecode(self.paths).split("\0")[:-1]

    def stats_of(self, width: int) -> Iterator[Stat]:
        """The stat of each path, of `width` numbers."""
        numbers = iter(unpack_numbers(self.stats))
        return zip(*[numbers] * width, strict=True)

    def entries(self, width: int, digest: int) -> Iterator[tuple[str, Stat, bytes]]:
        """Each path with its stat (`width` numbers) and its digest (`digest` bytes)."""
        stats = self.stats_of(width)
        digests = (self.digests[i : i + digest] for i in range(0, len(self.digests), digest))
        return zip(self.names(), stats, digests, strict=True)


def inventory(files: Iterable[tuple[str, Stat, bytes]]) -> Inventory:
    """The inventory of files, given as path, stat and digest in any order."""
    ordered = sorted(files)
    paths = "".join([f"{path}\0" for path, _, _ in ordered])
    return Inventory(
        os.fsencode(paths),
        pack_numbers(list(chain.from_iterable(stat for _, stat, _ in ordered))),
        b"".join([digest for _, _, digest in ordered]),
    )


def content_inventory(folder: str) -> Inventory:
    """The inventory of a content folder without digests: all names that a scan lists, with the
    stats of the files that a build reads.  Raises OSError.
    """
    files: list[tuple[str, Stat, bytes]] = []
    for below, entries in walk(folder):
        if isinstance(entries, OSError):
            raise entries
        for name, entry in entries:
            path = f"{below}/{name}" if below else name
            stat = NO_STAT
            if is_input(path):
                try:
                    status = entry.stat()
                    stat = status.st_mtime_ns, status.st_ctime_ns, status.st_size
                except OSError:  # a broken link: reading it reports the problem
                    pass
            files.append((path, stat, b""))
    return inventory(files)


def output_inventory(folder: str) -> Inventory:
    """The inventory of an output without digests.  Follows no links.  Raises OSError."""
    found: list[tuple[bytes, int, int]] = []
    root, todo = os.fsencode(folder) + b"/", [b""]
    while todo:
        below = todo.pop()
        with os.scandir(root + below) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(below + entry.name + b"/")
                else:
                    stat = entry.stat(follow_symlinks=False)
                    found.append((b"/" + below + entry.name, stat.st_mtime_ns, stat.st_size))
    found.sort()
    stats = pack_numbers([number for _, mtime, size in found for number in (mtime, size)])
    return Inventory(b"".join([path + b"\0" for path, _, _ in found]), stats)


def pack_numbers(numbers: Sequence[int]) -> bytes:
    """Numbers as 64 bits each; of larger numbers, which some file systems use, the low 64 bits."""
    try:
        return array("q", numbers).tobytes()
    except OverflowError:
        low = [(number + (1 << 63)) % (1 << 64) - (1 << 63) for number in numbers]
        return array("q", low).tobytes()


def unpack_numbers(stats: bytes) -> array[int]:
    numbers = array("q")
    numbers.frombytes(stats)
    return numbers


def blob_id(raw: bytes) -> bytes:
    """The id that git gives to a file with these bytes: the SHA-1 of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).digest()


def stable_stat(stat: Stat, began: int) -> Stat:
    """The stat to save for an input.  If the file may still change and keep its time, the saved
    stat matches no file.  `began` is when the build began, in ns.
    """
    latest = max(stat[0], stat[1])
    window = _RACY_COARSE if stat[0] % 1_000_000_000 == 0 else RACY
    return (0, 0, stat[2]) if latest >= began - window else stat


def content_digest(inputs: Mapping[str, tuple[Stat, bytes]]) -> str:
    """The SHA-256 of folders, names and git blob ids of all inputs that are read."""
    folders: dict[str, list[tuple[bytes, bytes]]] = {}
    for path, (_, digest) in inputs.items():
        if digest != NO_DIGEST:
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, []).append((name.encode("utf-8", "surrogateescape"), digest))
    whole = hashlib.sha256()
    for folder, files in sorted(folders.items()):
        files.sort()
        names, digests = b"\0".join(n for n, _ in files), b"".join(d for _, d in files)
        whole.update(b"%b\0%b\0\0%b" % (folder.encode("utf-8", "surrogateescape"), names, digests))
    return "sha256:" + whole.hexdigest()
