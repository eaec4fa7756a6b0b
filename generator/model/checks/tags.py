"""A tag belongs to a declared family and, if the family is closed, is in its list."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from generator.grammar.filters import Facet
from generator.model.kind import Kind
from generator.model.suggestions import guess_family, suggest_family, suggest_tag
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Cause, Diagnostic
from generator.problems.faults import Fault
from generator.text.words import is_slug

_MAX_GUESSES = 5  # undeclared families of a record for which the intended one is searched


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    if record.tags is not None and "tag_families" not in symbols.unread_settings:
        for family, tags in record.tags.items():
            listed = symbols.tags.get(family)
            if listed is None or (
                family in symbols.closed_families and not listed.keys() >= set(tags)
            ):
                return check_tags(record.tags, symbols)
    return ()


def check_tags(tags: Any, symbols: Symbols) -> Iterator[Fault]:
    """The faults of tags as a file has them; they may have another type than a model allows.

    The tags of an undeclared family are checked against the family that was probably meant.
    """
    if not isinstance(tags, dict) or "tag_families" in symbols.unread_settings:
        return
    guesses = 0
    for family, values in tags.items():
        meant: str | None = family
        if family not in symbols.tags:
            guesses += 1
            meant = guess_family(family, symbols) if guesses <= _MAX_GUESSES else None
            message = f'tags: there is no tag family "{family}"'
            hint = partial(suggest_family, family, symbols)
            cause = Cause("registry.yaml", f'tag family "{family}"', ("tag_families",))
            loc = ("tags", family)
            yield Fault("unknown-tag-family", message, loc, hint, on_key=True, cause=cause)
        if meant in symbols.closed_families and isinstance(values, list):
            yield from _unlisted(family, meant, values, symbols)


def _unlisted(family: str, meant: str, tags: list[Any], symbols: Symbols) -> Iterator[Fault]:
    listed: Mapping[str, str] = symbols.tags[meant]
    for i, tag in enumerate(tags):
        if isinstance(tag, str) and is_slug(tag) and tag not in listed:
            message = f'tags.{family}[{i}]: there is no tag "{tag}" in the family "{meant}"'
            hint = partial(suggest_tag, tag, meant, symbols)
            missing = f'tag "{tag}" in the family "{meant}"'
            cause = Cause("registry.yaml", missing, ("tag_families", meant, "tags", tag))
            yield Fault("unknown-tag", message, ("tags", family, i), hint, cause=cause)


def name_open_families(
    problems: Iterable[Diagnostic], uses: Sequence[Mapping[Facet, Sequence[int]]], symbols: Symbols
) -> Iterator[Diagnostic]:
    """The problems; a tag that no family lists gets the open family in which records have it.
    `uses` are the slices of all collections.
    """
    listed = {tag for tags in symbols.tags.values() for tag in tags}
    families = sorted(symbols.tags.keys() - symbols.closed_families)
    for problem in problems:
        tag = problem.cause.loc[-1] if problem.code == "unknown-tag" and problem.cause else None
        for family in families if tag is not None and tag not in listed else ():
            if any(members.get(Facet(f"tag_{family}", str(tag))) for members in uses):
                hint = f'did you mean "{tag}" of the family "{family}"? Write it under '
                problem = replace(problem, hint=f"{hint}tags.{family}")
                break
        yield problem
