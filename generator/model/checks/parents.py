"""No program and no organization is its own ancestor.  A cycle is told once, at its first slug."""

from collections.abc import Iterator, Mapping

from generator.model.checks import Known, Where
from generator.problems.faults import Fault


def check_registry(known: Mapping[str, Known], where: Where) -> Iterator[tuple[str, str, Fault]]:
    for collection, names in known.items():
        parents = names.parents
        done: set[str] = set()
        for slug in sorted(parents):
            path: list[str] = []
            here: str | None = slug
            while here is not None and here not in done and here in parents:
                done.add(here)
                path.append(here)
                here = parents.get(here)
            if here in path:
                cycle = path[path.index(here) :]
                turn = cycle.index(min(cycle))
                ring = cycle[turn:] + cycle[: turn + 1]
                what = "parent: " + " -> ".join(ring) + " is a circle"
                yield (
                    collection,
                    ring[0],
                    Fault(
                        "parent-cycle", what, ("parent",), "remove or correct one of these parents"
                    ),
                )
