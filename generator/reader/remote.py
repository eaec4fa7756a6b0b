"""Files of a host over HTTP: pooled, in parallel, with timeouts, retries, bounds and kept ETags.

Asks for paths below one base URL and follows no redirect to another host.  Nobody waits longer than
MAX_SECONDS, whatever the host does and whichever step it is: requests are made by threads that are
left behind then, with their connections cut. Knows nothing of what the files say.
"""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

from generator import __version__
from generator.problems.diagnostic import printable
from generator.reader.connections import Call, RemoteError, pool_of, working
from generator.reader.documents import MAX_READ

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse
    from urllib3.util import Retry

    from generator.reader.etags import Etags

#: Of all files that are asked for at once: from the host's name to the last byte, with attempts
#: anew and pauses.
MAX_BYTES, MAX_SECONDS = MAX_READ, 60.0
_MAX_REDIRECTS = 5
#: A host that asks for a longer pause is not waited for.
_MAX_WAIT = 30.0
_AGAIN = (429, 502, 503, 504)
_BACKOFF = 0.5  # seconds; none before the first attempt anew, then twice this, four times this …


class _Answer(NamedTuple):
    """One answer.  `sure` where HTTP itself would have told that something is missing."""

    status: int
    etag: str | None
    media_type: str
    body: bytes
    sure: bool


class Remote:
    """The files below `base`, a URL without a slash at its end.  `timeout` is how long no byte may
    come, in seconds.  Of `definite` paths a host has to say that there is no file: neither a page
    in its place nor a refusal says so.

    Raises RemoteError when the URL is none.
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
        import urllib3

        _check(base)
        self.base, self._etags, self._timeout = base, etags, timeout
        self._definite = definite
        self._headers = {
            "User-Agent": f"registry-generator/{__version__}",
            "Accept": "*/*",
            "Accept-Encoding": "gzip",
        }
        self._retry = urllib3.Retry(
            retries, status_forcelist=_AGAIN, backoff_factor=_BACKOFF, backoff_max=_MAX_WAIT
        )
        self._pool = pool_of(base)

    def read(self, paths: Sequence[str]) -> list[bytes | None]:
        """None for each path where there is no file, also on hosts that send a web page instead.
        Raises RemoteError.
        """
        call = Call(max(MAX_SECONDS, self._timeout), MAX_BYTES)
        files = [_begun(lambda path=path: self._read(path, call), call) for path in paths]  # type: ignore[misc]
        try:
            done, late = wait(files, call.left, FIRST_EXCEPTION)
            failure = next(
                (error for file in files if file in done and (error := file.exception())), None
            )
            if failure is not None:
                raise failure
            for path, file in zip(paths, files, strict=True):
                if file in late:
                    raise call.late(self.base + path)
            return [file.result() for file in files]
        except BaseException:
            call.end()
            raise

    def _read(self, path: str, call: Call) -> bytes | None:
        url = self.base + path
        kept = self._etags.get(url) if self._etags is not None else None
        answer = self._ask(
            url, path, {"If-None-Match": kept.etag} if kept is not None else {}, call
        )
        if answer.status == 304 and kept is not None:
            return kept.body
        if answer.status == 200:
            if _is_web_page(path, answer):
                if path in self._definite:
                    raise RemoteError(f"{url} answers {_status(200)}, and sends a web page.")
                return None
            if self._etags is not None and answer.etag and answer.sure:
                from generator.reader.etags import Kept

                self._etags.put(url, Kept(answer.etag, answer.body))
            return answer.body
        # S3 says 403 of what is not there unless it may list the bucket.
        if answer.status in (404, 410) or (
            answer.status == 403
            and path not in self._definite
            and b"<Code>AccessDenied</Code>" in answer.body
        ):
            return None
        raise RemoteError(f"{url} answers {_status(answer.status)}.")

    def _ask(self, url: str, path: str, more: dict[str, str], call: Call) -> _Answer:
        """The answer to one GET, after redirects and as many attempts as it takes.  Raises
        RemoteError.
        """
        from urllib3.exceptions import HTTPError, MaxRetryError

        retry, here, redirects = self._retry, url, 0
        while True:
            failure = response = None
            if call.left <= 0:
                raise call.late(here)
            try:
                with self._pool.request(
                    "GET",
                    here,
                    headers=self._headers | more,
                    timeout=min(self._timeout, call.left),
                    redirect=False,
                    retries=False,
                    preload_content=False,
                ) as response:
                    answer = self._received(here, response, call)
                    location, pause = response.get_redirect_location(), _pause(retry, response)
            except HTTPError as error:
                if _is_final(error):
                    raise RemoteError(self._why(here, error, 0)) from error
                failure, pause = error, None
            else:
                if location:
                    redirects += 1
                    if redirects > _MAX_REDIRECTS:
                        raise RemoteError(f"{url} is redirected too often.")
                    here = _redirected(here, location, path)
                    continue
                if answer.status not in _AGAIN:
                    return answer
            try:
                retry = retry.increment("GET", here, response, failure)
            except MaxRetryError as error:
                raise RemoteError(
                    self._why(here, failure or answer.status, len(retry.history))
                ) from error
            if pause is not None and pause > min(_MAX_WAIT, call.left):
                raise RemoteError(
                    f"{here} answers {_status(answer.status)} and asks to wait {pause:.0f} seconds."
                )
            time.sleep(retry.get_backoff_time() if pause is None else pause)

    def _received(self, url: str, response: BaseHTTPResponse, call: Call) -> _Answer:
        """The whole answer, decoded.  Raises RemoteError where it passes a bound, and urllib3's
        errors where it breaks off.
        """
        body = io.BytesIO()
        while chunk := response.read1(1 << 16):
            body.write(chunk)
            call.bytes -= len(chunk)
            if call.bytes < 0:
                raise RemoteError(
                    f"{url} has more than {MAX_BYTES >> 20} MiB, with what was asked for together "
                    "with it."
                )
            if call.left <= 0:
                raise call.late(url)
        sure = (
            "Content-Length" in response.headers
            or response.headers.get("Transfer-Encoding", "").lower() == "chunked"
        )
        media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return _Answer(
            response.status, response.headers.get("ETag"), media_type, body.getvalue(), sure
        )

    def _why(self, url: str, failure: Exception | int, retries: int) -> str:
        """What to tell a person of the last of several attempts."""
        from urllib3 import exceptions

        times = f" It was asked {retries + 1} times." if retries else ""
        match failure:
            case int():
                what = f"{url} answers {_status(failure)}."
            case exceptions.NameResolutionError():
                what = f"{url} cannot be read: there is no host of this name, or no network."
            case exceptions.NewConnectionError():
                what = f"{url} cannot be read: the host cannot be reached ({_cause(failure)})."
            case exceptions.TimeoutError():
                what = f"{url} did not answer within {self._timeout:g} seconds."
            case exceptions.SSLError():
                what = f"{url} cannot be read: the connection is not secure ({_cause(failure)})."
            case exceptions.ProxyError():
                what = (
                    f"{url} cannot be read: the proxy that the environment names does not "
                    f"answer ({_cause(failure)})."
                )
            case exceptions.ProtocolError() | exceptions.DecodeError():
                what = f"{url} cannot be read: the answer broke off or is damaged."
            case _:
                what = f"{url} cannot be read: {_cause(failure)}."
        return what + times


def _check(base: str) -> None:
    """Raises RemoteError when a base URL is none."""
    try:
        base.encode()
        parts = urlsplit(base)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
    except ValueError:
        wrong = True
    if wrong:
        raise RemoteError(
            f"{printable(base)} is no address of a host: it begins with https:// or http:// and "
            "the host's name."
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise RemoteError(
            "A base URL has no user name, no query and no fragment: it is what /api/ follows."
        )


def _begun(work: Callable[[], bytes | None], call: Call) -> Future[bytes | None]:
    """What a thread of its own does, which no process waits for at its end."""
    answer: Future[bytes | None] = Future()

    def run() -> None:
        working.call = call
        try:
            with call.slots:
                answer.set_result(work())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return answer


def _pause(retry: Retry, response: BaseHTTPResponse) -> float | None:
    """The seconds that a host asks to wait; None where it does not, or says no time."""
    from urllib3.exceptions import InvalidHeader

    try:
        return retry.get_retry_after(response)
    except (InvalidHeader, ValueError, OverflowError):
        return None


def _redirected(here: str, location: str, path: str) -> str:
    """Where a redirect leads.  Raises RemoteError but for the same host, there from http to https
    at most.
    """
    try:
        there = urljoin(here, location)
        old, new = urlsplit(here), urlsplit(there)
        if new[:2] == old[:2] or (
            new.hostname == old.hostname and (old.scheme, new.scheme) == ("http", "https")
        ):
            return there
    except ValueError:
        there = location
    said = printable(there)
    instead = (
        f" If you trust it, ask there: {said.removesuffix(path)}" if said.endswith(path) else ""
    )
    raise RemoteError(f"{here} redirects to another host, {said}.{instead}")


def _is_final(error: Exception) -> bool:
    """Whether another attempt would end the same way."""
    from urllib3.exceptions import LocationValueError, ProxySchemeUnknown, SSLError

    return isinstance(error, SSLError | LocationValueError | ProxySchemeUnknown)


def _is_web_page(path: str, answer: _Answer) -> bool:
    """Whether a host sends a page for what it does not have, with status 200 (single-page
    applications do).
    """
    ending = os.path.splitext(path)[1]
    if ending == ".json":
        return answer.body.lstrip()[:1] == b"<"
    return ending != ".html" and answer.media_type in ("text/html", "application/xhtml+xml")


def _status(number: int) -> str:
    """A status with its name; the host's own words for it are not repeated."""
    try:
        return f"{number} {HTTPStatus(number).phrase}"
    except ValueError:
        return str(number)


def _cause(error: Exception) -> str:
    """The innermost reason, in the system's words."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return printable(getattr(error, "strerror", None) or str(error) or type(error).__name__)
