"""What is counted of a published state, for guards: small, and kept from publish to publish."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.api.paths import COVERAGE
from generator.records.folder import COLLECTIONS

if TYPE_CHECKING:
    from generator.guard.published import Published

#: Values that are compared with those of the last publish have so many records at least.
MANY = 20
#: A country or a tag.
is_value = re.compile(r"location/[a-z]{2}|tag_[a-z0-9_]+/.+").fullmatch
_MOST = 1 << 53


class State(NamedTuple):
    """Of each collection: its records, those that have each thing (generator.tables.coverage), and
    those of each country and tag, as `filter/value`.
    """

    counts: Mapping[str, int]
    filled: Mapping[str, Mapping[str, int]]
    values: Mapping[str, Mapping[str, int]]

    def kept(self) -> State:
        """What the next publish is held against: without the values that have few records."""
        many = {
            name: {value: count for value, count in values.items() if count >= MANY}
            for name, values in self.values.items()
        }
        return State(self.counts, self.filled, many)

    @property
    def whole(self) -> bool:
        """Whether every collection is counted."""
        return set(self.counts) == set(COLLECTIONS)

    def dump(self) -> str:
        """The state as a file that is kept: JSON."""
        return json.dumps({"guard_state": 1, **self._asdict()}, indent=1, sort_keys=True) + "\n"

    @classmethod
    def parse(cls, raw: bytes) -> State | None:
        """What `dump` gave; None where these bytes are none."""
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        if not isinstance(data, dict) or data.get("guard_state") != 1:
            return None
        counts, filled, values = (data.get(name) for name in cls._fields)
        fine = _is_counts(counts) and all(
            isinstance(part, dict) and all(map(_is_counts, part.values()))
            for part in (filled, values)
        )
        if not fine:
            return None
        state = cls(counts, filled, values)  # type: ignore[arg-type]  # as `fine` says
        return state if state.whole else None


def _is_counts(data: Any) -> bool:
    return isinstance(data, dict) and all(
        type(count) is int and 0 <= count < _MOST for count in data.values()
    )


class Some(NamedTuple):
    """What is counted of one collection: its records, what they have, and its lists by facet."""

    records: int
    coverage: Mapping[int, int]
    facets: Iterable[tuple[str, int]]


def of_tables(tables: Mapping[str, Some]) -> State:
    """The state that a build is about to publish."""
    from generator.tables.coverage import counted

    return State(
        {name: some.records for name, some in tables.items()},
        {name: counted(some.coverage) for name, some in tables.items()},
        {
            name: {facet: count for facet, count in some.facets if count and is_value(facet)}
            for name, some in tables.items()
        },
    )


def of_published(state: Published) -> State:
    """The state that somebody published, from its coverage and its filters."""
    counts: dict[str, int] = {}
    filled: dict[str, dict[str, int]] = {}
    values: dict[str, dict[str, int]] = {}
    for name, of in state.document(COVERAGE)["data"].members.items():
        if name in COLLECTIONS:
            counts[name] = _count(of["total"].plain)
            fields = of["fields"].members
            filled[name] = {aspect: _count(one["count"].plain) for aspect, one in fields.items()}
    for name, collection in state.grammar.collections.items():
        values[name] = {
            f"{known}/{value}": _count(one["count"].plain)
            for known, some in state.values(collection).items()
            for value, one in some.items()
            if is_value(f"{known}/{value}")
        }
    return State(counts, filled, values)


def require_counted(state: Published) -> None:
    """Raises Damaged where a part of what is counted of a state cannot be read: nothing would be
    held against that part.
    """
    from generator.guard.published import Damaged

    for path in (COVERAGE, *(of.filters_path for of in state.grammar.collections.values())):
        why = state.unreadable(path)
        if why is None and not isinstance(state.document(path)["data"].plain, dict):
            why = "it has no data"
        if why is not None:
            raise Damaged(state.name, path, why)
    counted = state.document(COVERAGE)["data"]
    for name in COLLECTIONS:
        total = counted[name]["total"].plain
        if type(total) is not int or not 0 <= total < _MOST:
            raise Damaged(state.name, COVERAGE, f"it does not say how many {name} there are")


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value < _MOST else 0
