"""What a registry can leave out if the files of a host are too large."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.grammar.grammar import Grammar
from generator.kinds import Kinds

#: How many filters a message names.
_MOST_WAYS = 5
#: A setting of an own field -> what changes with it.
_WITHOUT: Mapping[str, Mapping[str, Any]] = {
    "filter": {"filter": False, "through": []},
    "through": {"through": []},
}


def advise(grammar: Grammar, size: Callable[[Grammar], float], unit: str) -> str:
    """What to leave out in registry.yaml: the filters that take most of what `size` counts."""
    whole = size(grammar)
    ways = [(way, round(whole - size(without))) for way, without in _leaner(grammar)]
    most = sorted(ways, key=lambda way: -way[1])[:_MOST_WAYS]
    found = "; ".join(f"{way} takes about {count:,} {unit}" for way, count in most if count > 0)
    advice = f"leave out filters in registry.yaml: {found}" if found else "use fewer kinds"
    return f"{advice}; or publish to another host"


def _leaner(grammar: Grammar) -> Iterator[tuple[str, Grammar]]:
    """The grammar without a tag family, a filter, or the filters that go through a relation."""
    for family in grammar.tag_families:
        families = {name: label for name, label in grammar.tag_families.items() if name != family}
        yield f"the tag family {family}", replace(grammar, tag_families=families)
    kinds = grammar.kinds
    for collection in kinds:
        place = "kinds.{}.fields" if collection in kinds.own_kinds else "fields.{}"
        for key, settings in kinds.settings_of(collection).items():
            for setting, without in _WITHOUT.items():
                if settings.get(setting):
                    less = _having(kinds, collection, key, {**settings, **without})
                    way = f"`{setting}` of {place.format(collection)}.{key}"
                    yield way, replace(grammar, kinds=less)


def _having(kinds: Kinds, collection: str, key: str, settings: Mapping[str, Any]) -> Kinds:
    """The kinds with other settings of one own field."""
    fields = {**kinds.settings_of(collection), key: settings}
    if collection not in kinds.own_kinds:
        return kinds.having({**kinds.own, collection: fields})
    own = {**kinds.own_kinds[collection], "fields": fields}
    return kinds.having(kinds.own, {**kinds.own_kinds, collection: own})
