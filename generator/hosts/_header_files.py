"""Headers by pattern of a path, and the `_headers` file that Netlify and Cloudflare read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.api.grammar import Grammar
from generator.api.headers import ALWAYS, CATALOG, POLICY, PROBLEM, TYPES
from generator.api.paths import API_CATALOG, problem_path


def by_pattern(grammar: Grammar) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Patterns and headers; `*` is anything.  No path gets a header from two of them: the values
    would be joined.
    """
    # The policy is meant for HTML, which is served for any address that is not there; elsewhere it
    # does nothing.
    yield "/*", {**ALWAYS, "Content-Security-Policy": POLICY}
    # Those that hosts do not know by the ending.  In capitals: of "content-type" it is reported
    # that Netlify sends it beside its own and not in its place.
    yield from ((f"/*.{ending}", {"Content-Type": TYPES[ending]}) for ending in ("ics", "md"))
    for prefix in dict.fromkeys(("", grammar.prefix)):
        yield prefix + problem_path("*"), {"Content-Type": PROBLEM}
        yield prefix + API_CATALOG, {"Content-Type": CATALOG}


def file(grammar: Grammar) -> bytes:
    lines: list[str] = []
    for path, values in by_pattern(grammar):
        lines += [path, *(f"  {name}: {value}" for name, value in values.items())]
    return "".join(f"{line}\n" for line in lines).encode()
