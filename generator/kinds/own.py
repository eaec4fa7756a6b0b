"""What registry.yaml declares of kinds: own fields, own kinds, relations, and kinds left out.

All of it is plain data, which this module makes fields and kinds of; `kinds.rules` has the rules
that it follows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, get_args

from generator.kinds.declare import (
    COUNTS,
    OWN_FIELD_PREFIX,
    OWN_FIELDS,
    Apart,
    Declared,
    Field,
    Filtered,
    Label,
    Listed,
    Searched,
    Sorted,
    Words,
)
from generator.kinds.record import Record
from generator.kinds.types import Names, Year

#: The types of own fields; those whose filters have prepared pages; those with ranges and sorts;
#: those that can be lists.
OwnType = Literal["text", "number", "boolean", "date", "url", "choice", "money", "record"]
OWN_TYPES: tuple[OwnType, ...] = get_args(OwnType)
PAGED_TYPES, RANGE_TYPES, LIST_TYPES = (
    ("choice", "boolean"),
    ("number", "money", "date"),
    ("text", "url", "choice", "record"),
)
#: The largest number that is exact in all JSON parsers (RFC 8259 section 6).
MAX_NUMBER = 1 << 53

#: The settings of an own field in registry.yaml and in index.json, with their defaults; those that
#: only fields of some types have.
OWN_SETTINGS: Mapping[str, Any] = {
    "label": "", "type": "text", "many": False, "unit": None, "summary": False, "filter": False,
    "sort": False, "required": False, "values": {},
}  # fmt: skip
_OF_TYPES: Mapping[str, Mapping[str, Any]] = {
    "money": {"currency": ""},
    "record": {"of": "", "reverse": "", "through": []},
}
#: What records of own kinds may have besides what all have, and what they have by default.
Part = Literal["tags", "locations", "website", "logo", "year"]
HAS: tuple[Part, ...] = get_args(Part)
DEFAULT_HAS: tuple[Part, ...] = ("website", "tags")
#: The settings of an own kind in registry.yaml, with their defaults.
KIND_SETTINGS: Mapping[str, Any] = {
    "one": "", "nouns": {}, "has": [*DEFAULT_HAS], "badge": "", "schema_org": "Thing",
    "contexts": False, "retired": "", "fields": {},
}  # fmt: skip


def field_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a field; those that are empty have their defaults."""
    known = {**OWN_SETTINGS, **_OF_TYPES.get(given.get("type") or "", {})}
    found = {name: given.get(name) or default for name, default in known.items()}
    return found | ({"retired": given["retired"]} if given.get("retired") else {})


def kind_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a kind, as `field_settings`; a kind may have nothing of HAS."""
    found = {name: given.get(name) or default for name, default in KIND_SETTINGS.items()}
    if isinstance(given.get("has"), list):
        found["has"] = given["has"]
    return found | {"fields": {k: field_settings(f) for k, f in found["fields"].items()}}


def kind_name(one: str) -> str:
    """The kind in documents, of the singular in registry.yaml."""
    return one.replace("-", "_")


def filter_of(settings: Mapping[str, Any], kind_of: Mapping[str, str]) -> str:
    """The name of the filter of a relation: that of the kind that it is of, if none is named."""
    return kind_of[settings["of"]] if settings["filter"] is True else settings["filter"] or ""


def own_field(
    key: str, settings: Mapping[str, Any], kind_of: Mapping[str, str], *, top: bool = False
) -> Field:
    """A field that registry.yaml declares with these settings (`field_settings`).  With `top` files
    have it at their top: it is that of an own kind.
    """
    name, of, label = (
        key if top else f"{OWN_FIELD_PREFIX}{key}",
        settings["type"],
        settings["label"],
    )
    unit = settings["currency"] if of == "money" else settings["unit"] or ""
    until = f" (until {settings['retired']})" if settings.get("retired") else ""
    ranged, filter_ = of in RANGE_TYPES, ""
    if of == "record":
        filter_ = filter_of(settings, kind_of)
    elif settings["filter"] and of in PAGED_TYPES + RANGE_TYPES:
        filter_ = name
    return Field(
        name,
        {"money": "number", "record": "slug"}.get(of, of),
        label,
        settings["many"],
        unit,
        settings["summary"],
        filter=filter_,
        filter_also=key.replace("_", " ") if of == "record" and filter_ not in ("", key) else "",
        prepared=not ranged,
        ranged=ranged and bool(settings["filter"]),
        sorts=Sorted("", f"-{name} {name}") if settings["sort"] and ranged else Sorted(),
        required=settings["required"],
        values=settings["values"],
        searched=2 if of == "record" or (of == "choice" and top) else 0,
        refers=settings["of"] if of == "record" else "",
        words=Words((f"{label} ({unit})" if unit else label) + until),
        drawn=settings["summary"],
        path=(OWN_FIELDS, key),
        place=(key,) if top else (),
        currency=settings["currency"] if of == "money" else "",
        reverse=settings["reverse"] if of == "record" else "",
        through=tuple(settings["through"]) if of == "record" else (),
        retired=settings.get("retired", ""),
    )


def counter(key: str, label: str) -> Field:
    """The field with the number of records that refer to one, below `counts` in documents."""
    words = Words(f"How many {label} refer to it.")
    return Field(
        f"{COUNTS}_{key}", "integer", label, listed=True, sorts=Sorted("", f"-{key}"), words=words,
        computed=True, apart=True, drawn=False, path=(COUNTS, key),
    )  # fmt: skip


# --- kinds ----------------------------------------------------------------------------------------


# fmt: off
class OwnRecord(Record):
    """A record with every field."""

    year: Annotated[Year | None, Filtered(also="founded", prepared=False), Sorted("", "-year"),
        Listed(), Words("Year of the beginning.", 2025)] = None
    former_names: Annotated[Names | None, Label("Former names", "record.former_names"),
        Listed(in_rows=False, drawn=False), Searched(10),
        Words("Former names.", ["Polar Grid"]), Apart()] = None
# fmt: on


@cache
def without(model: type, names: tuple[str, ...]) -> type:
    """The class of a kind without some fields, whose attributes stay, as None."""
    if not names:
        return model
    gone = {"__annotations__": dict.fromkeys(names, ClassVar[Any]), **dict.fromkeys(names)}
    about = {"__module__": model.__module__, "__doc__": model.__doc__}
    return type(model.__name__, (model,), {**gone, **about})


def own_kind(collection: str, settings: Mapping[str, Any], model: type) -> Declared:
    """A kind that registry.yaml declares with these settings (`kind_settings`), without its fields;
    `model` is `OwnRecord` with the fields that features add.
    """
    kind, has = kind_name(settings["one"]), settings["has"]
    gone = (*(part for part in HAS if part not in has), OWN_FIELDS)
    named = type("".join(map(str.capitalize, kind.split("_"))), (without(model, gone),), {})
    named.__doc__ = f"A {settings['one']} with every field."
    return Declared(
        named,
        collection,
        kind,
        nouns={language: tuple(words) for language, words in settings["nouns"].items()},
        words=(settings["one"].replace("-", " "), collection.replace("-", " ")),
        badge=settings["badge"],
        schema_org=settings["schema_org"],
        contexts=settings["contexts"],
        filters=("tags", "locations", "year"),
        is_own=True,
        retired=settings["retired"],
    )


def narrowed(declared: Declared, gone: Sequence[Declared]) -> Declared:
    """A kind in a registry that leaves out the kinds `gone`: without the fields that are about
    these.
    """
    if not gone:
        return declared
    names, counts = {of.name for of in gone}, any(of.counted for of in gone)

    def is_about(f: Field) -> bool:
        if f.computed and f.type in ("integer", "breakdown"):
            return f.name in names or (counts and f.type == "breakdown")
        return f.refers in names or any(f"{{{name}}}" in f.label for name in names)

    absent = tuple(name for name, f in declared.common.items() if is_about(f))
    if not absent:
        return declared
    filters = [declared.common[name].filter for name in absent]
    return replace(
        declared,
        model=without(declared.model, absent),
        counts=tuple(name for name in declared.counts if name not in absent),
        feeds=tuple(name for name in declared.feeds if name not in filters),
        inherited=tuple(name for name in declared.inherited if name not in absent),
    )
