"""Readers for a registry's files, in a folder or at a base URL.

A base URL may hold a pointer instead of a registry: files are then read from the tree that the
pointer names (generator.contract.pointer). If the base URL has an API, the pointer is not read. The
pointer is read again after 60 seconds, with each root of a manifest, and when a file is missing.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from generator.contract import pointer
from generator.contract.pointer import POINTER
from generator.disk import safe_paths
from generator.grammar.paths import INDEX, MANIFEST_ROOT
from generator.reader.answers import ClientError
from generator.reader.documents import MAX_READ

#: Returns files by their canonical paths, None for each missing file. Raises ClientError.
ReadFiles = Callable[[Sequence[str]], list[bytes | None]]

#: Seconds before a pointer is read again.
_KEPT = 60.0

is_url = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match


def base_url(where: str) -> str:
    """The base URL in `where`, which may also be the address of the registry's index."""
    return where.strip().removesuffix(INDEX).rstrip("/")


def host_reader(
    base: str,
    timeout: float,
    retries: int = 3,
    cache: Path | None = None,
    *,
    definite: Collection[str] = (),
    stay: bool = False,
) -> ReadFiles:
    """Read files of a host, or of the tree that its pointer names.

    `cache` is a folder for answers with their ETags. `definite` is described in
    generator.reader.remote, `stay` in Followed. Raises ClientError if `base` is not a URL of a
    host.
    """
    from generator.reader.etags import Etags
    from generator.reader.remote import Remote

    etags = Etags(cache) if cache is not None else None
    remote = Remote(base, timeout=timeout, retries=retries, etags=etags, definite=definite)
    return PointerReader(remote.read, stay=stay)


def folder_reader(path: Path) -> ReadFiles:
    """Read files below a folder, without following links. Raises ClientError."""
    try:
        root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}") from error

    def read(paths: Sequence[str]) -> list[bytes | None]:
        return [safe_paths.read_file(root, path[1:].split("/"), MAX_READ) for path in paths]

    return read


class PointerReader:
    """Reads files with `read`, from the tree that a pointer names if there is one. With `stay`, the
    tree changes only when the root of a manifest is read.
    """

    def __init__(self, read: ReadFiles, *, stay: bool = False):
        self._read, self._stay = read, stay
        self._place, self._read_again = "", 0.0
        #: Whether a file or a pointer was found.
        self._found_any = False
        self._lock = threading.Lock()

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        """Raises ClientError."""
        with self._lock:
            due = time.monotonic() > self._read_again and not self._stay
            if self._place and (due or MANIFEST_ROOT in paths):
                self._read_pointer()
            place, known = self._place, self._found_any
        try:
            contents = self._read_below(place, paths)
        except ClientError:
            # A bucket may answer 403 for a missing file.
            if known or not self._moved(place):
                raise
            return self._read_below(self._place, paths)
        if any(data is not None for data in contents):
            self._found_any = True
        elif (place or not known) and self._moved(place):
            return self._read_below(self._place, paths)
        return contents

    def _read_below(self, place: str, paths: Sequence[str]) -> list[bytes | None]:
        return self._read([place + path for path in paths])

    def _moved(self, place: str) -> bool:
        """Whether the pointer now names another place than `place`."""
        with self._lock:
            if self._place == place:
                self._read_pointer()
            return self._place != place

    def _read_pointer(self) -> None:
        try:
            raw = self._read([POINTER])[0]
        except ClientError:
            return  # the read of the requested files reports the error
        self._found_any = True
        current = pointer.parse_pointer(raw) if raw is not None else None
        if current is not None:
            self._place, self._read_again = current.tree_path, time.monotonic() + _KEPT
