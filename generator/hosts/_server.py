"""What nginx, Apache and Caddy are configured to answer; each says it in its own syntax."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from generator.grammar import headers, paths
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.refusals import PROBLEMS
from generator.hosts import _patterns as shapes
from generator.hosts._patterns import Aliases

#: Everything below has problem documents; all other paths have pages.
API = paths.INDEX.rpartition("/")[0] + "/"
PROBLEM_FOLDER = paths.problem_path("").removesuffix(".json")
MISSING = paths.problem_path("not-found")
#: What is refused where no query is taken.
UNASKED = "unknown-parameter"
METHODS = headers.ALLOW["Allow"]
STATUSES = sorted({status for status, _, _ in PROBLEMS.values()})


def text(comment: str, lines: Iterable[str]) -> bytes:
    """A file of configuration, which begins with a comment."""
    return (comment + "".join(f"{line}\n" for line in lines)).encode()


def refused(code: str) -> tuple[int, str]:
    """The status of a problem, and the path of its document."""
    return PROBLEMS[code][0], paths.problem_path(code)


def moved(grammar: Grammar, collection: Collection, aliases: Aliases) -> Mapping[str, str]:
    """Former slug of the collection -> address of the record that has it now."""
    return {
        alias: grammar.url(f"{collection.root}/{slug}")
        for name, alias, slug in aliases
        if name == collection.name
    }


def record(grammar: Grammar, collection: Collection, form: str, slug: str) -> tuple[str, str]:
    """The address of a record, with `form` as its slug; and its file, with `slug`."""
    route = shapes.records(grammar, collection)
    return (
        shapes.spelled(route.path, lambda _: form),
        shapes.spelled(route.target, lambda _: slug),
    )


def answered(
    grammar: Grammar, collection: Collection, group: Callable[[int], str]
) -> Iterator[tuple[str, str]]:
    """A pattern of each shape of query with the file that answers it; `group` spells what a group
    of the pattern holds, by its number from 1.
    """
    for route in shapes.shapes(grammar, collection):
        pattern, names = shapes.pcre_shape(collection, route)
        captured = {name: group(number) for number, name in enumerate(names, 1)}
        yield pattern, shapes.spelled(route.target, captured.__getitem__)
