"""Files out of an archive, tar or zip, into a folder that nobody else writes to.

An archive may be anyone's: no name leads out of the folder, no link is made, no file stands twice,
and sizes are bounded, those that it tells and those that come of it.
"""

from __future__ import annotations

import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

from generator.disk.safe_paths import is_below
from generator.problems.diagnostic import printable

#: Bytes that files come to at most, in all and one of them, and how many there may be.
MAX_BYTES, MAX_FILE, MAX_FILES = 32 << 30, 64 << 20, 20_000_000
#: Bytes of one header, and of one read.
_CHUNK = 1 << 20
_MAX_NAME = 1024
_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst")


class Refused(Exception):
    """An archive, or a file in it, that is not taken; the text says which and why."""


class _Member(NamedTuple):
    name: str
    size: int
    kind: str  # "file", "folder", or what is not taken
    stream: Callable[[], IO[bytes] | None]


def is_archive(name: str) -> bool:
    """Whether a file is called like an archive."""
    return name.lower().endswith(_ENDINGS)


def unpack(archive: Path, target: Path) -> list[str]:
    """Write the files of an archive below a folder that is there and empty; the names of what is
    neither a file nor a folder, which is left out.  Raises Refused, and OSError.
    """
    writer, others = Writer(target), []
    try:
        for member in _members(archive):
            if member.kind == "file":
                stream = member.stream()
                assert stream is not None
                with stream:
                    writer.write(member.name, iter(lambda: stream.read(_CHUNK), b""), member.size)  # noqa: B023
            elif member.kind != "folder":
                others.append(f"{_plain(member.name)} is {member.kind}")
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
    return others


class Writer:
    """Writes files below a folder, by names that anyone may have chosen."""

    def __init__(self, target: Path):
        self._target, self._files, self._left = str(target), 0, MAX_BYTES

    def write(self, name: str, chunks: Iterator[bytes], size: int = 0) -> None:
        """A file of these bytes; `size` is what it is said to have.  Raises Refused, OSError."""
        path = _plain(name)
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


def _plain(name: str) -> str:
    """A name as a path below a folder.  Raises Refused."""
    path = "/".join(part for part in name.split("/") if part != ".")
    try:
        short = len(name.encode()) <= _MAX_NAME
    except UnicodeEncodeError:
        short = False
    if not path or not short or "\\" in path or not is_below(path) or not path.isprintable():
        raise Refused(
            f"it has a file called {printable(name[:100])!r}, which is no path in a folder"
        )
    return path


def _members(archive: Path) -> Iterator[_Member]:
    with open(archive, "rb") as raw:
        begins = raw.read(6)
        raw.seek(0)
        if begins[:4] in (b"PK\3\4", b"PK\5\6"):
            yield from _of_zip(raw)
        else:
            with _Bounded(_plainly(raw, begins)) as stream:
                yield from _of_tar(stream)


def _of_zip(raw: IO[bytes]) -> Iterator[_Member]:
    with zipfile.ZipFile(raw) as opened:
        for known in opened.infolist():
            mode = known.external_attr >> 16
            kind = "folder" if known.is_dir() else "file"
            if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or not stat.S_IFMT(mode)):
                kind = "a link" if stat.S_ISLNK(mode) else "no plain file"
            yield _Member(
                known.filename,
                known.file_size,
                kind,
                lambda known=known: opened.open(known),  # type: ignore[misc]
            )


def _of_tar(stream: IO[bytes]) -> Iterator[_Member]:
    with tarfile.open(fileobj=stream, mode="r:") as opened:
        for known in opened:
            kind = "file" if known.isreg() else "folder" if known.isdir() else "no plain file"
            if known.issym() or known.islnk():
                kind = "a link"
            yield _Member(
                known.name,
                known.size,
                kind,
                lambda known=known: opened.extractfile(known),  # type: ignore[misc]
            )
            opened.members = []  # type: ignore[attr-defined]  # it would keep them all


def _plainly(raw: IO[bytes], begins: bytes) -> IO[bytes]:
    """A tar's bytes, decompressed.  Raises Refused."""
    if begins[:2] == b"\x1f\x8b":
        import gzip

        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if begins[:4] == b"\x28\xb5\x2f\xfd":
        try:
            from compression import zstd  # type: ignore[import-not-found]  # since Python 3.14
        except ImportError:
            raise Refused("zstd needs Python 3.14; pack it as .tar.gz") from None
        return cast(IO[bytes], zstd.ZstdFile(raw))
    return raw


class _Bounded:
    """A stream whose single reads, and whose length, are bounded: a header may ask for anything."""

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
        except Exception as error:  # a damaged zstd
            raise Refused(f"it is damaged: {printable(str(error))}") from error

    def seek(self, place: int, whence: int = 0) -> int:
        if whence or place > 2 * MAX_BYTES:
            raise Refused("it says to have more bytes than are taken")
        return self._stream.seek(place)

    def tell(self) -> int:
        return self._stream.tell()
