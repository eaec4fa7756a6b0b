"""One file a record, whole; and one for each former slug of a record that was renamed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from generator.artifact import Artifact, document, encode
from generator.kinds.frame import Frame, Kind
from generator.query import Collection, Grammar


def record(kind: Kind, slug: str, data: Any, frame: Frame, summary: dict[str, Any]) -> Artifact:
    """The record's own file.  `data` is the input model, `summary` what lists show of it."""
    collection = frame.grammar.collections[kind.collection]
    links = {"self": frame.grammar.url(collection.record_path(slug)), **kind.links(slug, frame)}
    whole = document(collection.kind, links=links, data=kind.details(slug, data, frame, summary))
    return Artifact(collection.record_path(slug), encode(whole))


def moved(collection: Collection, slug: str, aliases: Iterable[str], grammar: Grammar) -> Iterator[Artifact]:
    """A file for each alias, saying which record to read."""
    now = grammar.url(collection.record_path(slug))
    for alias in dict.fromkeys(aliases):
        path = collection.record_path(alias)
        data = {"collection": collection.name, "slug": alias, "replaced_by": slug}
        yield Artifact(path, encode(document("moved", links={"self": grammar.url(path), "replaced_by": now}, data=data)))
