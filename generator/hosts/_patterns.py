"""Queries as regular expressions, for hosts that match the raw query with them.

`shapes` are what the page tier answers; each is matched whole, so none of them lets an unknown,
repeated or malformed parameter through.  `refusals` say what is wrong with any other query, in the
order of `Grammar.parse`.  Patterns of refusals are searched for, not matched whole, and are plain
enough for RE2 and for PCRE alike; `pcre` and `pcre_shape` need look-ahead, which RE2 has not.
Query text is raw: nothing is decoded.

What only a query tier answers is told less finely than by `Grammar.parse`: words that are asked for
and what a count is of are not looked at, several values are not counted, and a range may end before
it begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from generator.grammar.grammar import MAX_VALUE, OTHERS, Collection, Filter, Grammar, Query, Slice
from generator.grammar.paths import DASHBOARD
from generator.grammar.routes import Route, routes

#: Former slugs: (collection, former slug, present slug).
Aliases = Sequence[tuple[str, str, str]]

_START, _END = "(?:^|&)", "(?:&|$)"
_AT_ONCE = 20


class Refusal(NamedTuple):
    """A query that every pattern of `wanted` and none of `forbidden` is found in gets the problem
    `code`.
    """

    code: str
    wanted: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def pcre(self) -> str:
        return (
            "^"
            + "".join(f"(?=.*{p})" for p in self.wanted)
            + "".join(f"(?!.*{p})" for p in self.forbidden)
        )


def shapes(grammar: Grammar, collection: Collection) -> list[Route]:
    """What the page tier answers at the collection's bare address, when there is a query."""
    return [route for route in routes(grammar) if route.path == collection.root and route.query]


def bare(grammar: Grammar, collection: Collection) -> str | None:
    """The file that answers the bare address without a query, if one does."""
    return next(
        (
            route.target
            for route in routes(grammar)
            if route.path == collection.root and not route.query
        ),
        None,
    )


def records(grammar: Grammar, collection: Collection) -> Route:
    """The route of one record by its slug."""
    return next(
        route
        for route in routes(grammar)
        if route.path.rpartition("/") == (collection.root, "/", ":slug")
    )


def dashboard(grammar: Grammar) -> Route:
    return next(route for route in routes(grammar) if route.target == DASHBOARD)


def base(grammar: Grammar) -> str:
    """The base URL's path without its last slash; "" if there is none, or if it is the address of a
    list or document too.
    """
    return "" if grammar.prefix in {route.path for route in routes(grammar)} else grammar.prefix


def former(
    grammar: Grammar, aliases: Iterable[tuple[str, str, str]]
) -> Iterator[tuple[str, Slice, Slice]]:
    """Every list of a former slug, and that of the present one; before them the path of the former
    slug's record.
    """
    for name, alias, slug in aliases:
        collection = grammar.collections[name]
        for was, now in zip(
            grammar.lists_of(collection, alias), grammar.lists_of(collection, slug), strict=True
        ):
            yield collection.record_path(alias), was, now


def by(collection: Collection) -> str:
    """What follows the collection's root in the paths of all lists of one value of a filter."""
    return (
        Slice(collection, ":filter", ":value")
        .folder.removeprefix(collection.root)
        .partition(":")[0]
    )


def owners(grammar: Grammar) -> str:
    """A pattern of the filters whose values are records, which may have been renamed."""
    names = dict.fromkeys(
        f.name for c in grammar.collections.values() for f in c.filters.values() if f.refers
    )
    return f"(?:{'|'.join(names)})"


def page(collection: Collection, number: str = "[1-9][0-9]*") -> str:
    """A pattern of what follows the folder of a list in the path of a page of it."""
    tail = Slice(collection).path(":page").removeprefix(Slice(collection).folder)
    return spelled(tail.replace(".", r"\."), lambda _: number)


def spelled(target: str, spell: Callable[[str], str]) -> str:
    """A route's target with each `:name` replaced by `spell(name)`."""
    return re.sub(r":([a-z][a-z0-9_]*)", lambda found: spell(found[1]), target)


def value(collection: Collection, name: str, literal: str | None) -> str:
    """The pattern of a parameter's value; a placeholder's is that of its filter, or of a page."""
    if literal is not None:
        return re.escape(literal)
    return (collection.filters.get(name) or Filter(name, name, name)).pattern


def pcre_shape(collection: Collection, route: Route) -> tuple[str, list[str]]:
    """A pattern that only queries of this shape match, in any order, and the placeholders that its
    groups hold.

    One look-ahead a parameter, and as many tokens as there are parameters: so each is there once,
    and nothing else.
    """
    groups = [name for name, literal in route.query.items() if literal is None]
    ahead = ""
    for name, literal in route.query.items():
        pattern = value(collection, name, literal)
        if literal is None:
            bound = f"(?=[^&]{{1,{MAX_VALUE}}}{_END})" if name in collection.filters else ""
            pattern = f"{bound}({pattern})"
        ahead += f"(?=(?:.*&)?{re.escape(name)}={pattern}{_END})"
    more = f"(?:&[^&]*){{{len(route.query) - 1}}}" if len(route.query) > 1 else ""
    return f"^{ahead}[^&]*{more}$", groups


def tokens(collection: Collection, query: Mapping[str, str | None]) -> str:
    """A pattern of as many tokens as `query` has parameters, each of them one of those: RE2's half
    of a shape.

    That each is there has to be asked besides, by its name.
    """
    one = "|".join(
        f"{re.escape(name)}={value(collection, name, literal)}" for name, literal in query.items()
    )
    more = f"(?:&(?:{one})){{{len(query) - 1}}}" if len(query) > 1 else ""
    return f"^(?:{one}){more}$"


def refusals(grammar: Grammar, collection: Collection) -> list[Refusal]:
    """Why a query is refused that is not empty and has no shape; the first that applies.  The last
    one always does.
    """
    known = grammar.parameters(collection)
    routes = shapes(grammar, collection)
    (mode,) = set.intersection(*(set(route.query) for route in routes))
    words: dict[str, dict[str | None, None]] = {name: {} for name in known}
    for route in routes:
        for name, literal in route.query.items():
            words[name][literal] = None
    # What no route has is for the query tier only, words first; with words there is one sort more.
    search = next(name for name in known if not words[name])
    sort = next(name for name in known if collection.sorts[0] in words[name])
    relevance = Query(collection, q="-").order
    words[sort] |= dict.fromkeys((*collection.sorts, relevance))
    words[mode] |= dict.fromkeys(OTHERS)

    # Names by what their values are, so that a pattern of many tag families stays short.
    named: dict[str, list[str]] = {}
    for name in known:
        values = (
            collection.filters[name].constraint_pattern
            if name in collection.filters
            else "|".join(value(collection, name, literal) for literal in words[name]) or "[^&]+"
        )
        named.setdefault(values, []).append(name)
    names = "|".join(known)
    every = "|".join(f"(?:{'|'.join(group)})=(?:{values})" for values, group in named.items())
    return [
        Refusal("invalid-parameter", wanted=(f"{_START}(?:=|[^=&]*=?{_END})",)),
        Refusal("unknown-parameter", forbidden=(f"^(?:{_START}(?:{names})=[^&]*)*$",)),
        *(
            Refusal("repeated-parameter", wanted=(f"{_START}(?:{names})",))
            for names in _twice(known)
        ),
        Refusal(
            "mode-required",
            forbidden=(f"{_START}{mode}=(?:{'|'.join(OTHERS)}){_END}",),
        ),
        *(
            Refusal(
                "invalid-parameter",
                wanted=(f"{_START}{mode}={which}{_END}", f"{_START}(?:{'|'.join(others)})="),
            )
            for which, others in OTHERS.items()
        ),
        Refusal("invalid-parameter", forbidden=(f"^(?:{_START}(?:{every}))*$",)),
        Refusal(
            "invalid-parameter",
            wanted=(f"{_START}(?:{'|'.join(collection.filters)})=[^&]{{{MAX_VALUE + 1},}}",),
        ),
        Refusal(
            "invalid-parameter",
            wanted=(f"{_START}{sort}={relevance}{_END}",),
            forbidden=(f"{_START}{search}=",),
        ),
        Refusal("invalid-parameter", wanted=(f"{_START}like=",), forbidden=(f"{_START}by=",)),
        Refusal("unsupported-combination"),
    ]


def _twice(names: tuple[str, ...]) -> Iterator[str]:
    """Alternatives for a name that is given twice, some at a time."""
    for first in range(0, len(names), _AT_ONCE):
        yield "|".join(f"{name}=(?:[^&]*&)+{name}=" for name in names[first : first + _AT_ONCE])
