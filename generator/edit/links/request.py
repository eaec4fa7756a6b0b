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
import time
import unicodedata
from functools import cache
from threading import Timer
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from generator import __version__
from generator.model.networks import is_public

_HEADERS = {"User-Agent": f"registry-generator/{__version__}", "Accept": "*/*",
            "Connection": "close"}  # fmt: skip
_MAX_URL = 8_000
_REDIRECTS = (301, 302, 303, 307, 308)
_SECONDS = 20.0  # until an answer, after connecting
_CONNECT_SECONDS = 5.0  # for one of at most four addresses of a host
_LABEL = "[a-z0-9_-]{1,63}"
_is_host = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?|[0-9a-f:.]*:[0-9a-f:.]*").fullmatch
#: Errors of name resolution that mean: no such name.
_NO_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
_trusted = cache(ssl.create_default_context)


class Failed(Exception):
    """There is no answer.  `code` is for programs, the message a predicate of the address."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


class Response(NamedTuple):
    """The status of an answer, the target of a redirect, and the beginning of the body."""

    status: int
    location: str
    body: bytes


def ascii_url(url: str) -> str:
    """An http or https URL in ASCII, without fragment and user.  Raises Failed."""
    try:
        parts = urlsplit(url.strip())
        name = (parts.hostname or "").replace("\u3002", ".").lower()
        # DNS has the Punycode of other letters.
        host = ".".join(
            label if label.isascii() else f"xn--{label.encode('punycode').decode()}"
            for label in unicodedata.normalize("NFKC", name).split(".")
        )
        is_valid = parts.scheme in ("http", "https") and len(url) <= _MAX_URL and _is_host(host)
        port = parts.port
    except ValueError:
        is_valid = False
    if not is_valid:
        raise Failed("address", "leads to an address that is not valid")
    place = f"[{host}]" if ":" in host else host
    place += f":{port}" if port not in (None, 80 if parts.scheme == "http" else 443) else ""
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~", errors="replace")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~?[]", errors="replace")
    return SplitResult(parts.scheme, place, path, query, "").geturl()


def redirect_target(url: str, location: str) -> str:
    """The ASCII form of the URL to which a URL redirects.  Raises Failed."""
    try:
        return ascii_url(urljoin(url, location))
    except (Failed, ValueError) as error:
        raise Failed("address", "redirects to what is not an http or https address") from error


def send(method: str, url: str, most: int) -> Response:
    """The answer of an ASCII URL, with at most `most` bytes of its body.  Raises Failed."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    deadline = time.monotonic() + _SECONDS
    try:
        connection = http.client.HTTPConnection(parts.netloc)  # `[2606:4700::1]`, with brackets
        sock = _connect(parts)
        sock.settimeout(_SECONDS)
        if parts.scheme == "https":
            sock = _trusted().wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
        with sock:
            # The timeout of a socket begins again with each byte.
            timer = Timer(_SECONDS, _cut, (sock,))
            timer.daemon = True
            timer.start()
            try:
                if isinstance(sock, ssl.SSLSocket):
                    sock.do_handshake()
                connection.sock = sock
                connection.request(method, path, headers=_HEADERS)
                with connection.getresponse() as response:
                    is_redirect = response.status in _REDIRECTS
                    location = response.getheader("Location", "") if is_redirect else ""
                    # http.client decodes headers as Latin-1; hosts send UTF-8.
                    location = location.encode("latin-1").decode(errors="replace")
                    body = response.read(most) if most else b""
                    return Response(response.status, location, body)
            finally:
                timer.cancel()
    # ValueError: the name of the host is none in TLS or DNS.
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _failure(error if time.monotonic() < deadline else TimeoutError()) from error


def _connect(parts: SplitResult) -> socket.socket:
    """A socket to a public address of a host."""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    name = (parts.hostname or "").encode("ascii")
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    addresses = [str(where[0]) for *_, where in found if is_public(str(where[0]))][:4]
    if not addresses:
        raise Failed("private", "leads into a private network, which is not asked")
    for address in addresses[:-1]:
        with contextlib.suppress(OSError):
            return socket.create_connection((address, port), _CONNECT_SECONDS)
    return socket.create_connection((addresses[-1], port), _CONNECT_SECONDS)


def _cut(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def _failure(error: Exception) -> Failed:
    match error:
        case socket.gaierror(errno=number) if number in _NO_NAME:
            return Failed("no-host", "has a host that does not exist")
        case socket.gaierror():
            return Failed("offline", "has a host whose name could not be resolved")
        case TimeoutError():
            return Failed("timeout", "does not answer in time")
        case ssl.SSLCertVerificationError():
            return Failed("tls", f"has no valid certificate: {error.verify_message}")
        case ssl.SSLError():
            return Failed("tls", f"makes no secure connection: {error.reason or 'it broke off'}")
        case ConnectionRefusedError():
            return Failed("refused", "refuses the connection")
        case http.client.InvalidURL() | ValueError():
            return Failed("address", "has a host that is not valid")
        case http.client.HTTPException() | ConnectionError():
            return Failed("cut", "sends an answer that breaks off or is not HTTP")
        case _:
            return Failed("offline", "cannot be reached from here")
