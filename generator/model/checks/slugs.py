"""The slugs of a collection fit together: aliases, removed slugs and parents."""

from collections.abc import Iterator, Mapping

from generator.dialect.folder import REMOVED_FILE
from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.problems.diagnostic import Position
from generator.problems.faults import Fault

_NO_ALIAS = "remove it here: an alias is a former slug that no record uses now"
_REMOVED = f"choose another slug; to bring the record back, delete its entry in {REMOVED_FILE}"
_CIRCLE = "remove or correct one of these parents"


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    yield from _check_aliases(collections, path_of)
    yield from _check_removed(collections)
    yield from _check_parents(collections)


def _check_aliases(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    """An alias must not be a live slug or an alias of another record."""
    for collection, records in collections.items():
        owners: dict[str, str] = {}
        for slug, aliases in sorted(records.aliases.items()):
            for i, alias in enumerate(aliases):
                other = alias
                if alias == slug:
                    clash = "the slug of this record itself"
                elif alias in records.live_slugs:
                    clash = f"the slug of {path_of(collection, alias)}"
                    if records.aliases.get(alias):
                        clash += f', which itself has an alias, "{records.aliases[alias][0]}"'
                elif (other := owners.setdefault(alias, slug)) != slug:
                    clash = f"also an alias in {path_of(collection, other)}"
                else:
                    continue
                message = f'aliases[{i}]: "{alias}" is {clash}'
                also = (Position(path_of(collection, other)),) if other != slug else ()
                fault = Fault("alias-clash", message, ("aliases", i), _NO_ALIAS, also=also)
                yield RecordFault(collection, slug, fault)


def _check_removed(collections: Mapping[str, CollectionRecords]) -> Iterator[RecordFault]:
    """A slug in removed.yaml is no longer used as a slug or an alias."""
    for collection, records in collections.items():
        if not records.removed:
            continue
        for slug, removal in records.removed.items():
            if slug in records.live_slugs:
                message = f'"{slug}" was removed for good on {removal.date} ({REMOVED_FILE})'
                yield RecordFault(collection, slug, Fault("removed-slug", message, (), _REMOVED))
        for slug, aliases in records.aliases.items():
            for i, alias in enumerate(aliases):
                if alias in records.removed:
                    date = records.removed[alias].date
                    message = (
                        f'aliases[{i}]: "{alias}" was removed for good on {date} ({REMOVED_FILE})'
                    )
                    yield RecordFault(
                        collection, slug, Fault("removed-slug", message, ("aliases", i), _REMOVED)
                    )


def _check_parents(collections: Mapping[str, CollectionRecords]) -> Iterator[RecordFault]:
    """No program and no organization is its own ancestor.  A cycle is reported once, at its first
    slug in alphabetical order.
    """
    for collection, records in collections.items():
        parents = records.parents
        visited: set[str] = set()
        for start in sorted(parents):
            path: list[str] = []
            slug: str | None = start
            while slug is not None and slug not in visited and slug in parents:
                visited.add(slug)
                path.append(slug)
                slug = parents.get(slug)
            if slug in path:
                cycle = path[path.index(slug) :]
                turn = cycle.index(min(cycle))
                ring = cycle[turn:] + cycle[: turn + 1]
                message = "parent: " + " -> ".join(ring) + " is a circle"
                yield RecordFault(
                    collection, ring[0], Fault("parent-cycle", message, ("parent",), _CIRCLE)
                )
