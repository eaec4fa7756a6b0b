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
from generator.kinds.declare import Field
from generator.kinds.every import REFERRED, STREAMED
from generator.model.settings.own_fields import declared_fields
from generator.model.settings.registry import Settings

#: The collections, those that others refer to first.
TABLES = (*reversed(REFERRED), *STREAMED)
_FIRST = ("slug", "name", "summary", "website")
#: Type of a field -> the type of its column; of others, string.
_TYPES = {
    "number": "integer", "year": "integer", "boolean": "boolean", "date": "date",
    "instant": "datetime",
}  # fmt: skip
#: Type of a field -> the members of the objects that a record has; of an object, first its keys.
_MEMBERS = {
    "links": ("name", "url"),
    "places": ("country", "region", "city", "slug"),
}


class TableColumn(NamedTuple):
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


def table_columns(collection: str, settings: Settings) -> list[TableColumn]:
    """The columns of a collection, in the order of its schema; `slug`, the key, is the first."""
    kind = KINDS[collection]
    shape = locked_schemas()["$defs"][f"{kind.kind.capitalize()}Record"]["properties"]
    names = [name for name in shape if name not in _FIRST]
    columns: list[TableColumn] = []
    for name in (*_FIRST, *names):
        field = kind.fields.get(name)
        if field is None:
            columns.append(TableColumn(name, (name,), description=shape[name]["description"]))
        elif field.type == "tags":
            for family, declared in settings.families.items():
                path = (name, family)
                column = TableColumn(
                    f"tag_{family}", path, "string", True, (), None, declared.label
                )
                columns.append(column)
        elif field.type == "own":
            own = declared_fields(settings.fields).get(collection, {})
            columns += map(_column, own.values())
        elif field.type != "breakdown":
            columns.append(_column(field))
    return columns


def _column(field: Field) -> TableColumn:
    members = field.added.members if field.added else _MEMBERS.get(field.type, ())
    return TableColumn(
        field.attribute,
        field.path,
        "number" if field.own and field.type == "number" else _TYPES.get(field.type, "string"),
        field.many or bool(members),
        members,
        field.refers or None,
        field.label_with_unit if field.own else field.words.text,
    )


def row(record: Mapping[str, Any], columns: list[TableColumn]) -> list[Any]:
    """The values of a record, as in its file, by column: None, plain values and lists."""
    return [_value(record, column) for column in columns]


def _value(record: Mapping[str, Any], column: TableColumn) -> Any:
    value: Any = record
    for key in column.path:
        value = value.get(key)
        if value is None:
            return [] if column.many else None
    if column.refers:
        return [one["slug"] for one in value] if column.many else value["slug"]
    return _objects(value, column) if column.members else value


def _objects(value: Any, column: TableColumn) -> list[dict[str, Any]]:
    """The items of a column with members.  Those of an object have its keys as first members."""
    key, *others = column.members
    if isinstance(value, dict):
        pairs = {k: v if isinstance(v, list) else [{others[0]: v}] for k, v in value.items()}
        value = [{key: name, **item} for name, items in pairs.items() for item in items]
    return [{member: item[member] for member in column.members} for item in value]
