"""No program and no organization is its own ancestor.  A cycle is reported once, at its first slug
in alphabetical order.
"""

from collections.abc import Iterator, Mapping

from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.problems.faults import Fault

_HINT = "remove or correct one of these parents"


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
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
                    collection, ring[0], Fault("parent-cycle", message, ("parent",), _HINT)
                )
