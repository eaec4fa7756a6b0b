"""The JSON Schema of every kind of document, from the lock file."""

from __future__ import annotations

from collections.abc import Iterator

from generator.api.artifact import Artifact, encode
from generator.api.paths import schema_path
from generator.records.settings import Settings
from generator.records.symbols import Symbols
from generator.schema.lock import document_schema, lock


def render(settings: Settings, symbols: Symbols) -> Iterator[Artifact]:
    for kind in lock()["documents"]:
        path = schema_path(kind)
        # An identifier should be absolute (JSON Schema 2020-12 core, 8.2.1); it is where the
        # registry says where it lives.
        yield Artifact(
            path, encode(document_schema(lock(), kind, settings.origin + symbols.grammar.url(path)))
        )
