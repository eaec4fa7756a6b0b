"""The data of two records that are the same thing, joined; what is not kept is reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from generator.edit.places import join_places
from generator.kinds.declare import Declared
from generator.kinds.types import fold_website

_EMPTY: tuple[Any, ...] = (None, [], {})

Path = tuple[str, ...]


class FieldDifference(NamedTuple):
    """A field with two values: `kept` is in the record that stays, `other` in the removed one."""

    path: Path
    kept: Any
    other: Any

    @property
    def name(self) -> str:
        return ".".join(self.path)


class Joined(NamedTuple):
    """The data of two records: the values that the other record added, and the differing fields.

    For a differing field `data` has the value that was kept.
    """

    data: dict[str, Any]
    added: list[tuple[str, Any]]
    differing: list[FieldDifference]

    def taking(self, paths: Iterable[Path]) -> dict[str, Any]:
        """The data with the other record's values in these fields."""
        data = deepcopy(self.data)
        others = {difference.path: difference.other for difference in self.differing}
        for *above, last in paths:
            parent = data
            for name in above:
                parent = parent[name]
            parent[last] = others[(*above, last)]
        return data


def join_data(kept: Mapping[str, Any], other: Mapping[str, Any], declared: Declared) -> Joined:
    """The data of `kept`, with what only `other` has; aliases are not compared."""
    joined = Joined(deepcopy(dict(kept)), [], [])
    others = {name: value for name, value in other.items() if name != "aliases"}
    _join(joined, joined.data, others, (), declared)
    return joined


def _join(
    joined: Joined, data: dict[str, Any], other: Mapping[str, Any], above: Path, declared: Declared
) -> None:
    for name, value in other.items():
        path, current = (*above, name), data.get(name)
        if value in _EMPTY or _same(name, current, value):
            continue
        if current in _EMPTY:
            data[name] = value
            joined.added.append((".".join(path), value))
        elif isinstance(current, dict) and isinstance(value, dict):
            _join(joined, current, value, path, declared)
        elif above and (of := declared.fields.get(above[0])) and of.added:
            items, more = (v if isinstance(v, list) else [v] for v in (current, value))
            lowered = [str(item).lower() for item in items]
            if new := [item for item in more if str(item).lower() not in lowered]:
                data[name] = [*items, *new]
                joined.added.append((".".join(path), new))
        elif isinstance(current, list) and isinstance(value, list):
            items = [*current, *(item for item in value if item not in current)]
            items = join_places(current, value) if path == ("locations",) else items
            if new := [item for item in items if item not in current]:
                data[name] = items
                joined.added.append((".".join(path), new))
        else:
            joined.differing.append(FieldDifference(path, current, value))


def _same(name: str, value: Any, other: Any) -> bool:
    if name == "website" and isinstance(value, str) and isinstance(other, str):
        return fold_website(value) == fold_website(other)
    return type(value) is type(other) and bool(value == other)
