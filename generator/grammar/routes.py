"""What a host can rewrite: every shape of query that a prepared file answers, with that file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.grammar.grammar import Grammar, Slice
from generator.grammar.paths import DASHBOARD


@dataclass(frozen=True, slots=True)
class Route:
    """One shape of query that a rewrite answers.

    `query` maps each parameter to its literal value, or to None for a placeholder that is named
    like the parameter. `target` spells the file with `:name` for each placeholder.  `path` may hold
    `:slug`.
    """

    path: str
    query: Mapping[str, str | None]
    target: str


def routes(grammar: Grammar) -> Iterator[Route]:
    """Every query shape of the page tier, most parameters first; then one record by slug, then the
    bare paths.

    Computed by asking `Slice.path` for placeholder values, so no target can drift from the name of
    its file.
    """
    shapes: list[Route] = []
    for c in grammar.collections.values():
        default = c.sorts[0]
        slices: list[tuple[dict[str, str | None], Slice]] = [({}, Slice(c))]
        slices += [
            ({"sort": sort}, Slice(c, sort="" if sort == default else sort))
            for sort in c.prepared_sorts
        ]
        for name in c.prepared_filters:
            one = Slice(c, name, f":{name}")
            slices += [({name: None}, one), ({name: None, "sort": default}, one)]
        for f, one in c.virtual_slices():
            slices += [({f.name: one.value}, one), ({f.name: one.value, "sort": default}, one)]
        for query, target in slices:
            shapes.append(
                Route(c.root, {"mode": "page", **query, "page": None}, target.path(":page"))
            )
            shapes.append(Route(c.root, {"mode": "page", **query}, target.path()))
    yield from sorted(shapes, key=lambda r: -len(r.query))
    yield Route(DASHBOARD.removesuffix(".json"), {}, DASHBOARD)
    for c in grammar.collections.values():
        yield from (Route(c.root, {}, part.path()) for _, part in c.virtual_slices()[:1])
    for c in grammar.collections.values():
        yield Route(f"{c.root}/:slug", {}, c.record_path(":slug"))
