"""Exact counts for a query: how many records match, and how many have each value of a filter."""

from __future__ import annotations

from collections.abc import Mapping

from generator.contract.listing import ValueCount
from generator.grammar.filters import Constraint
from generator.grammar.grammar import Count
from generator.search.columns import Spec, Values, sort_key
from generator.text.words import split_words


def count_values(
    values: Values, tally: Mapping[int, int] | None, like: str | None
) -> list[ValueCount]:
    """The values that any record has, by count and then by value; `tally` has the counts by value
    number, or is None if all records count.
    """
    rows = zip(values.texts, values.labels, values.counts, strict=True)
    found = [
        ValueCount(text, label, count)
        for number, (text, label, total) in enumerate(rows, 1)
        if (count := total if tally is None else tally.get(number, 0))
        and (like is None or is_like(like, text, label))
    ]
    found.sort(key=lambda each: (-each.records, each.value))
    return found


def count_selected(
    values: Values, spec: Spec, asked: Constraint | None, tally: Mapping[int, int] | None
) -> list[ValueCount]:
    """The values that a query asks for, in the order of its echo, with their counts, also 0; none
    for `not:` and ranges.  `tally` is as in `count_values`.
    """
    found = []
    for value in asked.values if asked and asked.operator != "not" else ():
        number = values.number_of(sort_key(spec, value))
        if number is None:  # of a filter without pages
            found.append(ValueCount(value, value, 0))
            continue
        count = values.counts[number - 1] if tally is None else tally.get(number, 0)
        found.append(ValueCount(value, values.labels[number - 1], count))
    return found


def is_like(like: str, *texts: str) -> bool:
    """Whether each word of `like` begins one of the texts' words."""
    known = {word for text in texts for word in split_words(text)}
    return all(any(word.startswith(prefix) for word in known) for prefix in split_words(like))


def columns_to_read(count: Count) -> list[str]:
    """The counted filters whose counts are narrowed by a condition on something else."""
    return [
        name
        for name in count.by
        if count.q is not None or any(other != name for other, _ in count.filters)
    ]
