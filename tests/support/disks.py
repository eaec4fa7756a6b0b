"""Small disks, which become full."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A small file system for the test; skips if mounting is not allowed."""
    if shutil.which("mount") is None:
        pytest.skip("the program mount is not on this machine")
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a file system takes rights that are not here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def full(disk: Path, room: int) -> Iterator[None]:
    """A disk with this many free blocks; a small file takes one."""
    stat = os.statvfs(disk)
    (disk / "ballast").write_bytes(bytes((stat.f_bavail - room) * stat.f_bsize))
    yield
    (disk / "ballast").unlink()
