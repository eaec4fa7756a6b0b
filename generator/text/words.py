"""Texts folded, split into words, and made into slugs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import pairwise

from generator.text.folding import (
    fold_and_space,
    fold_case,
    fold_character,
    is_vowel_sign,
    unspaced_letters,
)

SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
MAX_SLUG = 100
is_slug = re.compile(rf"(?=.{{1,{MAX_SLUG}}}\Z){SLUG}").fullmatch
_beyond_ascii = re.compile(r"[^\x00-\x7f]").findall
#: Texts with more different characters beyond ASCII are replaced in one pass.
_FEW_CHARACTERS = 20
#: Table for bytes.translate: letters in lower case, digits, and a space for any other character.
_ASCII_WORDS = bytes(
    ord(c.lower()) if c.isalnum() and c.isascii() else 32 for c in map(chr, range(256))
)
_WORDS = dict(enumerate(_ASCII_WORDS[:128]))
_LOWER = {ord(c): c.lower() for c in map(chr, range(65, 91))}
_other = re.compile(r"[^a-z0-9]+")
_LETTER = r"[^\x00-/:-@\[-`{-\x7f]"  # in a spaced text
_hyphenated = re.compile(f"{_LETTER}+(?:-{_LETTER}+)+").findall
_before_capital = re.compile("(?<=[a-z])(?=[A-Z])").sub


def fold(text: str) -> str:
    """NFKD without combining marks, case folded: the key for sorting names, comparing words."""
    if not text.isascii():
        text = _replaced(text, fold_character)
    return text.lower() if text.isascii() else text.translate(_LOWER)


def fold_name(name: str) -> str:
    """A name in small letters with all of its marks and signs: what tells names apart that have the
    same words, such as C++ and C, or Müller and Muller.
    """
    if not name.isascii():
        name = _replaced(name, fold_case)
    return " ".join(filter(None, name.translate(_LOWER).split(" ")))


def split_words(text: str) -> list[str]:
    """Runs of letters and digits of the folded text, in order, with repeats.

    Vowel signs belong to the letters beside them.  An apostrophe between two letters is dropped.  A
    run of letters of a script without spaces becomes overlapping pairs of letters.
    """
    if not text.isascii():
        text = _replaced(text, fold_and_space)
        if not text.isascii():
            return [word for run in _runs_beyond_ascii(text) for word in words_of_run(run)]
    return _ascii_words(text)


def split_runs(text: str) -> list[str]:
    """`split_words` without pairs: a run of letters of a script without spaces is one word.  The
    limit on words of a query counts these.
    """
    if not text.isascii():
        text = _replaced(text, fold_and_space)
    return _ascii_words(text) if text.isascii() else list(_runs_beyond_ascii(text))


def index_words(text: str) -> list[str]:
    """The words that find a record with this text: `split_words`, hyphenated words as one word, and
    each letter of scripts without spaces.
    """
    if not text.isascii():
        text = _replaced(text, fold_and_space)
    if text.isascii():
        found = _ascii_words(text)
    else:
        text_runs = list(_runs_beyond_ascii(text))
        found = [word for run in text_runs for word in words_of_run(run)]
        letters = "".join(
            run for run in text_runs if len(run) > 1 and unspaced_letters().match(run)
        )
        found += (letter for letter in letters if not is_vowel_sign(letter))
    if "-" in text:
        for word in _with_hyphens(text):
            found += split_words(word.replace("-", ""))
    return found


def name_words(name: str) -> tuple[list[list[str]], list[str]]:
    """The spellings of a name as words (as written, and split at capitals if it has any inside),
    and the other words that find it, such as two neighbouring words joined.
    """
    written, split_name = split_words(name), _split_at_capitals(name)
    spellings = [written] if split_name == name else [written, split_words(split_name)]
    others = [] if name.isascii() and "-" not in name else index_words(name)[len(written) :]
    if len(written) > 1:
        joined = [first + second for first, second in pairwise(written)]
        if not name.isascii():
            joined = [word for word in joined if not unspaced_letters().search(word)]
        others += joined
    return spellings, others


def singulars(word: str) -> list[str]:
    """The possible singulars of an English plural; none if the word is no plural."""
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
    """Two apostrophes separate words.  A single one is dropped: it is between two letters, or
    beside a character that separates words.
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


def _split_at_capitals(name: str) -> str:
    """A name with a space before each capital that follows a small letter."""
    if name.isascii():
        return _before_capital(" ", name)
    # Every Python has the data of Unicode 3.2, so all give the same words.
    category = unicodedata.ucd_3_2_0.category
    return name[:1] + "".join(
        f" {letter}" if category(letter) == "Lu" and category(before) == "Ll" else letter
        for before, letter in pairwise(name)
    )


def _runs_beyond_ascii(text: str) -> Iterator[str]:
    """The runs of a spaced text, split where scripts without spaces begin and end."""
    for word in _without_apostrophes(text).translate(_WORDS).split():
        if not all(map(is_vowel_sign, word)):
            yield from (run for run in unspaced_letters().split(word) if run)


def words_of_run(run: str) -> list[str]:
    """The words of a run of `split_runs`: the overlapping pairs of letters of a script without
    spaces; other runs as are.
    """
    if len(run) < 3 or not unspaced_letters().match(run):
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _replaced(text: str, replace: Callable[[str], str]) -> str:
    """A text with each character beyond ASCII replaced; most texts have few of them.

    Normalising a whole text would also reorder combining marks, which are dropped anyway.
    """
    characters = set(_beyond_ascii(text))
    if len(characters) > _FEW_CHARACTERS:
        return text.translate({ord(c): replace(c) for c in characters})
    for c in characters:
        text = text.replace(c, replace(c))
    return text


def slugify(text: str) -> str:
    """The folded text without characters beyond ASCII, and with one hyphen for each run of
    characters other than letters and digits; "" if nothing is left.
    """
    if not text.isascii():
        text = _replaced(text, fold_character).encode("ascii", "ignore").decode()
    return _other.sub("-", text.lower()).strip("-")


def format_utc(when: datetime) -> str:
    """An instant in UTC as documents have it: RFC 3339 with Z, to the second."""
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"
