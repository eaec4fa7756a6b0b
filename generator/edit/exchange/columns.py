"""The fields of a kind's records as columns of a table, and their values as cells of text.

A column has one field, or one part of a field: `tags.topic`, `links.github`, `fields.funding`,
`locations.city`.  A cell is the value as text; that of several values has them with `|` between,
where `\\` before a `|` or a `\\` makes it a part of the text.  Text that a spreadsheet would take
for a formula, and text that begins with an apostrophe, has an apostrophe before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from generator.dialect.values import ORDER, PLACE
from generator.grammar.text import SLUG
from generator.model.fields import KEY, TEXT, URL, Date, Record
from generator.model.kinds import KINDS, REFERENCES
from generator.model.kinds.event import TIMES
from generator.model.models import UNIONS, Limits
from generator.model.settings.own_fields import declared
from generator.model.settings.registry import Settings

SEPARATOR = "|"
#: What spreadsheets take for the begin of a formula, in any script's width, and the apostrophe.
_STEERING = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'"
_SHAPES = {f"^{SLUG}$": "slug", URL: "url", TEXT: "text"}

Loc = tuple[str, ...]


class Column(NamedTuple):
    """One column: the place of its value in a record, and what that is.

    `shape` is slug, line, text, url, integer, number, boolean or place.  What it can be is in
    `known`, slug -> label, or the slugs of the collection `of`; `where` says in words where that
    is.  `dated` columns take a date, or the year of one.
    """

    name: str
    loc: Loc
    shape: str
    many: bool = False
    known: Mapping[str, str] | None = None
    of: str = ""
    where: str = ""
    dated: bool = False


def columns(collection: str, settings: Settings) -> dict[str, Column]:
    """Every column of a collection but those of links, in the order in which fields are written."""
    hints = get_type_hints(KINDS[collection].model, include_extras=True)
    named = {"slug": Column("slug", ("slug",), "slug")}
    for name in (name for name in ORDER if name in hints):
        some = _BRANCHES[name](settings, collection) if name in _BRANCHES else [
            _plain(collection, name, hints[name], settings)
        ]  # fmt: skip
        named |= {column.name: column for column in some}
    return named


def link(name: str) -> Column | None:
    """The column of a link, where the name is that of one."""
    head, _, key = name.partition(".")
    return Column(name, (head, key), "url") if head == "links" and re.fullmatch(KEY, key) else None


def _plain(collection: str, name: str, hint: Any, settings: Settings) -> Column:
    shape, many, words = _shape(hint)
    known: Mapping[str, str] | None = None
    where = f"the values of {name}"
    if words:
        labels = KINDS[collection].fixed.get(name, {})
        known = {word: labels.get(word, word) for word in words}
    elif name == "category":
        known, where = settings.organization_categories or {}, "organization_categories"
    elif name == "type":
        known, where = settings.program_types or {}, "program_types"
    of = REFERENCES[collection].get(name, "")
    times = chain.from_iterable(TIMES.values()) if collection == "events" else ()
    dated = name == "year" or name in times or _is_date(hint)
    return Column(name, (name,), shape, many, known, of, f"the {of}" if of else where, dated)


def _is_date(hint: Any) -> bool:
    return hint == Date or (get_origin(hint) in UNIONS and Date in get_args(hint))


def _tags(settings: Settings, collection: str) -> Iterator[Column]:
    for family, words in settings.families.items():
        where = f"tag_families.{family}.tags" if words.tags is not None else "tags in use"
        yield Column(f"tags.{family}", ("tags", family), "slug", True, words.tags, "", where)


def _places(settings: Settings, collection: str) -> Iterator[Column]:
    yield Column("locations", ("locations",), "place", True)
    for part in PLACE:
        yield Column(f"locations.{part}", ("locations", part), "line", True)


def _links(settings: Settings, collection: str) -> Iterator[Column]:
    yield from ()


def _own(settings: Settings, collection: str) -> Iterator[Column]:
    shapes = {"text": "line", "date": "line", "choice": "slug"}
    for key, own in declared(settings.fields).get(collection, {}).items():
        shape, where = shapes.get(own.type, own.type), f"fields.{collection}.{key}.values"
        known = own.values or None
        dated = own.type == "date"
        yield Column(f"fields.{key}", ("fields", key), shape, own.many, known, "", where, dated)


_BRANCHES = {"tags": _tags, "locations": _places, "links": _links, "fields": _own}


def _shape(hint: Any) -> tuple[str, bool, tuple[str, ...]]:
    """The shape of a type, whether it is that of a list, and the words that it can be."""
    if get_origin(hint) in UNIONS:
        hint = next(one for one in get_args(hint) if one is not NoneType)
    marks: tuple[Any, ...] = ()
    while get_origin(hint) is Annotated:
        marks += hint.__metadata__
        hint = hint.__origin__
    if get_origin(hint) is list:
        return _shape(get_args(hint)[0])[0], True, ()
    if get_origin(hint) is Literal:
        return "slug", False, get_args(hint)
    if hint in (int, bool):
        return "integer" if hint is int else "boolean", False, ()
    patterns = [m.pattern for m in marks if isinstance(m, Limits)]
    return next((_SHAPES[str(p)] for p in patterns if p in _SHAPES), "line"), False, ()


# --- cells ----------------------------------------------------------------------------------------


def cell(value: Any) -> str:
    """A value as the text of a cell; nothing for what says nothing."""
    if value is None or value == []:
        return ""
    if isinstance(value, list):
        return guarded(SEPARATOR.join(map(_escaped, value)))
    return guarded(value) if isinstance(value, str) else json.dumps(value)


def _escaped(item: Any) -> str:
    text = "" if item is None else item if isinstance(item, str) else json.dumps(item)
    return text.replace("\\", "\\\\").replace(SEPARATOR, f"\\{SEPARATOR}")


def split(text: str) -> list[str]:
    """The items of a cell of several values, as `cell` has them."""
    items, item, steps = [], "", iter(text)
    for c in steps:
        if c == SEPARATOR:
            items.append(item)
            item = ""
        else:
            item += next(steps, c) if c == "\\" else c
    return [*items, item]


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula; the empty text is an apostrophe alone."""
    return f"'{text}" if text[:1] in _STEERING else text


def unguarded(text: str) -> str:
    """What `guarded` was of."""
    return text[1:] if text[:1] == "'" and text[1:2] in _STEERING else text


# --- records --------------------------------------------------------------------------------------


def cells_of(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The columns of a record that says something, each with its value."""
    for name, value in data.items():
        if name == "locations":
            for part in PLACE:
                parts = [place.get(part) for place in value]
                if any(parts):
                    yield f"{name}.{part}", parts
        elif isinstance(value, dict):
            yield from ((f"{name}.{key}", inner) for key, inner in value.items())
        else:
            yield name, value


def meaning(record: Record) -> dict[str, Any]:
    """What a record says, its fields in the order in which they are written, parts of a field in
    that of their names; what is not there, and lists of nothing, are left out.
    """
    held = record.model_dump(exclude_none=True)
    said = {name: _said(held[name]) for name in ORDER if name in held}
    return {name: value for name, value in said.items() if value not in ([], {})}


def _said(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: value[key] for key in sorted(value) if value[key] != []}
