"""Queries as regular expressions, for hosts that match the raw query with them.

`query_routes` are the queries that prepared files answer.  Each is matched whole, so no unknown,
repeated or malformed parameter gets through.  `refusals` say what is wrong with any other query, in
the order of the engine (search/js/source/route.mjs).  Their patterns are searched for, not matched
whole, and work in RE2 and in PCRE; `pcre` and `pcre_pattern` need look-ahead, which RE2 does not
have.  The query is not decoded.

For queries without prepared files, refusals are coarser than those of the engine: they ignore
search words and the filters of a count, do not count several values, and let a range end before it
begins.

The answers of nginx, Apache and Caddy, which each of them writes in its own syntax, are here too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from generator.contract.artifact import Alias
from generator.grammar import headers, paths
from generator.grammar.grammar import MAX_VALUE, Collection, Filter, Grammar, Query, Slice
from generator.grammar.parameters import OTHER_MODE_PARAMETERS, ROWS_PARAMETERS, WITH_BY
from generator.grammar.paths import DASHBOARD
from generator.grammar.refusals import PROBLEMS
from generator.grammar.routes import NO_PATH, Route, routes, services

#: (collection, alias, slug) of every alias.
Aliases = Sequence[Alias]

_START, _END = "(?:^|&)", "(?:&|$)"
_NAMES_PER_PATTERN = 20


class Refusal(NamedTuple):
    """A query gets the problem `code` if it contains every pattern of `wanted` and none of
    `forbidden`.
    """

    code: str
    wanted: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def pcre(self) -> str:
        wanted = "".join(f"(?=.*{pattern})" for pattern in self.wanted)
        return f"^{wanted}" + "".join(f"(?!.*{pattern})" for pattern in self.forbidden)


def query_routes(grammar: Grammar, collection: Collection) -> list[Route]:
    """The routes of the collection's bare address with a query."""
    return [route for route in routes(grammar) if route.path == collection.root and route.query]


def bare_target(grammar: Grammar, collection: Collection) -> str | None:
    """The file that answers the bare address without a query, if any."""
    bare_routes = (route for route in routes(grammar) if not route.query)
    return next((route.target for route in bare_routes if route.path == collection.root), None)


def record_route(grammar: Grammar, collection: Collection) -> Route:
    return next(route for route in routes(grammar) if route.path == f"{collection.root}/:slug")


def dashboard_route(grammar: Grammar) -> Route:
    return next(route for route in routes(grammar) if route.target == DASHBOARD)


def base_path(grammar: Grammar) -> str:
    """The base URL's path without its last slash; "" without a base URL, or if a list or document
    has that address.
    """
    return "" if grammar.prefix in {route.path for route in routes(grammar)} else grammar.prefix


def former_lists(grammar: Grammar, aliases: Iterable[Alias]) -> Iterator[tuple[str, Slice, Slice]]:
    """(path of the alias's record, list of the alias, list of the slug) for every list of an
    alias.
    """
    for alias in aliases:
        collection = grammar.collections[alias.collection]
        old_lists, new_lists = (
            grammar.slices_for_value(collection, value) for value in (alias.former, alias.slug)
        )
        for was, now in zip(old_lists, new_lists, strict=True):
            yield collection.record_path(alias.former), was, now


def filter_folder(collection: Collection) -> str:
    """`/by/`: the part between the collection's root and the filter in the path of a list."""
    folder = Slice(collection, ":filter", ":value").folder
    return folder.removeprefix(collection.root).partition(":")[0]


def reference_filters(grammar: Grammar) -> str:
    """A pattern of the filters whose values are slugs of records."""
    names = dict.fromkeys(
        f.name for c in grammar.collections.values() for f in c.filters.values() if f.refers
    )
    return f"(?:{'|'.join(names)})"


def page_pattern(collection: Collection, number: str = "[1-9][0-9]*") -> str:
    """A pattern of the path of a page below the folder of its list."""
    tail = Slice(collection).path(":page").removeprefix(Slice(collection).folder)
    return fill_placeholders(tail.replace(".", r"\."), lambda _: number)


def fill_placeholders(target: str, spell: Callable[[str], str]) -> str:
    """A route's target with each `:name` replaced by `spell(name)`."""
    return re.sub(r":([a-z][a-z0-9_]*)", lambda found: spell(found[1]), target)


def value_pattern(collection: Collection, name: str, literal: str | None) -> str:
    """The pattern of a parameter's value.  A placeholder has the pattern of its filter or of a page
    number.
    """
    if literal is not None:
        return re.escape(literal)
    return (collection.filters.get(name) or Filter(name, name, name)).pattern


def pcre_pattern(collection: Collection, route: Route) -> tuple[str, list[str]]:
    """A pattern that only queries of this shape match, in any order, and the placeholder of each of
    its groups.

    It has a look-ahead for each parameter and matches as many tokens as there are parameters, so
    each parameter occurs once and no other does.
    """
    groups = [name for name, literal in route.query.items() if literal is None]
    lookaheads = ""
    for name, literal in route.query.items():
        pattern = value_pattern(collection, name, literal)
        if literal is None:
            bound = f"(?=[^&]{{1,{MAX_VALUE}}}{_END})" if name in collection.filters else ""
            pattern = f"{bound}({pattern})"
        lookaheads += f"(?=(?:.*&)?{re.escape(name)}={pattern}{_END})"
    more = f"(?:&[^&]*){{{len(route.query) - 1}}}" if len(route.query) > 1 else ""
    return f"^{lookaheads}[^&]*{more}$", groups


def token_pattern(collection: Collection, query: Mapping[str, str | None]) -> str:
    """A pattern, for RE2, of as many tokens as `query` has parameters, each one of the parameters.

    The host has to check besides that each parameter is there.
    """
    token = "|".join(
        f"{re.escape(name)}={value_pattern(collection, name, literal)}"
        for name, literal in query.items()
    )
    more = f"(?:&(?:{token})){{{len(query) - 1}}}" if len(query) > 1 else ""
    return f"^(?:{token}){more}$"


def refusals(grammar: Grammar, collection: Collection) -> list[Refusal]:
    """The refusals of queries that are not empty and have no shape.  The first that applies counts;
    the last always applies.
    """
    known = grammar.parameters(collection)
    routes = query_routes(grammar, collection)
    (mode,) = set.intersection(*(set(route.query) for route in routes))
    literals: dict[str, dict[str | None, None]] = {name: {} for name in known}
    for route in routes:
        for name, literal in route.query.items():
            literals[name][literal] = None
    # Parameters without routes need a search, the search words first.
    search = next(name for name in known if not literals[name])
    sort = next(name for name in known if collection.sorts[0] in literals[name])
    relevance = Query(collection, q="-").order
    literals[sort] |= dict.fromkeys((*collection.sorts, relevance))
    literals[mode] |= dict.fromkeys(OTHER_MODE_PARAMETERS)

    # Names grouped by the pattern of their values: many tag families have the same.
    groups: dict[str, list[str]] = {}
    narrowing = {n: f for n, f in collection.query_filters.items() if n not in collection.virtual}
    for name in known:
        if name in narrowing:
            values = narrowing[name].constraint_pattern
        else:
            patterns = (value_pattern(collection, name, literal) for literal in literals[name])
            values = "|".join(patterns) or "[^&]+"
        groups.setdefault(values, []).append(name)
    groups.setdefault("[^&]+", []).extend(ROWS_PARAMETERS)
    valid = "|".join(f"(?:{'|'.join(names)})=(?:{values})" for values, names in groups.items())
    modes, filters = "|".join(OTHER_MODE_PARAMETERS), "|".join(narrowing)
    relevant, searched = f"{_START}{sort}={relevance}{_END}", f"{_START}{search}="
    rows = f"{_START}{mode}=rows{_END}"
    stray = f"{_START}(?:{'|'.join(ROWS_PARAMETERS)})="
    refused = _parameter_refusals([*known, *ROWS_PARAMETERS])
    refused.insert(2, Refusal("unknown-parameter", (stray,), (rows,)))
    refused.append(Refusal("mode-required", (), (f"{_START}{mode}=(?:{modes}){_END}",)))
    for name, others in OTHER_MODE_PARAMETERS.items():
        wanted = f"{_START}{mode}={name}{_END}", f"{_START}(?:{'|'.join(others)})="
        refused.append(Refusal("invalid-parameter", wanted))
    return [
        *refused,
        Refusal("invalid-parameter", (), (f"^(?:{_START}(?:{valid}))*$",)),
        Refusal("invalid-parameter", (f"{_START}(?:{filters})=[^&]{{{MAX_VALUE + 1},}}",)),
        Refusal("invalid-parameter", (relevant,), (searched,)),
        Refusal("invalid-parameter", (f"{_START}(?:{'|'.join(WITH_BY)})=",), (f"{_START}by=",)),
        Refusal("unsupported-combination"),
    ]


def search_refusals() -> list[Refusal]:
    """The refusals of searches over all collections, which need a query tier.  The first that
    applies counts; the last always applies.
    """
    return [
        Refusal("invalid-parameter", ("^$",)),
        *_parameter_refusals(("q",)),
        Refusal("unsupported-combination"),
    ]


def service_pattern(grammar: Grammar) -> str:
    """A pattern of the addresses that features answer, which need a query tier."""
    found = [each.pattern.replace("(", "(?:")[1:] for each in reversed(services(grammar))]
    return f"^/(?:{'|'.join(found or [NO_PATH])})$"


def _parameter_refusals(known: Sequence[str]) -> list[Refusal]:
    """The refusals of parameters without a value, of unknown ones and of repeated ones."""
    refused = [
        Refusal("invalid-parameter", (f"{_START}(?:=|[^=&]*=?{_END})",)),
        Refusal("unknown-parameter", (), (f"^(?:{_START}(?:{'|'.join(known)})=[^&]*)*$",)),
    ]
    for start in range(0, len(known), _NAMES_PER_PATTERN):
        names = known[start : start + _NAMES_PER_PATTERN]
        twice = "|".join(f"{name}=(?:[^&]*&)+{name}=" for name in names)
        refused.append(Refusal("repeated-parameter", (f"{_START}(?:{twice})",)))
    return refused


#: A missing file below this path has a problem document; any other has a page.
API = paths.INDEX.rpartition("/")[0] + "/"
PROBLEM_FOLDER = paths.problem_path("").removesuffix(".json")
MISSING = paths.problem_path("not-found")
#: The code for a query at an address that takes none.
NO_QUERY_CODE = "unknown-parameter"
METHODS = headers.ALLOW["Allow"]
STATUSES = sorted({status for status, _, _ in PROBLEMS.values()})


def configuration_file(comment: str, lines: Iterable[str]) -> bytes:
    return (comment + "".join(f"{line}\n" for line in lines)).encode()


def problem_response(code: str) -> tuple[int, str]:
    """The status of a problem and the path of its document."""
    return PROBLEMS[code][0], paths.problem_path(code)


def alias_addresses(
    grammar: Grammar, collection: Collection, aliases: Aliases
) -> Mapping[str, str]:
    """Alias -> address of its record, for one collection."""
    return {
        alias.former: grammar.url(f"{collection.root}/{alias.slug}")
        for alias in aliases
        if alias.collection == collection.name
    }


def record_address(
    grammar: Grammar, collection: Collection, form: str, slug: str
) -> tuple[str, str]:
    """The address of a record with `form` as its slug, and its file with `slug`."""
    route = record_route(grammar, collection)
    return (
        fill_placeholders(route.path, lambda _: form),
        fill_placeholders(route.target, lambda _: slug),
    )


def query_patterns(
    grammar: Grammar, collection: Collection, group: Callable[[int], str]
) -> Iterator[tuple[str, str]]:
    """A pattern of each shape of query, and the file that answers it.  `group` spells a reference
    to a group of the pattern, by its number from 1.
    """
    for route in query_routes(grammar, collection):
        pattern, names = pcre_pattern(collection, route)
        captured = {name: group(number) for number, name in enumerate(names, 1)}
        yield pattern, fill_placeholders(route.target, captured.__getitem__)
