"""The slugs of a collection fit together: aliases, removed slugs and parents."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from generator.dialect.folder import REMOVED_FILE
from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.problems.diagnostic import Position
from generator.problems.faults import Fault, Loc, describe_field

_NO_ALIAS = "remove it here: an alias is a former slug that no record uses now"
_REMOVED = f"choose another slug; to bring the record back, delete its entry in {REMOVED_FILE}"
_CIRCLE = "remove or correct one of these parents"


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    for name, records in collections.items():
        found = (
            *_check_aliases(records, partial(path_of, name)),
            *_check_removed(records),
            *_check_parents(records.parents),
        )
        yield from (RecordFault(name, slug, fault) for slug, fault in found)


def _check_aliases(
    records: CollectionRecords, path_of: Callable[[str], str]
) -> Iterator[tuple[str, Fault]]:
    """An alias must not be a live slug or an alias of another record."""
    owners: dict[str, str] = {}
    for slug, aliases in sorted(records.aliases.items()):
        for i, alias in enumerate(aliases):
            other = alias
            if alias == slug:
                clash = "the slug of this record itself"
            elif alias in records.live_slugs:
                clash = f"the slug of {path_of(alias)}"
                if records.aliases.get(alias):
                    clash += f', which itself has an alias, "{records.aliases[alias][0]}"'
            elif (other := owners.setdefault(alias, slug)) != slug:
                clash = f"also an alias in {path_of(other)}"
            else:
                continue
            message = f'aliases[{i}]: "{alias}" is {clash}'
            also = (Position(path_of(other)),) if other != slug else ()
            yield slug, Fault("alias-clash", message, ("aliases", i), _NO_ALIAS, also=also)


def _check_removed(records: CollectionRecords) -> Iterator[tuple[str, Fault]]:
    """A slug in removed.yaml is no longer used as a slug or an alias."""
    uses: list[tuple[str, str, Loc]] = [
        (slug, alias, ("aliases", i))
        for slug, aliases in (records.aliases.items() if records.removed else ())
        for i, alias in enumerate(aliases)
    ]
    uses += [(slug, slug, ()) for slug in records.removed if slug in records.live_slugs]
    for slug, used, loc in uses:
        if used in records.removed:
            field = f"{describe_field(loc)}: " if loc else ""
            day = f"{records.removed[used].date} ({REMOVED_FILE})"
            message = f'{field}"{used}" was removed for good on {day}'
            yield slug, Fault("removed-slug", message, loc, _REMOVED)


def _check_parents(parents: Mapping[str, str]) -> Iterator[tuple[str, Fault]]:
    """No program and no organization is its own ancestor.  A cycle is reported once, at its first
    slug in alphabetical order.
    """
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
            yield ring[0], Fault("parent-cycle", message, ("parent",), _CIRCLE)
