"""Read files of a host over HTTP: pooled, in parallel, with timeouts, retries, bounds and an ETag
cache.

Reads paths below one base URL and follows no redirect to another host. A read ends after
MAX_SECONDS, whatever the host does: requests run in threads, which are then abandoned, with their
connections cut. Knows nothing about the content of the files.
"""

from __future__ import annotations

import contextlib
import io
import os
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit
from weakref import WeakSet

from generator import __version__
from generator.problems.diagnostic import printable
from generator.reader.documents import MAX_READ, ClientError

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

    from generator.reader.etags import Etags

#: Bounds of one `read` of several files, from name resolution to the last byte, with retries and
#: pauses.
MAX_BYTES, MAX_SECONDS = MAX_READ, 60.0
MAX_CONNECTIONS = 8
_MAX_REDIRECTS = 5
#: A longer pause that a host asks for is an error.
_MAX_WAIT = 30.0
_RETRY_ON = (429, 502, 503, 504)
_DENIED = (
    ": access is denied. The registry may be private, or a login or a firewall is in front of it: "
    "let everybody read it"
)
_BACKOFF = 0.5  # seconds; no pause before the first retry, then 2 times this, 4 times this, …


class RemoteError(ClientError):
    """A host sends no usable answer; the text is for users."""


class _HostAnswer(NamedTuple):
    """One answer. `is_complete` means that HTTP would have revealed a truncated body."""

    status: int
    etag: str | None
    media_type: str
    body: bytes
    is_complete: bool


class Remote:
    """The files below `base`, a URL without a slash at its end. `timeout` is the longest time
    without a byte, in seconds. For `definite` paths only a 404 or 410 means that the file is
    missing, not a web page or a 403. S3 answers 403 for a missing object of a bucket that may not
    be listed, so a 403 means that for other paths, as soon as a file was read.

    Raises RemoteError if `base` is not a URL of a host.
    """

    def __init__(
        self,
        base: str,
        *,
        timeout: float,
        retries: int,
        etags: Etags | None = None,
        definite: Collection[str] = (),
    ):
        _check_base_url(base)
        self.base, self._etags = base, etags
        self._timeout, self._retries = timeout, retries
        self._definite, self._found_any = definite, False
        self._headers = {
            "User-Agent": f"registry-generator/{__version__}",
            "Accept": "*/*",
            "Accept-Encoding": "gzip",
        }
        self._pool, self._connections = connection_pool(base)

    def read(self, paths: Sequence[str]) -> list[bytes | None]:
        """The files at these paths; None for a missing file. Raises RemoteError."""
        call = Call(max(MAX_SECONDS, self._timeout), MAX_BYTES)
        denied: list[str] = []
        futures = [
            _start_thread(lambda path=path: self._read(path, call, denied), call)  # type: ignore[misc]
            for path in paths
        ]
        try:
            done, pending = wait(futures, call.seconds_left, FIRST_EXCEPTION)
            for future in futures:
                if future in done and (error := future.exception()):
                    raise error
            for path, future in zip(paths, futures, strict=True):
                if future in pending:
                    raise call.timeout_error(self.base + path)
            contents = [future.result() for future in futures]
        except BaseException:
            call.cancel(self._connections)
            raise
        self._found_any |= any(content is not None for content in contents)
        for path in denied:
            if path in self._definite or not self._found_any:
                raise RemoteError(
                    f"{self.base}{path} answers {status_text(403)}: access is denied: the bucket "
                    "does not let everybody read its files (s3:GetObject). If they may not list it "
                    "(s3:ListBucket), S3 answers the same for a missing file or a wrong address."
                )
        return contents

    def _read(self, path: str, call: Call, denied: list[str]) -> bytes | None:
        """A file; None if it is missing, or a bucket denied access: then `denied` gets its path."""
        url = self.base + path
        cached = self._etags.get(url) if self._etags is not None else None
        condition = {"If-None-Match": cached.etag} if cached is not None else {}
        answer = self._ask(url, path, condition, call)
        if answer.status == 304 and cached is not None:
            return cached.body
        if answer.status == 200:
            if _is_web_page(path, answer):
                if path in self._definite:
                    raise RemoteError(f"{url} answers {status_text(200)}, and sends a web page.")
                return None
            if self._etags is not None and answer.etag and answer.is_complete:
                from generator.reader.etags import CachedAnswer

                self._etags.put(url, CachedAnswer(answer.etag, answer.body))
            return answer.body
        if answer.status in (404, 410):
            return None
        if answer.status == 403 and b"<Code>AccessDenied</Code>" in answer.body:
            denied.append(path)
            return None
        denied_text = _DENIED * (answer.status in (401, 403))
        raise RemoteError(f"{url} answers {status_text(answer.status)}{denied_text}.")

    def _ask(self, url: str, path: str, condition: dict[str, str], call: Call) -> _HostAnswer:
        """The answer to one GET, after redirects and retries. Raises RemoteError."""
        from urllib3 import exceptions

        final = (
            exceptions.SSLError, exceptions.LocationValueError, exceptions.ProxySchemeUnknown
        )  # fmt: skip
        current, redirects, attempts = url, 0, 0
        while True:
            failure: Exception | int
            if call.seconds_left <= 0:
                raise call.timeout_error(current)
            try:
                with self._pool.request(
                    "GET",
                    current,
                    headers=self._headers | condition,
                    timeout=min(self._timeout, call.seconds_left),
                    redirect=False,
                    retries=False,
                    preload_content=False,
                ) as response:
                    answer = self._receive(current, response, call)
                    location = response.get_redirect_location()
                    pause = _requested_pause(response)
            except exceptions.HTTPError as error:
                failure, pause = error, None
            else:
                if location:
                    redirects += 1
                    if redirects > _MAX_REDIRECTS:
                        raise RemoteError(f"{url} is redirected too often.")
                    current = _redirected(current, location, path)
                    continue
                if answer.status not in _RETRY_ON:
                    return answer
                failure = answer.status
            attempts += 1
            if attempts > self._retries or isinstance(failure, final):
                raise RemoteError(self._error_message(current, failure, attempts))
            if pause is None:
                pause = min(_BACKOFF * 2 ** (attempts - 1), _MAX_WAIT) if attempts > 1 else 0
            elif pause > min(_MAX_WAIT, call.seconds_left):
                raise RemoteError(
                    f"{current} answers {status_text(answer.status)} and asks to wait "
                    f"{pause:.0f} seconds."
                )
            time.sleep(pause)

    def _receive(self, url: str, response: BaseHTTPResponse, call: Call) -> _HostAnswer:
        """The whole, decoded answer. Raises RemoteError and urllib3's errors."""
        body = io.BytesIO()
        while chunk := response.read1(1 << 16):
            body.write(chunk)
            call.bytes -= len(chunk)
            if call.bytes < 0:
                raise RemoteError(
                    f"{url} has more than {MAX_BYTES >> 20} MiB, together with the files "
                    "requested with it."
                )
            if call.seconds_left <= 0:
                raise call.timeout_error(url)
        is_complete = (
            "Content-Length" in response.headers
            or response.headers.get("Transfer-Encoding", "").lower() == "chunked"
        )
        media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return _HostAnswer(
            response.status, response.headers.get("ETag"), media_type, body.getvalue(), is_complete
        )

    def _error_message(self, url: str, failure: Exception | int, attempts: int) -> str:
        """The error message after the last attempt."""
        from urllib3 import exceptions

        match failure:
            case int():
                problem = f"answers {status_text(failure)}."
            case exceptions.NameResolutionError():
                problem = "cannot be read: there is no host of this name, or no network."
            case exceptions.NewConnectionError():
                problem = f"cannot be read: the host cannot be reached ({_cause(failure)})."
            case exceptions.TimeoutError():
                problem = f"did not answer within {self._timeout:g} seconds."
            case exceptions.SSLError():
                problem = f"cannot be read: the connection is not secure ({_cause(failure)})."
            case exceptions.ProxyError():
                problem = (
                    "cannot be read: the proxy that the environment names does not answer "
                    f"({_cause(failure)})."
                )
            case exceptions.ProtocolError() | exceptions.DecodeError():
                problem = "cannot be read: the answer broke off or is damaged."
            case _:
                problem = f"cannot be read: {_cause(failure)}."
        return f"{url} {problem}" + f" There were {attempts} attempts." * (attempts > 1)


def _check_base_url(base: str) -> None:
    """Raises RemoteError if `base` is not a base URL."""
    try:
        base.encode()
        parts = urlsplit(base)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise RemoteError(
            f"{printable(base)} is no address of a host: it begins with https:// or http:// and "
            "the host's name."
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise RemoteError(
            "A base URL has no user name, no query and no fragment: it is what /api/ follows."
        )


def _start_thread(work: Callable[[], bytes | None], call: Call) -> Future[bytes | None]:
    """Run `work` in a daemon thread: the process can end without waiting for it."""
    future: Future[bytes | None] = Future()

    def run() -> None:
        try:
            with call.slots:
                future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def _requested_pause(response: BaseHTTPResponse) -> float | None:
    """The header Retry-After in seconds; None if it is missing or invalid."""
    from urllib3 import Retry
    from urllib3.exceptions import InvalidHeader

    try:
        return Retry().get_retry_after(response)
    except (InvalidHeader, ValueError, OverflowError):
        return None


def _redirected(url: str, location: str, path: str) -> str:
    """The target of a redirect, on the same host and not from https to http."""
    try:
        target = urljoin(url, location)
        old_parts, new_parts = urlsplit(url), urlsplit(target)
        if new_parts[:2] == old_parts[:2] or (
            new_parts.hostname == old_parts.hostname
            and (old_parts.scheme, new_parts.scheme) == ("http", "https")
        ):
            return target
    except ValueError:
        target = location
    shown = printable(target)
    hint = (
        f" If you trust it, ask there: {shown.removesuffix(path)}" if shown.endswith(path) else ""
    )
    raise RemoteError(f"{url} redirects to another host, {shown}.{hint}")


def _is_web_page(path: str, answer: _HostAnswer) -> bool:
    """Whether a missing file gave a page and status 200, as in single-page applications."""
    extension = os.path.splitext(path)[1]
    if extension == ".json":
        return answer.body.lstrip()[:1] == b"<"
    return extension != ".html" and answer.media_type in ("text/html", "application/xhtml+xml")


def status_text(number: int) -> str:
    """A status code with its standard phrase, not the host's own."""
    try:
        return f"{number} {HTTPStatus(number).phrase}"
    except ValueError:
        return str(number)


def _cause(error: Exception) -> str:
    """The message of the innermost exception."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return printable(getattr(error, "strerror", None) or str(error) or type(error).__name__)


# --- connections that another thread can cut while they wait ---


class Call:
    """The time and bytes left for one `Remote.read`."""

    def __init__(self, seconds: float, max_bytes: int):
        self.seconds, self.deadline = seconds, time.monotonic() + seconds
        self.bytes = max_bytes
        self.slots = threading.Semaphore(MAX_CONNECTIONS)

    @property
    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    def timeout_error(self, url: str) -> RemoteError:
        return RemoteError(f"{url} takes longer than {self.seconds:g} seconds.")

    def cancel(self, connections: Iterable[Any]) -> None:
        """Stop all requests: threads that wait for an answer get an error."""
        self.deadline = 0.0
        for connection in list(connections):
            if isinstance(sock := connection.sock, socket.socket):
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)


def connection_pool(base: str) -> tuple[PoolManager, WeakSet[Any]]:
    """A pool for the host, through its proxy, and its connections. Raises RemoteError."""
    pool, connections = _plain_pool(base), WeakSet[Any]()
    classes: dict[str, Any] = {}
    for scheme, pool_class in pool.pool_classes_by_scheme.items():

        class Cut(pool_class.ConnectionCls):  # type: ignore[name-defined,misc]
            def connect(self) -> None:
                connections.add(self)
                super().connect()

        classes[scheme] = type("Pool", (pool_class,), {"ConnectionCls": Cut})
    pool.pool_classes_by_scheme = classes
    return pool, connections


def _plain_pool(base: str) -> PoolManager:
    from urllib.request import getproxies, proxy_bypass

    import urllib3

    parts = urlsplit(base)
    proxies = {} if proxy_bypass(str(parts.hostname)) else getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return urllib3.PoolManager(maxsize=MAX_CONNECTIONS)
    try:
        return urllib3.ProxyManager(
            proxy if "://" in proxy else f"http://{proxy}", maxsize=MAX_CONNECTIONS
        )
    except (urllib3.exceptions.HTTPError, ValueError) as error:
        raise RemoteError(
            "The proxy in the environment is not valid. Write http://host:port."
        ) from error
