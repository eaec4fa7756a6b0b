"""The counts of a published state that guards compare, in a small file kept between publishes."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.grammar.grammar import Slice
from generator.grammar.paths import COVERAGE
from generator.guard.finding import MAX_COUNT, Node

if TYPE_CHECKING:
    from generator.guard.published import PublishedState

#: Values with fewer records are not compared with the last publish.
MANY = 20
#: A country or a tag.
is_value = re.compile(r"location/[a-z]{2}|tag_[a-z0-9_]+/.+").fullmatch
_VERSION = 2


class Stayed(NamedTuple):
    """The records of a collection that were there before: their number, field or aspect -> those
    that have it, and kind -> those of it.
    """

    number: int
    filled: Mapping[str, int]
    kinds: Mapping[str, int]


class State(NamedTuple):
    """The counts of each collection.

    `counts`: its records.  `filled`: field or aspect -> records that have it.  `values`: country or
    tag, as `filter/value` -> its records.  `alike`: field -> the most records with the same text.
    `slugs`: its slugs, joined with spaces.  `former`: the known aliases.
    `kinds`: kind -> its records.  `stayed`: those of its records that an earlier state had.  Counts
    that an older version did not make are absent.
    """

    counts: Mapping[str, int]
    filled: Mapping[str, Mapping[str, int]]
    values: Mapping[str, Mapping[str, int]]
    alike: Mapping[str, Mapping[str, int]] = {}
    slugs: Mapping[str, str] = {}
    former: Mapping[str, frozenset[str]] = {}
    kinds: Mapping[str, Mapping[str, int]] = {}
    stayed: Mapping[str, Stayed] = {}

    def kept(self) -> State:
        """The state to compare with the next publish: without aliases and rare values."""
        many = {
            name: {value: count for value, count in values.items() if count >= MANY}
            for name, values in self.values.items()
        }
        return self._replace(values=many, former={}, stayed={})

    def since(self, name: str, before: State) -> Stayed:
        """The records of a collection that were there before.  If only numbers are known, records
        that have a field are taken for earlier ones: what was lost is lost for certain.
        """
        if name in self.stayed:
            return self.stayed[name]
        filled, kinds = self.filled.get(name, {}), self.kinds.get(name, {})
        count = min(self.counts[name], before.counts[name] - len(before.gone(name, self)))
        if count == self.counts[name]:
            return Stayed(count, filled, kinds)
        known = before.kinds.get(name, {})
        fewer = {kind: min(number, known.get(kind, 0)) for kind, number in kinds.items()}
        return Stayed(count, {field: min(n, count) for field, n in filled.items()}, fewer)

    def gone(self, name: str, now: State) -> list[str]:
        """The slugs that are neither records nor aliases now; none if slugs are unknown."""
        if name not in self.slugs or self.slugs[name] == now.slugs.get(name, self.slugs[name]):
            return []
        present = {*now.slugs[name].split(), *now.former.get(name, ())}
        return sorted({*self.slugs[name].split()} - present)

    def dump(self) -> str:
        parts = {
            name: part for name, part in self._asdict().items() if name not in ("former", "stayed")
        }
        return json.dumps({"guard_state": _VERSION, **parts}, indent=1, sort_keys=True) + "\n"

    @classmethod
    def parse(cls, raw: bytes, collections: Collection[str]) -> State | None:
        """The state in a file of this or the first version; None if it is invalid, or lacks one of
        these collections.
        """
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        if not isinstance(data, dict) or data.get("guard_state") not in (1, _VERSION):
            return None
        counts, filled, values, alike, slugs, kinds = (
            data.get(name, {}) for name in ("counts", "filled", "values", "alike", "slugs", "kinds")
        )
        is_valid = (
            _is_counts(counts)
            and all(
                isinstance(part, dict) and all(map(_is_counts, part.values()))
                for part in (filled, values, alike, kinds)
            )
            and isinstance(slugs, dict)
            and all(isinstance(text, str) for text in slugs.values())
        )
        state = cls(counts, filled, values, alike, slugs, kinds=kinds)
        return state if is_valid and counts and counts.keys() >= set(collections) else None


def _is_counts(data: Any) -> bool:
    return isinstance(data, dict) and all(
        type(count) is int and 0 <= count < MAX_COUNT for count in data.values()
    )


def state_of_published(state: PublishedState, before: State | None = None) -> State:
    """The counts of a published state, with the aliases among the slugs of `before`."""
    counts: dict[str, int] = {}
    filled: dict[str, dict[str, int]] = {}
    same: dict[str, dict[str, int]] = {}
    for name, coverage in state.document(COVERAGE)["data"].members.items():
        if name in state.grammar.collections:
            counts[name] = coverage["total"].count
            filled[name] = _counts(coverage["given"])
            aspects = coverage["fields"].members.items()
            filled[name] |= {aspect: field["count"].count for aspect, field in aspects}
            if coverage["alike"]:
                same[name] = _counts(coverage["alike"])
    values: dict[str, dict[str, int]] = {}
    slugs: dict[str, str] = {}
    former: dict[str, frozenset[str]] = {}
    kinds: dict[str, dict[str, int]] = {}
    for name, collection in state.grammar.collections.items():
        listed = state.values(collection)
        kinds[name] = {kind: row["count"].count for kind, row in listed.get("kind", {}).items()}
        values[name] = {
            f"{known}/{value}": row["count"].count
            for known, rows in listed.items()
            for value, row in rows.items()
            if is_value(f"{known}/{value}")
        }
        present = state.slugs(collection)
        slugs[name] = " ".join(sorted(present))
        if before is not None:
            gone = [slug for slug in before.slugs.get(name, "").split() if slug not in present]
            former[name] = frozenset(state.replaced(collection, gone))
    return State(counts, filled, values, same, slugs, former, kinds)


def require_counted(state: PublishedState) -> None:
    """Raises Damaged if guards cannot read a part of a state: they would compare nothing there."""
    from generator.guard.published import Damaged

    collections = state.grammar.collections.values()
    for path in (COVERAGE, *(collection.filters_path for collection in collections)):
        why = state.unreadable(path)
        if why is None and not isinstance(state.document(path)["data"].plain, dict):
            why = "it has no data"
        if why is not None:
            raise Damaged(state.name, path, why)
    counted = state.document(COVERAGE)["data"]
    for name, collection in state.grammar.collections.items():
        total = counted[name]["total"].plain
        if type(total) is not int or not 0 <= total < MAX_COUNT:
            raise Damaged(state.name, COVERAGE, f"it does not say how many {name} there are")
        listed = len(state.slugs(collection))
        if listed < total:
            why = f"the lists have {listed:,} of the {total:,} {name} that {COVERAGE[1:]} counts"
            raise Damaged(state.name, Slice(collection).path(), why)


def _counts(node: Node) -> dict[str, int]:
    return {name: member.count for name, member in node.members.items()}
