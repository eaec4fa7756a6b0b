"""robots.txt (RFC 9309), with the wildcards that urllib.robotparser does not know."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

#: The product token that robots.txt may name.
AGENT = "registry-generator"


class Rules(NamedTuple):
    """(path pattern, whether it allows) for this program, and the seconds between two requests."""

    paths: tuple[tuple[str, bool], ...] = ()
    delay: float = 0.0

    def allow(self, path: str) -> bool:
        """Whether a path with its query may be asked.  The longest pattern decides."""
        found = [(len(rule), allowed) for rule, allowed in self.paths if _matches(rule, path)]
        return max(found, default=(0, True))[1]


def parse(text: str) -> Rules:
    """The rules for AGENT, else those for all."""
    groups: dict[str, list[tuple[str, str]]] = {}
    names: set[str] = set()
    in_names = False
    for line in text.splitlines():
        field, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        if field.lower() == "user-agent":
            names = {value.lower()} | (names if in_names else set())
            groups.setdefault(value.lower(), [])
            in_names = True
        elif field and value:
            in_names = in_names and field.lower() == "sitemap"
            for name in names & {AGENT, "*"}:
                groups[name].append((field.lower(), value))
    lines = groups.get(AGENT, groups.get("*", []))
    delays = [float(v) for field, v in lines if field == "crawl-delay" and v.isdecimal()]
    paths = [
        (quote(value, safe="/%*$:@!&'()+,;=~?[]"), field == "allow")
        for field, value in lines
        if field in ("allow", "disallow")
    ]
    return Rules(tuple(paths), min(30.0, max(delays, default=0.0)))


def _matches(rule: str, path: str) -> bool:
    """Whether a pattern with `*` (any text) and `$` (the end) matches from the start of a path."""
    first, *pieces = rule.removesuffix("$").split("*")
    last = pieces.pop() if rule.endswith("$") and pieces else None
    at = len(first)
    if not path.startswith(first):
        return False
    for piece in pieces:
        at = path.find(piece, at) + len(piece)
        if at < len(piece):
            return False
    if last is not None:
        return path.endswith(last, at)
    return not rule.endswith("$") or at == len(path)
