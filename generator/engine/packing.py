"""Packs a text for a script with little room, which search/js/source/packed.mjs unpacks.

A part that the text has several times becomes one character, and is put behind the text once, after
that character.  This is repeated, so that parts of parts become short, too.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain
from operator import itemgetter

#: What may stand for a part: characters of one byte that a string of '…' takes, then of two bytes.
_SHORT = "".join(map(chr, chain(range(0x20, 0x27), range(0x28, 0x5C), range(0x5D, 0x7F),
                                range(0xA1, 0x180))))  # fmt: skip
_LONGEST = 60
#: How many parts are replaced after the text was searched.
_AT_ONCE = 8


@cache
def pack(text: str) -> tuple[str, str]:
    """The packed text, and the characters that stand for parts of it, the last one first."""
    used = ""
    unused = [character for character in _SHORT if character not in text]
    while parts := _worthiest(text, unused[:1]):
        for part, saved in parts:
            # Less if the text has lost some of it to another part.
            if unused and _saved(part, text.count(part), unused[0]) == saved:
                short = unused.pop(0)
                text = short.join((*text.split(part), part))
                used = short + used
    return text, used


def _worthiest(text: str, short: list[str]) -> list[tuple[str, int]]:
    """The parts that save most bytes, and how many, the best one first."""
    found: dict[str, int] = {}
    for length in range(2, _LONGEST if short else 0):
        counts = Counter(text[at : at + length] for at in range(len(text) - length + 1))
        several = [part for part, count in counts.items() if _saved(part, count, short[0]) > 0]
        # Where a part overlaps itself it counts once.
        found |= {part: _saved(part, text.count(part), short[0]) for part in several}
        if max(counts.values(), default=0) < 2:
            break
    best = sorted(found.items(), key=itemgetter(1), reverse=True)[:_AT_ONCE]
    return [(part, saved) for part, saved in best if saved > 0]


def _saved(part: str, count: int, short: str) -> int:
    """The bytes that it saves to put a character for a part.  The part stays once, with its
    character before it, which is also named in the list of characters.
    """
    width = len(short.encode())
    return (count - 1) * len(part.encode()) - (count + 2) * width
