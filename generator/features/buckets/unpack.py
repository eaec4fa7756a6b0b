"""Unpack a tar or zip archive into a folder that no other process writes to.

The archive may be from anyone: names cannot leave the folder, no link is created, no file can occur
twice, and sizes are bounded, both declared and actual.
"""

from __future__ import annotations

import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, cast

from generator.disk.safe_paths import is_inside
from generator.problems.diagnostic import printable

#: Bytes of all files and of one file, and number of files.
MAX_BYTES, MAX_FILE, MAX_FILES = 32 << 30, 64 << 20, 20_000_000
#: Bytes of one read.
_CHUNK = 1 << 20
_MAX_NAME = 1024
_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst")


class Refused(Exception):
    """An archive or a file in it is refused; the text says which and why."""


class _Member(NamedTuple):
    name: str
    size: int
    kind: str  # "file", "folder", or a description of a member to skip
    stream: Callable[[], IO[bytes] | None]


def is_archive(name: str) -> bool:
    """Whether a file has the name of an archive."""
    return name.lower().endswith(_ENDINGS)


def unpack(archive: Path, target: Path) -> list[str]:
    """Write the files of an archive into an existing empty folder. Returns descriptions of the
    members that were skipped because they are neither files nor folders. Raises Refused and
    OSError.
    """
    writer, skipped = Writer(target), []
    try:
        for member in _members(archive):
            if member.kind == "file":
                stream = member.stream()
                assert stream is not None
                with stream:
                    writer.write(member.name, iter(lambda: stream.read(_CHUNK), b""), member.size)  # noqa: B023
            elif member.kind != "folder":
                skipped.append(f"{_safe_path(member.name)} is {member.kind}")
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
    ) as error:
        raise Refused(f"it is damaged, or no archive: {printable(str(error))}") from error
    except RuntimeError as error:  # an encrypted zip
        raise Refused(printable(str(error))) from error
    return skipped


class Writer:
    """Writes files below a folder. Their names may be from anyone."""

    def __init__(self, target: Path):
        self._target, self._files, self._left = str(target), 0, MAX_BYTES

    def write(self, name: str, chunks: Iterator[bytes], size: int = 0) -> None:
        """Write a file. `size` is its declared size. Raises Refused and OSError."""
        path = _safe_path(name)
        self._files += 1
        if self._files > MAX_FILES:
            raise Refused(f"it has more than {MAX_FILES:,} files")
        if size > MAX_FILE:
            raise Refused(f"{path} has {size:,} bytes, and a file may have {MAX_FILE:,}")
        place = os.path.join(self._target, path)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            try:
                file = os.open(place, flags, 0o644)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(place), exist_ok=True)
                file = os.open(place, flags, 0o644)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise Refused(f"{path} stands twice in it") from None
        with open(file, "wb") as stream:
            for chunk in chunks:
                self._left -= len(chunk)
                if stream.tell() + len(chunk) > MAX_FILE:
                    raise Refused(f"{path} has more than {MAX_FILE:,} bytes")
                if self._left < 0:
                    raise Refused(f"its files come to more than {MAX_BYTES:,} bytes")
                stream.write(chunk)


def _safe_path(name: str) -> str:
    """The name as a path below a folder. Raises Refused."""
    path = "/".join(part for part in name.split("/") if part != ".")
    try:
        is_short = len(name.encode()) <= _MAX_NAME
    except UnicodeEncodeError:
        is_short = False
    if not path or not is_short or "\\" in path or not is_inside(path) or not path.isprintable():
        raise Refused(
            f"it has a file called {printable(name[:100])!r}, which is no path in a folder"
        )
    return path


def _members(archive: Path) -> Iterator[_Member]:
    with open(archive, "rb") as raw:
        magic = raw.read(6)
        raw.seek(0)
        if magic[:4] in (b"PK\3\4", b"PK\5\6"):
            yield from _zip_members(raw)
        else:
            with _Bounded(_decompressed(raw, magic)) as stream:
                yield from _tar_members(stream)


def _zip_members(raw: IO[bytes]) -> Iterator[_Member]:
    with zipfile.ZipFile(raw) as opened:
        for info in opened.infolist():
            mode = info.external_attr >> 16
            kind = "folder" if info.is_dir() else "file"
            if stat.S_ISLNK(mode):
                kind = "a link"
            elif stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                kind = "no plain file"
            yield _Member(info.filename, info.file_size, kind, partial(opened.open, info))


def _tar_members(stream: IO[bytes]) -> Iterator[_Member]:
    with tarfile.open(fileobj=stream, mode="r:") as opened:
        for info in opened:
            kind = "file" if info.isreg() else "folder" if info.isdir() else "no plain file"
            if info.issym() or info.islnk():
                kind = "a link"
            yield _Member(info.name, info.size, kind, partial(opened.extractfile, info))
            opened.members = []  # type: ignore[attr-defined]  # else tarfile keeps all members


def _decompressed(raw: IO[bytes], magic: bytes) -> IO[bytes]:
    """The decompressed bytes of a tar. Raises Refused."""
    if magic[:2] == b"\x1f\x8b":
        import gzip

        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if magic[:4] == b"\x28\xb5\x2f\xfd":
        try:
            from compression import zstd  # type: ignore[import-not-found]  # since Python 3.14
        except ImportError:
            raise Refused("zstd needs Python 3.14; pack it as .tar.gz") from None
        return cast(IO[bytes], zstd.ZstdFile(raw))
    return raw


class _Bounded:
    """A stream with a bounded length and bounded reads, because a header may declare any size."""

    def __init__(self, stream: IO[bytes]):
        self._stream = stream

    def __enter__(self) -> IO[bytes]:
        return cast(IO[bytes], self)

    def __exit__(self, *raised: object) -> None:
        self._stream.close()

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= 2 * _CHUNK:
            raise Refused("it has a header that is too large")
        if self._stream.tell() > 2 * MAX_BYTES:
            raise Refused(f"it comes to more than {2 * MAX_BYTES:,} bytes")
        try:
            return self._stream.read(size)
        except (OSError, EOFError, MemoryError, zlib.error):
            raise
        except Exception as error:  # zstd's own error for damaged data
            raise Refused(f"it is damaged: {printable(str(error))}") from error

    def seek(self, place: int, whence: int = 0) -> int:
        if whence or place > 2 * MAX_BYTES:
            raise Refused("it says to have more bytes than are taken")
        return self._stream.seek(place)

    def tell(self) -> int:
        return self._stream.tell()
