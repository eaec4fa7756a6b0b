"""Texts that are one edit apart: one letter more, less, another, or two neighbours exchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

SHORTEST = 6  # letters; shorter words one edit apart are mostly two words
_digit = re.compile("[0-9]").search


def one_edit(one: str, two: str) -> bool:
    """Whether two texts are one edit apart, which is in a word of at least five letters and no
    number: `Batch A` and `Batch B`, and the years 2024 and 2025, are two.
    """
    if len(one) > len(two):
        one, two = two, one
    if one == two or len(two) - len(one) > 1:
        return False
    begin = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    rest = one[begin:], two[begin:]
    if len(one) == len(two):
        swapped = rest[0][:2] == rest[1][1::-1] and rest[0][2:] == rest[1][2:]
        if rest[0][1:] != rest[1][1:] and not swapped:
            return False
        put = rest[0][: 1 + swapped] + rest[1][: 1 + swapped]
    elif rest[0] == rest[1][1:]:
        put = two[begin]
    else:
        return False
    if _digit(put):
        return False
    if not put.strip(" -'."):
        return True  # a blank, a hyphen or an apostrophe
    return min(len(_word_at(one, begin)), len(_word_at(two, begin))) > 4


def _word_at(text: str, at: int) -> str:
    """The word around, or right before, an index."""
    begin = max(text.rfind(c, 0, at) for c in " -\n") + 1
    ends = [end for end in (text.find(c, at) for c in " -\n") if end >= 0]
    return text[begin : min(ends, default=len(text))]


def sieve(some: Iterable[str]) -> Callable[[str], bool]:
    """What passes every text that is one edit apart from one of these, and few others."""
    ends = {
        (len(text) + more, end)
        for text in some
        if len(text) >= SHORTEST
        for more in (-1, 0, 1)
        for end in (text[:2], text[:-3:-1])
    }
    return lambda text: (len(text), text[:2]) in ends or (len(text), text[:-3:-1]) in ends


def pairs(some: Iterable[tuple[str, str]], others: Iterable[tuple[str, str]]) -> Iterator[
    tuple[tuple[str, str], tuple[str, str]]
]:  # fmt: skip
    """Each of some (group, text) with each of the others of its group that is one edit apart; of
    two that are in both, both ways.  Texts shorter than SHORTEST have no pair.

    An edit leaves the beginning or the end of a text as it is, so only texts that have one of these
    in common are compared.
    """
    held = [pair for pair in some if len(pair[1]) >= SHORTEST]
    index: dict[tuple[str, bool, str], list[str]] = {}
    for group, text in held:
        for key in _keys(group, text, len(text)):
            index.setdefault(key, []).append(text)
    for group, text in others:
        if len(text) < SHORTEST:
            continue
        near: set[str] = set()
        for length in {len(text) // 2 * 2, (len(text) - 1) // 2 * 2, (len(text) + 1) // 2 * 2}:
            for key in _keys(group, text, length):
                near.update(index.get(key, ()))
        for other in sorted(near):
            if one_edit(other, text):
                yield (group, other), (group, text)


def _keys(group: str, text: str, length: int) -> tuple[tuple[str, bool, str], ...]:
    half = length // 2 - 1
    return (group, False, text[:half]), (group, True, text[len(text) - half :])
