"""How many records match, and how many have each value of a filter: exactly, from columns."""

from __future__ import annotations

from collections.abc import Mapping

from generator.grammar.grammar import Count
from generator.grammar.text import words
from generator.search.columns import Values

#: A filter's values with labels and counts, the greatest first.
Counted = list[tuple[str, str, int]]


def counted(values: Values, tally: Mapping[int, int] | None, like: str | None) -> Counted:
    """The values that any record has, by count and then by value; `tally` has how many by the
    number of the value, None where all records count.
    """
    found = [
        (text, label, count)
        for number, (text, label, total) in enumerate(
            zip(values.texts, values.labels, values.counts, strict=True), 1
        )
        if (count := total if tally is None else tally.get(number, 0))
        and (like is None or is_like(like, text, label))
    ]
    found.sort(key=lambda one: (-one[2], one[0]))
    return found


def is_like(like: str, *texts: str) -> bool:
    """Whether each word of `like` begins one of the texts' words."""
    known = {word for text in texts for word in words(text)}
    return all(any(word.startswith(begun) for word in known) for begun in words(like))


def columns_read(count: Count) -> list[str]:
    """The filters that are counted by and that anything else is asked of beside."""
    return [
        name
        for name in count.by
        if count.q is not None or any(other != name for other, _ in count.filters)
    ]
