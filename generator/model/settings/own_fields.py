"""A registry's own fields: how registry.yaml declares them, and the models that records of such a
registry are held against.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from generator.grammar.own_fields import CHOSEN, ORDERED, PREFIX, SEVERAL, OwnField
from generator.model.fields import (
    LINE,
    MANY,
    Date,
    Input,
    Line,
    OwnFields,
    OwnKey,
    Record,
    Slug,
    Summary,
    Url,
)
from generator.model.models import After, Before, Limits, Shown, derived, given
from generator.model.validator import PydanticCustomError, PydanticKnownError

if TYPE_CHECKING:
    from pydantic_core.core_schema import ValidationInfo

#: JSON numbers are exact everywhere up to here (RFC 8259 section 6).
MAX_NUMBER = 1 << 53
#: Setting of a declaration -> the types that it goes with.
_GOES_WITH = {
    "many": SEVERAL,
    "unit": ("number",),
    "filter": (*CHOSEN, *ORDERED),
    "sort": ORDERED,
    "values": ("choice",),
}

R = TypeVar("R", bound=Record)


def _fits(value: Any, info: ValidationInfo) -> Any:
    types, known = _GOES_WITH[info.field_name or ""], info.data.get("type")
    if value in (None, False) or known is None:
        return value
    if known not in types:
        words = {"types": " and ".join(filter(None, [", ".join(types[:-1]), types[-1]]))}
        what = "works with {types}, not with {type}"
        raise PydanticCustomError("invalid-declaration", what, {**words, "type": known})
    if value == {}:
        raise PydanticCustomError("invalid-declaration", "is empty")
    return value


_FITS = After(_fits, informed=True)
_Unit = Annotated[str, Limits(min_length=1, max_length=40, pattern=LINE)]


class Declaration(Input):
    """One own field, as registry.yaml declares it."""

    label: Line
    type: Literal["text", "number", "boolean", "date", "url", "choice"]
    many: Annotated[bool | None, _FITS] = None
    required: bool | None = None
    unit: Annotated[_Unit | None, _FITS] = None
    summary: bool | None = None
    filter: Annotated[bool | None, _FITS] = None
    sort: Annotated[bool | None, _FITS] = None
    values: Annotated[dict[Slug, Line] | None, _FITS] = None

    def declared(self) -> OwnField:
        names = ("many", "required", "summary", "filter", "sort")
        flags = {name: bool(getattr(self, name)) for name in names}
        unit, values = self.unit or "", self.values or {}
        return OwnField(self.label, self.type, unit=unit, values=values, **flags)


Declarations = Annotated[dict[OwnKey, Declaration], Limits(max_length=MANY)]


class CollectionFields(Input):
    """The own fields of each collection."""

    projects: Declarations | None = None
    programs: Declarations | None = None
    organizations: Declarations | None = None
    events: Declarations | None = None


def declared(fields: CollectionFields | None) -> dict[str, dict[str, OwnField]]:
    """collection -> key -> own field, of the collections that have any."""
    return {
        collection: {key: one.declared() for key, one in own.items()}
        for collection, own in fields or ()
        if own
    }


# --- what records give ----------------------------------------------------------------------------


def _number(value: Any) -> Any:
    """A number as JSON has it: what is whole has no fraction, so that it is spelled alike
    everywhere.
    """
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
    "number": Annotated[Any, Before(_number), Shown({"type": "number"}, instead=True)],
    "boolean": bool,
    "date": Annotated[Date, Shown({"type": "string", "format": "date"}, instead=True)],
    "url": Url,
    "choice": Slug,
}


def _type(own: OwnField, where: str) -> Any:
    """The type of what a record gives."""
    one = _TYPES[own.type]
    if own.values:
        shown = Shown({"type": "string", "enum": list(own.values)}, instead=True)
        one = Annotated[str, Before(partial(_choice, own.values, f"{where}.values")), shown]
    if own.many:
        least = 1 if own.required else 0
        one = Annotated[list[one], Limits(min_length=least, max_length=MANY)]  # type: ignore[valid-type]
    return one if own.required else one | None


_NONE: Mapping[str, Any] = {"default": None}


def _present(value: Any) -> Any:
    return {} if value is None else value


def with_own(model: type[R], collection: str, own: Mapping[str, OwnField]) -> type[R]:
    """A kind's input model for a registry that declares own fields for it."""
    where = f"fields.{collection}"
    members: dict[str, Any] = {
        f"{PREFIX}{key}": (
            _type(known, f"{where}.{key}"),
            given(alias=key, description=known.words, **({} if known.required else _NONE)),
        )
        for key, known in own.items()
    }
    fields = derived("OwnFields", OwnFields, members)
    fields.where, fields.labels = where, {key: known.label for key, known in own.items()}
    # A record without `fields` lacks those that are required, and is told which.
    of_record: Any = Annotated[fields, Before(_present), Shown({"default": {}})]
    return derived(model.__name__, model, {"fields": (of_record, given(default_factory=dict))})


class Unchecked(OwnFields):
    """Own fields of a registry whose declarations cannot be read: nothing is held against them."""

    extra: ClassVar[Literal["allow"]] = "allow"


def unchecked(model: type[R]) -> type[R]:
    """A kind's input model for such a registry."""
    return derived(model.__name__, model, {"fields": (Unchecked | None, None)})


def values(record: Record) -> Iterator[tuple[str, Any]]:
    """What a record gives of its own fields, with their keys."""
    if record.fields is not None:
        for key, name in record.fields.written().items():
            value = getattr(record.fields, name)
            if value is not None:
                yield key, value
