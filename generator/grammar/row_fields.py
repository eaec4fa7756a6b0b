"""The fields that rows can have (`mode=rows`), and where the query tier finds their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from generator.grammar.filters import Filter
from generator.grammar.own_fields import OWN_FIELD_PREFIX, OwnField

#: The fields of one query, and the fields without the parameter.
MAX_FIELDS, DEFAULT_FIELDS = 8, ("name",)
#: The rows of one answer, and their number without the parameter.
MAX_ROWS, DEFAULT_ROWS = 50, 10

#: What a field's values are: `slugs` is a sorted list, `texts` a list as the record has it.
Type = Literal["text", "number", "boolean", "slugs", "texts"]

_EVERYWHERE = ("name", "summary", "website", "href")
#: Collection -> fields, filters among them, that summaries have under the same name.
_IN_SUMMARIES = {
    "projects": ("year", "status"),
    "programs": ("organization", "type", "kind", "year", "projects"),
    "organizations": ("category", "year", "projects", "programs"),
    "events": ("kind", "program", "organization", "starts_at", "ends_at", "starts_local",
               "ends_local", "timezone", "status", "stage", "round"),
}  # fmt: skip
#: Collection -> filters of which a record can have several values, besides tags and own fields.
_SEVERAL = {
    "projects": ("program", "organization", "organization_category", "location"),
    "programs": ("location",),
    "organizations": ("location",),
    "events": ("organization_category", "location"),
}
_NUMBERS = ("year", "team_size", "projects", "programs", "round")
_TAG = "tag_"


@dataclass(frozen=True, slots=True)
class RowField:
    """A field of rows.

    `path` has the keys that lead to its value in a summary; it is empty if only the index has the
    value, in the column of this name.
    """

    name: str
    path: tuple[str, ...] = ()
    type: Type = "text"


def row_fields(
    collection: str, filters: Mapping[str, Filter], own: Mapping[str, OwnField]
) -> dict[str, RowField]:
    """The fields of a collection by name."""
    own_fields = {field.name: field for field in _own_fields(own)}
    listed = _IN_SUMMARIES[collection]
    names = (*_EVERYWHERE, *(name for name in filters if name not in own_fields), *listed)
    return {name: _field(name, collection) for name in names} | own_fields


def _field(name: str, collection: str) -> RowField:
    if name.startswith(_TAG):
        if collection == "events":  # its program's too, which summaries do not have
            return RowField(name, (), "slugs")
        return RowField(name, ("tags", name.removeprefix(_TAG)), "slugs")
    in_summary = name in _EVERYWHERE or name in _IN_SUMMARIES[collection]
    path = (name,) if in_summary else ()
    if name in _SEVERAL.get(collection, ()):
        return RowField(name, path, "slugs")
    return RowField(name, path, "number" if name in _NUMBERS else "text")


def _own_fields(own: Mapping[str, OwnField]) -> Iterator[RowField]:
    for key, field in own.items():
        if field.summary or field.filter or field.sort:
            path = ("fields", key) if field.summary else ()
            yield RowField(f"{OWN_FIELD_PREFIX}{key}", path, _own_type(field))


def _own_type(field: OwnField) -> Type:
    if field.many:
        return "slugs" if field.type == "choice" else "texts"
    if field.type == "number" or field.type == "boolean":
        return field.type
    return "text"
