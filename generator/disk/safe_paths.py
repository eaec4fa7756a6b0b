"""Files and folders in an open folder, opened by their names and never through a link."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from stat import S_ISREG

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
#: Without O_NONBLOCK, opening a named pipe would wait for a writer.  Regular files ignore it.
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def is_inside(path: str) -> bool:
    """Whether a relative path stays in its folder: it has no "..", "." or empty part."""
    return "\0" not in path and not {"", ".", ".."} & set(path.split("/"))


@contextlib.contextmanager
def open_folder(root: int, segments: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """The open folder below `root`; `make` makes missing folders.  Raises OSError."""
    current = os.dup(root)
    try:
        for segment in segments:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(segment, 0o755, dir_fd=current)
            inner = os.open(segment, FOLDER_FLAGS, dir_fd=current)
            os.close(current)
            current = inner
        yield current
    finally:
        os.close(current)


def read_file(root: int, segments: Sequence[str], max_size: int = -1) -> bytes | None:
    """The bytes of a regular file; None if there is none, or if it is larger than `max_size`.

    Raises OSError if the system has no descriptors or memory left, or cannot read the disk.
    """
    try:
        with open_folder(root, segments[:-1]) as parent:
            file = os.open(segments[-1], FILE_FLAGS, dir_fd=parent)
        with open(file, "rb") as stream:
            stat = os.fstat(file)
            if S_ISREG(stat.st_mode) and (max_size < 0 or stat.st_size <= max_size):
                return stream.read()
            return None
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO):
            raise
        return None


def read_below(folder: str | os.PathLike[str], path: str, max_size: int) -> bytes | None:
    """`read_file` of a path below a folder that is not open; None if there is no folder."""
    try:
        root = os.open(folder, FOLDER_FLAGS)
    except OSError:
        return None
    try:
        return read_file(root, path.split("/"), max_size)
    finally:
        os.close(root)
