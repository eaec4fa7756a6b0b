"""Texts folded, split into words, and made into slugs.

`slugify` makes the published slugs of places.  Slugs for new names keep words apart that a mark
beyond ASCII separates: `Batch 2024–2025` is batch-2024-2025, as `Batch 2024-2025` is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import pairwise

from generator.text import folding

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
_with_apostrophes = re.compile(f"{_LETTER}+(?:'{_LETTER}+)+")
#: An elided article of French, Italian or names, at the start of a word with apostrophes.
_article = re.compile(
    r"\A(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|dell|dall|nell|sull|coll|all|quest"
    f"|quell|sant|un|b)'(?=(?:(?![0-9]){_LETTER}){{2}})",
    re.I,
).sub
_MAX_ARTICLES = 3  # in a word
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
_UMLAUTS |= {letter: f"{letter}e" for letter in "aouAOU"}
_UMLAUT = re.compile("[äöüÄÖÜ]|[aouAOU]\u0308")
_has_umlaut = _UMLAUT.search
_before_capital = re.compile("(?<=[a-z])(?=[A-Z])").sub


def fold(text: str) -> str:
    """NFKD without combining marks, case folded: the key for sorting names, comparing words."""
    if not text.isascii():
        text = _replaced(text, folding.fold_character)
    return text.lower() if text.isascii() else text.translate(_LOWER)


def fold_name(name: str) -> str:
    """A name in small letters with all of its marks and signs: what tells names apart that have the
    same words, such as C++ and C, or Müller and Muller.
    """
    if not name.isascii():
        name = _replaced(name, folding.fold_case)
    return " ".join(filter(None, name.translate(_LOWER).split(" ")))


def split_words(text: str) -> list[str]:
    """Runs of letters and digits of the folded text, in order, with repeats.

    Vowel signs belong to the letters beside them.  An apostrophe between two letters is dropped.  A
    run of letters of a script without spaces becomes overlapping pairs of letters.
    """
    return _words(_spaced(text))


def split_runs(text: str) -> list[str]:
    """`split_words` without pairs: a run of letters of a script without spaces is one word.  The
    limit on words of a query counts these.
    """
    return _runs(_spaced(text))


def query_words(q: str) -> list[str]:
    """The words that a query looks for: `split_words` without elided articles."""
    return _words(_without_articles(_spaced(q)))


def index_words(text: str, language: str = "") -> list[str]:
    """The words that find a record with this text in a registry of this language: `split_words`,
    hyphenated words as one word, words behind elided articles, in German spellings without umlauts,
    and each letter of scripts without spaces.
    """
    spaced = _spaced(text)
    found = _words(spaced)
    if not spaced.isascii():
        letters = "".join(
            run for run in _runs(spaced) if len(run) > 1 and folding.unspaced_letters().match(run)
        )
        found += (letter for letter in letters if not folding.is_vowel_sign(letter))
    if "-" in spaced:
        for word in _with_hyphens(spaced):
            found += split_words(word.replace("-", ""))
    if "'" in spaced:
        for behind in _behind_articles(spaced):
            found += _words(behind)
    if not text.isascii() and is_german(language):
        with_umlauts = " ".join(filter(_has_umlaut, text.split(" ")))
        found += index_words(spell_umlauts(with_umlauts))
    return found


def name_words(name: str, language: str = "") -> tuple[list[list[str]], list[str]]:
    """The spellings of a name as words of a query (as written, and split at capitals if it has any
    inside), and the other words that find it, such as two neighbouring words joined.
    """
    written, split_name = query_words(name), _split_at_capitals(name)
    spellings = [written] if split_name == name else [written, query_words(split_name)]
    if name.isascii() and "-" not in name and "'" not in name:
        plain, others = written, []
    else:
        plain = split_words(name)
        others = index_words(name, language)[len(plain) if plain == written else 0 :]
    if len(plain) > 1:
        joined = [first + second for first, second in pairwise(plain)]
        if not name.isascii():
            joined = [word for word in joined if not folding.unspaced_letters().search(word)]
        others += joined
    return spellings, others


def is_german(language: str) -> bool:
    return language.partition("-")[0] == "de"


def spell_umlauts(text: str) -> str:
    """A text with ae, oe and ue for ä, ö and ü, as in German."""
    return _UMLAUT.sub(lambda match: _UMLAUTS[match[0][0]], text)


def _spaced(text: str) -> str:
    """The folded text with spaces for punctuation beyond ASCII; ASCII characters are unchanged."""
    return text if text.isascii() else _replaced(text, folding.fold_and_space)


def _runs(spaced: str) -> list[str]:
    return _ascii_words(spaced) if spaced.isascii() else list(_runs_beyond_ascii(spaced))


def _words(spaced: str) -> list[str]:
    if spaced.isascii():
        return _ascii_words(spaced)
    return [word for run in _runs_beyond_ascii(spaced) for word in words_of_run(run)]


def _ascii_words(text: str) -> list[str]:
    if "'" in text:
        text = _without_apostrophes(text)
    return text.encode().translate(_ASCII_WORDS).decode().split()


def _without_apostrophes(text: str) -> str:
    """Two apostrophes separate words.  A single one is dropped: it is between two letters, or
    beside a character that separates words.
    """
    return text.replace("''", " ").replace("'", "")


def _without_articles(spaced: str) -> str:
    if "'" not in spaced:
        return spaced
    return _with_apostrophes.sub(lambda match: _article("", match[0]), spaced)


def _behind_articles(spaced: str) -> Iterator[str]:
    """What is behind the elided articles of a spaced text, also within a word: rock'n'roll."""
    for word in _containing("'", spaced, _with_apostrophes.findall):
        parts = word.split("'")
        for start in range(min(_MAX_ARTICLES, len(parts) - 1)):
            rest = "'".join(parts[start:])
            if (behind := _article("", rest)) != rest:
                yield behind


def _with_hyphens(text: str) -> Iterator[str]:
    """The hyphenated words of a spaced text, also without what an apostrophe joins to them."""
    if "'" in text:
        yield from _with_hyphens(text.replace("'", " "))
        text = _without_apostrophes(text)
    yield from _containing("-", text, _hyphenated)


def _containing(sign: str, text: str, find: Callable[[str, int, int], list[str]]) -> Iterator[str]:
    """What is found in the parts of a text between spaces that contain the sign."""
    at = text.find(sign)
    while at >= 0:
        end = text.find(" ", at)
        end = len(text) if end < 0 else end
        yield from find(text, text.rfind(" ", 0, at) + 1, end)
        at = text.find(sign, end)


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
        if not all(map(folding.is_vowel_sign, word)):
            yield from (run for run in folding.unspaced_letters().split(word) if run)


def words_of_run(run: str) -> list[str]:
    """The words of a run of `split_runs`: the overlapping pairs of letters of a script without
    spaces; other runs as are.
    """
    if len(run) < 3 or not folding.unspaced_letters().match(run):
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
        text = _replaced(text, folding.fold_character).encode("ascii", "ignore").decode()
    return _other.sub("-", text.lower()).strip("-")


def format_utc(when: datetime) -> str:
    """An instant in UTC as documents have it: RFC 3339 with Z, to the second."""
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"


#: Characters without width inside a word, and the apostrophe that Unicode counts as a letter.
_WITHIN = dict.fromkeys((0x00AD, *range(0x200B, 0x200E), 0x2060, 0xFEFF)) | {0x2BC: "'"}
#: Letters, numbers, signs of currencies; not letters that modify others, such as ʻ.
_LOST = frozenset(("Ll", "Lu", "Lt", "Lo", "Nd", "Nl", "No", "Sc"))
_is_sign = re.compile(r"[+#<>=%$*@^~\\]").match


def name_slug(name: str, *, german: bool = False) -> str:
    """The slug for a name; "" if most of its letters and digits are not Latin.

    With `german`, the registry's setting, ä, ö and ü become ae, oe and ue.
    """
    slug = word_slug(spell_umlauts(name) if german else name)
    if not name.isascii():
        letters = [letter for letter in fold(name) if letter.isalnum()]
        if 2 * sum(map(str.isascii, letters)) < len(letters):
            return ""
    return slug


def word_slug(word: str) -> str:
    """The slug of a word, such as a tag."""
    if word.isascii():
        return slugify(word)
    return slugify("".join(map(folding.fold_and_space, word.translate(_WITHIN))))


def lost_signs(word: str) -> str:
    """The signs that the slug of a word leaves out and that make it another word: those of C++, C#
    and .NET, and letters of other scripts; not punctuation.
    """
    lost = (
        sign
        for sign in fold(word.translate(_WITHIN))
        if (not sign.isascii() and unicodedata.category(sign) in _LOST) or _is_sign(sign)
    )
    dot = "." if re.match(r"\s*\.\w", word) else ""
    return dot + "".join(dict.fromkeys(lost))
