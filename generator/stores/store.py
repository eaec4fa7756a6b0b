"""The objects of a store, below one URL: a bucket of S3 or of what speaks like it, or any other
place that fsspec knows.

Knows nothing of registries.  What is read may be anyone's, and is bounded; no message has what a
URL says of credentials.  Paths begin with a slash, as below a base URL.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from generator.problems.diagnostic import printable
from generator.stores.messages import (
    StoreError,
    TooLarge,
    checked,
    hint,
    is_refused,
    is_transient,
    is_unknown,
    secrets,
    shown,
)

#: Requests under way at once.
CONNECTIONS = 32
_S3 = ("s3", "s3a")
_LOCAL = ("file", "local")
_GOOGLE = ("gs", "gcs")
#: Seconds in which a host has to let itself be reached, and to answer.
_REACHED, _ANSWERED = 10, 20
#: How often a request is sent that fails for the moment, the first pause in seconds, which doubles,
#: the longest pause, and the seconds after which a request is not sent again.
_ATTEMPTS, _PAUSE, _LONGEST_PAUSE, _PATIENCE = 10, 0.25, 8.0, 60.0
#: Objects that are removed by one request.
_TOGETHER = 1000
_T = TypeVar("_T")
_R = TypeVar("_R")


class Stored(NamedTuple):
    """An object's bytes, and what tells whether it was replaced meanwhile, where a store says."""

    data: bytes
    tag: str


class Store:
    """What lies below `url`.  Raises StoreError where that is none, or its package is missing."""

    #: A file system for listings, which are many requests each; None where `_fs` does.
    _lister: Any = None

    def __init__(self, url: str, connections: int = CONNECTIONS):
        self.shown, self.connections = shown(url), connections
        self._scheme = checked(url)
        self._secrets = [part for part in secrets(url) if part]
        self._fs, base = self._opened(url)
        self._base: str = base.rstrip("/")
        self._threads: ThreadPoolExecutor | None = None

    def _opened(self, url: str) -> tuple[Any, str]:
        try:
            import fsspec.core  # type: ignore[import-untyped]

            options: dict[str, Any] = {"skip_instance_cache": True}
            if self._scheme in _S3:
                options["use_listings_cache"] = False
                config = {
                    # One more for the lease, which never waits for objects.
                    "max_pool_connections": self.connections + 1,
                    "connect_timeout": _REACHED,
                    "read_timeout": _ANSWERED,
                }
                # A listing repeats single requests by itself.
                options["config_kwargs"] = config
                self._lister, _ = fsspec.core.url_to_fs(url, **options)
                # All other requests are repeated by `_asked`, which looks at the lease before.
                options["config_kwargs"] = {**config, "retries": {"total_max_attempts": 1}}
            elif self._scheme in _LOCAL:
                options["auto_mkdir"] = True
            files, base = fsspec.core.url_to_fs(url, **options)
            if self._scheme in _S3:
                files.retries = 1
            return files, str(base)
        except ImportError as error:
            what = "the extra s3: pip install 'registry-generator[s3]'"
            if error.name != "fsspec" and self._scheme not in (*_S3, "http", "https"):
                what = f"a package that is not installed: {self._said(error)}"
            raise StoreError(f"{self.shown}: {self._scheme}:// needs {what}") from error
        except Exception as error:
            raise StoreError(
                f"{self.shown} is no address of a store that this program knows: "
                f"{self._said(error)}"
            ) from error

    # --- one object ---

    def get(self, path: str, most: int) -> Stored | None:
        """An object; None where there is none.  Raises StoreError where it has more than `most`
        bytes.
        """

        def request() -> Stored | None:
            try:
                tag = str(self._fs.info(self._base + path).get("ETag", ""))
                return Stored(self._cat(path, most), tag)
            except FileNotFoundError:
                return None

        return self._asked("read", path, request)

    def read(self, path: str, most: int) -> bytes | None:
        """Likewise, the bytes alone."""

        def request() -> bytes | None:
            try:
                return self._cat(path, most)
            except FileNotFoundError:
                return None

        return self._asked("read", path, request)

    def fetch(self, target: Path, most: int) -> None:
        """Write the object at the URL itself into a file.  Raises StoreError where it has more than
        `most` bytes.
        """
        with (
            self._told("read", ""),
            self._fs.open(self._base, "rb") as source,
            open(target, "xb") as stream,
        ):
            while chunk := source.read(1 << 20):
                if stream.tell() + len(chunk) > most:
                    raise TooLarge(f"{self.shown} has more than {most:,} bytes")
                stream.write(chunk)

    def _cat(self, path: str, most: int) -> bytes:
        try:
            data: bytes = self._fs.cat_file(self._base + path, start=0, end=most + 1)
        except (IsADirectoryError, NotADirectoryError):
            raise FileNotFoundError(path) from None
        except OSError as error:
            if "range" not in str(error).lower():
                raise
            return b""  # there is no range in what is empty
        if len(data) > most:
            raise TooLarge(
                f"{self.shown}{path} has more than {most:,} bytes, and was not read: it is nothing "
                "that this program wrote"
            )
        return data

    def put(
        self,
        path: str,
        data: bytes,
        headers: Mapping[str, str] | None = None,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        """Write an object, whole or not at all.  `headers` are a Content-Type and a Cache-Control,
        for stores that keep them.  `alive` is called before each attempt and raises if this process
        may not write any more.
        """

        def request() -> None:
            alive()
            if self._scheme in _LOCAL:
                beside = f"{self._base}{path}.new"
                self._fs.pipe_file(beside, data)
                os.replace(beside, self._base + path)
            else:
                self._fs.pipe_file(self._base + path, data, **self._said_of(headers or {}))

        self._asked("written", path, request)

    def create(self, path: str, data: bytes, headers: Mapping[str, str] | None = None) -> bool:
        """Write an object where there is none, and say whether there was none.  Stores that do not
        know such a condition are looked at before and after.
        """
        place, more = self._base + path, self._said_of(headers or {})

        def request() -> bool:
            try:
                if self._scheme in _LOCAL:
                    os.makedirs(os.path.dirname(place), exist_ok=True)
                    with open(place, "xb") as stream:
                        stream.write(data)
                    return True
                self._fs.pipe_file(place, data, mode="create", **more)
            except FileExistsError:
                pass
            except Exception as error:
                if not (is_refused(error) or is_unknown(error)):
                    raise
                if is_unknown(error) and not self._fs.exists(place):
                    self._fs.pipe_file(place, data, **more)
            return False

        return self._asked("written", path, request) or self._is(path, data)

    def replace(
        self, path: str, data: bytes, before: Stored | None, headers: Mapping[str, str]
    ) -> bool:
        """Write an object in place of `before`, and say whether that was still there.  No two
        writers write the same bytes.
        """
        if before is None:
            return self.create(path, data, headers)
        if self._scheme in _S3 and before.tag:
            more = {"IfMatch": before.tag, **self._said_of(headers)}

            def request() -> bool | None:
                """None if the store knows no conditions."""
                try:
                    self._fs.pipe_file(self._base + path, data, **more)
                    return True
                except FileNotFoundError:  # what S3 answers where `before` was removed
                    return False
                except Exception as error:
                    if is_refused(error):
                        return False
                    if not is_unknown(error):
                        raise
                return None

            done = self._asked("written", path, request)
            if done is not None:
                # Maybe a first attempt was carried out, and only its answer was lost.
                return done or self._is(path, data)
        if not self._is(path, before.data):
            return False
        self.put(path, data, headers)
        return True

    def _is(self, path: str, data: bytes) -> bool:
        try:
            return self.read(path, len(data)) == data
        except TooLarge:
            return False

    def remove(self, path: str, alive: Callable[[], None] = lambda: None) -> None:
        """Remove an object; a missing object is not an error.  `alive` is as in `put`."""

        def request() -> None:
            alive()
            with contextlib.suppress(FileNotFoundError):
                self._fs.rm_file(self._base + path)

        self._asked("removed", path, request)

    # --- many ---

    def names(self, below: str) -> list[str]:
        """The paths of all objects below a path, in order."""

        def request() -> Iterable[str]:
            try:
                return cast(Iterable[str], (self._lister or self._fs).find(self._base + below))
            except FileNotFoundError:
                return []

        every = self._asked("listed", below, request)
        return sorted(str(name).removeprefix(self._base) for name in every)

    def folders(self, below: str) -> list[str]:
        """The names of what lies right below a path."""

        def request() -> Iterable[str]:
            files = self._lister or self._fs
            try:
                return cast(Iterable[str], files.ls(self._base + below, detail=False))
            except FileNotFoundError:
                return []

        every = self._asked("listed", below, request)
        return sorted({str(name).rstrip("/").rpartition("/")[2] for name in every} - {""})

    def remove_all(self, paths: Sequence[str], alive: Callable[[], None] = lambda: None) -> None:
        """Remove objects, many by one request where a store can; what it leaves it does not say.
        `alive` is as in `put`.
        """
        if self._scheme not in (*_S3, *_GOOGLE):
            self.each(lambda path: self.remove(path, alive), paths)
            self._without_folders(paths)
            return
        # fsspec would take a name with these for a pattern.
        plain = [self._base + path for path in paths if not set("*?[") & set(self._base + path)]
        for start in range(0, len(plain), _TOGETHER):

            def request(some: Sequence[str] = plain[start : start + _TOGETHER]) -> None:
                alive()
                self._fs.rm(some)

            self._asked("removed", paths[start], request)

    def _without_folders(self, paths: Iterable[str]) -> None:
        """Folders are no objects: where a store has them, empty ones go too."""
        above = {os.path.dirname(path) for path in paths}
        for path in list(above):
            while path.count("/") > 1:
                path = os.path.dirname(path)
                above.add(path)
        for path in sorted(above, key=len, reverse=True):
            with contextlib.suppress(Exception):
                self._fs.rmdir(self._base + path)

    def each(self, work: Callable[[_T], _R], items: Iterable[_T]) -> list[_R]:
        """What `work` gives of each item, so many at once as there are connections.  The first
        error ends it: what is under way is waited for, and nothing else begun.
        """
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self.connections, "store")
        waiting, left, done = deque[Future[_R]](), iter(items), list[_R]()
        try:
            for item in itertools.islice(left, 4 * self.connections):
                waiting.append(self._threads.submit(work, item))
            while waiting:
                done.append(waiting[0].result())
                waiting.popleft()
                for item in itertools.islice(left, 1):
                    waiting.append(self._threads.submit(work, item))
        finally:
            for future in waiting:
                future.cancel()
            wait(waiting)
        return done

    # --- what is said ---

    @property
    def says_headers(self) -> bool:
        """Whether objects have the headers that they are written with."""
        return self._scheme in (*_S3, *_GOOGLE)

    def _said_of(self, headers: Mapping[str, str]) -> dict[str, Any]:
        """Headers as the package of this store takes them."""
        kind, cache = headers.get("Content-Type"), headers.get("Cache-Control")
        if kind is None or cache is None:
            return {}
        if self._scheme in _S3:
            return {"ContentType": kind, "CacheControl": cache}
        if self._scheme in _GOOGLE:
            return {"content_type": kind, "fixed_key_metadata": {"cache_control": cache}}
        return {}

    def _asked(self, done: str, path: str, request: Callable[[], _T]) -> _T:
        """The result of a request, which is sent again while the store is busy and after a
        connection broke.  Raises StoreError.
        """
        began = time.monotonic()
        with self._told(done, path):
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    return request()
                except StoreError:
                    raise
                except Exception as error:
                    late = time.monotonic() - began > _PATIENCE
                    if attempt == _ATTEMPTS or late or not is_transient(error):
                        raise
                pause = min(_PAUSE * 2 ** (attempt - 1), _LONGEST_PAUSE)
                time.sleep(pause * random.uniform(0.5, 1))
        raise AssertionError("an attempt returns or raises")

    @contextlib.contextmanager
    def _told(self, done: str, path: str) -> Iterator[None]:
        """Turns whatever a store's package raises into StoreError."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            what = f"{self.shown}{printable(path)} cannot be {done}: {self._said(error)}"
            raise StoreError(f"{what}\n{hint(error)}") from error

    def _said(self, error: Exception) -> str:
        """An error's own words, in one line and without what is secret."""
        said = " ".join(str(error).split()) or type(error).__name__
        for secret in self._secrets:
            said = said.replace(secret, "***")
        return printable(said[:300])
