"""The tables of data files: for each collection the columns, and the row of each record.

A table is a function of the record files of the API: a row has the values of one record, under
names that `mode=rows` has too (`tag_<family>`, `field_<key>`).  Records that a record refers to are
named by their slugs.  Counts of the records of a program or an organization by filter are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.contract.lock import locked_schemas
from generator.kinds import KINDS
from generator.kinds.declare import OWN_FIELD_PREFIX
from generator.kinds.every import REFERENCES, REFERRED, STREAMED
from generator.model.settings.own_fields import declared_fields
from generator.model.settings.registry import Settings

#: The collections, those that others refer to first.
TABLES = (*reversed(REFERRED), *STREAMED)
_FIRST = ("slug", "name", "summary", "website")
_FORMATS = {"date": "date", "date-time": "datetime"}
#: The types of own fields, if a column has another word.
_OWN = {"text": "string", "url": "string", "choice": "string"}
#: The members of objects that a record has by key, the key first.
_MEMBERS = {"links": ("name", "url"), "identifiers": ("scheme", "id", "url")}


class Column(NamedTuple):
    """A column: `path` has the keys that lead to its value in a record.

    `type` is a word of Table Schema: string, integer, number, boolean, date or datetime.  With
    `many` the value is a list of these; with `members` a list of objects that have these texts.
    `refers` is the collection whose slugs the values are.
    """

    name: str
    path: tuple[str, ...]
    type: str = "string"
    many: bool = False
    members: tuple[str, ...] = ()
    refers: str | None = None
    description: str = ""


def table_columns(collection: str, settings: Settings) -> list[Column]:
    """The columns of a collection; `slug`, the key, is the first."""
    definitions = locked_schemas()["$defs"]
    properties = definitions[f"{KINDS[collection].kind.capitalize()}Record"]["properties"]
    own = declared_fields(settings.fields).get(collection, {})
    columns: dict[str, Column] = {}
    for name, shape in properties.items():
        if name == "tags":
            for family, declared in settings.families.items():
                key = f"tag_{family}"
                columns[key] = Column(key, (name, family), many=True, description=declared.label)
        elif name == "fields":
            for key, field in own.items():
                columns[OWN_FIELD_PREFIX + key] = Column(
                    OWN_FIELD_PREFIX + key, (name, key), _OWN.get(field.type, field.type),
                    field.many, description=field.label_with_unit,
                )  # fmt: skip
        elif name != "breakdown":
            refers = REFERENCES[collection].get(name)
            columns[name] = _column(name, shape, definitions, refers)
    first = [columns.pop(name) for name in _FIRST]
    return [*first, *columns.values()]


def _column(
    name: str, shape: Mapping[str, Any], models: Mapping[str, Any], refers: str | None
) -> Column:
    """The column of a property of a JSON Schema."""
    column = Column(name, (name,), refers=refers, description=shape["description"])
    # The schema of a value that is not null.
    kind = next(kind for kind in shape.get("anyOf", [shape]) if kind.get("type") != "null")
    if name in _MEMBERS:
        return column._replace(many=True, members=_MEMBERS[name])
    if kind.get("type") == "array":
        item = models.get(kind["items"].get("$ref", "").rpartition("/")[2], {})
        members = () if refers else tuple(item.get("properties", ()))
        return column._replace(many=True, members=members)
    written_as = kind.get("type", "string")
    return column._replace(type=_FORMATS.get(kind.get("format", ""), written_as))


def row(record: Mapping[str, Any], columns: list[Column]) -> list[Any]:
    """The values of a record, as in its file, by column: None, plain values and lists."""
    return [_value(record, column) for column in columns]


def _value(record: Mapping[str, Any], column: Column) -> Any:
    value: Any = record
    for key in column.path:
        value = value.get(key)
        if value is None:
            return [] if column.many else None
    if column.refers:
        return [one["slug"] for one in value] if column.many else value["slug"]
    return _objects(value, column) if column.members else value


def _objects(value: Any, column: Column) -> list[dict[str, Any]]:
    """The items of a column with members.  Those of an object have its keys as first members."""
    key, *others = column.members
    if isinstance(value, dict):
        pairs = {k: v if isinstance(v, list) else [{others[0]: v}] for k, v in value.items()}
        value = [{key: name, **item} for name, items in pairs.items() for item in items]
    return [{member: item[member] for member in column.members} for item in value]
