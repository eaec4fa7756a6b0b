"""The objects of a store below one URL: an S3 bucket, an S3-compatible store, or any other place
that fsspec knows.

Knows nothing about registries. Objects may have been written by anyone, so reads are bounded. No
message contains credentials of a URL. Paths begin with a slash, as below a base URL.
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
from typing import Any, NamedTuple, TypeVar

from generator.features.buckets.messages import (
    StoreError,
    TooLarge,
    check_url,
    display_url,
    error_hint,
    is_missing_bucket,
    is_refused,
    is_transient,
    is_unsupported,
    url_secrets,
)
from generator.problems.diagnostic import printable

#: Parallel requests.
CONNECTIONS = 32
_S3 = ("s3", "s3a")
_LOCAL = ("file", "local")
_GOOGLE = ("gs", "gcs")
#: Timeouts in seconds: to connect, and for an answer.
_CONNECT_TIMEOUT, _READ_TIMEOUT = 10, 20
#: Retries after transient errors: attempts, the first pause in seconds, which doubles, the longest
#: pause, and the seconds after which a request is not repeated.
_ATTEMPTS, _PAUSE, _LONGEST_PAUSE, _PATIENCE = 10, 0.25, 8.0, 60.0
#: Objects that one request removes.
_REMOVE_BATCH = 1000
_T = TypeVar("_T")
_R = TypeVar("_R")


class Stored(NamedTuple):
    """An object's bytes, and its ETag, or "" if the store has none."""

    data: bytes
    tag: str


class Store:
    """The objects below `url`. Raises StoreError if the URL is invalid or a package is missing."""

    #: A file system for listings; None to use `_fs`.
    _lister: Any = None

    def __init__(self, url: str, connections: int = CONNECTIONS):
        self.shown, self.connections = display_url(url), connections
        self._scheme = check_url(url)
        self._secrets = [part for part in url_secrets(url) if part]
        self._fs, base = self._open_file_system(url)
        self._base: str = base.rstrip("/")
        self._threads: ThreadPoolExecutor | None = None

    def _open_file_system(self, url: str) -> tuple[Any, str]:
        try:
            import fsspec.core  # type: ignore[import-untyped]

            options: dict[str, Any] = {"skip_instance_cache": True}
            if self._scheme in _S3:
                options["use_listings_cache"] = False
                config = {
                    # One more for the lease, which must not wait for objects.
                    "max_pool_connections": self.connections + 1,
                    "connect_timeout": _CONNECT_TIMEOUT,
                    "read_timeout": _READ_TIMEOUT,
                }
                # Listings are many requests, which botocore repeats itself.
                options["config_kwargs"] = config
                self._lister, _ = fsspec.core.url_to_fs(url, **options)
                # All other requests are repeated by `_request`, which checks the lease first.
                options["config_kwargs"] = {**config, "retries": {"total_max_attempts": 1}}
            elif self._scheme in _LOCAL:
                options["auto_mkdir"] = True
            files, base = fsspec.core.url_to_fs(url, **options)
            if self._scheme in _S3:
                files.retries = 1
            return files, str(base)
        except ImportError as error:
            missing = "the extra s3: pip install 'registry-generator[s3]'"
            if error.name != "fsspec" and self._scheme not in (*_S3, "http", "https"):
                missing = f"a package that is not installed: {self._error_text(error)}"
            raise StoreError(f"{self.shown}: {self._scheme}:// needs {missing}") from error
        except Exception as error:
            raise StoreError(
                f"{self.shown} cannot be opened; is it the address of a bucket? "
                f"{self._error_text(error)}"
            ) from error

    # --- one object ---

    def get(self, path: str, most: int) -> Stored | None:
        """An object of at most `most` bytes; None if it is missing. Raises StoreError."""

        def request() -> Stored | None:
            try:
                tag = str(self._fs.info(self._base + path).get("ETag", ""))
            except FileNotFoundError as error:
                if is_missing_bucket(error):
                    raise
                return None
            data = self._cat(path, most)
            return Stored(data, tag) if data is not None else None

        return self._request("read", path, request)

    def read(self, path: str, most: int) -> bytes | None:
        """The bytes of an object; None if it is missing. Raises like `get`."""

        return self._request("read", path, lambda: self._cat(path, most))

    def fetch(self, target: Path, most: int) -> None:
        """Write the object at the URL to a file, at most `most` bytes. Raises StoreError."""
        with (
            self._as_store_error("read", ""),
            self._fs.open(self._base, "rb") as source,
            open(target, "xb") as stream,
        ):
            while chunk := source.read(1 << 20):
                if stream.tell() + len(chunk) > most:
                    raise TooLarge(f"{self.shown} has more than {most:,} bytes")
                stream.write(chunk)

    def _cat(self, path: str, most: int) -> bytes | None:
        try:
            data: bytes = self._fs.cat_file(self._base + path, start=0, end=most + 1)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            if is_missing_bucket(error):
                raise
            return None
        except OSError as error:
            if "range" not in str(error).lower():
                raise
            return b""  # an empty object has no range
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
        """Write an object atomically. `headers` are a Content-Type and a Cache-Control, for stores
        that keep them. `alive` is called before each attempt and raises if this process may not
        write any more.
        """

        def request() -> None:
            alive()
            if self._scheme in _LOCAL:
                temporary = f"{self._base}{path}.new"
                self._fs.pipe_file(temporary, data)
                os.replace(temporary, self._base + path)
            else:
                self._fs.pipe_file(self._base + path, data, **self._header_arguments(headers or {}))

        self._request("written", path, request)

    def create(self, path: str, data: bytes, headers: Mapping[str, str] | None = None) -> bool:
        """Write an object unless it exists; returns whether it was written."""
        place, arguments = self._base + path, self._header_arguments(headers or {})

        def request() -> bool:
            try:
                if self._scheme in _LOCAL:
                    os.makedirs(os.path.dirname(place), exist_ok=True)
                    with open(place, "xb") as stream:
                        stream.write(data)
                    return True
                self._fs.pipe_file(place, data, mode="create", **arguments)
            except FileExistsError:
                pass
            except Exception as error:
                if not (is_refused(error) or is_unsupported(error)):
                    raise
                if is_unsupported(error) and not self._fs.exists(place):
                    self._fs.pipe_file(place, data, **arguments)
            return False

        return self._request("written", path, request) or self._has_bytes(path, data)

    def replace(
        self, path: str, data: bytes, before: Stored | None, headers: Mapping[str, str]
    ) -> bool:
        """Write an object in place of `before`; False if it changed. No two writers write the same
        bytes.
        """
        if before is None:
            return self.create(path, data, headers)
        if self._scheme in _S3 and before.tag:
            arguments = {"IfMatch": before.tag, **self._header_arguments(headers)}

            def request() -> bool | None:
                """None if the store knows no conditions."""
                try:
                    self._fs.pipe_file(self._base + path, data, **arguments)
                    return True
                except FileNotFoundError:  # the answer of S3 if `before` was removed
                    return False
                except Exception as error:
                    if is_refused(error):
                        return False
                    if not is_unsupported(error):
                        raise
                return None

            is_written = self._request("written", path, request)
            if is_written is not None:
                # An earlier attempt may have succeeded although its answer was lost.
                return is_written or self._has_bytes(path, data)
        if not self._has_bytes(path, before.data):
            return False
        self.put(path, data, headers)
        return True

    def _has_bytes(self, path: str, data: bytes) -> bool:
        try:
            return self.read(path, len(data)) == data
        except TooLarge:
            return False

    def remove(self, path: str, alive: Callable[[], None] = lambda: None) -> None:
        """Remove an object; a missing object is not an error. `alive` is as in `put`."""

        def request() -> None:
            alive()
            with contextlib.suppress(FileNotFoundError):
                self._fs.rm_file(self._base + path)

        self._request("removed", path, request)

    # --- many ---

    def names(self, below: str) -> list[str]:
        """The sorted paths of all objects below a path."""

        names = self._list((self._lister or self._fs).find, below)
        return sorted(name.removeprefix(self._base) for name in names)

    def folders(self, below: str) -> list[str]:
        """The sorted names of the folders and objects directly below a path."""

        names = self._list((self._lister or self._fs).ls, below)
        return sorted({name.rstrip("/").rpartition("/")[2] for name in names} - {""})

    def _list(self, method: Callable[..., Iterable[str]], below: str) -> list[str]:
        def request() -> list[str]:
            try:
                return [str(name) for name in method(self._base + below, detail=False)]
            except FileNotFoundError as error:
                if is_missing_bucket(error):
                    raise
                return []

        return self._request("listed", below, request)

    def remove_all(self, paths: Sequence[str], alive: Callable[[], None] = lambda: None) -> None:
        """Remove objects, many with one request if possible. Objects may remain."""
        if self._scheme not in (*_S3, *_GOOGLE):
            self.map_parallel(lambda path: self.remove(path, alive), paths)
            self._remove_empty_folders(paths)
            return
        # fsspec treats names with these characters as patterns.
        plain = [self._base + path for path in paths if not set("*?[") & set(self._base + path)]
        for start in range(0, len(plain), _REMOVE_BATCH):

            def request(batch: Sequence[str] = plain[start : start + _REMOVE_BATCH]) -> None:
                alive()
                self._fs.rm(batch)

            self._request("removed", paths[start], request)

    def _remove_empty_folders(self, paths: Iterable[str]) -> None:
        """Remove the empty folders of removed objects, in stores that have folders."""
        folders = {os.path.dirname(path) for path in paths}
        for path in list(folders):
            while path.count("/") > 1:
                path = os.path.dirname(path)
                folders.add(path)
        for path in sorted(folders, key=len, reverse=True):
            with contextlib.suppress(Exception):
                self._fs.rmdir(self._base + path)

    def map_parallel(self, work: Callable[[_T], _R], items: Iterable[_T]) -> list[_R]:
        """The results of `work` for each item, in order, in parallel. An error stops further items
        and waits for running items.
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

    # --- headers, retries and errors ---

    @property
    def keeps_headers(self) -> bool:
        """Whether the store keeps the headers of objects."""
        return self._scheme in (*_S3, *_GOOGLE)

    def _header_arguments(self, headers: Mapping[str, str]) -> dict[str, Any]:
        """Headers as the arguments of this store's package."""
        kind, cache = headers.get("Content-Type"), headers.get("Cache-Control")
        if kind is None or cache is None:
            return {}
        if self._scheme in _S3:
            return {"ContentType": kind, "CacheControl": cache}
        if self._scheme in _GOOGLE:
            return {"content_type": kind, "fixed_key_metadata": {"cache_control": cache}}
        return {}

    def _request(self, action: str, path: str, request: Callable[[], _T]) -> _T:
        """The result of a request, which is repeated after transient errors. Raises StoreError."""
        began = time.monotonic()
        with self._as_store_error(action, path):
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    return request()
                except StoreError:
                    raise
                except Exception as error:
                    is_late = time.monotonic() - began > _PATIENCE
                    if attempt == _ATTEMPTS or is_late or not is_transient(error):
                        raise
                pause = min(_PAUSE * 2 ** (attempt - 1), _LONGEST_PAUSE)
                time.sleep(pause * random.uniform(0.5, 1))
        raise AssertionError("an attempt returns or raises")

    @contextlib.contextmanager
    def _as_store_error(self, action: str, path: str) -> Iterator[None]:
        """Turns all exceptions of a store's package into StoreError."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            place, text = self.shown + printable(path), self._error_text(error)
            problem = f"{place} cannot be {action}{'.' if place.endswith(text) else f': {text}'}"
            hint = error_hint(error, action, s3=self._scheme in _S3)
            raise StoreError(f"{problem}\n{hint}") from error

    def _error_text(self, error: Exception) -> str:
        """The text of an exception in one line, without secrets."""
        text = " ".join(str(error).split()) or type(error).__name__
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return printable(text[:300])
