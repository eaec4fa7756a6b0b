"""Names in the index: the words of a name that count, and the keys under which it is found.

search/js/source/names.mjs compares names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from generator.features.matching.questions import MIN_INITIALS
from generator.text.legal_forms import find_span

#: Long word -> the abbreviation that stands for it.
SHORT_FORMS = {
    "associates": "assoc", "association": "assoc", "brothers": "bros", "center": "ctr",
    "centre": "ctr", "communications": "comm", "department": "dept", "development": "dev",
    "engineering": "eng", "financial": "fin", "foundation": "fdn", "government": "gov",
    "group": "grp", "holdings": "hldg", "holding": "hldg", "industries": "ind",
    "institute": "inst", "international": "intl", "laboratories": "lab", "laboratory": "lab",
    "labs": "lab", "management": "mgmt", "manufacturing": "mfg", "national": "natl",
    "organisation": "org", "organization": "org", "pharmaceuticals": "pharma", "saint": "st",
    "services": "svc", "solutions": "soln", "systems": "sys", "technologies": "tech",
    "technology": "tech", "university": "univ",
}  # fmt: skip
#: Words that many names have; they count a quarter.
COMMON_WORDS = frozenset({
    "ai", "and", "app", "bio", "business", "capital", "care", "cloud", "data", "digital", "energy",
    "for", "global", "grp", "health", "hldg", "io", "lab", "media", "of", "pharma", "platform",
    "software", "soln", "studio", "svc", "sys", "team", "tech",
})  # fmt: skip
#: A web address, with its host and its path.
SITE = (
    r"[ \t\r\n]*(?:https?://)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})\.?(?::[0-9]+)?"
    r"(?:/([!-\"$->@-~]*))?(?:[?#][!-~]*)?[ \t\r\n]*"
)
#: An identifier, after its scheme or alone.
IDENTIFIER = "(?:([a-z][a-z0-9_-]*):)?([A-Za-z0-9][A-Za-z0-9._-]{0,99})"
_is_site = re.compile(SITE, re.ASCII | re.IGNORECASE).fullmatch


class Name(NamedTuple):
    """All words of a name, and those without legal forms and a first "the"."""

    words: tuple[str, ...]
    core: tuple[str, ...]

    @property
    def joined(self) -> str:
        return "".join(self.core)

    @property
    def initials(self) -> str:
        """The first letters of the words; "" if they are few."""
        return "".join(word[0] for word in self.core) if len(self.core) >= MIN_INITIALS else ""


def name_of(words: Sequence[str]) -> Name:
    first, ends, _ = find_span(words)
    start = first or int(len(words) > 1 and words[0] == "the")
    core = tuple(words[start : next((end for end in reversed(ends) if end > start), start)])
    return Name(tuple(words), core)


def first_key(text: str, size: int) -> str:
    return f"^{text[:size]}"


def last_key(text: str, size: int) -> str:
    return f"{text[-size:]}$"


def site_of(text: str) -> tuple[str, str] | None:
    """The host and the path of a web address, with or without scheme; None if it is none."""
    found = _is_site(text)
    return (found[1].lower(), (found[2] or "").rstrip("/")) if found else None


def address_of(text: str) -> str:
    """The host and path of a web address in lower case; "" if it is none."""
    host, path = site_of(text) or ("", "")
    return f"{host}/{path}".lower() if path else ""


def site_key(host: str) -> str:
    return f"@{host}"
