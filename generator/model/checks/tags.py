"""Tags belong to declared families, and to those that a closed family lists."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from generator.grammar.text import is_slug
from generator.model.suggestions import family_for, family_meant, tag_for
from generator.model.symbols import Kind, Symbols
from generator.problems.faults import Fault

_MOST = 5  # undeclared families of a record whose tags are checked: the search takes long


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    if record.tags is not None and "tag_families" not in symbols.unknown:
        for family, tags in record.tags.items():
            known = symbols.tags.get(family)
            if known is None or (family in symbols.closed and not known.keys() >= set(tags)):
                return check_tags(record.tags, symbols)
    return ()


def check_tags(tags: Any, symbols: Symbols) -> Iterator[Fault]:
    """The same of tags as they are in a file, which may have faults of their own.

    The tags of the first families that are not declared are checked against those that are meant.
    """
    if not isinstance(tags, dict) or "tag_families" in symbols.unknown:
        return
    looked = 0
    for family, some in tags.items():
        meant: str | None = family
        if family not in symbols.tags:
            looked += 1
            meant = family_meant(family, symbols) if looked <= _MOST else None
            what = f'tags: there is no tag family "{family}"'
            hint = partial(family_for, family, symbols)
            yield Fault("unknown-tag-family", what, ("tags", family), hint, on_key=True)
        if meant in symbols.closed and isinstance(some, list):
            yield from _unlisted(family, meant, some, symbols)


def _unlisted(family: str, meant: str, some: list[Any], symbols: Symbols) -> Iterator[Fault]:
    known: Mapping[str, str] = symbols.tags[meant]
    for i, tag in enumerate(some):
        if isinstance(tag, str) and is_slug(tag) and tag not in known:
            what = f'tags.{family}[{i}]: there is no tag "{tag}" in the closed family "{meant}"'
            hint = partial(tag_for, tag, meant, symbols)
            yield Fault("unknown-tag", what, ("tags", family, i), hint)
