"""The fields that rows can have (`mode=rows`), and where the query tier finds their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from generator.kinds.declare import Declared, Field

#: The fields of one query, and the fields without the parameter.
MAX_FIELDS, DEFAULT_FIELDS = 8, ("name",)
#: The rows of one answer, and their number without the parameter.
MAX_ROWS, DEFAULT_ROWS = 50, 10

#: The field of queries with words that names the fields with these (generator.search.found_in).
FOUND_IN = "found_in"

#: What a field's values are: `slugs` is a sorted list, `texts` a list as the record has it, `found`
#: the list of FOUND_IN.
Type = Literal["text", "number", "boolean", "slugs", "texts", "found"]

_EVERYWHERE = ("slug", "name", "summary", "website", "href")
#: The types of fields with numbers.
NUMERIC = ("number", "integer", "year")
_TYPES: Mapping[str, Type] = {**dict.fromkeys(NUMERIC, "number"), "boolean": "boolean"}


@dataclass(frozen=True, slots=True)
class RowField:
    """A field of rows.

    `path` has the keys that lead to its value in a summary; it is empty if only the index has the
    value, in the column of this name, and for FOUND_IN.
    """

    name: str
    path: tuple[str, ...] = ()
    type: Type = "text"


def row_fields(
    declared: Declared, families: Iterable[str], through: Iterable[str] = ()
) -> dict[str, RowField]:
    """The fields of the rows of a kind by name, in a registry with these tag families; `through`
    are the filters that its records have by referring to others.
    """
    plain = {f.name: f for f in declared.listed if f.in_rows and f.is_plain and not f.many}
    known = ("slug", "href", *declared.common)
    fields = {name: RowField(name, (name,)) for name in _EVERYWHERE if name in known}
    for f in (f for f in declared.filtered if not f.is_own):
        if f.type == "tags":
            for family in families:
                path: tuple[str, ...] = () if f.name in declared.inherited else (f.name, family)
                fields[f"tag_{family}"] = RowField(f"tag_{family}", path, "slugs")
        else:
            path = (f.name,) if f.listed and f.filter == f.name else ()
            fields[f.filter] = RowField(f.filter, path, _type(f))
    for name in declared.in_order(plain, declared.rows):
        fields.setdefault(name, RowField(name, (name,), _type(plain[name])))
    for f in declared.counters:
        fields[f.path[-1]] = RowField(f.path[-1], f.path, "number")
    for f in declared.own:
        name = f.filter if f.refers else f.name
        if name and (f.listed or f.filter or f.sorts.queries):
            fields[name] = RowField(name, f.path if f.listed else (), _type(f))
    fields |= {name: RowField(name, (), "slugs") for name in through}
    return {**fields, FOUND_IN: RowField(FOUND_IN, type="found")}


def _type(f: Field) -> Type:
    if f.many:
        return "texts" if f.type in ("text", "url") else "slugs"
    return _TYPES.get(f.type, "text")
