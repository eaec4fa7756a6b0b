"""Exact counts for a query: how many records match, and how many have each value of a filter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from generator.contract.listing import MAX_COUNTED, MAX_PER, ValueCount
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
    numbers = range(1, len(values.texts) + 1)
    counted = (_value_count(values, number, tally) for number in numbers)
    found = [
        each
        for each in counted
        if each.records and (like is None or is_like(like, each.value, each.label))
    ]
    return sorted(found, key=_by_count)


def count_selected(
    values: Values, spec: Spec, asked: Constraint | None, tally: Mapping[int, int] | None
) -> list[ValueCount]:
    """The values that a query asks for, in the order of its echo, with their counts, also 0; those
    inside a range that have a count, ascending, at most MAX_COUNTED; none for `not:`.  `tally` is
    as in `count_values`.
    """
    if asked is None or asked.operator == "not":
        return []
    if asked.operator == "range":
        ends = (None if end is None else sort_key(spec, end) for end in (asked.low, asked.high))
        first, last = values.span(*ends)
        inside = (_value_count(values, number, tally) for number in range(first, last + 1))
        return [*islice((each for each in inside if each.records), MAX_COUNTED)]
    found = []
    for value in asked.values:
        number = values.number_of(sort_key(spec, value))
        if number is None:  # of a filter without pages
            found.append(ValueCount(value, value, 0))
        else:
            found.append(_value_count(values, number, tally)._replace(value=value))
    return found


def _by_count(each: ValueCount) -> tuple[int, str]:
    """The key of the order by count, then by value."""
    return -each.records, each.value


def _value_count(values: Values, number: int, tally: Mapping[int, int] | None) -> ValueCount:
    """The value with a number; `tally` is as in `count_values`."""
    count = values.counts[number - 1] if tally is None else tally.get(number, 0)
    return ValueCount(values.texts[number - 1], values.labels[number - 1], count)


def with_per(
    counted: Iterable[ValueCount],
    values: Values,
    spec: Spec,
    others: Values,
    pairs: Mapping[int, Mapping[int, int]],
) -> list[ValueCount]:
    """Counted values of a filter, each with the values of another filter (`others`) among its
    records; `pairs` has the counts by the value numbers of both.
    """
    found = []
    for each in counted:
        number = values.number_of(sort_key(spec, each.value))
        tally = {} if number is None else pairs.get(number, {})
        beside = [_value_count(others, other, tally) for other in tally]
        found.append(each._replace(per=sorted(beside, key=_by_count)[:MAX_PER]))
    return found


def is_like(like: str, *texts: str) -> bool:
    """Whether each word of `like` begins one of the texts' words."""
    known = {word for text in texts for word in split_words(text)}
    return all(any(word.startswith(prefix) for word in known) for prefix in split_words(like))


def columns_to_read(count: Count) -> list[str]:
    """The counted filters whose counts are narrowed by a condition on something else, and with
    `per` all of them and that filter.
    """
    if count.per is not None:
        return [*count.by, count.per]
    return [
        name
        for name in count.by
        if count.q is not None or any(other != name for other, _ in count.filters)
    ]
