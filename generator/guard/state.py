"""What is counted of a published state, for guards: small, and kept from publish to publish."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from generator.dialect.folder import COLLECTIONS
from generator.grammar.grammar import Slice
from generator.grammar.paths import COVERAGE

if TYPE_CHECKING:
    from generator.guard.node import Node
    from generator.guard.published import Published

#: Values that are compared with those of the last publish have so many records at least.
MANY = 20
#: A country or a tag.
is_value = re.compile(r"location/[a-z]{2}|tag_[a-z0-9_]+/.+").fullmatch
_MOST = 1 << 53
_VERSION = 2
#: Of a collection with more records, a state has a sample of the slugs.
_SLUGS = 50_000


class State(NamedTuple):
    """Of each collection: its records; those that give each field or aspect; those of each country
    and tag, as `filter/value`; those that have the same text at most, of each field of texts; and
    the slugs, or a sample of very many, with a space between.

    `former` are former slugs, as far as they are known.  What an older version did not count is
    not there.
    """

    counts: Mapping[str, int]
    filled: Mapping[str, Mapping[str, int]]
    values: Mapping[str, Mapping[str, int]]
    alike: Mapping[str, Mapping[str, int]] = {}
    slugs: Mapping[str, str] = {}
    former: Mapping[str, frozenset[str]] = {}

    def kept(self) -> State:
        """The state that the next publish is compared with: without former slugs, and without the
        values of few records.
        """
        many = {
            name: {value: count for value, count in values.items() if count >= MANY}
            for name, values in self.values.items()
        }
        return self._replace(values=many, former={})

    def gone(self, name: str, now: State) -> tuple[list[str], int]:
        """The slugs of a collection that are no record and no former slug now, and how many records
        they stand for; none if slugs are unknown.
        """
        if name not in self.slugs or self.slugs[name] == now.slugs.get(name, self.slugs[name]):
            return [], 0
        every = max(_every(state.counts[name]) for state in (self, now))
        there = {*now.slugs[name].split(), *now.former.get(name, ())}
        gone = sorted({*self.slugs[name].split()} - there)
        if every > 1:
            gone = [slug for slug in gone if _is_sampled(slug, every)]
        return gone, len(gone) * every

    @property
    def whole(self) -> bool:
        """Whether every collection is counted."""
        return set(self.counts) == set(COLLECTIONS)

    def dump(self) -> str:
        """The state as a file that is kept: JSON."""
        kept = {name: part for name, part in self._asdict().items() if name != "former"}
        return json.dumps({"guard_state": _VERSION, **kept}, indent=1, sort_keys=True) + "\n"

    @classmethod
    def parse(cls, raw: bytes) -> State | None:
        """The state of a kept file of this or the first version; None if it is none."""
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        if not isinstance(data, dict) or data.get("guard_state") not in (1, _VERSION):
            return None
        counts, filled, values, alike, slugs = (
            data.get(name, {}) for name in ("counts", "filled", "values", "alike", "slugs")
        )
        fine = (
            _is_counts(counts)
            and all(
                isinstance(part, dict) and all(map(_is_counts, part.values()))
                for part in (filled, values, alike)
            )
            and isinstance(slugs, dict)
            and all(isinstance(text, str) for text in slugs.values())
        )
        state = cls(counts, filled, values, alike, slugs)
        return state if fine and state.whole else None


def _is_counts(data: Any) -> bool:
    return isinstance(data, dict) and all(
        type(count) is int and 0 <= count < _MOST for count in data.values()
    )


class Some(NamedTuple):
    """What is counted of one collection: its records, their `covers` numbers, its lists by facet,
    its slugs and its former slugs; `fields` names the fields (generator.model.tables.coverage).
    """

    records: int
    coverage: Mapping[int, int]
    facets: Iterable[tuple[str, int]]
    slugs: str
    former: Iterable[Iterable[str]]
    fields: Sequence[str]


def joined(slugs: Collection[str]) -> str:
    """Slugs as a state has them: all, or a sample of very many."""
    every = _every(len(slugs))
    some = (slug for slug in slugs if _is_sampled(slug, every)) if every > 1 else slugs
    return " ".join(sorted(some))


def _every(count: int) -> int:
    """One slug of how many is in the state of so many records, a power of two."""
    return 1 << max(0, ((max(count, 1) - 1) // _SLUGS).bit_length())


def _is_sampled(slug: str, every: int) -> bool:
    return crc32(slug.encode()) % every == 0


def of_tables(tables: Mapping[str, Some]) -> State:
    """The state that a build is about to publish."""
    from generator.model.tables.coverage import alike, counted, given

    return State(
        {name: some.records for name, some in tables.items()},
        {
            name: given(some.coverage, some.fields) | counted(some.coverage, some.fields)
            for name, some in tables.items()
        },
        {
            name: {facet: count for facet, count in some.facets if count and is_value(facet)}
            for name, some in tables.items()
        },
        {name: alike(some.coverage, some.fields) for name, some in tables.items()},
        {name: some.slugs for name, some in tables.items()},
        {name: frozenset(chain.from_iterable(some.former)) for name, some in tables.items()},
    )


def of_published(state: Published, before: State | None = None) -> State:
    """The state that somebody published, from its coverage, its filters and its lists; with the
    former slugs among the slugs of `before`.
    """
    counts: dict[str, int] = {}
    filled: dict[str, dict[str, int]] = {}
    same: dict[str, dict[str, int]] = {}
    for name, of in state.document(COVERAGE)["data"].members.items():
        if name in COLLECTIONS:
            counts[name] = _count(of["total"].plain)
            aspects = of["fields"].members.items()
            filled[name] = _counts(of["given"])
            filled[name] |= {aspect: _count(one["count"].plain) for aspect, one in aspects}
            if of["alike"]:
                same[name] = _counts(of["alike"])
    values: dict[str, dict[str, int]] = {}
    slugs: dict[str, str] = {}
    former: dict[str, frozenset[str]] = {}
    for name, collection in state.grammar.collections.items():
        values[name] = {
            f"{known}/{value}": _count(one["count"].plain)
            for known, some in state.values(collection).items()
            for value, one in some.items()
            if is_value(f"{known}/{value}")
        }
        live = state.slugs(collection)
        slugs[name] = joined(live)
        if before is not None:
            gone = [slug for slug in before.slugs.get(name, "").split() if slug not in live]
            former[name] = frozenset(state.replaced(collection, gone))
    return State(counts, filled, values, same, slugs, former)


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
        collection = state.grammar.collections[name]
        listed = len(state.slugs(collection))
        if listed < total:
            why = f"the lists have {listed:,} of the {total:,} {name} that {COVERAGE[1:]} counts"
            raise Damaged(state.name, Slice(collection).path(), why)


def _counts(node: Node) -> dict[str, int]:
    return {name: _count(one.plain) for name, one in node.members.items()}


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value < _MOST else 0
