"""The columns of a table of records, and their values as cells of text.

A column is a field or a part of a field: `tags.topic`, `links.github`, `fields.funding`,
`locations.city`, `identifiers.ror`.  A cell with several values separates them by `|`; a `|` or
`\\` in a value is written with a `\\` before it.  An apostrophe precedes text that a
spreadsheet would take for a formula, and text that begins with an apostrophe.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from generator.dialect.values import ORDER, PLACE_ORDER
from generator.kinds.models import UNIONS, Limits
from generator.kinds.types import KEY, SCHEME, TEXT, URL, Date, Record
from generator.model.kinds import KINDS, REFERENCES
from generator.model.kinds.event import TIME_FIELDS
from generator.model.settings.own_fields import declared_fields
from generator.model.settings.registry import Settings
from generator.text.words import SLUG

SEPARATOR = "|"
#: First characters of formulas in spreadsheets, also in full width, and the apostrophe.
_FORMULA_STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'"
_SHAPES = {f"^{SLUG}$": "slug", URL: "url", TEXT: "text"}
_OWN_SHAPES = {"text": "line", "date": "line", "choice": "slug"}

Loc = tuple[str, ...]


class Column(NamedTuple):
    """A column: the path of its value in a record (`loc`), and the type of the value.

    `shape` is slug, line, text, url, integer, number, boolean or place; `many` is set for a list.
    Allowed values are in `allowed_values`, slug -> label, or are the slugs of the collection `of`;
    `where` names the place of these values for messages.  `dated` columns take a date, or its year.
    """

    loc: Loc
    shape: str
    many: bool = False
    allowed_values: Mapping[str, str] | None = None
    of: str = ""
    where: str = ""
    dated: bool = False

    @property
    def name(self) -> str:
        return ".".join(self.loc)


def columns(collection: str, settings: Settings) -> dict[str, Column]:
    """Name -> column, in the order of the fields.  Links and identifiers have a column per
    name: see `named`.
    """
    hints = get_type_hints(KINDS[collection].model, include_extras=True)
    result = [Column(("slug",), "slug")]
    for name in (name for name in ORDER if name in hints):
        if name == "tags":
            for family, words in settings.families.items():
                where = f"tag_families.{family}.tags" if words.tags is not None else "tags in use"
                result.append(Column((name, family), "slug", True, words.tags, "", where))
        elif name == "locations":
            result.append(Column((name,), "place", True))
            result += (Column((name, part), "line", True) for part in PLACE_ORDER)
        elif name == "fields":
            for key, own in declared_fields(settings.fields).get(collection, {}).items():
                shape = _OWN_SHAPES.get(own.type, own.type)
                known, where = own.values or None, f"fields.{collection}.{key}.values"
                dated = own.type == "date"
                result.append(Column((name, key), shape, own.many, known, "", where, dated))
        elif name not in ("links", "identifiers"):
            result.append(_column(collection, name, hints[name], settings))
    return {column.name: column for column in result}


def named(name: str) -> Column | None:
    """The column of a name like `links.github` or `identifiers.ror`; None for other names."""
    head, _, key = name.partition(".")
    if head == "identifiers" and re.fullmatch(SCHEME, key):
        return Column((head, key), "line", True)
    return Column((head, key), "url") if head == "links" and re.fullmatch(KEY, key) else None


def _column(collection: str, name: str, hint: Any, settings: Settings) -> Column:
    shape, many, words = _shape(hint)
    known: Mapping[str, str] | None = None
    where = f"the values of {name}"
    if words:
        labels = KINDS[collection].fixed_labels.get(name, {})
        known = {word: labels.get(word, word) for word in words}
    elif name == "category":
        known, where = settings.organization_categories or {}, "organization_categories"
    elif name == "type":
        known, where = settings.program_types or {}, "program_types"
    elif name == "stage":
        known, where = settings.event_stages or {}, "event_stages"
    of = REFERENCES[collection].get(name, "")
    times = chain.from_iterable(TIME_FIELDS.values()) if collection == "events" else ()
    is_date = hint == Date or (get_origin(hint) in UNIONS and Date in get_args(hint))
    dated = name == "year" or name in times or is_date
    return Column((name,), shape, many, known, of, f"the {of}" if of else where, dated)


def _shape(hint: Any) -> tuple[str, bool, tuple[str, ...]]:
    """The shape of an annotated type, whether it is a list, and the words of a Literal."""
    if get_origin(hint) in UNIONS:
        hint = next(inner for inner in get_args(hint) if inner is not NoneType)
    metadata: tuple[Any, ...] = ()
    while get_origin(hint) is Annotated:
        metadata += hint.__metadata__
        hint = hint.__origin__
    if get_origin(hint) is list:
        return _shape(get_args(hint)[0])[0], True, ()
    if get_origin(hint) is Literal:
        return "slug", False, get_args(hint)
    if hint in (int, bool):
        return "integer" if hint is int else "boolean", False, ()
    patterns = [m.pattern for m in metadata if isinstance(m, Limits)]
    return next((_SHAPES[str(p)] for p in patterns if p in _SHAPES), "line"), False, ()


# --- cells ----------------------------------------------------------------------------------------


def format_cell(value: Any, number: str = ".") -> str:
    """A value as the text of a cell, with this decimal mark; "" for None and an empty list."""
    if value is None or value == []:
        return ""
    if isinstance(value, float):
        return json.dumps(value).replace(".", number)
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


def plain_data(record: Record) -> dict[str, Any]:
    """A record's data without empty values: fields in their order, parts of a field by name."""
    data = record.model_dump(exclude_none=True)
    result = {}
    for name in ORDER:
        value = data.get(name)
        if isinstance(value, dict):
            value = {key: value[key] for key in sorted(value) if value[key] != []}
        if value not in (None, [], {}):
            result[name] = value
    return result
