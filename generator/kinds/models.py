"""Models of what people write.  Imported late, because pydantic is slow to import.

The fields of records are declared by classes without pydantic (see `generator.kinds.types`);
`model_of` makes the models of these.  Settings are models themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, create_model
from pydantic.fields import FieldInfo

from generator.kinds.declare import OWN_FIELDS
from generator.kinds.types import Part

M = TypeVar("M", bound="Input")
Shape = TypeVar("Shape", bound=BaseModel)


class Input(BaseModel):
    """The base of everything that an author writes.  An unknown field is an error; a field that is
    null counts as absent.
    """

    # A model that is only a part of others needs no validator: one is made on first use.
    model_config = ConfigDict(
        strict=True, extra="forbid", serialize_by_alias=True, defer_build=True
    )

    @classmethod
    @cache
    def written(cls) -> Mapping[str, str]:
        """Field name in files -> attribute name."""
        return {field.alias or name: name for name, field in cls.model_fields.items()}


def model_of(declared: type[M]) -> type[M]:
    """The model of a class that declares fields, made once; a model is its own."""
    return declared if issubclass(declared, Input) else _only_model(declared)


def make_model(
    declared: type[M], fields: Mapping[str, tuple[Any, Any]] = MappingProxyType({}), **config: Any
) -> type[M]:
    """A new model of a class that declares fields, and a subclass of it.

    `fields` are more fields, or replace those of the class: name -> (annotation, default).
    `config` is that of pydantic.
    """
    defaults = {name: default for name, (_, default) in fields.items()}
    annotations = {name: annotation for name, (annotation, _) in fields.items()}
    wider = type(declared.__name__, (declared,), {"__annotations__": annotations, **defaults})
    model = create_model(
        declared.__name__,
        __base__=(Input, wider),
        __module__=declared.__module__,
        __cls_kwargs__=config,
    )
    model.declared = declared  # type: ignore[attr-defined]  # for `as_declared`
    return cast(type[M], model)


def declared_class(model: type[Input]) -> type:
    """The class that declares the fields of a model."""
    found: type = getattr(model, "declared", model)
    return found


def as_declared(record: M) -> M:
    """A record as an instance of the class that declares its fields, with the values of its own
    fields as attributes, too.

    A build reads some hundred attributes of each record, and those of a model take twice as long: a
    model has a hook for unknown ones.
    """
    declared = getattr(type(record), "declared", None)
    if declared is None:
        return record
    plain: M = object.__new__(declared)
    own = record.__dict__.get(OWN_FIELDS)
    values = {**record.__dict__, **own.__dict__} if own is not None else record.__dict__
    object.__setattr__(plain, "__dict__", values)
    return plain


def dump(record: Part) -> dict[str, Any]:
    """The data of a record by the names in files, without absent values."""
    return {name: _dumped(v) for name, v in record.__dict__.items() if v is not None}


def _dumped(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_dumped, value))
    return value.model_dump(exclude_none=True) if isinstance(value, BaseModel) else value


@cache
def _only_model(declared: type[M]) -> type[M]:
    return make_model(declared)


def of_each_kind(name: str, value: Any, collections: Iterable[str]) -> type[Input]:
    """A model with a field of this type for each of some collections, all optional."""
    fields: dict[str, Any] = dict.fromkeys(collections, (value | None, None))
    return create_model(name, __base__=Input, __module__=__name__, **fields)


def with_parts(base: type[M], **parts: type[Input]) -> type[M]:
    """A model with these models as the types of some fields, which are empty if absent."""
    fields: dict[str, Any] = {
        name: (part, FieldInfo(default_factory=part)) for name, part in parts.items()
    }
    return with_fields(base, **fields)


def with_fields(base: type[Shape], **fields: tuple[Any, Any]) -> type[Shape]:
    """A model, also of a published document, with other types and defaults of some fields."""
    more: dict[str, Any] = fields
    return create_model(
        base.__name__, __base__=base, __doc__=base.__doc__, __module__=base.__module__, **more
    )
