"""Routes for rewrites of hosts: each shape of query that a prepared file answers, and that file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from generator.feature import Hook
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.paths import DASHBOARD, SEARCH


@dataclass(frozen=True, slots=True)
class Route:
    """One shape of query that a rewrite answers.

    `query` maps each parameter to its literal value, or to None for a placeholder with the name of
    the parameter.  `target` is the file, with `:name` for each placeholder.  `path` may have
    `:slug`.
    """

    path: str
    query: Mapping[str, str | None]
    target: str


def routes(grammar: Grammar) -> Iterator[Route]:
    """The query shapes of the page tier, most parameters first; then the bare paths; then one
    record by its slug.

    The targets are `Slice.path` of placeholders, so they cannot differ from the names of files.
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
            target = Slice(c, name, f":{name}")
            slices += [({name: None}, target), ({name: None, "sort": default}, target)]
        for f, target in c.virtual_slices():
            query = {f.name: target.value}
            slices += [(query, target), ({**query, "sort": default}, target)]
        for query, target in slices:
            query = {"mode": "page", **query}
            shapes.append(Route(c.root, {**query, "page": None}, target.path(":page")))
            shapes.append(Route(c.root, query, target.path()))
    yield from sorted(shapes, key=lambda r: -len(r.query))
    yield Route(DASHBOARD.removesuffix(".json"), {}, DASHBOARD)
    for c in grammar.collections.values():
        for _, target in c.virtual_slices()[:1]:
            yield Route(c.root, {}, target.path())
    for c in grammar.collections.values():
        yield Route(f"{c.root}/:slug", {}, c.record_path(":slug"))


def query_paths(grammar: Grammar) -> list[str]:
    """Every path that a host with a query tier answers and that no file has; `:slug` stands for a
    slug.
    """
    paths = dict.fromkeys(route.path for route in routes(grammar))
    return [*paths, SEARCH, *(p for s in services(grammar) for p in s.paths)]


#: A pattern of no path.
NO_PATH = ".^"


class Service(NamedTuple):
    """Addresses of the query tier that a feature answers; no file has them.

    `name` is what the core calls it where it offers it: "feed" of a selection, "match" of names.
    `pattern` is a regular expression that matches `paths`, for hosts.  A form can be posted to
    `forms`, with `:name` for a segment; an address of `forms` that `paths` lacks does not exist.
    """

    paths: tuple[str, ...]
    pattern: str
    forms: tuple[str, ...] = ()
    name: str = ""


SERVICES: Hook[Callable[[Grammar], Iterable[Service]]] = Hook("routes", "services", "grammar")


def services(grammar: Grammar) -> list[Service]:
    """The addresses that features answer, in the order of the features' names."""
    return [each for found in SERVICES.without(grammar.left_out) for each in found(grammar)]


def form_patterns(grammar: Grammar) -> list[str]:
    """Regular expressions of the addresses that answer a POST: with a form, or with 404."""
    forms = (form for service in services(grammar) for form in service.forms)
    return [re.sub(r":\w+", "[^/]+", re.escape(form)) for form in forms]


def service_paths(name: str, grammar: Grammar) -> tuple[str, ...]:
    """The addresses of the service with a name; none if no feature answers it."""
    return next((service.paths for service in services(grammar) if service.name == name), ())
