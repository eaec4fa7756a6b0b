"""One HTTP request to an address that anyone may have written, bounded in time and size.

It connects to an IP address that was checked after the name was resolved, so a second resolution
cannot lead elsewhere.  For the same reason it uses no proxy.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import ssl
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urlsplit

from urllib3 import Retry
from urllib3.exceptions import InvalidHeader

from generator import __version__

_HEADERS = {"User-Agent": f"registry-generator/{__version__}", "Accept": "*/*",
            "Accept-Encoding": "identity", "Connection": "close"}  # fmt: skip
_MAX_URL = 8_000
_REDIRECTS = (301, 302, 303, 307, 308)
_CONNECT_SECONDS = 5.0  # for one of at most four addresses of a host
#: The addresses of IPv4 hosts in networks that only have IPv6 (RFC 6052).
_TRANSLATED = IPv6Network("64:ff9b::/96")
_is_host = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|[0-9a-f:.]*:[0-9a-f:.]*").fullmatch
#: Errors of name resolution that mean: no such name.
_NO_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class Failed(Exception):
    """There is no answer.  `code` is for programs, the message a predicate of the address."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


class Response(NamedTuple):
    """The status of an answer, the target of a redirect, the pause in seconds that a busy host asks
    for, and the beginning of the body.
    """

    status: int
    location: str
    pause: float | None
    body: bytes


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address) and ip in _TRANSLATED:
        ip = IPv4Address(int(ip) & 0xFFFFFFFF)
    former = isinstance(ip, IPv6Address) and (ip.sixtofour is not None or ip.is_site_local)
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or former)


def ascii_url(url: str) -> str:
    """An http or https URL in ASCII, without fragment and user.  Raises Failed."""
    try:
        parts = urlsplit(url.strip())
        host, port = _ascii_host(parts.hostname or ""), parts.port
    except (ValueError, UnicodeError):
        raise Failed("address", "leads to an address that is not valid") from None
    if parts.scheme not in ("http", "https"):
        raise Failed("scheme", "leads to an address that is not http or https")
    if not _is_host(host) or len(url) > _MAX_URL:
        raise Failed("address", "leads to an address that is not valid")
    place = f"[{host}]" if ":" in host else host
    place += f":{port}" if port not in (None, 80 if parts.scheme == "http" else 443) else ""
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~", errors="replace")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~?[]", errors="replace")
    return SplitResult(parts.scheme, place, path, query, "").geturl()


def _ascii_host(host: str) -> str:
    """A host name as DNS has it.  Raises UnicodeError."""
    labels = unicodedata.normalize("NFKC", host.replace("\u3002", ".").lower()).split(".")
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels
    )


def path_and_query(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def send(
    method: str, url: str, seconds: float, is_allowed: Callable[[str], bool], most: int
) -> Response:
    """The answer of a URL from `ascii_url` with at most `most` bytes of its body, `seconds` after
    connecting at the latest.  `is_allowed` says whether it may connect to an IP address.

    Raises Failed.
    """
    parts, deadline = urlsplit(url), time.monotonic() + seconds
    try:
        with _connected(parts, seconds, is_allowed) as sock:
            connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
            connection.sock = sock
            connection.request(method, path_and_query(url), headers=_HEADERS)
            with connection.getresponse() as response:
                body = response.read(most) if most else b""
                location = ""
                if response.status in _REDIRECTS:
                    # http.client decodes headers as Latin-1; hosts send UTF-8.
                    raw = response.getheader("Location", "").encode("latin-1")
                    location = raw.decode(errors="replace")
                pause = _pause(response.status, response.getheader("Retry-After"))
                return Response(response.status, location, pause, body)
    except (OSError, http.client.HTTPException) as error:
        raise _failure(error if time.monotonic() < deadline else TimeoutError()) from error


@contextlib.contextmanager
def _connected(
    parts: SplitResult, seconds: float, is_allowed: Callable[[str], bool]
) -> Iterator[socket.socket]:
    """A connected socket, with TLS for https, that is cut after `seconds`."""
    host, is_secure = parts.hostname or "", parts.scheme == "https"
    sock = _connect(host, parts.port or (443 if is_secure else 80), is_allowed)
    sock.settimeout(seconds)
    if is_secure:
        sock = _trusted().wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
    # The timeout of a socket begins again with each byte.
    timer = threading.Timer(seconds, _cut, (sock,))
    timer.daemon = True
    timer.start()
    try:
        if isinstance(sock, ssl.SSLSocket):
            sock.do_handshake()
        yield sock
    finally:
        timer.cancel()
        sock.close()


def _connect(host: str, port: int, is_allowed: Callable[[str], bool]) -> socket.socket:
    try:
        found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno in _NO_NAME:
            raise Failed("no-host", "has a host that does not exist") from error
        raise Failed("offline", "has a host whose name could not be resolved") from error
    addresses = [str(where[0]) for *_, where in found if is_allowed(str(where[0]))][:4]
    if not addresses:
        raise Failed("private", "leads into a private network, which is not asked")
    for address in addresses[:-1]:
        with contextlib.suppress(OSError):
            return socket.create_connection((address, port), _CONNECT_SECONDS)
    return socket.create_connection((addresses[-1], port), _CONNECT_SECONDS)


def _cut(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


def _pause(status: int, retry_after: str | None) -> float | None:
    with contextlib.suppress(InvalidHeader, ValueError, OverflowError):
        if retry_after and status in (429, 503):
            return Retry().parse_retry_after(retry_after)
    return 60.0 if status == 429 else None


def _failure(error: Exception) -> Failed:
    match error:
        case TimeoutError():
            return Failed("timeout", "does not answer in time")
        case ssl.SSLCertVerificationError():
            return Failed("tls", f"has no valid certificate: {error.verify_message}")
        case ssl.SSLError():
            return Failed("tls", f"makes no secure connection: {error.reason or 'it broke off'}")
        case ConnectionRefusedError():
            return Failed("refused", "refuses the connection")
        case http.client.HTTPException() | ConnectionError():
            return Failed("cut", "sends an answer that breaks off or is not HTTP")
        case _:
            return Failed("offline", "cannot be reached from here")
