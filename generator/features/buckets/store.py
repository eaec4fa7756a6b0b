"""The objects of a store below one URL: an S3 bucket, an S3-compatible store, or any other place
that fsspec knows; and addresses and errors of stores as messages for users, without secrets.

Knows nothing about registries. Objects may have been written by anyone, so reads are bounded. No
message contains credentials of a URL. Paths begin with a slash, as below a base URL. Requests are
repeated by the package of the store, such as s3fs.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from generator import UserError
from generator.problems.diagnostic import printable

_is_scheme = re.compile(r"[a-z][a-z0-9+.-]*").fullmatch


class StoreError(UserError):
    """A store cannot be read or written; the text is for users and says what to do."""


class TooLarge(StoreError):
    """An object exceeds its allowed size."""


def display_url(url: str) -> str:
    """A URL for messages: without user, password and query."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    plain = f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
    return printable(re.split(r"[?#]", plain, maxsplit=1)[0]).rstrip("/")


def check_url(url: str) -> str:
    """The scheme of a store's URL. Raises StoreError if the URL is invalid."""
    scheme, mark, rest = url.partition("://")
    problem = None
    if not mark or not _is_scheme(scheme) or not rest.strip("/"):
        problem = "write it like s3://BUCKET or gs://BUCKET/FOLDER"
    elif "::" in url:
        problem = "an address within an address is not allowed"
    elif re.search(r"[?#*\[\]\s]|/\.\.?(?:/|$)", rest):
        problem = "it cannot have a space, `..`, or any of ? # * [ ]"
    if problem is not None:
        raise StoreError(f"{display_url(url)} is not the address of a bucket: {problem}")
    return scheme


def url_secrets(url: str) -> Iterator[str]:
    user, at, _ = urlsplit(url).netloc.rpartition("@")
    if at:
        yield user
        yield from user.split(":", 1)


def is_refused(error: Exception) -> bool:
    """Whether the condition of a request failed, or another request was writing the object."""
    return _code(error) in ("PreconditionFailed", "412", "ConditionalRequestConflict", "409")


def is_unsupported(error: Exception) -> bool:
    """Whether a store does not support conditions of requests."""
    return _code(error) in ("NotImplemented", "501", "InvalidArgument")


def _code(error: BaseException | None) -> str:
    """The error code of the store's protocol, or ""."""
    while error is not None:
        response = getattr(error, "response", None)
        if isinstance(response, dict):
            return str(response.get("Error", {}).get("Code", ""))
        if (code := getattr(error, "code", None)) is not None:
            return str(code)
        error = error.__cause__ or error.__context__
    return ""


def is_missing_bucket(error: Exception) -> bool:
    return _code(error) == "NoSuchBucket"


#: action -> its verb, and the permissions of S3 that it needs.
_PERMISSIONS = {
    "read": ("read or list", "s3:GetObject and s3:ListBucket"),
    "listed": ("list", "s3:ListBucket"),
    "written": ("write", "s3:PutObject"),
    "removed": ("remove", "s3:DeleteObject"),
}
#: Codes of stores that refuse a request, with the reason if the code says it.
_DENIED = {
    **dict.fromkeys(("401", "403", "AccessDenied", "Forbidden", "AllAccessDisabled"), ""),
    "InvalidAccessKeyId": "the store does not know this key",
    "SignatureDoesNotMatch": "the secret does not belong to the key",
    "ExpiredToken": "the session of the key has expired",
    "RequestTimeTooSkewed": "the clock of this machine is wrong",
}


def error_hint(error: Exception, action: str, *, s3: bool) -> str:
    """What to do after an error; `action` is a key of _PERMISSIONS."""
    name = type(error).__name__
    if name in ("NoCredentialsError", "PartialCredentialsError"):
        return (
            "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or run "
            "`aws configure`."
        )
    code = _code(error)
    if name == "PermissionError" or code in _DENIED:
        verb, needed = _PERMISSIONS[action]
        reason = _DENIED.get(code) or f"the key may not {verb} here"
        if not s3:
            return f"Access is denied: {reason}. Check the credentials and what they allow."
        return (
            f"Access is denied: {reason}. Its owner has to allow {needed} below this address."
            + " Without s3:ListBucket, S3 answers the same for a missing file." * (action == "read")
        )
    if is_missing_bucket(error):
        return "The bucket does not exist. Correct its name, or make the bucket first."
    if name == "FSTimeoutError":
        return "Try again; with a slow connection run `registry publish` with --connections 4."
    if name == "FileNotFoundError":
        return "It does not exist. Correct the address."
    return "Try again; what was there before is as it was."


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
        """Write an object atomically, with headers if the store keeps them."""
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
        """Write an object in place of `before`; False if it changed. Bytes differ by writer."""
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
        """The results of `work` for each item, in order. An error stops further items."""
        with ThreadPoolExecutor(self.connections, "store") as threads:
            return list(threads.map(work, items))

    # --- headers and errors ---

    @property
    def keeps_headers(self) -> bool:
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
