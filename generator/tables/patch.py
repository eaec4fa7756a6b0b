"""A table with a few of its rows changed, without reading the others; and which of its pages that
touches.

The result is the table that `tabulate` would make of all rows, but for the numbers that rows have:
a row keeps its number, a new one takes the next.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from generator.tables.table import Row, Table

#: The order that finds a row by its slug.
BY_SLUG = "slug"


class Change(NamedTuple):
    """A row that was (None for a new one), and that is now (None for one that is gone)."""

    old: Row | None
    new: Row | None


@dataclass(slots=True)
class Patch:
    """`table` as it is now.  `touched` has, by sort or facet, the positions whose page must be
    written again; None where every page must, because the number of rows is another.
    `toucher` has, for each of those, the slug of a record that changed there; `regrouped` are the
    facets of rows that have others than before.  `slugs_changed` says that there are other slugs,
    `in_place` that nothing but summaries changed.
    """

    table: Table
    changed: dict[int, Row]
    slugs_changed: bool = False
    in_place: bool = False
    touched: dict[str, set[int] | None] = field(default_factory=dict)
    toucher: dict[str, str] = field(default_factory=dict)
    regrouped: frozenset[str] = frozenset()


def key_of(table: Table, order: str) -> Callable[[Row], Any]:
    """What an order compares."""
    sorts = table.collection.table_sorts
    if order == BY_SLUG:
        return lambda row: row.slug
    if order not in sorts[1:]:
        return lambda row: (row.key, row.slug)
    which = sorts.index(order) - 1

    def by_number(row: Row) -> Any:
        number = row.numbers[which]
        return number is None, -(number or 0), row.key, row.slug

    return by_number


def position(table: Table, slug: str) -> int | None:
    """The number of the row with a slug, in a table that has the order by slug."""
    order = table.orders[BY_SLUG]
    place = bisect_left(order, slug, key=lambda i: table.rows[i].slug)
    return order[place] if place < len(order) and table.rows[order[place]].slug == slug else None


def patch(
    old: Table, changes: Iterable[Change], overlay: Callable[[Mapping[int, Row]], Table]
) -> Patch:
    """Apply changes.  `overlay` gives the old table with rows of these numbers laid over it."""
    numbered: list[tuple[int, Change]] = []
    following = len(old.rows)
    for change in changes:
        number = position(old, change.old.slug) if change.old is not None else None
        if number is None:
            number, following = following, following + 1
        numbered.append((number, change))
    changed = {number: change.new for number, change in numbered if change.new is not None}
    table = overlay(changed)
    default = old.collection.sorts[0]
    result = Patch(
        table, changed, any(change.old is None or change.new is None for _, change in numbered)
    )

    orders: dict[str, Sequence[int]] = {}
    for order in old.orders:
        orders[order], result.touched[order] = _moved(
            old.orders[order], numbered, key_of(old, order), old, table, lambda row: True
        )
    result.touched.pop(BY_SLUG)

    result.regrouped = frozenset(
        facet
        for _, (was, now) in numbered
        if was is None or now is None or was.facets != now.facets
        for row in (was, now)
        if row is not None
        for facet in row.facets
    )
    members: dict[str, Sequence[int]] = dict(old.members)
    rows = [row for _, change in numbered for row in change if row is not None]
    facets = {facet: row.slug for row in reversed(rows) for facet in row.facets}
    result.toucher = dict.fromkeys(result.touched, rows[0].slug) | facets
    for facet in facets:
        before = old.members.get(facet, ())
        now, positions = _moved(before, numbered, key_of(old, default), old, table, _belongs(facet))
        result.touched[facet] = positions
        if len(now):
            members[facet] = now
        else:
            members.pop(facet, None)

    # Where no order and no membership changed, and no place is called otherwise, only rows did.
    result.in_place = all(c.old and c.new and c.old[:-1] == c.new[:-1] for _, c in numbered)
    labels = _labels(old, numbered, members, table)
    aliases, coverage = dict(old.aliases), Counter(old.coverage)
    for _, change in numbered:
        if change.old is not None:
            aliases.pop(change.old.slug, None)
            coverage.subtract(change.old.covers)
        if change.new is not None:
            coverage.update(change.new.covers)
            if change.new.aliases:
                aliases[change.new.slug] = change.new.aliases
    result.table = replace(
        table,
        orders=orders,
        members=members,
        labels=labels,
        aliases=aliases,
        coverage=dict(+coverage),
    )
    return result


def _belongs(facet: str) -> Callable[[Row], bool]:
    return lambda row: facet in row.facets


def _moved(
    before: Sequence[int],
    changes: Sequence[tuple[int, Change]],
    key: Callable[[Row], Any],
    old: Table,
    new: Table,
    belongs: Callable[[Row], bool],
) -> tuple[Sequence[int], set[int] | None]:
    """An order with changed rows taken out and put in where they belong; the positions that this
    touches.
    """
    out = [(n, c.old) for n, c in changes if c.old is not None and belongs(c.old)]
    into = [(n, c.new) for n, c in changes if c.new is not None and belongs(c.new)]
    staying = {n for n, _ in out} & {n for n, _ in into}
    in_place = {
        n for n, c in changes if n in staying and c.old and c.new and key(c.old) == key(c.new)
    }
    if len(in_place) == len(out) == len(into):
        return before, {
            bisect_left(before, key(row), key=lambda i: key(old.rows[i])) for _, row in out
        }
    now = _copied(before)
    for number, row in out:
        if number not in in_place:
            place = bisect_left(now, key(row), key=lambda i: key(old.rows[i]))
            assert now[place] == number
            del now[place]
    for number, row in into:
        if number not in in_place:
            # Rows that stay in place compare the same in both tables.
            now.insert(bisect_left(now, key(row), key=lambda i: key(new.rows[i])), number)
    if len(now) != len(before):
        return now, None
    touched = {bisect_left(now, key(row), key=lambda i: key(new.rows[i])) for number, row in into}
    if len(in_place) != len(into):
        was = _copied(before)
        touched.update(i for i in range(len(now)) if now[i] != was[i])
    return now, touched


def _copied(order: Sequence[int]) -> array[int]:
    copy = array("I")
    if isinstance(order, memoryview | array):
        copy.frombytes(order.tobytes())
    else:
        copy.extend(order)
    return copy


def _labels(
    old: Table,
    changes: Sequence[tuple[int, Change]],
    members: Mapping[str, Sequence[int]],
    new: Table,
) -> Mapping[str, str]:
    """What places are called: of several spellings the first in code-point order."""
    labels = dict(old.labels)
    gone = {pair for _, change in changes if change.old is not None for pair in change.old.labels}
    come = {pair for _, change in changes if change.new is not None for pair in change.new.labels}
    for place, label in sorted(come - gone):
        labels[place] = min(label, labels.get(place, label))
    for place, label in sorted(gone - come):
        if labels.get(place) != label:
            continue
        spellings = set()
        for number in members.get(f"location/{place}", ()):
            of_row = {text for where, text in new.rows[number].labels if where == place}
            spellings |= of_row
            if label in of_row:
                break
        if spellings:
            labels[place] = min(spellings)
        else:
            del labels[place]
    return labels
