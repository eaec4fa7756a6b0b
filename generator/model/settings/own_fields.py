"""Own fields: their declarations in registry.yaml, and the models of records with such fields."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache, partial
from typing import Annotated, Any

from pydantic import AfterValidator, ValidationInfo
from pydantic import Field as Given
from pydantic_core import PydanticCustomError, PydanticKnownError

from generator.kinds.declare import (
    LIST_TYPES,
    MAX_NUMBER,
    PAGED_TYPES,
    RANGE_TYPES,
    Declared,
    Field,
    OwnType,
)
from generator.kinds.marks import Before, JsonSchema, Limits
from generator.kinds.models import Input, make_model, model_of
from generator.kinds.record import Record
from generator.kinds.types import LINE, MAX_ITEMS, Date, Line, OwnFields, OwnKey, Slug, Summary, Url

#: Setting of a declaration -> the types of fields that may have it.
_TYPES_WITH = {
    "many": LIST_TYPES,
    "unit": ("number",),
    "filter": (*PAGED_TYPES, *RANGE_TYPES),
    "sort": RANGE_TYPES,
    "values": ("choice",),
}


def _fits(value: Any, info: ValidationInfo) -> Any:
    types, field_type = _TYPES_WITH[info.field_name or ""], info.data.get("type")
    if value in (None, False) or field_type is None:
        return value
    if field_type not in types:
        names = " and ".join(filter(None, [", ".join(types[:-1]), types[-1]]))
        message = "works with {types}, not with {type}"
        context = {"types": names, "type": field_type}
        raise PydanticCustomError("invalid-declaration", message, context)
    if value == {}:
        raise PydanticCustomError("invalid-declaration", "is empty")
    return value


_FITS = AfterValidator(_fits)
_Unit = Annotated[str, Limits(min_length=1, max_length=40, pattern=LINE)]


class Declaration(Input):
    """One own field, as registry.yaml declares it."""

    label: Line
    type: OwnType
    many: Annotated[bool | None, _FITS] = None
    required: bool | None = None
    unit: Annotated[_Unit | None, _FITS] = None
    summary: bool | None = None
    filter: Annotated[bool | None, _FITS] = None
    sort: Annotated[bool | None, _FITS] = None
    values: Annotated[dict[Slug, Line] | None, _FITS] = None


Declarations = Annotated[dict[OwnKey, Declaration], Limits(max_length=MAX_ITEMS)]


# --- own fields of records ------------------------------------------------------------------------


def _number(value: Any) -> Any:
    """Check a number.  A whole number becomes an int, so its JSON is the same everywhere."""
    if value is None:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("number_type", "is not a number")
    if value < -MAX_NUMBER:
        raise PydanticKnownError("greater_than_equal", {"ge": -MAX_NUMBER})
    if value > MAX_NUMBER:
        raise PydanticKnownError("less_than_equal", {"le": MAX_NUMBER})
    return int(value) if value == int(value) else value


def _choice(known: Mapping[str, str], where: str, value: Any) -> Any:
    if isinstance(value, str) and value not in known:
        context = {"known": known, "where": where}
        raise PydanticCustomError("unknown-choice", "is not an allowed value", context)
    return value


_TYPES: dict[str, Any] = {
    "text": Summary,
    "number": Annotated[Any, Before(_number), JsonSchema({"type": "number"}, replaces=True)],
    "boolean": bool,
    "date": Annotated[Date, JsonSchema({"type": "string", "format": "date"}, replaces=True)],
    "url": Url,
    "choice": Slug,
}


def _type(own: Field, where: str) -> Any:
    """The annotation of an own field."""
    item = _TYPES[own.type]
    if own.values:
        shown = JsonSchema({"type": "string", "enum": list(own.values)}, replaces=True)
        item = Annotated[str, Before(partial(_choice, own.values, f"{where}.values")), shown]
    if own.many:
        least = 1 if own.required else 0
        item = Annotated[list[item], Limits(min_length=least, max_length=MAX_ITEMS)]  # type: ignore[valid-type]
    return item if own.required else item | None


def _present(value: Any) -> Any:
    return {} if value is None else value


def record_model(kind: Declared, unread: Container[str] = ()) -> type[Record]:
    """The model of the records of a kind, made once.  `unread` has the fields of registry.yaml that
    could not be read; without `fields`, records may have any own fields.
    """
    if "fields" in unread:
        return _with_any_fields(kind.model)
    return _with_own_fields(kind) if kind.has_own else model_of(kind.model)


@cache
def _with_any_fields(model: type[Record]) -> type[Record]:
    fields: Any = make_model(OwnFields, extra="allow")
    return make_model(model, {"fields": (fields | None, None)})


@cache
def _with_own_fields(kind: Declared) -> type[Record]:
    where = f"fields.{kind.name}"
    members: dict[str, Any] = {}
    for field in kind.own:
        key = field.path[-1]
        default: dict[str, Any] = {} if field.required else {"default": None}
        settings = Given(alias=key, description=field.words.text, **default)
        members[field.name] = _type(field, f"{where}.{key}"), settings
    fields: Any = make_model(OwnFields, members)
    fields.where, fields.own = where, {field.path[-1]: field for field in kind.own}
    # Absent `fields` are validated like empty ones, so absent required fields are reported.
    annotation = Annotated[fields, Before(_present), JsonSchema({"default": {}})]
    default = Given(default_factory=dict, validate_default=True)
    # A record whose own fields are invalid has none of them.
    absent = type(kind.model.__name__, (kind.model,), dict.fromkeys(members))
    absent.__module__ = kind.model.__module__
    return make_model(absent, {"fields": (annotation, default)})
