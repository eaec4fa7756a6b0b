"""Values of a filter that people use for one thing: an abbreviation and its words, one word and
two, singular and plural, the same words in another order.
"""

from __future__ import annotations

from collections.abc import Iterable


def twins(value: str, known: Iterable[str]) -> list[str]:
    """The known values that mean nearly the same as this one, in their order."""
    return [other for other in known if other != value and _alike(_forms(value), _forms(other))]


def first_pair(known: Iterable[str]) -> tuple[str, str] | None:
    """The first two of the known values that mean nearly the same."""
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


def _alike(one: tuple[set[str], set[str]], other: tuple[set[str], set[str]]) -> bool:
    return not (
        one[0].isdisjoint(other[0]) and one[0].isdisjoint(other[1]) and one[1].isdisjoint(other[0])
    )


def _forms(value: str) -> tuple[set[str], set[str]]:
    """What two values have in common that mean the same, and how each is abbreviated."""
    words = [_singular(word) for word in value.split("-") if word]
    full = {"".join(words), " ".join(sorted(words))}
    return full, {"".join(word[0] for word in words)} if len(words) > 1 else set()


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
