"""How texts are folded, by one table of one Unicode version, whatever Python's own is;
search/js/source/folding.mjs reads the same one.

folding.json has
- `unicode`, the version. The index names it, and an engine of another version refuses it;
- `folds`: runs of characters and what each becomes, between `;`: how far the first is behind that
  of the run before, `.` and their number where there are several, `,` where only every second one
  is meant; then `:` and what is added to each code point, or `=` and the code points of the text,
  between `+`. A combining mark becomes nothing;
- `composed`: where what is not in `folds` decomposes. It does so alike in every version (Unicode's
  normalization stability policy), so that each language does it itself;
- `letters`: where letters, digits and vowel signs are, `signs`: where vowel signs are among them,
  and `paired`: the letters of scripts without spaces. These and `composed` are distances from
  bound to bound, inside and outside by turns. All numbers have base 36.

Letters that decomposing leaves whole, as ø and ß, are spelled out in ASCII.  A vowel sign is a mark
that does not combine (its combining class is 0).  What the version does not know stays as it is,
and is no letter.  tests/search/folding_table.py makes the file.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("folding.json")


class _Table(NamedTuple):
    folds: dict[str, str]
    composed: list[int]
    letters: list[int]
    signs: list[int]


@cache
def packed() -> dict[str, str]:
    """The table as it is in the file."""
    found: dict[str, str] = json.loads(FILE.read_bytes())
    return found


@cache
def _table() -> _Table:
    folds: dict[str, str] = {}
    code = 0
    for run in packed()["folds"].split(";"):
        head, sign, to = run.partition(":") if ":" in run else run.partition("=")
        gap, _, count = head.removesuffix(",").partition(".")
        code += int(gap, 36)
        text = "".join(chr(int(one, 36)) for one in to.split("+") if one) if sign == "=" else ""
        step = 2 if head.endswith(",") else 1
        for one in range(code, code + step * int(count or "1", 36), step):
            folds[chr(one)] = text if sign == "=" else chr(one + int(to, 36))
    composed, letters, signs = (
        _bounds(packed()[name]) for name in ("composed", "letters", "signs")
    )
    return _Table(folds, composed, letters, signs)


def _bounds(text: str) -> list[int]:
    return list(accumulate(int(gap, 36) for gap in text.split(" ")))


def _within(bounds: list[int], character: str) -> bool:
    return bisect(bounds, ord(character)) % 2 == 1


@lru_cache(maxsize=1 << 16)
def folded(character: str) -> str:
    """What becomes of a character: NFKD without combining marks, case folded."""
    folds, composed, _, _ = _table()
    if character in folds:
        return folds[character]
    if not _within(composed, character):
        return character
    return "".join(folds.get(c, c) for c in unicodedata.normalize("NFKD", character))


@lru_cache(maxsize=1 << 16)
def spaced(character: str) -> str:
    """Likewise, with a space for what is no letter, digit or vowel sign, ' for an apostrophe."""
    letters = _table().letters
    return "".join(
        c if _within(letters, c) else "'" if c in "'\N{RIGHT SINGLE QUOTATION MARK}" else " "
        for c in folded(character)
    )


def is_sign(character: str) -> bool:
    """Whether a character of a spaced text is a vowel sign."""
    return not character.isascii() and _within(_table().signs, character)


@cache
def paired() -> re.Pattern[str]:
    """Finds letters of scripts without spaces, and the rest between them."""
    bounds = _bounds(packed()["paired"])
    ranges = zip(bounds[::2], bounds[1::2], strict=True)
    held = "".join(f"{chr(first)}-{chr(end - 1)}" for first, end in ranges)
    return re.compile(f"([{held}]+)")
