"""A cache of HTTP answers on disk, with their ETags, to avoid downloading unchanged files.

One file per answer, written atomically, so several processes can use the folder at once. A damaged,
deleted or unwritable file counts as a missing answer. Knows nothing about HTTP.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple
from zlib import crc32

import orjson

#: Size of the whole folder. Two processes that write at once may exceed it slightly.
MAX_BYTES = 64 << 20
_MAX_ANSWER = MAX_BYTES // 8


def default_cache_folder() -> Path | None:
    """The user's cache folder (XDG Base Directory Specification); None if there is none."""
    caches = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(caches):  # the specification: ignore a relative path
        caches = os.path.expanduser("~/.cache")
    return Path(caches, "registry-generator") if os.path.isabs(caches) else None


class CachedAnswer(NamedTuple):
    etag: str
    body: bytes


class Etags:
    """The cached answers in one folder. No method raises."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._lock = threading.Lock()
        self._left = 0  # bytes that may be added; the first answer counts them

    def get(self, url: str) -> CachedAnswer | None:
        path = self._path(url)
        try:
            raw_header, _, body = path.read_bytes().partition(b"\n")
            header = orjson.loads(raw_header)
            url_and_check = (header["url"], header["check"])
            if url_and_check != (url, crc32(body)) or not isinstance(header["etag"], str):
                return None
            os.utime(path)  # the time of last use
            return CachedAnswer(header["etag"], body)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, url: str, answer: CachedAnswer) -> None:
        if len(answer.body) > _MAX_ANSWER:
            return
        header = {"url": url, "etag": answer.etag, "check": crc32(answer.body)}
        data = orjson.dumps(header) + b"\n" + answer.body
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._lock:
                self._left -= len(data)
                if self._left < 0:
                    self._left = MAX_BYTES - len(data) - self._trim(len(data))
            from tempfile import mkstemp

            descriptor, temporary = mkstemp(dir=self._folder)
            with open(descriptor, "wb") as stream:
                stream.write(data)
            os.replace(temporary, self._path(url))

    def _path(self, url: str) -> Path:
        return self._folder / hashlib.sha256(url.encode()).hexdigest()

    def _trim(self, size: int) -> int:
        """Remove the least recently used files; the bytes of the others. Raises OSError."""
        with os.scandir(self._folder) as entries:
            stats = [(entry.stat(follow_symlinks=False), entry.path) for entry in entries]
        files = sorted((s.st_mtime_ns, s.st_size, path) for s, path in stats if S_ISREG(s.st_mode))
        used = sum(file_size for _, file_size, _ in files)
        for _, file_size, path in files:
            if used + size > MAX_BYTES * 3 // 4:
                os.unlink(path)
                used -= file_size
        return used
