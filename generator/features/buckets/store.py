"""The objects of a store below one URL: an S3 bucket, an S3-compatible store, or any other place
that fsspec knows.

Knows nothing about registries. Objects may have been written by anyone, so reads are bounded. No
message contains credentials of a URL. Paths begin with a slash, as below a base URL. Requests are
repeated by the package of the store, such as s3fs.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from generator.features.buckets.messages import (
    StoreError,
    TooLarge,
    check_url,
    display_url,
    error_hint,
    is_missing_bucket,
    is_refused,
    is_unsupported,
    url_secrets,
)
from generator.problems.diagnostic import printable

#: Parallel requests.
CONNECTIONS = 32
_S3 = ("s3", "s3a")
_LOCAL = ("file", "local")
_GOOGLE = ("gs", "gcs")
#: Seconds that a change of one object may take with s3fs, which repeats the request.
LONGEST = 40
#: Settings of botocore.  It repeats requests for longer and longer pauses, 31 seconds at most.
_BOTOCORE = {"connect_timeout": 10, "read_timeout": 20, "retries": {"total_max_attempts": 6}}
#: Attempts of s3fs, for answers that break off.
_ATTEMPTS = 2
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

    def __init__(self, url: str, connections: int = CONNECTIONS):
        self.shown, self.connections = display_url(url), connections
        self._scheme = check_url(url)
        self._secrets = [part for part in url_secrets(url) if part]
        self._fs, base = self._open_file_system(url)
        self._base: str = base.rstrip("/")
        self._limit = {"timeout": LONGEST} if self._scheme in _S3 else {}

    def _open_file_system(self, url: str) -> tuple[Any, str]:
        try:
            import fsspec.core  # type: ignore[import-untyped]

            options: dict[str, Any] = {"skip_instance_cache": True}
            if self._scheme in _S3:
                config = {**_BOTOCORE, "max_pool_connections": self.connections}
                options |= {"use_listings_cache": False, "config_kwargs": config}
            elif self._scheme in _LOCAL:
                options["auto_mkdir"] = True
            files, base = fsspec.core.url_to_fs(url, **options)
            if self._scheme in _S3:
                files.retries = _ATTEMPTS
            return files, str(base)
        except ImportError as error:
            missing = "the extra s3: pip install 'registry-generator[s3]'"
            if error.name != "fsspec" and self._scheme not in _S3:
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
        with self._as_store_error("read", path):
            try:
                tag = str(self._fs.info(self._base + path).get("ETag", ""))
            except FileNotFoundError as error:
                if is_missing_bucket(error):
                    raise
                return None
            data = self.read(path, most)
            return Stored(data, tag) if data is not None else None

    def read(self, path: str, most: int) -> bytes | None:
        """The bytes of an object; None if it is missing. Raises like `get`."""
        with self._as_store_error("read", path):
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

    def put(self, path: str, data: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Write an object atomically. `headers` are a Content-Type and a Cache-Control, for stores
        that keep them.
        """
        place = self._base + path
        with self._as_store_error("written", path):
            if self._scheme in _LOCAL:
                self._fs.pipe_file(f"{place}.new", data)
                os.replace(f"{place}.new", place)
            else:
                self._fs.pipe_file(place, data, **self._arguments(headers or {}))

    def create(self, path: str, data: bytes, headers: Mapping[str, str] | None = None) -> bool:
        """Write an object unless it exists; returns whether it was written."""
        place, arguments = self._base + path, self._arguments(headers or {})
        with self._as_store_error("written", path):
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
        # An earlier attempt may have succeeded although its answer was lost.
        return self._has_bytes(path, data)

    def replace(
        self, path: str, data: bytes, before: Stored | None, headers: Mapping[str, str]
    ) -> bool:
        """Write an object in place of `before`; False if it changed. No two writers write the same
        bytes.
        """
        if before is None:
            return self.create(path, data, headers)
        if self._scheme in _S3 and before.tag:
            with self._as_store_error("written", path):
                try:
                    arguments = {"IfMatch": before.tag, **self._arguments(headers)}
                    self._fs.pipe_file(self._base + path, data, **arguments)
                    return True
                except FileNotFoundError:  # the answer of S3 if `before` was removed
                    return self._has_bytes(path, data)
                except Exception as error:
                    if is_refused(error):
                        return self._has_bytes(path, data)
                    if not is_unsupported(error):
                        raise
        if not self._has_bytes(path, before.data):
            return False
        self.put(path, data, headers)
        return True

    def _has_bytes(self, path: str, data: bytes) -> bool:
        try:
            return self.read(path, len(data)) == data
        except TooLarge:
            return False

    def remove(self, path: str) -> None:
        """Remove an object; a missing object is not an error."""
        with self._as_store_error("removed", path), contextlib.suppress(FileNotFoundError):
            self._fs.rm_file(self._base + path, **self._limit)

    # --- many ---

    def names(self, below: str) -> list[str]:
        """The sorted paths of all objects below a path."""
        names = self._list(self._fs.find, below)
        return sorted(name.removeprefix(self._base) for name in names)

    def folders(self, below: str) -> list[str]:
        """The sorted names of the folders and objects directly below a path."""
        names = self._list(self._fs.ls, below)
        return sorted({name.rstrip("/").rpartition("/")[2] for name in names} - {""})

    def _list(self, method: Callable[..., Iterable[str]], below: str) -> list[str]:
        with self._as_store_error("listed", below):
            try:
                return [str(name) for name in method(self._base + below, detail=False)]
            except FileNotFoundError as error:
                if is_missing_bucket(error):
                    raise
                return []

    def remove_below(self, folder: str, alive: Callable[[], None]) -> None:
        """Remove all objects below a path. `alive` is called before each request and may raise."""
        paths = [self._base + path for path in self.names(folder)]
        with self._as_store_error("removed", folder), contextlib.suppress(FileNotFoundError):
            for start in range(0, len(paths), _REMOVE_BATCH):
                alive()
                self._fs.rm(paths[start : start + _REMOVE_BATCH])
            if not self.keeps_headers:  # a store that may have folders
                self._fs.rm(self._base + folder, recursive=True)

    def map_parallel(self, work: Callable[[_T], _R], items: Iterable[_T]) -> list[_R]:
        """The results of `work` for each item, in order, in parallel. An error stops further items
        and waits for running items.
        """
        with ThreadPoolExecutor(self.connections, "store") as threads:
            return list(threads.map(work, items))

    # --- headers and errors ---

    @property
    def keeps_headers(self) -> bool:
        """Whether the store keeps the headers of objects."""
        return self._scheme in (*_S3, *_GOOGLE)

    def _arguments(self, headers: Mapping[str, str]) -> dict[str, Any]:
        """Headers, and the limit of time, as the arguments of this store's package."""
        kind, cache = headers.get("Content-Type"), headers.get("Cache-Control")
        if kind is None or cache is None:
            return dict(self._limit)
        if self._scheme in _S3:
            return {"ContentType": kind, "CacheControl": cache, **self._limit}
        if self._scheme in _GOOGLE:
            metadata = {"cache_control": cache}
            return {"content_type": kind, "fixed_key_metadata": metadata, **self._limit}
        return dict(self._limit)

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
        if type(error).__name__ == "FSTimeoutError":
            return f"it took longer than {LONGEST} seconds"
        text = " ".join(str(error).split()) or type(error).__name__
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return printable(text[:300])
