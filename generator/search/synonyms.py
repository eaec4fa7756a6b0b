"""Find values of a filter that mean the same: an abbreviation and its words, one word and two,
singular and plural, the same words in another order.
"""

from __future__ import annotations

from collections.abc import Iterable


def first_pair(known: Iterable[str]) -> tuple[str, str] | None:
    """The first two known values that mean nearly the same."""
    by_whole: dict[str, str] = {}
    by_short: dict[str, str] = {}
    for value in known:
        whole, short = _forms(value)
        others = [by_whole.get(form) for form in sorted(whole | short)]
        others += [by_short.get(form) for form in sorted(whole)]
        if other := next(filter(None, others), None):
            return other, value
        by_whole.update(dict.fromkeys(whole, value))
        by_short.update(dict.fromkeys(short, value))
    return None


def _forms(value: str) -> tuple[set[str], set[str]]:
    """The normal forms of a value, which values with one meaning share, and its abbreviations."""
    words = [_singular(word) for word in value.split("-") if word]
    full = {"".join(words), " ".join(sorted(words))}
    return full, {"".join(word[0] for word in words)} if len(words) > 1 else set()


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
