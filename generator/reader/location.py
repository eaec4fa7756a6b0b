"""Readers for a registry's files, in a folder or at a base URL.

A base URL may hold a pointer instead of a registry: files are then read from the tree that the
pointer names (generator.contract.files). If the base URL has an API, the pointer is not read. The
pointer is read again after 60 seconds, with each root of a manifest, and when a file is missing.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from generator.contract import files
from generator.contract.files import POINTER, ReadFiles
from generator.disk import safe_paths
from generator.grammar.paths import INDEX, MANIFEST_ROOT
from generator.reader.documents import MAX_READ, ClientError

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


class FolderReader:
    """Reads files below a folder, without following links, together at most MAX_READ bytes.

    If a build replaces the folder, it reads from the new one; with `stay`, from the one that was
    there first, which is opened at once. Raises ClientError if that is not possible.
    """

    def __init__(self, out: Path, *, stay: bool = False):
        self.out, self._root = out, -1
        if stay:
            try:
                self._root = self._opened()
            except OSError as error:
                raise ClientError(f"{out} cannot be read: {error.strerror}") from error

    def __call__(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        contents: list[bytes | None] = []
        left = MAX_READ
        for path in paths:
            contents.append(self._read(path[1:].split("/"), left))
            left -= len(contents[-1] or b"")
        return contents

    def _read(self, segments: list[str], most: int) -> bytes | None:
        if self._root >= 0:
            return safe_paths.read_file(self._root, segments, most)
        while True:
            try:
                root = self._opened()
            except OSError:
                return None
            try:
                data = safe_paths.read_file(root, segments, most)
                # A new build may replace the folder during the read: then read again.
                if data is not None or os.fstat(root).st_ino == os.stat(self.out).st_ino:
                    return data
            except OSError:
                return None
            finally:
                os.close(root)

    def _opened(self) -> int:
        return os.open(self.out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


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

    def __call__(self, paths: Sequence[str]) -> Sequence[bytes | None]:
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

    def _read_below(self, place: str, paths: Sequence[str]) -> Sequence[bytes | None]:
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
        current = files.parse_pointer(raw) if raw is not None else None
        if current is not None:
            self._place, self._read_again = current.tree_path, time.monotonic() + _KEPT
