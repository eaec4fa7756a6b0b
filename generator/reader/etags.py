"""Answers of hosts kept on disk with their ETags, so that what has not changed is not sent again.

One file an answer, whole or not there, for several processes at once.  What is damaged, deleted or
cannot be written is as if it had never been kept.  Knows nothing of HTTP.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import orjson

#: Of the whole folder; two processes that write at once may pass it a little.
MAX_BYTES = 64 << 20
_MAX_ANSWER = MAX_BYTES // 8


def default_folder() -> Path | None:
    """Where a person's caches are (XDG Base Directory Specification); None where nobody says."""
    caches = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(caches):  # the specification: ignore a relative path
        caches = os.path.expanduser("~/.cache")
    return Path(caches, "registry-generator") if os.path.isabs(caches) else None


class Kept(NamedTuple):
    etag: str
    body: bytes


class Etags:
    """The answers in one folder.  No method raises."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._lock = threading.Lock()
        self._left: int | None = (
            None  # bytes that may be added; None until the folder was looked at
        )

    def get(self, url: str) -> Kept | None:
        path = self._path(url)
        try:
            head, _, body = path.read_bytes().partition(b"\n")
            said = orjson.loads(head)
            if (
                said["url"] != url
                or said["check"] != crc32(body)
                or not isinstance(said["etag"], str)
            ):
                return None
            os.utime(path)  # what is used stays
            return Kept(said["etag"], body)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, url: str, kept: Kept) -> None:
        if len(kept.body) > _MAX_ANSWER:
            return
        data = (
            orjson.dumps({"url": url, "etag": kept.etag, "check": crc32(kept.body)})
            + b"\n"
            + kept.body
        )
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(len(data))
            file, temporary = tempfile.mkstemp(dir=self._folder)
            try:
                with open(file, "wb") as stream:
                    stream.write(data)
                os.replace(temporary, self._path(url))
            except OSError:
                os.unlink(temporary)

    def _path(self, url: str) -> Path:
        return self._folder / hashlib.sha256(url.encode()).hexdigest()

    def _make_room(self, size: int) -> None:
        """Remove what was used longest ago where the folder would grow too large, left-overs of
        killed processes too.
        """
        with self._lock:
            if self._left is None or self._left < size:
                files = sorted(_files(self._folder))
                used = sum(held for _, held, _ in files)
                if used + size > MAX_BYTES:
                    for _, held, path in files:
                        if (
                            used + size <= MAX_BYTES * 3 // 4
                        ):  # some more, so that this is seldom done
                            break
                        with contextlib.suppress(FileNotFoundError):
                            os.unlink(path)
                        used -= held
                self._left = MAX_BYTES - used
            self._left -= size


def _files(folder: Path) -> Iterator[tuple[int, int, str]]:
    """When each was last used, its bytes, its path; without those that another process takes away
    just now.
    """
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                stat = entry.stat(follow_symlinks=False)
                if not entry.is_dir(follow_symlinks=False):
                    yield stat.st_mtime_ns, stat.st_size, entry.path
