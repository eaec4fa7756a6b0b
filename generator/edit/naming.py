"""The places of registry.yaml that name kinds, own fields and their filters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.dialect.text_edits import Text
from generator.kinds import Kinds
from generator.kinds.models import Input
from generator.model.settings.registry import Settings
from generator.problems.faults import Loc


def references_to(data: Mapping[str, Any], settings: Settings, kind: str) -> Iterator[Loc]:
    """The values that name a collection: targets of relations, and settings."""
    for loc, field in _fields(data):
        if field.get("of") == kind:
            yield (*loc, "of")
    for name, value in _sections(data, settings):
        if value.get("of") == kind:
            yield name, "of"
    if isinstance(data.get("site"), dict) and data["site"].get("lead") == kind:
        yield "site", "lead"


def _fields(data: Mapping[str, Any]) -> Iterator[tuple[Loc, Mapping[str, Any]]]:
    """The own fields of all kinds with their places."""
    for name, of in (data.get("kinds") or {}).items():
        for key, field in (of.get("fields") or {}).items():
            yield ("kinds", name, "fields", key), field
    for name, fields in (data.get("fields") or {}).items():
        for key, field in (fields or {}).items():
            yield ("fields", name, key), field


def _sections(data: Mapping[str, Any], settings: Settings) -> Iterator[tuple[str, Any]]:
    """The parts of registry.yaml that are about the records of one collection, `of`."""
    for name, value in data.items():
        model = getattr(settings, name, None)
        if (
            isinstance(value, dict)
            and isinstance(model, Input)
            and "of" in type(model).model_fields
        ):
            yield name, value


def keys_of(data: Mapping[str, Any], kind: str) -> Iterator[Loc]:
    """The keys that name a collection."""
    guards = data.get("guards") or {}
    for loc, value in (
        (("kinds",), data.get("kinds")),
        *(((name,), data.get(name)) for name in ("nouns", "labels")),
        *((("guards", name), value) for name, value in guards.items()),
    ):
        if isinstance(value, dict) and kind in value:
            yield (*loc, kind)


def names_of_field(
    data: Mapping[str, Any], settings: Settings, collection: str, key: str
) -> Iterator[Loc]:
    """The values that name an own field of a collection."""
    own = (data.get("kinds") or {}).get(collection) or {}
    if own.get("badge") == key:
        yield "kinds", collection, "badge"
    for name, value in _sections(data, settings):
        if value.get("of", settings.kinds.counted) == collection:
            yield from ((name, at) for at, word in value.items() if at != "of" and word == key)


def rename_filters(text: Text, kinds: Kinds, renamed: Mapping[str, Mapping[str, str]]) -> None:
    """Rename filters, by collection, where registry.yaml names them: in `through` of relations, and
    in `feeds`.
    """
    for loc, field in _fields(text.data):
        names = renamed.get(field.get("of", ""), {})
        for i, name in enumerate(field.get("through") or ()):
            if name in names:
                text.replace((*loc, "through", i), names[name])
    for old, new in renamed.get(kinds.timed, {}).items():
        for i, name in enumerate(text.data.get("feeds") or ()):
            if name == old or name.startswith(f"{old}_"):
                text.replace(("feeds", i), new + name.removeprefix(old))
