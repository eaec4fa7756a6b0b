"""The answers of nginx, Apache and Caddy, which each of them writes in its own syntax."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from generator.grammar import headers, paths
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.refusals import PROBLEMS
from generator.hosts import _patterns as patterns
from generator.hosts._patterns import Aliases

#: A missing file below this path has a problem document; any other has a page.
API = paths.INDEX.rpartition("/")[0] + "/"
PROBLEM_FOLDER = paths.problem_path("").removesuffix(".json")
MISSING = paths.problem_path("not-found")
#: The code for a query at an address that takes none.
NO_QUERY_CODE = "unknown-parameter"
METHODS = headers.ALLOW["Allow"]
STATUSES = sorted({status for status, _, _ in PROBLEMS.values()})


def configuration_file(comment: str, lines: Iterable[str]) -> bytes:
    """A configuration file that begins with a comment."""
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
    route = patterns.record_route(grammar, collection)
    return (
        patterns.fill_placeholders(route.path, lambda _: form),
        patterns.fill_placeholders(route.target, lambda _: slug),
    )


def query_patterns(
    grammar: Grammar, collection: Collection, group: Callable[[int], str]
) -> Iterator[tuple[str, str]]:
    """A pattern of each shape of query, and the file that answers it.  `group` spells a reference
    to a group of the pattern, by its number from 1.
    """
    for route in patterns.query_routes(grammar, collection):
        pattern, names = patterns.pcre_pattern(collection, route)
        captured = {name: group(number) for number, name in enumerate(names, 1)}
        yield pattern, patterns.fill_placeholders(route.target, captured.__getitem__)
