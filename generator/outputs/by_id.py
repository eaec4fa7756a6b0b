"""The documents by identifier, for the schemes that `publish.by_id` names: the records that have an
identifier.  Identifiers with the same digest share a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.contract.artifact import IDENTIFIED, Artifact, Identified, document_artifact
from generator.grammar import paths
from generator.model.identifiers import digest_of
from generator.model.symbols import Symbols

ADDRESSES = (paths.identified("@", "@").partition("@")[0],)

SURFACE = IDENTIFIED


def render(symbols: Symbols, identified: Sequence[Identified]) -> Iterator[Artifact]:
    url, collections = symbols.grammar.url, symbols.grammar.collections
    files: dict[str, list[dict[str, str]]] = {}
    for record in identified:
        entry = {"scheme": record.scheme, "id": record.id}
        entry["url"] = symbols.schemes[record.scheme].address(record.id)
        entry |= {"collection": record.collection, "slug": record.slug, "name": record.name}
        entry["href"] = url(collections[record.collection].record_path(record.slug))
        path = paths.identified(record.scheme, digest_of(record.id))
        files.setdefault(path, []).append(entry)
    for path, data in files.items():
        yield document_artifact(path, "identified", links={"self": url(path)}, data=data)
