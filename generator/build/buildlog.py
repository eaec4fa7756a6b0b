"""What the last build read, made and wrote, so that the next need only do what changed.

    <parent>/.registry/<out>/log/
        head                    small: versions, settings, symbols, and the names of the rest
        inputs.N, outputs.N     inventories
        settled.N               which of their folders need not be listed
        table-<collection>.N    orders and members
        places-<collection>.N   where the rows lie
        rows-<collection>.N     rows and their summaries, appended to
        marks.N                 what checks across records look at

It is safe to delete, damage, or take to another branch: every part carries a checksum, `head` is
replaced last and in one step, and what it says of files is checked against the files.  A log that
cannot be used is no log.  Nor is it trusted: it may have come with a clone, and somebody else may
have made it (see generator.build.plain).
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import stat
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, overload
from zlib import crc32

from generator import PACKAGE
from generator.build.head import Head
from generator.build.inventory import INPUT, OUTPUT, Folder
from generator.build.plain import (
    MAX_BYTES,
    LogDamaged,
    inventory_pieces,
    parted,
    parted_inventory,
    pieces,
)
from generator.build.settled import Settled, joined_settled, parted_settled

#: Pieces of an inventory that are written in one go.
_TOGETHER = 1000
#: Distributions whose version can show in the output.
_DISTRIBUTIONS = (
    "brotli",
    "icalendar",
    "jinja2",
    "markdown_it_py",
    "markupsafe",
    "orjson",
    "pycountry",
    "pydantic",
    "pydantic_core",
    "pyyaml",
    "tzdata",
)


def fingerprint(*asked: str) -> str:
    """Of everything but the content that an output depends on: this package, its templates and what
    it uses; and `asked`.
    """
    whole = hashlib.sha256(sys.version.encode())
    for root in (PACKAGE, PACKAGE.parent / "templates"):
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            for name in sorted(names):
                file = os.open(os.path.join(folder, name), os.O_RDONLY)
                try:
                    whole.update(f"{name}\0".encode())
                    while some := os.read(file, 1 << 20):
                        whole.update(some)
                finally:
                    os.close(file)
    for place in dict.fromkeys(sys.path):
        if place and os.path.isdir(place):
            for name in sorted(os.listdir(place)):
                if name.endswith(".dist-info") and name.lower().startswith(_DISTRIBUTIONS):
                    whole.update(name.encode())
    options = hashlib.sha256(b"\0".join(map(os.fsencode, asked)))
    return f"{whole.hexdigest()} {options.hexdigest()}"


def why_whole(folder: Path, fingerprint: str) -> str:
    """Why there is no log that `Log.open` takes."""
    log = Log.find(folder)
    if log is None:
        return "there is no build log"
    if log.head.fingerprint.partition(" ")[0] != fingerprint.partition(" ")[0]:
        return "the last build was by another version of the generator, or of what it uses"
    return "the last build was of another content folder, or with other options"


class Packed(Sequence[Any]):
    """The rows of one table as the log keeps them, unpacked one at a time, with changes laid over
    them.

    `places` has six numbers for each row: start, length and checksum of its fields, and of its
    summary.
    """

    def __init__(
        self,
        blob: Any,
        places: memoryview,
        changed: Mapping[int, Any],
        make: Any,
        *,
        summaries: bool = False,
    ):
        self.blob, self.places, self.changed, self.make = blob, places, changed, make
        self.only_summaries = summaries
        #: Of each row, whether `parts` has held it against its checksum.
        self._sound = bytearray(len(places) // 6)

    def __len__(self) -> int:
        return max(len(self.places) // 6, max(self.changed, default=-1) + 1)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: Any) -> Any:
        if index in self.changed:
            row = self.changed[index]
            return row.summary if self.only_summaries else row
        start, length, check, at, size, other = self.places[index * 6 : index * 6 + 6]
        summary = self._part(at, size, other)
        return (
            summary if self.only_summaries else self.make(self._part(start, length, check), summary)
        )

    def fields(self, index: int) -> bytes | None:
        """The fields of a row as the log has them; None where a change is laid over it."""
        if index in self.changed:
            return None
        return self._part(*self.places[index * 6 : index * 6 + 3])

    def lengths(self, numbers: Iterable[int]) -> Iterator[int]:
        """The bytes of summaries, which are not read."""
        places, changed = self.places, self.changed
        for number in numbers:
            yield len(changed[number].summary) if number in changed else places[number * 6 + 4]

    def some(self, numbers: Sequence[int]) -> list[Any]:
        """Summaries, or rows."""
        if not self.only_summaries or not self.changed.keys().isdisjoint(numbers):
            return [self[number] for number in numbers]
        return self.parts(numbers)

    def parts(self, numbers: Sequence[int]) -> list[memoryview]:
        """The summaries of rows as the log has them, or their fields; they are not copied."""
        blob, first = memoryview(self.blob), 3 * self.only_summaries
        starts, sizes, checks = (self.places[first + which :: 6] for which in range(3))
        parts = [blob[starts[n] : starts[n] + sizes[n]] for n in numbers]
        for n in numbers:
            if not self._sound[n]:
                self._part(starts[n], sizes[n], checks[n])
                self._sound[n] = 1
        return parts

    def _part(self, start: int, length: int, check: int) -> bytes:
        part: bytes = self.blob[start : start + length]
        if crc32(part) != check or len(part) != length:
            raise LogDamaged
        return part


class Log:
    """An opened log.  Raises LogDamaged from any method that meets a damaged part."""

    def __init__(self, folder: Path, head: Head):
        self.folder, self.head = folder, head
        self._open: list[Any] = []

    @classmethod
    def open(cls, folder: Path, fingerprint: str) -> Log | None:
        """The log, where there is one that this very generator wrote."""
        log = cls.find(folder)
        return log if log is not None and log.head.fingerprint == fingerprint else None

    @classmethod
    def find(cls, folder: Path) -> Log | None:
        """The log, of whatever build it is; None where there is none that can be read."""
        try:
            return cls(folder, Head.unpack(_read(folder, "head")))
        except LogDamaged:
            return None

    def part(self, name: str, shape: Any = None) -> tuple[Any, list[bytes]]:
        """The JSON of a part, in this shape, and its byte strings."""
        return parted(self._part(name), shape)

    def views(self, name: str, shape: Any = None) -> tuple[Any, list[memoryview]]:
        """The same without a copy: of a table little is looked at."""
        return parted(memoryview(self._part(name)), shape)

    def inventory(self, name: str) -> dict[str, Folder]:
        return parted_inventory(self._part(name), INPUT if name == "inputs" else OUTPUT)

    def settled(self) -> Settled:
        return parted_settled(self.part("settled", types.NoneType)[1])

    def _part(self, name: str) -> bytes:
        file, size, check = self.head.parts[name]
        raw = _read(self.folder, file)
        if len(raw) != size or crc32(raw) != check:
            raise LogDamaged
        return raw

    def rows(self, collection: str) -> Any:
        """The bytes that a table's rows are cut from."""
        file, size = self.head.rows[collection]
        if not size:
            return b""
        with _opened(self.folder, file) as opened:
            if os.fstat(opened.fileno()).st_size < size:
                raise LogDamaged
            mapped = mmap.mmap(opened.fileno(), size, access=mmap.ACCESS_READ)
        self._open.append(mapped)
        return mapped


def _opened(folder: Path, name: str) -> Any:
    """A file of the log.  Raises LogDamaged where it is none, or a link, or too large."""
    try:
        number = os.open(folder / name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        opened = open(number, "rb", buffering=0)  # noqa: SIM115
    except OSError:
        raise LogDamaged from None
    if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
        opened.close()
        raise LogDamaged
    return opened


def _read(folder: Path, name: str) -> bytes:
    with _opened(folder, name) as opened:
        if os.fstat(opened.fileno()).st_size > MAX_BYTES:
            raise LogDamaged
        raw: bytes = opened.read()
        return raw


class Writer:
    """Writes the next log beside the last, in a `with`; it takes effect when `finish` replaces the
    head.
    """

    def __init__(self, folder: Path, last: Log | None):
        self.folder, self.last = folder, last
        folder.mkdir(parents=True, exist_ok=True)
        self.number = (last.head.number if last else 0) + 1
        while any(folder.glob(f"*.{self.number}")):
            self.number += 1
        self.parts: dict[str, tuple[str, int, int]] = {}
        self.blobs: dict[str, tuple[str, int]] = {}

    def keep(self, *names: str) -> None:
        """Parts that stay as they are."""
        assert self.last is not None
        for name in names:
            self.parts[name] = self.last.head.parts[name]

    def part(self, name: str, value: Any = None, blobs: Sequence[bytes | memoryview] = ()) -> None:
        self._write(name, pieces(value, blobs))

    def inventory(self, name: str, value: Mapping[str, Folder]) -> None:
        # Most pieces are small: so many together are sooner written than each.
        every = iter(inventory_pieces(value))
        self._write(name, iter(lambda: b"".join(islice(every, _TOGETHER)), b""))

    def settled(self, value: Settled) -> None:
        self.part("settled", None, joined_settled(value))

    def _write(self, name: str, raw: Iterable[bytes | memoryview]) -> None:
        file, size, check = f"{name}.{self.number}", 0, 0
        with open(self._created(file), "wb") as opened:
            for piece in raw:
                opened.write(piece)
                size, check = size + len(piece), crc32(piece, check)
        self.parts[name] = (file, size, check)

    def _created(self, name: str) -> int:
        (self.folder / name).unlink(missing_ok=True)
        return os.open(
            self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644
        )

    def keep_rows(self, collection: str) -> None:
        assert self.last is not None
        self.blobs[collection] = self.last.head.rows[collection]

    def rows(self, collection: str, pieces: Iterable[bytes], *, append: bool) -> int:
        """Write pieces, after those of the last log or anew; where the first of them begins."""
        file, start = f"rows-{collection}.{self.number}", 0
        if append:
            assert self.last is not None
            file, start = self.last.head.rows[collection]
        handle = (
            os.open(self.folder / file, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            if append
            else self._created(file)
        )
        with open(handle, "wb", buffering=1 << 20) as opened:
            opened.seek(start)
            opened.writelines(pieces)
            self.blobs[collection] = (file, opened.tell())
        return start

    def prepare(self, head: Head) -> None:
        """Write the head; it takes effect when `finish` puts it in place."""
        packed = head.packed or {name: size for name, (_, size) in self.blobs.items()}
        self.head = replace(
            head, number=self.number, parts=self.parts, rows=self.blobs, packed=packed
        )
        with open(self._created("head.new"), "wb") as opened:
            opened.write(self.head.pack())

    def finish(self) -> None:
        """Make this the log, and remove what was the last one's alone."""
        (self.folder / "head.new").replace(self.folder / "head")
        self._remove_all_but({"head", *self.head.files.values()})

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """After an error the last log is all there is."""
        if kind is not None:
            rows = dict(self.last.head.rows.values()) if self.last is not None else {}
            with contextlib.suppress(OSError):
                for file, size in rows.items():
                    if (self.folder / file).lstat().st_size > size:
                        with open(
                            os.open(self.folder / file, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC),
                            "wb",
                        ) as opened:
                            opened.truncate(size)
            self._remove_all_but(
                {"head", *(self.last.head.files.values() if self.last is not None else ())}
            )

    def _remove_all_but(self, used: set[str]) -> None:
        for name in os.listdir(self.folder):
            if name not in used:
                with contextlib.suppress(OSError):
                    os.unlink(self.folder / name)


def identity(folder: str) -> str:
    """Of a content folder, whatever bytes its path has."""
    return hashlib.sha256(os.fsencode(os.path.abspath(folder))).hexdigest()
