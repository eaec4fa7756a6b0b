"""build.json: when, from what and by what this was built.  Only this file may differ between two
builds of the same content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator import __version__
from generator.contract.artifact import Artifact, BuildInfo, document_artifact
from generator.grammar.paths import BUILD
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts

ADDRESSES = (BUILD,)


def render(symbols: Symbols, counts: Mapping[str, Counts], info: BuildInfo) -> Iterator[Artifact]:
    data = {
        "generated_at": info.generated_at,
        "as_of": info.as_of.isoformat(),
        "revision": info.revision,
        "generator": {"name": "registry-generator", "version": __version__},
        "counts": {name: c.total for name, c in counts.items()},
        "content_digest": info.content_digest,
    }
    links = {"self": symbols.grammar.url(BUILD)}
    yield document_artifact(BUILD, "build", links=links, **data)
