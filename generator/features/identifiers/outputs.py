"""The documents by identifier, for the schemes that `publish.by_id` names: the records that have an
identifier.  Identifiers with the same digest share a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.contract.artifact import Artifact, document_artifact
from generator.features.identifiers.addresses import SURFACE, identified
from generator.features.identifiers.schemes import digest_of, schemes_of
from generator.model.symbols import Symbols
from generator.model.tables.table import Table

__all__ = ["ADDRESSES", "SURFACE", "render"]

ADDRESSES = (identified("@", "@").partition("@")[0],)


def render(symbols: Symbols, tables: Mapping[str, Table]) -> Iterator[Artifact]:
    url, schemes = symbols.grammar.url, schemes_of(symbols)
    published = symbols.grammar.asked.get("by_id") or ()
    found = sorted(
        (scheme, text, name, row.slug, row.name)
        for name, table in (tables if published else {}).items()
        for row in table
        if "identifiers" in row.extras
        for scheme, text in row.extras["identifiers"]
        if scheme in published
    )
    files: dict[str, list[dict[str, str]]] = {}
    for scheme, text, collection, slug, name in found:
        entry = {"scheme": scheme, "id": text, "url": schemes[scheme].address(text)}
        entry |= {"collection": collection, "slug": slug, "name": name}
        entry["href"] = url(symbols.grammar.collections[collection].record_path(slug))
        path = identified(scheme, digest_of(text))
        files.setdefault(path, []).append(entry)
    for path, data in files.items():
        yield document_artifact(path, "identified", links={"self": url(path)}, data=data)
