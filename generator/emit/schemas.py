"""The JSON Schema of every kind of document, from the lock file."""

from __future__ import annotations

from collections.abc import Iterator

from generator.artifact import Artifact, encode
from generator.kinds.frame import Frame
from generator.query import schema_path
from generator.schema import document_schema, lock
from generator.settings import Settings


def render(settings: Settings, frame: Frame) -> Iterator[Artifact]:
    for kind in lock()["documents"]:
        path = schema_path(kind)
        # An identifier should be absolute (JSON Schema 2020-12 core, 8.2.1); it is where the registry says where it lives.
        yield Artifact(path, encode(document_schema(lock(), kind, settings.origin + frame.grammar.url(path))))
