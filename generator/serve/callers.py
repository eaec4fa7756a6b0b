"""Decide which requests the development server answers: those of programs and pages of this
machine.

Every page in a browser can send requests to this machine, and with a name that resolves to it (DNS
rebinding) it could read the answers: records that are not published yet. So the header Host has to
name this server, and so does Origin, which a browser sends for requests of a page. Knows nothing
about sockets and answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

#: The names of this machine.
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")

#: A value of the header Host: a name or an address, with or without a port (RFC 9110 section 7.2).
HOST = re.compile(
    r"(?P<name>[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?", re.ASCII | re.IGNORECASE
)
_ORIGIN = re.compile(r"https?://(.+)", re.ASCII | re.IGNORECASE)
_LONGEST_SHOWN = 80


class RefusedRequest(NamedTuple):
    status: int
    detail: str


class Callers:
    """Own names are accepted with any port, because a tunnel may end at another port. Own pages
    must have the port of the request.

    `others` are further accepted hosts, names with or without a port; their pages are accepted too.
    `option` is that of the command which adds one.
    """

    def __init__(self, others: Sequence[str] = (), option: str = ""):
        self.others = frozenset(host.lower() for host in others)
        self.option = option

    def find_refusal(self, headers: Mapping[str, str]) -> RefusedRequest | None:
        """Why a request with these headers is refused; None if it is accepted."""
        host, origin = headers.get("Host", ""), headers.get("Origin")
        requested = _split(host)
        if requested is None or not (requested[0] in OWN_NAMES or self._is_other(*requested)):
            detail = f"This server is not called {_shown(host)}. {self._hint(requested)}"
            return RefusedRequest(421, detail.rstrip())
        if origin is None:
            return None
        page = _ORIGIN.fullmatch(origin)
        page_host = _split(page[1]) if page else None
        if page_host is not None and (
            (page_host[0] in OWN_NAMES and page_host[1] == requested[1])
            or self._is_other(*page_host)
        ):
            return None
        detail = f"A page of {_shown(origin)} asks, and only this server's own pages may."
        return RefusedRequest(403, f"{detail} {self._hint(page_host)}".rstrip())

    def _hint(self, host: tuple[str, str] | None) -> str:
        if host is None:
            return "It is no host's name."
        name = ":".join(filter(None, host))
        return f"If it should be, start it with {self.option} {name}" if self.option else ""

    def _is_other(self, name: str, port: str) -> bool:
        return name in self.others or f"{name}:{port}" in self.others


def _split(host: str) -> tuple[str, str] | None:
    """Name and port, which is "" if missing; None if `host` is not a host."""
    found = HOST.fullmatch(host)
    return (found["name"].lower(), found["port"] or "") if found else None


def _shown(text: str) -> str:
    return f'"{text[:_LONGEST_SHOWN]}"'
