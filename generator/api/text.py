"""How texts are folded, cut into words and made slugs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from generator.api.folding import folded, spaced

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


def fold(text: str) -> str:
    """NFKD without combining marks, case folded: how names are sorted and words compared."""
    return _lowered(text if text.isascii() else _replaced(text, folded))


def words(text: str) -> list[str]:
    """Runs of letters and digits of the folded text, in order, repeats kept."""
    if not text.isascii():
        text = _replaced(text, spaced)
        if not text.isascii():
            return text.translate(_WORDS).split()
    return text.encode().translate(_ASCII_WORDS).decode().split()


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
    """NFKD -> ASCII -> lower case -> runs of other characters become one hyphen; "" when nothing is
    left.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _other.sub("-", text.lower()).strip("-")
