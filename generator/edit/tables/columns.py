"""The columns of a table of records, and their values as cells of text.

A column is a field or a part of a field: `tags.topic`, `links.github`, `fields.funding`,
`locations.city`.  A cell with several values separates them by `|`; a `|` or
`\\` in a value is written with a `\\` before it.  An apostrophe precedes text that a
spreadsheet would take for a formula, and text that begins with an apostrophe.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from generator.dialect.values import PLACE_ORDER
from generator.kinds import Kinds
from generator.kinds.declare import Field
from generator.kinds.models import dump
from generator.kinds.record import Record
from generator.kinds.types import KEY
from generator.model.settings.registry import Settings
from generator.text.numbers import in_digits

SEPARATOR = "|"
#: First characters of formulas in spreadsheets, also in full width, and the apostrophe.
_FORMULA_STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'"
#: Type of a field -> the shape of its cells; of others, a line.
_SHAPES = {
    "slug": "slug", "choice": "slug", "prose": "text", "url": "url", "boolean": "boolean",
    "number": "number", "integer": "integer", "year": "integer",
}  # fmt: skip

Loc = tuple[str, ...]


class CellColumn(NamedTuple):
    """A column: the path of its value in a record (`loc`), and the type of the value.

    `shape` is slug, line, text, url, integer, number, boolean or place; `many` is set for a list.
    Allowed values are in `allowed_values`, slug -> label, or are the slugs of the collection `of`;
    `where` names the place of these values for messages.  `dated` columns take a date, or its year;
    `unit` may be beside a number.  Without `is_list` one of `many` values stands alone.  A `free`
    column takes any slugs.  `label` is that of a tag family or of an own field.
    """

    loc: Loc
    shape: str
    many: bool = False
    allowed_values: Mapping[str, str] | None = None
    of: str = ""
    where: str = ""
    dated: bool = False
    unit: str = ""
    is_list: bool = True
    free: bool = False
    label: str = ""

    @property
    def name(self) -> str:
        return ".".join(self.loc)


def columns(
    collection: str, settings: Settings, kinds: Kinds | None = None
) -> dict[str, CellColumn]:
    """Name -> column, in the order of fields, without those by key: see `named`.

    `kinds` are those of the registry, if they are not given.
    """
    kinds = kinds or settings.kinds
    kind = kinds[collection]
    result = [CellColumn(("slug",), "slug")]
    for field in map(kind.written.__getitem__, kind.in_order(kind.written, kinds.written)):
        if field.type == "tags":
            for family, words in settings.families.items():
                where = f"tag_families.{family}.tags" if words.tags is not None else "tags in use"
                result.append(CellColumn((field.name, family), "slug", True, words.tags,
                                         where=where, label=words.label))  # fmt: skip
        elif field.type == "places":
            result.append(CellColumn((field.name,), "place", True))
            result += (CellColumn((field.name, part), "line", True) for part in PLACE_ORDER)
        elif not field.is_keyed:
            known, where = field.values or None, f"the values of {field.name}"
            if field.is_own:
                of = f"kinds.{collection}.fields" if kind.is_own else f"fields.{collection}"
                where = f"{of}.{field.path[-1]}.values"
            if field.vocabulary:
                where = field.vocabulary.setting
                known = getattr(settings, where) or {}
            result.append(_column(field, known, f"the {field.refers}" if field.refers else where))
    return {column.name: column for column in result}


def values_place(column: CellColumn) -> Loc:
    """The place in registry.yaml of the allowed values of a column; () if it declares none."""
    declares = column.allowed_values is not None and " " not in column.where
    return tuple(column.where.split(".")) if declares else ()


def named(name: str, kinds: Kinds) -> CellColumn | None:
    """The column of a name like `links.github`; None for other names."""
    head, _, key = name.partition(".")
    added = kinds.added_keyed.get(head)
    if added is not None and re.fullmatch(added.pattern, key):
        return CellColumn((head, key), "line", True, is_list=False)
    return CellColumn((head, key), "url") if head == "links" and re.fullmatch(KEY, key) else None


def _column(field: Field, known: Mapping[str, str] | None, where: str) -> CellColumn:
    shape, dated = _SHAPES.get(field.type, "line"), field.type in ("year", "date", "time")
    free = field.is_own and shape == "slug" and not field.refers and known is None
    return CellColumn(field.place, shape, field.many, known, field.refers, where, dated, field.unit,
                      free=free, label=field.label if field.is_own else "")  # fmt: skip


# --- cells ----------------------------------------------------------------------------------------


def format_cell(value: Any, number: str = ".") -> str:
    """A value as the text of a cell, with this decimal mark; "" for None and an empty list."""
    if value is None or value == []:
        return ""
    if isinstance(value, float):
        return in_digits(value).replace(".", number)
    if isinstance(value, list):
        return escape_formula(SEPARATOR.join(map(_escaped, value)))
    return escape_formula(value) if isinstance(value, str) else json.dumps(value)


def _escaped(item: Any) -> str:
    text = "" if item is None else item if isinstance(item, str) else json.dumps(item)
    return text.replace("\\", "\\\\").replace(SEPARATOR, f"\\{SEPARATOR}")


def split_cell(text: str) -> list[str]:
    """The items of a cell with several values: the inverse of `format_cell`."""
    items, item, characters = [], "", iter(text)
    for c in characters:
        if c == SEPARATOR:
            items.append(item)
            item = ""
        else:
            item += next(characters, c) if c == "\\" else c
    return [*items, item]


def escape_formula(text: str) -> str:
    """A text that no spreadsheet takes for a formula; an empty text becomes an apostrophe."""
    return f"'{text}" if text[:1] in _FORMULA_STARTS else text


def unescape_formula(text: str) -> str:
    """The text before `escape_formula`."""
    return text[1:] if text[:1] == "'" and text[1:2] in _FORMULA_STARTS else text


# --- records --------------------------------------------------------------------------------------


def column_values(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """(column name, value) of the fields of a record's data."""
    for name, value in data.items():
        if name == "locations":
            for part in PLACE_ORDER:
                parts = [place.get(part) for place in value]
                if any(parts):
                    yield f"{name}.{part}", parts
        elif isinstance(value, dict):
            yield from ((f"{name}.{key}", inner) for key, inner in value.items())
        else:
            yield name, value


def plain_data(record: Record, collection: str, kinds: Kinds) -> dict[str, Any]:
    """A record's data without empty values: fields in their order, parts of a field by name."""
    data = dump(record)
    result = {}
    for name in dict.fromkeys((*kinds.written, *(f.place[0] for f in kinds[collection].own))):
        value = data.get(name)
        if isinstance(value, dict):
            value = {key: value[key] for key in sorted(value) if value[key] != []}
        if value not in (None, [], {}):
            result[name] = value
    return result
