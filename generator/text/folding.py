"""The folding of characters by a table of one Unicode version, whatever version Python has.
search/js/source/folding.mjs reads the same table.

folding.json has
- "unicode": the version. The index names it, and an engine of another version refuses the index;
- `folds`: runs of characters, separated by `;`. A run is the distance from the first character of
  the previous run; `.` and the number of characters, unless it is 1; `,` if only every second
  character belongs to the run; then `:` and a number to add to each code point, or `=` and the
  code points of a replacement, separated by `+`. A combining mark has an empty replacement;
- `composed`: ranges of other characters that decompose. Every Unicode version decomposes them
  alike (normalization stability policy), so each language uses its own decomposition;
- `letters`: ranges of letters, digits and vowel signs; `signs`: ranges of vowel signs;
  `unspaced_letters`: ranges of letters of scripts without spaces. All ranges are distances from
  bound to bound, inside and outside by turns. All numbers have base 36.

Letters that do not decompose, such as ø and ß, are spelled out in ASCII.  A vowel sign is a mark
of combining class 0.  A character that the version does not know is unchanged and no letter.
tests/search/folding_table.py makes the file.
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

TABLE_FILE = Path(__file__).with_name("folding.json")
#: The mark of a letter that is spelled out: a stroke.
_SPELLED = "\u0338"


class _Table(NamedTuple):
    folds: dict[str, str]
    composed: list[int]
    letters: list[int]
    signs: list[int]


@cache
def folding_table() -> dict[str, str]:
    """The content of folding.json."""
    table: dict[str, str] = json.loads(TABLE_FILE.read_bytes())
    return table


@cache
def _table() -> _Table:
    folds: dict[str, str] = {}
    code = 0
    for run in folding_table()["folds"].split(";"):
        head, sign, target = run.partition(":") if ":" in run else run.partition("=")
        gap, _, count = head.removesuffix(",").partition(".")
        code += int(gap, 36)
        step = 2 if head.endswith(",") else 1
        run_codes = range(code, code + step * int(count or "1", 36), step)
        if sign == "=":
            text = "".join(chr(int(c, 36)) for c in target.split("+") if c)
            folds |= {chr(c): text for c in run_codes}
        else:
            folds |= {chr(c): chr(c + int(target, 36)) for c in run_codes}
    return _Table(
        folds, *(_bounds(folding_table()[name]) for name in ("composed", "letters", "signs"))
    )


def _bounds(text: str) -> list[int]:
    return list(accumulate(int(gap, 36) for gap in text.split(" ")))


def _is_within(bounds: list[int], character: str) -> bool:
    return bisect(bounds, ord(character)) % 2 == 1


@lru_cache(maxsize=1 << 16)
def fold_character(character: str) -> str:
    """A character in NFKD without combining marks, case folded."""
    folds, composed, _, _ = _table()
    if character in folds:
        return folds[character]
    if not _is_within(composed, character):
        return character
    return "".join(folds.get(c, c) for c in unicodedata.normalize("NFKD", character))


@lru_cache(maxsize=1 << 16)
def fold_case(character: str) -> str:
    """`fold_character`, but combining marks stay, and a letter that is spelled out in ASCII gets
    one.
    """
    folds, composed, _, _ = _table()
    if character not in folds and not _is_within(composed, character):
        return character
    letters = [character] if character in folds else unicodedata.normalize("NFKD", character)
    return "".join(_with_mark(letter, folds.get(letter, letter)) for letter in letters)


def _with_mark(character: str, folded: str) -> str:
    """A folded character with what distinguishes it from other characters that fold alike."""
    is_spelled = folded.isascii() and not character.isascii()
    return (folded + _SPELLED if folded else character) if is_spelled else folded


@lru_cache(maxsize=1 << 16)
def fold_and_space(character: str) -> str:
    """`fold_character`, with ' for an apostrophe and a space for other punctuation and symbols."""
    letters = _table().letters
    return "".join(
        c if _is_within(letters, c) else "'" if c in "'\N{RIGHT SINGLE QUOTATION MARK}" else " "
        for c in fold_character(character)
    )


def is_vowel_sign(character: str) -> bool:
    """Whether a character of a spaced text is a vowel sign."""
    return not character.isascii() and _is_within(_table().signs, character)


@cache
def unspaced_letters() -> re.Pattern[str]:
    """A pattern of a run of letters of scripts without spaces, as one group."""
    bounds = _bounds(folding_table()["paired"])
    ranges = zip(bounds[::2], bounds[1::2], strict=True)
    letters = "".join(f"{chr(first)}-{chr(end - 1)}" for first, end in ranges)
    return re.compile(f"([{letters}]+)")
