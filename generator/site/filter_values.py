"""The values of a filter in the panel of a list; places are a tree.

The script of lists makes the same tree: generator/site/source/list/tree.mjs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


class Value(NamedTuple):
    """A value of a filter with the number of its records; `to` is the path of its page or "".

    `within` has the smaller places within a place; `short` is the label of a smaller place without
    the larger one, otherwise "".
    """

    value: str
    label: str
    number: int
    to: str
    short: str = ""
    within: tuple[Value, ...] = ()


def nested(values: Sequence[Value]) -> list[Value]:
    """Places as a tree: regions within countries, cities within both; otherwise in their order.

    A place is within another place if its slug and its label say so: `us-ca` is `CA, United
    States`, within `us`, `United States`.
    """
    by_slug = {value.value: value for value in values}
    within: dict[str, list[Value]] = {}
    roots = []
    for value in values:
        larger = next(_larger(value, by_slug), None)
        if larger is None:
            roots.append(value)
        else:
            short = value.label.removesuffix(f", {larger.label}")
            within.setdefault(larger.value, []).append(value._replace(short=short))
    return [_with_smaller(value, within) for value in roots]


def _larger(value: Value, by_slug: Mapping[str, Value]) -> Iterator[Value]:
    """The places that a place is within, the smallest first."""
    slug = value.value.rpartition("-")[0]
    while slug:
        larger = by_slug.get(slug)
        if larger is not None and value.label.endswith(f", {larger.label}"):
            yield larger
        slug = slug.rpartition("-")[0]


def _with_smaller(value: Value, within: Mapping[str, list[Value]]) -> Value:
    smaller = (_with_smaller(each, within) for each in within.get(value.value, ()))
    return value._replace(within=tuple(smaller))
