"""Names in the index: the words of a name that count, and the keys under which it is found.

search/js/source/names.mjs compares names.  What matching may cost and the points of its scores are
for candidates.mjs, names.mjs and reconcile.mjs, which have them in their table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.text.legal_forms import find_span

#: Before the name of a collection: the address that matches names with its records.
RECONCILE = "/api/reconcile"
#: The filter with the places of records.
PLACES = "location"
#: The properties of a question: the places, and the website of what is named.
PLACE_PROPERTIES, SITE_PROPERTIES = ("country", PLACES), ("website",)
#: Questions in a batch.
MAX_BATCH = 10
#: Keys that are looked up for one question, so that ten of them stay within the bound on reads.
MAX_KEYS = 4
#: Candidates of one question; suggestions in one answer; proposed properties.
MAX_CANDIDATES, MAX_SUGGESTED, MAX_PROPOSED = 10, 10, 200
#: Values of a property, and characters of one.
MAX_VALUES_OF_PROPERTY, MAX_CHARACTERS = 10, 300
#: Candidates with lower scores are left out.
LEAST = 50
#: Without a limit: the most candidates of a question if one has a higher score than this.
SURE, USUAL = 90, 5
#: Otherwise the most candidates, which have this score or more: people should look at them.
LIKELY, SIMILAR = 70, 3
#: The score of a website of the same host with another path, if one of the two has none.
SAME_HOST = 85
#: Points that a former name has less, unless it is the same.
FORMER = 2
#: Points that a common place adds, and that other places take off.
NEAR, FAR = 3, 20
#: The scores of names with the same words, without legal forms or brackets, without spaces, with
#: abbreviations; of one with the initials of the other; of names with some misspelt letters or some
#: common words.
SAME, SAME_CORE, JOINED, SHORTENED, INITIALS, EDITED, SOME_WORDS = 100, 97, 95, 93, 75, 94, 90
#: The minimum number of letters for one edit, and for two.
EDITS = (4, 8)
#: The minimum number of letters of a word that stands for a longer one, and words with initials.
MIN_BEGUN, MIN_INITIALS = 3, 3


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


def core_of(words: Sequence[str]) -> Sequence[str]:
    """The words of a name without legal forms and a first "the"."""
    first, ends, _ = find_span(words)
    start = first or int(len(words) > 1 and words[0] == "the")
    if len(ends) == 1:  # no legal form
        return words[start:]
    return words[start : next((end for end in reversed(ends) if end > start), start)]


def joined(words: Sequence[str]) -> str:
    """What the keys of a name are made of."""
    return "".join(core_of(words))


def initials_of(words: Sequence[str]) -> str:
    """The first letters of the words of a name; "" if they are few."""
    core = core_of(words)
    return "".join(word[0] for word in core) if len(core) >= MIN_INITIALS else ""


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
