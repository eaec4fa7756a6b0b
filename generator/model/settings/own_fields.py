"""Own fields and kinds: their declarations in registry.yaml, and the models of records with such
fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Mapping
from functools import cache, partial
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ValidationInfo, model_validator
from pydantic import Field as Given
from pydantic_core import PydanticCustomError, PydanticKnownError

from generator.kinds.declare import Declared, Field
from generator.kinds.marks import After, Before, JsonSchema, Limits
from generator.kinds.models import Input, make_model, model_of
from generator.kinds.own import MAX_NUMBER, OwnType, Part
from generator.kinds.record import Record
from generator.kinds.rules import MAX_NAME, TYPES_WITH
from generator.kinds.types import (
    COLLECTION,
    LANGUAGE,
    LINE,
    MAX_ITEMS,
    MONTH,
    SCHEMA_TYPE,
    Date,
    Line,
    Noun,
    OwnFields,
    OwnKey,
    Slug,
    Summary,
    Url,
    package_folder,
)
from generator.text.numbers import CURRENCY_SIGNS

#: Setting and type of a field -> what to write instead.
_INSTEAD = {
    "unit of money": "write currency instead, with a code like EUR",
    "currency of number": "write type: money",
}


def _fits(value: Any, info: ValidationInfo) -> Any:
    types, field_type = TYPES_WITH[info.field_name or ""], info.data.get("type")
    if value in (None, False) or field_type is None:
        return value
    if field_type not in types:
        names = " and ".join(filter(None, [", ".join(types[:-1]), types[-1]]))
        message = "works with {types}, not with {type}"
        context = {"types": names, "type": field_type}
        if hint := _INSTEAD.get(f"{info.field_name} of {field_type}"):
            context["hint"] = hint
        raise PydanticCustomError("invalid-declaration", message, context)
    if value == {}:
        raise PydanticCustomError("invalid-declaration", "is empty")
    return value


_FITS = AfterValidator(_fits)
_Unit = Annotated[str, Limits(min_length=1, max_length=40, pattern=LINE)]


@cache
def currencies() -> frozenset[str]:
    """The codes of ISO 4217."""
    path = package_folder("pycountry") / "databases" / "iso4217.json"
    return frozenset(of["alpha_3"] for of in json.loads(path.read_bytes())["4217"])


def _currency(value: str) -> str:
    if value not in currencies():
        meant = CURRENCY_SIGNS.get(value.casefold(), value.upper())
        hint = "write its code of three letters, like EUR"
        context = {"hint": f'did you mean "{meant}"?' if meant in currencies() else hint}
        raise PydanticCustomError("invalid-declaration", "is not a currency of ISO 4217", context)
    return value


def _named(value: Any) -> Any:
    """A filter of a field: whether it has one; of a relation also its name."""
    if isinstance(value, str) and not re.fullmatch("[a-z][a-z0-9_]{0,29}", value):
        context = {"hint": "begin with a-z, then use a-z, 0-9 and _; at most 30 characters"}
        raise PydanticCustomError("invalid-declaration", "is not a name for a filter", context)
    return value


def _has_name(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, str) and info.data.get("type") not in (None, "record"):
        message = "is true or false; only a relation names its filter"
        raise PydanticCustomError("invalid-declaration", message, {"hint": "write filter: true"})
    return value


_Month = Annotated[str, Limits(pattern=MONTH)]


class Declaration(Input):
    """One own field, as registry.yaml declares it."""

    label: Line
    type: OwnType
    of: Annotated[Line | None, _FITS] = None
    many: Annotated[bool | None, _FITS] = None
    required: bool | None = None
    unit: Annotated[_Unit | None, _FITS] = None
    currency: Annotated[Annotated[str, After(_currency)] | None, _FITS] = None
    summary: bool | None = None
    filter: Annotated[bool | str | None, AfterValidator(_named), _FITS,
                      AfterValidator(_has_name)] = None  # fmt: skip
    sort: Annotated[bool | None, _FITS] = None
    values: Annotated[dict[Slug, Line] | None, _FITS] = None
    reverse: Annotated[Line | None, _FITS] = None
    through: Annotated[list[Line] | None, _FITS] = None
    retired: _Month | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.type == "money" and self.currency is None:
            context = {"hint": "add the currency of its amounts, like currency: EUR"}
            raise PydanticCustomError("invalid-declaration", "needs a currency", context)
        return self


Declarations = Annotated[dict[OwnKey, Declaration], Limits(max_length=MAX_ITEMS)]
CollectionName = Annotated[str, Limits(max_length=MAX_NAME, pattern=COLLECTION)]
_Nouns = Annotated[list[Noun], Limits(min_length=2, max_length=2)]


class KindDeclaration(Input):
    """One own kind, as registry.yaml declares it: `one` is what a single record is called, `nouns`
    what one and several are called in other languages.
    """

    one: CollectionName
    nouns: dict[Annotated[str, Limits(pattern=LANGUAGE)], _Nouns] | None = None
    has: list[Part] | None = None
    badge: Line | None = None
    schema_org: Annotated[str, Limits(pattern=SCHEMA_TYPE)] | None = None
    contexts: bool | None = None
    retired: _Month | None = None
    fields: Declarations | None = None


KindDeclarations = Annotated[dict[CollectionName, KindDeclaration], Limits(max_length=MAX_ITEMS)]


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
    "record": Slug,
}


def _type(own: Field, where: str) -> Any:
    """The annotation of an own field."""
    item = _TYPES["record" if own.refers else own.type]
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
    if "fields" in unread and not kind.is_own:
        return _with_any_fields(kind.model)
    if kind.is_own:
        return _of_own_kind(kind)
    return _with_own_fields(kind) if kind.has_own else model_of(kind.model)


@cache
def _with_any_fields(model: type[Record]) -> type[Record]:
    fields: Any = make_model(OwnFields, extra="allow")
    return make_model(model, {"fields": (fields | None, None)})


@cache
def _of_own_kind(kind: Declared) -> type[Record]:
    members = _members(kind.own, f"kinds.{kind.name}.fields")
    declared: type[Any] = type(kind.model.__name__, (kind.model,), {})
    declared.where, declared.own = f"kinds.{kind.name}", {f.name: f for f in kind.own}
    return make_model(declared, members)


def _members(own: Iterable[Field], where: str) -> dict[str, Any]:
    """The fields of a model: attribute -> annotation and settings."""
    members: dict[str, Any] = {}
    for field in own:
        key = field.path[-1]
        default: dict[str, Any] = {} if field.required else {"default": None}
        settings = Given(alias=key, description=field.words.text, **default)
        members[field.name] = _type(field, f"{where}.{key}"), settings
    return members


@cache
def _with_own_fields(kind: Declared) -> type[Record]:
    where = f"fields.{kind.name}"
    members = _members(kind.own, where)
    fields: Any = make_model(OwnFields, members)
    fields.where, fields.own = where, {field.path[-1]: field for field in kind.own}
    # Absent `fields` are validated like empty ones, so absent required fields are reported.
    annotation = Annotated[fields, Before(_present), JsonSchema({"default": {}})]
    default = Given(default_factory=dict, validate_default=True)
    # A record whose own fields are invalid has none of them.
    absent = type(kind.model.__name__, (kind.model,), dict.fromkeys(members))
    absent.__module__ = kind.model.__module__
    return make_model(absent, {"fields": (annotation, default)})
