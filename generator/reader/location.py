"""Where a registry is, a folder or a base URL, and what reads its files there.

A base URL may have a pointer in place of a registry: files are then read from the tree that it
names (generator.contract.pointer).  If there is an API, the pointer is not read.  A pointer is
trusted for as long as hosts cache lists; it is read again with each root of a manifest, and when
a file is missing.
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

#: Gives files by their canonical paths, None for each that is not there.  Raises ClientError.
Read = Callable[[Sequence[str]], list[bytes | None]]

#: Seconds that a pointer is believed.
_KEPT = 60.0

is_url = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match


def base_url(where: str) -> str:
    """A base URL as it is asked, also where it was named with the address of its index."""
    return where.strip().removesuffix(INDEX).rstrip("/")


def host(
    base: str,
    timeout: float,
    retries: int = 3,
    cache: Path | None = None,
    *,
    definite: Collection[str] = (),
    stay: bool = False,
) -> Read:
    """Reads files of a host, or of the tree that its pointer names; `cache` is a folder that keeps
    answers with their ETags.  For `definite` see generator.reader.remote, for `stay` see Followed.
    Raises ClientError where the URL is none.
    """
    from generator.reader.connections import RemoteError
    from generator.reader.etags import Etags
    from generator.reader.remote import Remote

    def read(paths: Sequence[str]) -> list[bytes | None]:
        try:
            return remote.read(paths)
        except RemoteError as error:
            raise ClientError(str(error)) from error

    etags = Etags(cache) if cache is not None else None
    try:
        remote = Remote(base, timeout=timeout, retries=retries, etags=etags, definite=definite)
    except RemoteError as error:
        raise ClientError(str(error)) from error
    return Followed(read, stay=stay)


def folder(path: Path) -> Read:
    """Reads files below a folder, none through a link.  Raises ClientError where there is none."""
    try:
        root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}") from error

    def read(paths: Sequence[str]) -> list[bytes | None]:
        return [safe_paths.read(root, path[1:].split("/"), MAX_READ) for path in paths]

    return read


class Followed:
    """Reads what `read` does, of the tree that a pointer names where there is one.  With `stay`,
    that is one tree from one root of a manifest to the next.
    """

    def __init__(self, read: Read, *, stay: bool = False):
        self._read, self._stay = read, stay
        self._place, self._until = "", 0.0
        #: Whether files or a pointer were there.
        self._known = False
        self._lock = threading.Lock()

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        """Raises ClientError."""
        with self._lock:
            due = time.monotonic() > self._until and not self._stay
            if self._place and (due or MANIFEST_ROOT in paths):
                self._look()
            place, known = self._place, self._known
        try:
            contents = self._at(place, paths)
        except ClientError:
            # A bucket may refuse to say that something is not there.
            if known or not self._moved(place):
                raise
            return self._at(self._place, paths)
        if any(data is not None for data in contents):
            self._known = True
        elif (place or not known) and self._moved(place):
            return self._at(self._place, paths)
        return contents

    def _at(self, place: str, paths: Sequence[str]) -> list[bytes | None]:
        return self._read([place + path for path in paths])

    def _moved(self, place: str) -> bool:
        """Whether a pointer names another place than this one."""
        with self._lock:
            if self._place == place:
                self._look()
            return self._place != place

    def _look(self) -> None:
        try:
            raw = self._read([POINTER])[0]
        except ClientError:
            return  # what was asked for says what is wrong
        self._known = True
        now = pointer.parse(raw) if raw is not None else None
        if now is not None:
            self._place, self._until = now.place, time.monotonic() + _KEPT
