"""Names compared: the words of a name that count, under which keys the index has a name, and how
alike two names are.

Everything is in whole numbers, so that search/js/source/names.mjs gives the same scores.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from generator.search.suggest import is_within
from generator.text.legal_forms import find_span, words_of

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
#: The scores of names with the same words, without legal forms, without spaces, with abbreviations;
#: of one with the initials of the other; of names with some misspelt letters or some common words.
SAME, SAME_CORE, JOINED, SHORTENED, INITIALS, EDITED, SOME_WORDS = 100, 97, 95, 93, 75, 94, 90
#: The minimum number of letters for one edit, and for two.
EDITS = (4, 8)
#: The minimum number of letters of a word that stands for a longer one, and words with initials.
MIN_BEGUN, MIN_INITIALS = 3, 3
#: A web address, with its host and its path.
SITE = (
    r"[ \t\r\n]*(?:https?://)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})\.?(?::[0-9]+)?"
    r"(?:/([!-\"$->@-~]*))?(?:[?#][!-~]*)?[ \t\r\n]*"
)
#: An identifier, after its scheme or alone.
IDENTIFIER = "(?:([a-z][a-z0-9_-]*):)?([A-Za-z0-9][A-Za-z0-9._-]{0,99})"
_is_id = re.compile(IDENTIFIER).fullmatch
_digits = re.compile("[0-9]").findall
_is_site = re.compile(SITE, re.ASCII | re.IGNORECASE).fullmatch


class Name(NamedTuple):
    """All words of a name, those without legal forms and a first "the", and these abbreviated.

    `stems` are the texts that the name may be without a legal form, or with a part of it; none if
    it is nothing but a legal form.
    """

    words: tuple[str, ...]
    core: tuple[str, ...]
    short: tuple[str, ...]
    stems: frozenset[str]

    @property
    def joined(self) -> str:
        return "".join(self.core)

    @property
    def initials(self) -> str:
        """The first letters of the words; "" if they are few."""
        return "".join(word[0] for word in self.core) if len(self.core) >= MIN_INITIALS else ""


def parse_name(text: str) -> Name:
    """The name in a text."""
    return name_of(words_of(text))


@lru_cache(maxsize=1 << 14)
def words_name(words: str) -> Name:
    """The name with these words, which spaces separate."""
    return name_of(words.split(" "))


def name_of(words: Sequence[str]) -> Name:
    first, ends, empty = find_span(words)
    start = first or int(len(words) > 1 and words[0] == "the")
    core = tuple(words[start : next((end for end in reversed(ends) if end > start), start)])
    starts = (0, first) if first else (0,)
    stems = [] if empty else [" ".join(words[at:end]) for at in starts for end in ends]
    short = tuple(SHORT_FORMS.get(word, word) for word in core)
    return Name(tuple(words), core, short, frozenset(stems))


class NameKeys(NamedTuple):
    """Under which keys an index has names: at least so many `letters`, and one more for each key
    that is in `split`, because too many names have it.
    """

    letters: int
    split: Collection[str]

    def of_name(self, joined: str) -> list[str]:
        """The keys of a name with these letters: the first and the last of them.  A misspelling
        usually leaves one of the two unchanged.
        """
        return [self._key(joined, first_key), self._key(joined, last_key)] if joined else []

    def asked(self, name: Name) -> list[str]:
        """The keys to look for a name, the likeliest first: also the first letters of its last
        word, and its initials.
        """
        more = [part for part in (name.core[-1:] and name.core[-1], name.initials) if part]
        begun = [self._key(part, first_key) for part in more]
        return list(dict.fromkeys([*self.of_name(name.joined), *begun]))

    def of_site(self, host: str, path: str) -> list[str]:
        """The keys to look for a website; many records may have the same host."""
        key = site_key(host)
        return [f"{key}/{path}", key] if path and key in self.split else [key]

    def _key(self, text: str, key_of: Callable[[str, int], str]) -> str:
        size = self.letters
        while (key := key_of(text, size)) in self.split and size < len(text):
            size += 1
        return key


def first_key(text: str, size: int) -> str:
    return f"^{text[:size]}"


def last_key(text: str, size: int) -> str:
    return f"{text[-size:]}$"


def compare(asked: Name, known: Name) -> tuple[int, str]:
    """How alike two names are, from 0 to 100, and why."""
    if asked.words == known.words:
        return SAME, "name"
    same_core = asked.core == known.core and asked.words[:1] == known.words[:1]
    if same_core or differ_in_form(asked, known):
        return SAME_CORE, "legal_form"
    first, second = asked.joined, known.joined
    if first == second or "".join(asked.words) == "".join(known.words):
        return JOINED, "spacing"
    if "".join(asked.short) == "".join(known.short):
        return SHORTENED, "abbreviation"
    found = max((_spelling(first, second), "spelling"), (_common(asked, known), "words"))
    if found[0] < INITIALS and (asked.initials == second or known.initials == first):
        return INITIALS, "initials"
    return found


def differ_in_form(asked: Name, known: Name) -> bool:
    """Whether two names are the same without their legal forms; not if nothing else is left."""
    return not asked.stems.isdisjoint(known.stems)


def _spelling(first: str, second: str) -> int:
    """The score of names that differ in one or two letters, else 0."""
    longest = max(len(first), len(second))
    for edits, least in enumerate(EDITS, 1):
        if longest >= least and _is_misspelt(first, second, edits):
            return EDITED - 50 * edits // longest
    return 0


def _common(asked: Name, known: Name) -> int:
    """The score of the words that two names have in common, in any order: by their share of each
    name.  A word that begins the other, or is one edit away, counts four fifths.
    """
    left, rest = [*known.short], list[str]()
    first = 0
    for word in asked.short:
        if word in left:
            left.remove(word)
            first += 5 * _weight(word)
        else:
            rest.append(word)
    second = first
    for word in rest:
        other = next((other for other in left if _is_like(word, other)), None)
        if other is not None:
            left.remove(other)
            first += 4 * _weight(word)
            second += 4 * _weight(other)
    if not first:
        return 0
    shares = [
        100 * matched // (5 * sum(map(_weight, name.short)))
        for matched, name in ((first, asked), (second, known))
    ]
    return (20 * sum(shares) + (SOME_WORDS - 40) * max(shares)) // 100


def _weight(word: str) -> int:
    return len(word) * (1 if word in COMMON_WORDS else 4)


def _is_like(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    begun = len(shorter) >= MIN_BEGUN and longer.startswith(shorter)
    return begun or (len(longer) > EDITS[0] and _is_misspelt(word, other, 1))


def _is_misspelt(text: str, other: str, edits: int) -> bool:
    """Whether so many edits of letters turn one text into the other; other digits are no error."""
    return _digits(text) == _digits(other) and is_within(text, other, edits)


def site_of(text: str) -> tuple[str, str] | None:
    """The host and the path of a web address, with or without scheme; None if it is none."""
    found = _is_site(text)
    return (found[1].lower(), (found[2] or "").rstrip("/")) if found else None


def address_of(text: str) -> str:
    """The host and path of a web address in lower case; "" if it is none."""
    host, path = site_of(text) or ("", "")
    return f"{host}/{path}".lower() if path else ""


def parse_id(text: str) -> tuple[str, str, str] | None:
    """The identifier that a text may be, in lower case, with its scheme, if the text names it, or
    with its web address; None if it is none.
    """
    address = address_of(text)
    found = _is_id(address.rpartition("/")[2] if address else text.strip(" \t\r\n"))
    return (found[2].lower(), found[1] or "", address) if found else None


def site_key(host: str) -> str:
    return f"@{host}"


def read_known(body: bytes) -> Iterator[list[str]]:
    """The lines of a key as fields.  Raises UnicodeDecodeError and ValueError."""
    for line in body.decode().split("\n")[:-1]:
        fields = line.split("\t")
        if len(fields) != 6:
            raise ValueError
        yield fields
