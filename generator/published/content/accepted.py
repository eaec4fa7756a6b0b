"""Warnings about entries of `accept`, in records and in registry.yaml, that accept nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.dialect.folder import Content
from generator.model.symbols import Symbols
from generator.problems.codes import codes, depends_on_day
from generator.problems.diagnostic import Diagnostic, is_error
from generator.problems.faults import Fault, Loc
from generator.published.content.read import diagnose_settings, locate_faults

#: collection -> slug -> the codes that a record accepts
Accepts = Mapping[str, Mapping[str, Sequence[str]]]


def unused_entries(
    content: Content, symbols: Symbols, accepts: Accepts, problems: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """A warning for each entry that accepts none of the problems, which are all of the content.

    None if the content has errors, because then not every warning is known.  An entry may accept
    something on another day or for another host, if its code depends on these.
    """
    if not (symbols.accepted or any(accepts.values())) or any(map(is_error, problems)):
        return []
    in_registry = {problem.code for problem in problems}
    in_files = {
        (path, problem.code)
        for problem in problems
        for path in (problem.path, *(place.path for place in problem.also))
    }
    faults = [
        _unused(("accept", code), code, on_key=True)
        for code in symbols.accepted
        if code not in in_registry and not codes()[code].depends
    ]
    found = diagnose_settings(content, faults)
    for collection, by_slug in accepts.items():
        sources = {s.slug: s for s in content.sources[collection]} if by_slug else {}
        for slug, accepted in by_slug.items():
            path = content.display_path(sources[slug].path)
            used = {code for code in accepted if (path, code) in in_files}
            found += locate_faults(
                content, sources[slug], list(_unused_in_record(accepted, used)), symbols
            )
    return found


def _unused_in_record(accepted: Sequence[str], used: set[str]) -> Iterator[Fault]:
    for i, code in enumerate(accepted):
        if code not in used and not depends_on_day(code) and code not in accepted[:i]:
            yield _unused(("accept", i), code)


def _unused(loc: Loc, code: str, *, on_key: bool = False) -> Fault:
    message = f'accept: there is no warning "{code}" here to accept'
    return Fault("unused-accept", message, loc, "remove it", on_key=on_key, severity="warning")
