"""One file a record, whole; and for each former slug of a record that was renamed, one where it
was, and where its lists were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from generator.contract.artifact import Artifact, published
from generator.grammar.grammar import Collection, Grammar, Slice
from generator.model.symbols import Counted, Kind, Symbols


def record(
    kind: Kind, data: Any, symbols: Symbols, summary: dict[str, Any], counts: Counted
) -> Artifact:
    """The record's own file.  `data` is the input model, `summary` what lists show of it."""
    slug = summary["slug"]
    collection = symbols.grammar.collections[kind.collection]
    links = {"self": summary["href"], **kind.links(slug, symbols)}
    details = kind.details(data, symbols, summary, counts)
    return published(collection.record_path(slug), collection.kind, links=links, data=details)


def moved(
    collection: Collection, slug: str, aliases: Iterable[str], grammar: Grammar
) -> Iterator[Artifact]:
    """A file for each alias, saying which record to read."""
    for alias in dict.fromkeys(aliases):
        path, now = collection.record_path(alias), collection.record_path(slug)
        yield _moved(collection.name, alias, slug, path, now, grammar)


def moved_page(was: Slice, now: Slice, number: int, grammar: Grammar) -> Artifact:
    """A page of a list of a former slug, saying which page to read."""
    return _moved(
        was.refers, was.value or "", now.value or "", was.path(number), now.path(number), grammar
    )


def _moved(name: str, alias: str, slug: str, path: str, now: str, grammar: Grammar) -> Artifact:
    links = {"self": grammar.url(path), "replaced_by": grammar.url(now)}
    data = {"collection": name, "slug": alias, "replaced_by": slug}
    return published(path, "moved", links=links, data=data)
