"""The file of each record; and for each alias, files at the former addresses of the record and of
its lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from generator.contract.artifact import Artifact, document_artifact
from generator.grammar.grammar import Collection, Grammar, Slice
from generator.model.kind import Kind, OwnerCounts
from generator.model.symbols import Symbols


def render_record(
    kind: Kind, data: Any, symbols: Symbols, summary: dict[str, Any], counts: OwnerCounts
) -> Artifact:
    """The file of a record, from its input model and its summary."""
    slug = summary["slug"]
    collection = symbols.grammar.collections[kind.collection]
    links = {"self": summary["href"], **kind.links(slug, symbols)}
    details = kind.details(data, symbols, summary, counts)
    parts: dict[str, Any] = {"links": links, "data": details}
    if symbols.updated is not None:
        parts["meta"] = {"updated_at": symbols.updated.get(kind.collection, {}).get(slug)}
    return document_artifact(collection.record_path(slug), collection.kind, **parts)


def render_moved(
    collection: Collection, slug: str, aliases: Iterable[str], grammar: Grammar
) -> Iterator[Artifact]:
    """A file for each alias that names the record's present slug."""
    for alias in dict.fromkeys(aliases):
        old_path, new_path = collection.record_path(alias), collection.record_path(slug)
        yield _moved(collection.name, alias, slug, old_path, new_path, grammar)


def render_moved_page(was: Slice, now: Slice, number: int, grammar: Grammar) -> Artifact:
    """A page of a list of an alias that names the page of the present slug's list."""
    alias, slug = was.value or "", now.value or ""
    return _moved(was.refers, alias, slug, was.path(number), now.path(number), grammar)


def _moved(
    name: str, alias: str, slug: str, old_path: str, new_path: str, grammar: Grammar
) -> Artifact:
    links = {"self": grammar.url(old_path), "replaced_by": grammar.url(new_path)}
    data = {"collection": name, "slug": alias, "replaced_by": slug}
    return document_artifact(old_path, "moved", links=links, data=data)
