"""Files and folders below an open folder, reached by their names and never through a link."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from stat import S_ISREG

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
#: O_NONBLOCK: opening a named pipe would wait for a writer; regular files do not heed it.
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def is_below(path: str) -> bool:
    """Whether a path leads to something below the folder that it begins in, as it stands: no "..",
    no empty part.
    """
    return "\0" not in path and not {"", ".", ".."} & set(path.split("/"))


@contextlib.contextmanager
def folder(root: int, segments: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """A folder, made where it is missing and `make` says so.  Raises OSError."""
    here = os.dup(root)
    try:
        for segment in segments:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(segment, 0o755, dir_fd=here)
            inner = os.open(segment, FOLDER, dir_fd=here)
            os.close(here)
            here = inner
        yield here
    finally:
        os.close(here)


def read(root: int, segments: Sequence[str], most: int = -1) -> bytes | None:
    """A regular file's bytes; None where there is none, or where it has more than `most`.

    Raises OSError where the system cannot tell.
    """
    try:
        with folder(root, segments[:-1]) as inner:
            file = os.open(segments[-1], FILE, dir_fd=inner)
        with open(file, "rb") as stream:
            stat = os.fstat(file)
            return (
                stream.read()
                if S_ISREG(stat.st_mode) and (most < 0 or stat.st_size <= most)
                else None
            )
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO):
            raise
        return None
