"""The documents by identifier, for the schemes that `publish.by_id` names: the records that have an
identifier.  Identifiers with the same digest share a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.contract.artifact import IDENTIFIED, Artifact, document_artifact
from generator.grammar import paths
from generator.model.identifiers import digest_of
from generator.model.symbols import Symbols

ADDRESSES = (paths.identified("@", "@").partition("@")[0],)

SURFACE = IDENTIFIED


def render(
    symbols: Symbols, identified: Sequence[tuple[str, str, str, str, str]]
) -> Iterator[Artifact]:
    url, collections = symbols.grammar.url, symbols.grammar.collections
    files: dict[str, list[dict[str, str]]] = {}
    for scheme, text, name, slug, title in identified:
        entry = {"scheme": scheme, "id": text, "url": symbols.schemes[scheme].address(text)}
        entry |= {"collection": name, "slug": slug, "name": title}
        entry["href"] = url(collections[name].record_path(slug))
        files.setdefault(paths.identified(scheme, digest_of(text)), []).append(entry)
    for path, data in files.items():
        yield document_artifact(path, "identified", links={"self": url(path)}, data=data)
