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

from generator.kinds import KINDS
from generator.kinds.types import Part

M = TypeVar("M", bound="Input")


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
    declared: type[M],
    fields: Mapping[str, tuple[Any, Any]] = MappingProxyType({}),
    **config: Any,
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


def as_declared(record: M) -> M:
    """A record as an instance of the class that declares its fields.

    A build reads some hundred attributes of each record, and those of a model take twice as long: a
    model has a hook for unknown ones.
    """
    declared = getattr(type(record), "declared", None)
    if declared is None:
        return record
    plain: M = object.__new__(declared)
    object.__setattr__(plain, "__dict__", record.__dict__)
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


def of_each_kind(
    module: str, name: str, value: Any, collections: Iterable[str] = KINDS
) -> type[Input]:
    """A model with a field of this type for each collection, all optional.

    It has to be kept under its name in that module, where pickle looks for it.
    """
    fields: dict[str, Any] = dict.fromkeys(collections, (value | None, None))
    return create_model(name, __base__=Input, __module__=module, **fields)
