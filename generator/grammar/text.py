"""How texts are folded, cut into words and made slugs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import pairwise

from generator.grammar.folding import folded, is_sign, paired, spaced

SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
MAX_SLUG = 100
is_slug = re.compile(rf"(?=.{{1,{MAX_SLUG}}}\Z){SLUG}").fullmatch
_beyond_ascii = re.compile(r"[^\x00-\x7f]").findall
#: More different characters than these are replaced in one pass.
_FEW_CHARACTERS = 20
#: Letters in lower case, digits, and spaces for all else.
_ASCII_WORDS = bytes(
    ord(c.lower()) if c.isalnum() and c.isascii() else 32 for c in map(chr, range(256))
)
_WORDS = dict(enumerate(_ASCII_WORDS[:128]))
_LOWER = {ord(c): c.lower() for c in map(chr, range(65, 91))}
_other = re.compile(r"[^a-z0-9]+")
_LETTER = r"[^\x00-/:-@\[-`{-\x7f]"  # in a text that is spaced
_hyphenated = re.compile(f"{_LETTER}+(?:-{_LETTER}+)+").findall
_before_capital = re.compile("(?<=[a-z])(?=[A-Z])").sub


def fold(text: str) -> str:
    """NFKD without combining marks, case folded: how names are sorted and words compared."""
    return _lowered(text if text.isascii() else _replaced(text, folded))


def words(text: str) -> list[str]:
    """Runs of letters and digits of the folded text, in order, repeats kept.

    Vowel signs belong to the letters beside them, an apostrophe between two letters is dropped, and
    letters of scripts without spaces stand as their overlapping pairs.
    """
    if not text.isascii():
        text = _replaced(text, spaced)
        if not text.isascii():
            return [word for run in _runs_beyond_ascii(text) for word in _pairs(run)]
    return _ascii_words(text)


def runs(text: str) -> list[str]:
    """Likewise, but a stretch of letters of scripts without spaces as it is: what a query may have
    so many of.
    """
    if not text.isascii():
        text = _replaced(text, spaced)
        if not text.isascii():
            return list(_runs_beyond_ascii(text))
    return _ascii_words(text)


def all_words(text: str) -> list[str]:
    """Words that a record with this text is found by: beside those of the text hyphenated ones as
    one word, and each letter of scripts without spaces.
    """
    if not text.isascii():
        text = _replaced(text, spaced)
    if text.isascii():
        found = _ascii_words(text)
    else:
        held = list(_runs_beyond_ascii(text))
        found = [word for run in held for word in _pairs(run)]
        stretches = "".join(run for run in held if len(run) > 1 and paired().match(run))
        found += (character for character in stretches if not is_sign(character))
    if "-" in text:
        for word in _with_hyphens(text):
            found += words(word.replace("-", ""))
    return found


def name_words(name: str) -> tuple[list[list[str]], list[str]]:
    """The ways to write a name as words: as it is, and in its parts where it has a capital inside;
    and all that a record is found by for it beside these: each two neighbouring words joined too.
    """
    near, apart = words(name), _parted(name)
    ways = [near] if apart == name else [near, words(apart)]
    others = [] if name.isascii() and "-" not in name else all_words(name)[len(near) :]
    if len(near) > 1:
        joined = [one + two for one, two in pairwise(near)]
        if not name.isascii():
            joined = [word for word in joined if not paired().search(word)]
        others += joined
    return ways, others


def singulars(word: str) -> list[str]:
    """What an English plural may be the plural of."""
    if len(word) < 4 or word[-1] != "s" or word[-2] == "s":
        return []
    return [
        word[:-1],
        *([word[:-2]] if word.endswith("es") else ()),
        *([word[:-3] + "y"] if word.endswith("ies") else ()),
    ]


def _ascii_words(text: str) -> list[str]:
    if "'" in text:
        text = _without_apostrophes(text)
    return text.encode().translate(_ASCII_WORDS).decode().split()


def _without_apostrophes(text: str) -> str:
    """Several part words.  One that is left may go: it is between two letters, or beside what parts
    words anyway.
    """
    return text.replace("''", " ").replace("'", "")


def _with_hyphens(text: str) -> Iterator[str]:
    """The hyphenated words of a spaced text."""
    text = _without_apostrophes(text)
    at = text.find("-")
    while at >= 0:
        end = text.find(" ", at)
        end = len(text) if end < 0 else end
        yield from _hyphenated(text, text.rfind(" ", 0, at) + 1, end)
        at = text.find("-", end)


def _parted(name: str) -> str:
    """With a space before each capital that follows a small letter."""
    if name.isascii():
        return _before_capital(" ", name)
    # Of a Unicode that every Python has, so that the words are the same.
    case = unicodedata.ucd_3_2_0.category
    return name[:1] + "".join(
        f" {now}" if case(now) == "Lu" and case(before) == "Ll" else now
        for before, now in pairwise(name)
    )


def _runs_beyond_ascii(text: str) -> Iterator[str]:
    """Of a text that is spaced, but for its ASCII characters."""
    for word in _without_apostrophes(text).translate(_WORDS).split():
        if not all(map(is_sign, word)):
            yield from (run for run in paired().split(word) if run)


def _pairs(run: str) -> list[str]:
    """A run of letters of a script without spaces as pairs, a single letter and any other run as
    they are.
    """
    if len(run) < 3 or not paired().match(run):
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _lowered(text: str) -> str:
    """With the ASCII letters in lower case, and no others: those are as the table of folding has
    them.
    """
    return text.lower() if text.isascii() else text.translate(_LOWER)


def _replaced(text: str, made: Callable[[str], str]) -> str:
    """Text with what is made of each of its characters beyond ASCII, of which most texts have few.

    Decomposing a text also moves combining marks, but among each other only, and they are dropped.
    """
    several = set(_beyond_ascii(text))
    if len(several) > _FEW_CHARACTERS:
        return text.translate({ord(c): made(c) for c in several})
    for c in several:
        text = text.replace(c, made(c))
    return text


def slugify(text: str) -> str:
    """Folded -> ASCII -> runs of other characters become one hyphen; "" when nothing is left."""
    if not text.isascii():
        text = _replaced(text, folded).encode("ascii", "ignore").decode()
    return _other.sub("-", text.lower()).strip("-")


def utc(when: datetime) -> str:
    """An instant in UTC as it is published: RFC 3339 with Z, to the second."""
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"
