"""Own fields: their declarations in registry.yaml, and the models of records with such fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, ValidationInfo
from pydantic import Field as Given
from pydantic_core import PydanticCustomError, PydanticKnownError

from generator.kinds.declare import (
    LIST_TYPES,
    MAX_NUMBER,
    PAGED_TYPES,
    RANGE_TYPES,
    Field,
    OwnType,
    own_field,
)
from generator.kinds.marks import Before, JsonSchema, Limits
from generator.kinds.models import Input, make_model, of_each_kind
from generator.kinds.record import Record
from generator.kinds.types import (
    LINE,
    MAX_ITEMS,
    Date,
    Line,
    OwnFields,
    OwnKey,
    Slug,
    Summary,
    Url,
)

#: Setting of a declaration -> the types of fields that may have it.
_TYPES_WITH = {
    "many": LIST_TYPES,
    "unit": ("number",),
    "filter": (*PAGED_TYPES, *RANGE_TYPES),
    "sort": RANGE_TYPES,
    "values": ("choice",),
}

R = TypeVar("R", bound=Record)


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

    def declared(self, key: str) -> Field:
        names = ("many", "required", "summary", "filter", "sort")
        flags = {name: bool(getattr(self, name)) for name in names}
        return own_field(key, self.label, self.type, unit=self.unit, values=self.values, **flags)


Declarations = Annotated[dict[OwnKey, Declaration], Limits(max_length=MAX_ITEMS)]


CollectionFields: Any = of_each_kind(__name__, "CollectionFields", Declarations)


def declared_fields(fields: CollectionFields | None) -> dict[str, dict[str, Field]]:
    """collection -> key -> own field, for the collections that have own fields."""
    return {
        collection: {key: declaration.declared(key) for key, declaration in declarations.items()}
        for collection, declarations in fields or ()
        if declarations
    }


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


def with_own_fields(kind: type[R], collection: str, own: Mapping[str, Field]) -> type[R]:
    """The model of a kind with the own fields of a collection."""
    where = f"fields.{collection}"
    members: dict[str, Any] = {}
    for key, field in own.items():
        default: dict[str, Any] = {} if field.required else {"default": None}
        annotation = _type(field, f"{where}.{key}")
        settings = Given(alias=key, description=field.label_with_unit, **default)
        members[field.attribute] = annotation, settings
    fields = make_model(OwnFields, members)
    fields.where, fields.labels = where, {key: field.label for key, field in own.items()}
    fields.units = {key: field.unit for key, field in own.items()}
    # Absent `fields` are validated like empty ones, so absent required fields are reported.
    annotation = Annotated[fields, Before(_present), JsonSchema({"default": {}})]
    default = Given(default_factory=dict, validate_default=True)
    return make_model(kind, {"fields": (annotation, default)})


def with_unchecked_fields(kind: type[R]) -> type[R]:
    """The model of a kind that accepts any own fields: their declarations cannot be read."""
    return make_model(kind, {"fields": (make_model(OwnFields, extra="allow") | None, None)})


def own_values(record: Record) -> Iterator[tuple[str, Any]]:
    """(key, value) of the own fields that a record has."""
    if record.fields is not None:
        for key, name in record.fields.written().items():
            value = getattr(record.fields, name)
            if value is not None:
                yield key, value
