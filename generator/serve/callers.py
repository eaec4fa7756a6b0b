"""Who may ask the development server: programs and pages of this machine.

Every page that a browser shows can send requests to this machine, and under a name of its own that
it lets lead here (DNS rebinding) it could read the answers: records that nobody has published yet.
So a request says by which name it asks, and a browser says of which page; both have to be this
server's.  Knows nothing of sockets and of what is answered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

#: How this machine calls itself.
OWN = ("127.0.0.1", "localhost", "[::1]")

#: A host as `Host` has it: a name or an address, and a port or none (RFC 9110 section 7.2).
HOST = re.compile(
    r"(?P<name>[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?", re.ASCII | re.IGNORECASE
)
_ORIGIN = re.compile(r"https?://(.+)", re.ASCII | re.IGNORECASE)
_LONGEST_SHOWN = 80


class Refused(NamedTuple):
    status: int
    detail: str


class Callers:
    """Own names are answered at any port, for a tunnel may end at another; own pages are those of
    the port that is asked.

    `others` are further hosts, names with or without a port; pages of theirs may ask too.
    """

    def __init__(self, others: Sequence[str] = ()):
        self.others = frozenset(host.lower() for host in others)

    def refusal(self, headers: Mapping[str, str]) -> Refused | None:
        """Why a request with these headers is refused; None where it is not."""
        host, origin = headers.get("Host", ""), headers.get("Origin")
        asked = _split(host)
        if asked is None or not (asked[0] in OWN or self._other(*asked)):
            return Refused(421, f"This server is not called {_shown(host)}. {_mend(asked)}")
        if origin is None:
            return None
        page = _ORIGIN.fullmatch(origin)
        of = _split(page[1]) if page else None
        if of is not None and ((of[0] in OWN and of[1] == asked[1]) or self._other(*of)):
            return None
        return Refused(
            403,
            f"A page of {_shown(origin)} asks, and only this server's own pages may. {_mend(of)}",
        )

    def _other(self, name: str, port: str) -> bool:
        return name in self.others or f"{name}:{port}" in self.others


def _split(host: str) -> tuple[str, str] | None:
    """Name and port, which is empty where none is given; None of what is no host."""
    found = HOST.fullmatch(host)
    return (found["name"].lower(), found["port"] or "") if found else None


def _shown(text: str) -> str:
    return f'"{text[:_LONGEST_SHOWN]}"'


def _mend(host: tuple[str, str] | None) -> str:
    return (
        f"If it should be, start it with --allow-host {':'.join(filter(None, host))}"
        if host
        else "It is no host's name."
    )
