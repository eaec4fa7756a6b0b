"""robots.txt (RFC 9309), with the wildcards that urllib.robotparser does not know."""

from __future__ import annotations

from fnmatch import fnmatchcase
from glob import escape
from urllib.parse import quote

#: The product token that robots.txt may name.
AGENT = "registry-generator"
#: Path patterns, and whether they allow.
Rules = list[tuple[str, bool]]


def parse(text: str) -> Rules:
    """The rules for AGENT, else those for all."""
    groups: dict[str, Rules] = {}
    names: list[str] = []
    in_names = False
    for line in text.splitlines():
        field, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        field = field.lower()
        if field == "user-agent":
            names = [*(names if in_names else ()), value.lower()]
            in_names = True
            groups.setdefault(value.lower(), [])
        elif field in ("allow", "disallow") and value:
            in_names = False
            for name in names:
                groups[name].append((quote(value, safe="/%*$:@!&'()+,;=~?[]"), field == "allow"))
    return groups.get(AGENT, groups.get("*", []))


def is_allowed(rules: Rules, path: str) -> bool:
    """Whether a path with its query may be asked.  The longest pattern decides."""
    found = [(len(rule), allows) for rule, allows in rules if _matches(rule, path)]
    return max(found, default=(0, True))[1]


def _matches(rule: str, path: str) -> bool:
    """Whether a pattern with `*` (any text) and `$` (the end) matches from the start of a path."""
    pattern = "*".join(escape(piece) for piece in rule.removesuffix("$").split("*"))
    return fnmatchcase(path, pattern if rule.endswith("$") else f"{pattern}*")
