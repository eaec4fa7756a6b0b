"""What the last build read, made and wrote, so that the next need only do what changed.

    <parent>/.registry/<out>/log/head                    small: versions, settings, frame, and the names of the rest
                                 inputs.N, outputs.N     inventories
                                 table-<collection>.N    orders and members
                                 places-<collection>.N   where the rows lie
                                 rows-<collection>.N     rows and their summaries, appended to

It is safe to delete, damage, or take to another branch: every part carries a checksum, `head` is replaced last and in
one step, and what it says of files is checked against the files.  A log that cannot be used is no log.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import mmap
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from generator.build.inventory import Folder

_MAGIC = b"registry-generator log 1\n"
#: Distributions whose version can show in the output.
_DISTRIBUTIONS = (
    "brotli",
    "icalendar",
    "jinja2",
    "markupsafe",
    "orjson",
    "pycountry",
    "pydantic",
    "pydantic_core",
    "pyyaml",
    "tzdata",
)
_is_part = re.compile(r"[a-z]+(-[a-z]+)?\.[0-9]+").fullmatch


class LogDamaged(Exception):
    """A part of the log is not what was written."""


def fingerprint(*more: str) -> str:
    """Of everything but the content that an output depends on: this package, its templates, what it uses, and `more`."""
    whole = hashlib.sha256(sys.version.encode())
    package = Path(__file__).parent.parent
    for root in (package, package.parent / "templates"):
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            for name in sorted(names):
                with open(os.path.join(folder, name), "rb") as file:
                    whole.update(f"{name}\0".encode() + file.read())
    for place in dict.fromkeys(sys.path):
        if place and os.path.isdir(place):
            for name in sorted(os.listdir(place)):
                if name.endswith(".dist-info") and name.lower().startswith(_DISTRIBUTIONS):
                    whole.update(name.encode())
    for text in more:
        whole.update(f"\0{text}".encode())
    return whole.hexdigest()


class Packed(Sequence[Any]):
    """The rows of one table as the log keeps them, unpacked one at a time, with changes laid over them.

    `places` has six numbers for each row: start, length and checksum of its fields, and of its summary.
    """

    def __init__(self, blob: Any, places: memoryview, changed: Mapping[int, Any], make: Any, *, summaries: bool = False):
        self.blob, self.places, self.changed, self.make = blob, places, changed, make
        self.only_summaries = summaries

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
        return summary if self.only_summaries else self.make((*marshal.loads(self._part(start, length, check)), summary))

    def _part(self, start: int, length: int, check: int) -> bytes:
        part: bytes = self.blob[start : start + length]
        if zlib.crc32(part) != check or len(part) != length:
            raise LogDamaged
        return part


class Log:
    """An opened log.  Raises LogDamaged from any method that meets a damaged part."""

    def __init__(self, folder: Path, head: dict[str, Any]):
        self.folder, self.head = folder, head
        self._open: list[Any] = []

    @classmethod
    def open(cls, folder: Path, fingerprint: str) -> Log | None:
        """The log, where there is one that this very generator wrote."""
        try:
            raw = (folder / "head").read_bytes()
            body = raw[len(_MAGIC) + 4 :]
            if raw[: len(_MAGIC)] != _MAGIC or zlib.crc32(body) != int.from_bytes(raw[len(_MAGIC) : len(_MAGIC) + 4], "big"):
                return None
            head = marshal.loads(body)
        except (OSError, ValueError, EOFError, TypeError):
            return None
        if head["fingerprint"] != fingerprint:
            return None
        # Files of this folder, whatever a log says that somebody else wrote.
        named = all(map(_is_part, (file for held in (head["parts"], head["rows"]) for file, *_ in held.values())))
        return cls(folder, head) if named else None

    def part(self, name: str) -> Any:
        file, size, check = self.head["parts"][name]
        try:
            raw = (self.folder / file).read_bytes()
        except OSError:
            raise LogDamaged from None
        if len(raw) != size or zlib.crc32(raw) != check:
            raise LogDamaged
        return marshal.loads(raw)

    def inventory(self, name: str) -> dict[str, Folder]:
        return {folder: Folder(*packed) for folder, packed in self.part(name)}

    def rows(self, collection: str) -> Any:
        """The bytes that a table's rows are cut from."""
        file, size = self.head["rows"][collection]
        if not size:
            return b""
        try:
            with open(self.folder / file, "rb") as opened:
                if os.fstat(opened.fileno()).st_size < size:
                    raise LogDamaged
                mapped = mmap.mmap(opened.fileno(), size, access=mmap.ACCESS_READ)
        except OSError:
            raise LogDamaged from None
        self._open.append(mapped)
        return mapped


class Writer:
    """Writes the next log beside the last, in a `with`; it takes effect when `finish` replaces the head."""

    def __init__(self, folder: Path, last: Log | None):
        self.folder, self.last = folder, last
        folder.mkdir(parents=True, exist_ok=True)
        self.number = (last.head["number"] if last else 0) + 1
        while any(folder.glob(f"*.{self.number}")):
            self.number += 1
        self.parts: dict[str, tuple[str, int, int]] = {}
        self.blobs: dict[str, tuple[str, int]] = {}

    def keep(self, *names: str) -> None:
        """Parts that stay as they are."""
        assert self.last is not None
        for name in names:
            self.parts[name] = self.last.head["parts"][name]

    def part(self, name: str, value: Any) -> None:
        raw = marshal.dumps(value)
        file = f"{name}.{self.number}"
        (self.folder / file).write_bytes(raw)
        self.parts[name] = (file, len(raw), zlib.crc32(raw))

    def inventory(self, name: str, value: Mapping[str, Folder]) -> None:
        self.part(name, [(folder, tuple(packed)) for folder, packed in value.items()])

    def keep_rows(self, collection: str) -> None:
        assert self.last is not None
        self.blobs[collection] = self.last.head["rows"][collection]

    def rows(self, collection: str, pieces: Iterable[bytes], *, append: bool) -> int:
        """Write pieces, after those of the last log or anew; where the first of them begins."""
        file, start = f"rows-{collection}.{self.number}", 0
        if append:
            assert self.last is not None
            file, start = self.last.head["rows"][collection]
        handle = os.open(self.folder / file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        with open(handle, "wb", buffering=1 << 20) as opened:
            opened.seek(start)
            opened.writelines(pieces)
            self.blobs[collection] = (file, opened.tell())
        return start

    def prepare(self, fingerprint: str, head: Mapping[str, Any]) -> None:
        """Write the head; it takes effect when `finish` puts it in place."""
        body = marshal.dumps({**head, "fingerprint": fingerprint, "number": self.number, "parts": self.parts, "rows": self.blobs})
        (self.folder / "head.new").write_bytes(_MAGIC + zlib.crc32(body).to_bytes(4, "big") + body)

    def finish(self) -> None:
        """Make this the log, and remove what was the last one's alone."""
        (self.folder / "head.new").replace(self.folder / "head")
        self._remove_all_but({"head", *(file for file, *_ in self.parts.values()), *(file for file, _ in self.blobs.values())})

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """After an error the last log is all there is."""
        if kind is not None:
            had = self.last.head if self.last is not None else {"parts": {}, "rows": {}}
            kept = dict(had["rows"].values())
            with contextlib.suppress(OSError):
                for file, size in kept.items():
                    if (self.folder / file).stat().st_size > size:
                        os.truncate(self.folder / file, size)
            self._remove_all_but({"head", *kept, *(file for file, *_ in had["parts"].values())})

    def _remove_all_but(self, used: set[str]) -> None:
        for name in os.listdir(self.folder):
            if name not in used:
                with contextlib.suppress(OSError):
                    os.unlink(self.folder / name)


def places(fields: Sequence[bytes], summaries: Sequence[bytes], start: int) -> Iterator[int]:
    """The six numbers of each row, when all fields are written from `start`, and after them all summaries."""
    second = start + sum(map(len, fields))
    for own, summary in zip(fields, summaries, strict=True):
        yield from (start, len(own), zlib.crc32(own), second, len(summary), zlib.crc32(summary))
        start += len(own)
        second += len(summary)
