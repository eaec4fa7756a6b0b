"""Exchange two folders."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def exchange_folders(new: Path, out: Path, old: Path) -> None:
    """Exchange `new` and `out` in one step if the system can (Linux, renameat2).  Otherwise move
    `out` to `old` and then `new` to `out`.
    """
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        failed = libc.renameat2(
            _AT_FDCWD, os.fsencode(new), _AT_FDCWD, os.fsencode(out), _RENAME_EXCHANGE
        )
        number = ctypes.get_errno() if failed else 0
    except AttributeError:
        number = errno.ENOSYS
    if number in (errno.ENOSYS, errno.EINVAL):
        out.rename(old)
        new.rename(out)
    elif number:
        raise OSError(number, os.strerror(number), str(out))
