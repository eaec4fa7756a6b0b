"""Words as the contract tells them, one character after the other, by Python's own Unicode and no
code of the package.
"""

from __future__ import annotations

import itertools
import re
import unicodedata

#: The letters that NFKD leaves whole, in lower case.
SPELLED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
)
#: A letter of a script without spaces: Thai and Lao, Myanmar, Khmer, Han and Japanese.
paired = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\U00020000-\U0003ffff]"
).match


def is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" and not unicodedata.combining(character)


def is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"


def fold(text: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return plain.casefold().translate(SPELLED)


def runs(text: str) -> list[str]:
    """Words, with letters of scripts without spaces in one stretch."""
    held: list[str] = [""]
    folded = fold(text)
    for c, after in zip(folded, f"{folded[1:]} ", strict=False):
        if is_letter(c) or (is_sign(c) and held[-1]):
            held[-1] += c
        elif not (c in "'’" and held[-1] and (is_letter(after) or is_sign(after))):
            held.append("")
    return [
        "".join(stretch)
        for word in held
        for _, stretch in itertools.groupby(word, key=lambda c: paired(c) is not None)
    ]


def words(text: str) -> list[str]:
    return [
        piece
        for run in runs(text)
        for piece in (
            map("".join, itertools.pairwise(run)) if paired(run) and len(run) > 1 else [run]
        )
    ]
