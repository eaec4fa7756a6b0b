"""Texts that differ by one edit: a letter inserted, removed, changed or exchanged with the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

MIN_LENGTH = 6  # letters; shorter words that differ by one edit are mostly different words
GroupText = tuple[str, str]
_digit = re.compile("[0-9]").search


def differ_by_one_edit(first: str, second: str) -> bool:
    """Whether two texts differ by one edit in a word of at least five letters, or by a space, a
    hyphen, a dot or an apostrophe.  Digits do not count: 2024 and 2025 are different years.
    """
    short, long = (first, second) if len(first) <= len(second) else (second, first)
    if short == long or len(long) - len(short) > 1:
        return False
    letters = enumerate(zip(short, long, strict=False))
    begin = next((i for i, (a, b) in letters if a != b), len(short))
    short_end, long_end = short[begin:], long[begin:]
    if len(short) == len(long):
        swapped = short_end[:2] == long_end[1::-1] and short_end[2:] == long_end[2:]
        if short_end[1:] != long_end[1:] and not swapped:
            return False
        edited = short_end[: 1 + swapped] + long_end[: 1 + swapped]
    elif short_end == long_end[1:]:
        edited = long[begin]
    else:
        return False
    if _digit(edited):
        return False
    if not edited.strip(" -'."):
        return True
    return min(len(_word_at(short, begin)), len(_word_at(long, begin))) > 4


def _word_at(text: str, at: int) -> str:
    """The word around, or right before, an index."""
    begin = max(text.rfind(c, 0, at) for c in " -\n") + 1
    ends = [end for end in (text.find(c, at) for c in " -\n") if end >= 0]
    return text[begin : min(ends, default=len(text))]


def one_edit_sieve(texts: Iterable[str]) -> Callable[[str], bool]:
    """A function that is true for texts one edit apart from one of `texts`, and for few others."""
    ends = {
        (len(text) + more, end)
        for text in texts
        if len(text) >= MIN_LENGTH
        for more in (-1, 0, 1)
        for end in (text[:2], text[:-3:-1])
    }
    return lambda text: (len(text), text[:2]) in ends or (len(text), text[:-3:-1]) in ends


def one_edit_pairs(
    first: Iterable[GroupText], second: Iterable[GroupText]
) -> Iterator[tuple[GroupText, GroupText]]:
    """Pairs of texts of the same group that differ by one edit, one of `first` and one of `second`.
    Two texts that are in both are paired both ways.  Texts shorter than MIN_LENGTH have no pair.

    Texts that differ by one edit have the same beginning or the same end.  Only texts with a common
    beginning or end are compared.
    """
    index: dict[tuple[str, bool, str], list[str]] = {}
    for group, text in first:
        if len(text) >= MIN_LENGTH:
            for key in _keys(group, text, len(text)):
                index.setdefault(key, []).append(text)
    for group, text in second:
        if len(text) < MIN_LENGTH:
            continue
        near: set[str] = set()
        for length in {len(text) // 2 * 2, (len(text) - 1) // 2 * 2, (len(text) + 1) // 2 * 2}:
            for key in _keys(group, text, length):
                near.update(index.get(key, ()))
        for other in sorted(near):
            if differ_by_one_edit(other, text):
                yield (group, other), (group, text)


def _keys(group: str, text: str, length: int) -> tuple[tuple[str, bool, str], ...]:
    """The keys of a text in an index of texts of about this length: a beginning and an end."""
    half = length // 2 - 1
    return (group, False, text[:half]), (group, True, text[len(text) - half :])
