"""Two records that are the same thing, as one: nothing that either says is lost unnamed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from generator.edit.places import joined as joined_places
from generator.model.checks.duplicates import website

#: Fields that are not compared: former slugs come together whatever they are.
_APART = ("aliases",)

Path = tuple[str, ...]


class Difference(NamedTuple):
    """A field of which the records have different values: `kept` is that of the one that stays."""

    path: Path
    kept: Any
    other: Any

    @property
    def name(self) -> str:
        return ".".join(self.path)


class Joined(NamedTuple):
    """A record with what another adds to it: the values that it lacked, and the differences, of
    which `data` has the values that were kept.
    """

    data: dict[str, Any]
    added: list[tuple[str, Any]]
    differing: list[Difference]

    def taking(self, paths: Iterable[Path]) -> dict[str, Any]:
        """The data with the other record's values in these fields."""
        data, others = deepcopy(self.data), {one.path: one.other for one in self.differing}
        for *above, last in paths:
            here = data
            for name in above:
                here = here[name]
            here[last] = others[(*above, last)]
        return data


def join(kept: Mapping[str, Any], other: Mapping[str, Any]) -> Joined:
    """A record with the values of another that it lacks, and the items that its lists lack."""
    joined = Joined(deepcopy(dict(kept)), [], [])
    _join(joined, joined.data, {k: v for k, v in other.items() if k not in _APART}, ())
    return joined


def _join(joined: Joined, data: dict[str, Any], other: Mapping[str, Any], above: Path) -> None:
    for name, value in other.items():
        path, here = (*above, name), data.get(name)
        if value in (None, [], {}) or _same(name, here, value):
            continue
        if here in (None, [], {}):
            data[name] = value
            joined.added.append((".".join(path), value))
        elif isinstance(here, dict) and isinstance(value, dict):
            _join(joined, here, value, path)
        elif isinstance(here, list) and isinstance(value, list):
            every = [*here, *(one for one in value if one not in here)]
            every = joined_places(here, value) if path == ("locations",) else every
            if new := [one for one in every if one not in here]:
                data[name] = every
                joined.added.append((".".join(path), new))
        else:
            joined.differing.append(Difference(path, here, value))


def _same(name: str, one: Any, other: Any) -> bool:
    if name == "website" and isinstance(one, str) and isinstance(other, str):
        return website(one) == website(other)
    return type(one) is type(other) and bool(one == other)
