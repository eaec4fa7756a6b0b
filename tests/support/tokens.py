"""Words as the contract defines them, character by character, with Python's Unicode data and no
code of the package.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata

#: Lower-case letters that NFKD does not decompose.
SPELLED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
)
#: Letters of scripts without spaces: Thai and Lao, Myanmar, Khmer, Han and Japanese.
paired = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\U00020000-\U0003ffff]"
).match


#: Texts repeat the same few characters.
often = functools.lru_cache(4096)


@often
def is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" and not unicodedata.combining(character)


@often
def is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"


def fold(text: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return plain.casefold().translate(SPELLED)


def runs(text: str) -> list[str]:
    """Words, with runs of letters of scripts without spaces joined."""
    held: list[str] = [""]
    folded = fold(text)
    for c, after in zip(folded, f"{folded[1:]} ", strict=False):
        if is_letter(c) or is_sign(c):
            held[-1] += c
        elif not (c in "'’" and held[-1] and (is_letter(after) or is_sign(after))):
            held.append("")
    return [stretch for word in held for stretch in _stretches(word)]


@often
def _stretches(word: str) -> list[str]:
    """The parts of a word in scripts with and without spaces; empty for a word without a letter."""
    if not any(map(is_letter, word)):
        return []
    return ["".join(part) for _, part in itertools.groupby(word, lambda c: paired(c) is not None)]


def words(text: str) -> list[str]:
    return _words(runs(text))


def _words(runs: list[str]) -> list[str]:
    return [
        piece
        for run in runs
        for piece in (
            map("".join, itertools.pairwise(run)) if paired(run) and len(run) > 1 else [run]
        )
    ]


@often
def all_words(text: str) -> list[str]:
    """The words of a record's text, with hyphenated words also joined, and each letter of a
    stretch.
    """
    held = runs(text)
    single = [c for run in held if len(run) > 1 and paired(run) for c in run if is_letter(c)]
    return [*_words(held), *single, *(word for one in hyphenated(text) for word in words(one))]


@often
def _alone(character: str) -> str:
    """A character folded alone; only a real hyphen gives a hyphen."""
    return "-" if character == "-" else fold(character).replace("-", " ")


def hyphenated(text: str) -> list[str]:
    """Each run of words joined by single hyphens, without the hyphens."""
    held = [""]
    # A hyphen of another width is not a hyphen, and an apostrophe alone is dropped.
    folded = "".join(map(_alone, text))
    for before, c, after in zip(f" {folded}", folded, f"{folded[1:]} ", strict=False):
        if is_letter(c) or is_sign(c) or (c == "-" and held[-1]):
            held[-1] += c
        elif c not in "'’" or before in "'’" or after in "'’":
            held.append("")
    parts = [part.strip("-") for one in held for part in one.split("--")]
    return [part.replace("-", "") for part in parts if "-" in part]


def parts(name: str) -> str:
    """A name with a space before each capital that follows a small letter."""
    pairs = zip(f" {name}", name, strict=False)
    return "".join(f" {c}" if b.islower() and c.isupper() else c for b, c in pairs)


def name_words(name: str) -> tuple[list[list[str]], list[str]]:
    """The words of a name, whole and in parts, and its additional search words."""
    near = words(name)
    ways = [near, words(parts(name))] if parts(name) != name else [near]
    joined = [one + two for one, two in itertools.pairwise(near)]
    plain = [word for word in joined if not any(map(paired, word))]
    return ways, [*all_words(name)[len(near) :], *plain]
