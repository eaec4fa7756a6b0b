"""The JSON Schema of every kind of document, from the lock file, with the registry's own fields."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact, encode_json
from generator.contract.lock import document_schema, locked_schemas
from generator.contract.own_schemas import add_own_fields
from generator.grammar.paths import schema_path
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols

ADDRESSES = (schema_path("@").partition("@")[0],)


def render(settings: Settings, symbols: Symbols) -> Iterator[Artifact]:
    locked = {
        **locked_schemas(),
        "$defs": add_own_fields(locked_schemas()["$defs"], symbols.grammar),
    }
    for kind in locked["documents"]:
        path = schema_path(kind)
        # $id should be absolute (JSON Schema 2020-12 core, 8.2.1).  It is if there is a base URL.
        identifier = settings.origin + symbols.grammar.url(path)
        yield Artifact(path, encode_json(document_schema(locked, kind, identifier)))
