"""What a folder holds: the paths of its files with their times, sizes and digests, packed so that
a hundred thousand files compare in one step.

Imports nothing heavy: a build that has nothing to do imports little more than this.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from generator.dialect.folder import is_read, walk

#: Of an input: mtime and ctime in ns, and size.  Of an output: mtime in ns, and size.
Stat = tuple[int, ...]
#: How many numbers a stat has.
INPUT, OUTPUT = 3, 2
#: The stat of an input that no build reads, and of one that may change again within its time.
NO_STAT: Stat = (0, 0, 0)
#: Bytes of a digest: a git blob id of an input, a SHA-256 of an output.
BLOB_ID, SHA_256 = 20, 32
NO_DIGEST = bytes(BLOB_ID)
#: A file that changed this short before the build began (ns) may change again without another
#: time; file systems that keep whole seconds need more.
RACY, _RACY_COARSE = 50_000_000, 2_000_000_000


class Inventory(NamedTuple):
    """The files of a folder in the order of their paths: the paths, each with a NUL after it, the
    numbers of their stats (64 bits each) and, where they are known, their digests.
    """

    paths: bytes = b""
    stats: bytes = b""
    digests: bytes = b""

    @property
    def files(self) -> int:
        """How many files there are."""
        return self.paths.count(b"\0")

    def names(self) -> list[str]:
        """The paths, as text."""
        return os.fsdecode(self.paths).split("\0")[:-1]

    def stats_of(self, width: int) -> Iterator[Stat]:
        """The stat of each path, of `width` numbers."""
        numbers = iter(unpacked(self.stats))
        return zip(*[numbers] * width, strict=True)

    def entries(self, width: int, digest: int) -> Iterator[tuple[str, Stat, bytes]]:
        """Each path with its stat of `width` numbers and its digest of `digest` bytes."""
        stats = self.stats_of(width)
        digests = (self.digests[i : i + digest] for i in range(0, len(self.digests), digest))
        return zip(self.names(), stats, digests, strict=True)


def inventory(files: Iterable[tuple[str, Stat, bytes]]) -> Inventory:
    """The inventory of files in any order: path, stat and digest of each."""
    every = sorted(files)
    paths = "".join([f"{path}\0" for path, _, _ in every])
    return Inventory(
        os.fsencode(paths),
        packed(list(chain.from_iterable(stat for _, stat, _ in every))),
        b"".join([digest for _, _, digest in every]),
    )


def of_content(folder: str) -> Inventory:
    """What a content folder holds, without digests: all names that a scan looks at, stats of the
    files that a build reads.  Raises OSError.
    """
    files: list[tuple[str, Stat, bytes]] = []
    for here, entries in walk(folder):
        if isinstance(entries, OSError):
            raise entries
        for name, entry in entries:
            path = f"{here}/{name}" if here else name
            stat = NO_STAT
            if is_read(path):
                try:
                    known = entry.stat()
                    stat = known.st_mtime_ns, known.st_ctime_ns, known.st_size
                except OSError:  # a link that leads nowhere: reading it reports the problem
                    pass
            files.append((path, stat, b""))
    return inventory(files)


def of_output(folder: str) -> Inventory:
    """The files of an output with their stats, without digests; links are not followed.  Raises
    OSError.
    """
    found: list[tuple[bytes, int, int]] = []
    root, todo = os.fsencode(folder) + b"/", [b""]
    while todo:
        here = todo.pop()
        with os.scandir(root + here) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(here + entry.name + b"/")
                else:
                    stat = entry.stat(follow_symlinks=False)
                    found.append((b"/" + here + entry.name, stat.st_mtime_ns, stat.st_size))
    found.sort()
    stats = packed([number for _, mtime, size in found for number in (mtime, size)])
    return Inventory(b"".join([path + b"\0" for path, _, _ in found]), stats)


def packed(numbers: Sequence[int]) -> bytes:
    """Numbers of 64 bits; of a time that needs more, as file systems may have it, the last 64."""
    try:
        return array("q", numbers).tobytes()
    except OverflowError:
        low = [(number + (1 << 63)) % (1 << 64) - (1 << 63) for number in numbers]
        return array("q", low).tobytes()


def unpacked(stats: bytes) -> array[int]:
    numbers = array("q")
    numbers.frombytes(stats)
    return numbers


def blob_id(raw: bytes) -> bytes:
    """The identity of a file's bytes as git has it: the SHA-1 of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).digest()


def stable(stat: Stat, began: int) -> Stat:
    """An input's stat, or one that no file has if the file may still change within its time;
    `began` is when the build did, in ns.
    """
    latest = max(stat[0], stat[1])
    window = _RACY_COARSE if stat[0] % 1_000_000_000 == 0 else RACY
    return (0, 0, stat[2]) if latest >= began - window else stat


def content_digest(inputs: Mapping[str, tuple[Stat, bytes]]) -> str:
    """SHA-256 over folders, names and git blob ids of every input that is read."""
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
