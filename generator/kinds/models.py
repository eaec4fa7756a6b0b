"""Models of what people write: classes with annotations, validated by pydantic's compiled core.

The schema for the core is built from the annotations when a model first validates data.  pydantic
itself takes longer to import than a small registry takes to build, so only
`generator.contract.json_schema` imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from generator.kinds.validator import SchemaValidator

UNIONS = (Union, UnionType)
M = TypeVar("M", bound="Model")
_REQUIRED: Any = object()
_PLAIN = {str: "str", int: "int", bool: "bool", float: "float", Any: "any"}


class Limits(NamedTuple):
    """The pattern of a text, the length of a text, list or mapping, or the range of a number."""

    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    ge: int | None = None
    le: int | None = None


class Before(NamedTuple):
    """Converts a value before its type is checked; `input_type` is the type of the input."""

    function: Callable[[Any], Any]
    input_type: Any = None


class After(NamedTuple):
    """Checks or converts a value after its type is checked.

    With `with_info`, `function` also gets `info`, which has the fields before it (`info.data`) and
    the name of its field.
    """

    function: Callable[..., Any]
    with_info: bool = False


class JsonSchema:
    """Keywords that extend the generated JSON schema of a value, or replace it (`replaces`)."""

    def __init__(self, schema: Mapping[str, Any], *, replaces: bool = False):
        self.schema, self.replaces = schema, replaces


class Given(NamedTuple):
    """The default, the name in files (`alias`) and the JSON schema description of a field."""

    default: Any = _REQUIRED
    default_factory: Callable[[], Any] | None = None
    alias: str | None = None
    description: str | None = None


#: Returns `Any`, so a field of any type can have it as its value in the class body.
given: Callable[..., Any] = Given


class Field(NamedTuple):
    """A field of a model."""

    annotation: Any
    given: Given

    @property
    def alias(self) -> str | None:
        return self.given.alias

    def is_required(self) -> bool:
        return self.given[:2] == (_REQUIRED, None)


@dataclass_transform(kw_only_default=True, field_specifiers=(Given,))
class _Models(type):
    """Makes the fields and the validator of a model from its annotations, on first use."""

    @property
    def model_fields(cls) -> Mapping[str, Field]:
        fields: Mapping[str, Field] | None = cls.__dict__.get("_made_fields")
        if fields is None:
            fields = {
                name: Field(annotation, default if isinstance(default, Given) else Given(default))
                for name, annotation in get_type_hints(cls, include_extras=True).items()
                if get_origin(annotation) is not ClassVar and name[0] != "_"
                for default in [getattr(cls, name, _REQUIRED)]
            }
            cls._made_fields = fields
        return fields

    @property
    def validator(cls) -> SchemaValidator:
        validator: SchemaValidator | None = cls.__dict__.get("_made_validator")
        if validator is None:
            cls._made_validator = validator = SchemaValidator(
                core_schema(cls)  # type: ignore[arg-type]  # all of these are models
            )
        return validator


class Model(metaclass=_Models):
    """Validates plain data with strict types; `extra` says what happens to undeclared fields."""

    __slots__ = (
        "__dict__",
        "__pydantic_extra__",
        "__pydantic_fields_set__",
        "__pydantic_private__",
    )
    extra: ClassVar[Literal["allow", "forbid", "ignore"]] = "forbid"

    def __init__(self, **fields: Any):
        """Raises pydantic_core.ValidationError."""
        type(self).validator.validate_python(fields, self_instance=self)

    @classmethod
    def model_validate(cls, data: Any) -> Self:
        """The model of plain data.  Raises pydantic_core.ValidationError."""
        model: Self = cls.validator.validate_python(data)
        return model

    @classmethod
    def model_construct(cls, **fields: Any) -> Self:
        """A model with these fields, unchecked; absent fields get their defaults."""
        model = cls.__new__(cls)
        for name, field in cls.model_fields.items():
            if not field.is_required():
                factory = field.given.default_factory
                model.__dict__[name] = factory() if factory is not None else field.given.default
        model.__dict__.update(fields)
        return model

    def model_copy(self, update: Mapping[str, Any]) -> Self:
        """A copy with some values replaced, unchecked."""
        return self.model_construct(**{**self.__dict__, **update})

    def model_dump(self, *, exclude_none: bool = False) -> dict[str, Any]:
        """Plain data, by the field names in files."""
        names = {name: field.alias or name for name, field in type(self).model_fields.items()}
        return {
            names.get(name, name): _dump(value, exclude_none)
            for name, value in self.__dict__.items()
            if value is not None or not exclude_none
        }

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(self.__dict__.items())

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # models are mutable

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={value!r}' for n, value in self)})"


def _dump(value: Any, exclude_none: bool) -> Any:
    if isinstance(value, Model):
        return value.model_dump(exclude_none=exclude_none)
    if isinstance(value, list):
        return [_dump(item, exclude_none) for item in value]
    if isinstance(value, dict):
        return {key: _dump(item, exclude_none) for key, item in value.items()}
    return value


def derive_model(name: str, base: type[M], members: Mapping[str, tuple[Any, Any]]) -> type[M]:
    """A subclass of `base` with more or replaced fields: name -> (annotation, default)."""
    defaults = {field: default for field, (_, default) in members.items()}
    annotations = {field: annotation for field, (annotation, _) in members.items()}
    own = {"__annotations__": annotations, "__module__": base.__module__}
    model: type[M] = _Models(name, (base,), {**defaults, **own})  # type: ignore[assignment]
    return model


# --- schemas for the core -------------------------------------------------------------------------


def core_schema(model: type[Model], *, with_metadata: bool = False) -> Any:
    """The schema of a model for pydantic's core; `shown` adds the metadata for a JSON schema."""
    fields = {}
    for name, field in model.model_fields.items():
        schema = _schema(field.annotation, with_metadata)
        default, factory, alias, description = field.given
        if factory is not None:
            schema = {"type": "default", "schema": schema, "default_factory": factory}
            schema["validate_default"] = not isinstance(factory, type(model))
        elif default is not _REQUIRED:
            schema = {"type": "default", "schema": schema, "default": default}
        fields[name] = {"type": "model-field", "schema": schema}
        if alias is not None:
            fields[name]["validation_alias"] = alias
        if with_metadata and description is not None:
            fields[name]["metadata"] = {"besides": {"description": description}}
    config = {"title": model.__name__, "strict": True, "extra_fields_behavior": model.extra}
    ref = {"ref": f"{model.__module__}.{model.__qualname__}:{id(model)}"} if with_metadata else {}
    return {
        "type": "model",
        "cls": model,
        "schema": {"type": "model-fields", "fields": fields, "model_name": model.__name__},
        "config": config,
        **ref,
    }


def _schema(annotation: Any, shown: bool) -> Any:
    plain_type = _PLAIN.get(annotation) if annotation.__hash__ is not None else None
    if plain_type is not None:
        return {"type": plain_type}
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        schema = _schema(parts[0], shown)
        for mark in parts[1:]:
            schema = _apply_mark(schema, mark, shown)
        return schema
    if origin in UNIONS:
        choices = [_schema(part, shown) for part in parts if part is not type(None)]
        schema = choices[0] if len(choices) == 1 else {"type": "union", "choices": choices}
        return {"type": "nullable", "schema": schema} if len(choices) < len(parts) else schema
    if origin is Literal:
        return {"type": "literal", "expected": list(parts)}
    if origin is tuple:
        return {"type": "tuple", "items_schema": [_schema(part, shown) for part in parts]}
    if origin is list:
        return {"type": "list", "items_schema": _schema(parts[0], shown)}
    if origin is dict:
        keys, values = (_schema(part, shown) for part in parts)
        return {"type": "dict", "keys_schema": keys, "values_schema": values}
    return core_schema(annotation, with_metadata=shown)


def _apply_mark(schema: Any, mark: Any, shown: bool) -> Any:
    """The schema with one item of an `Annotated` type; items of other classes have no effect."""
    if isinstance(mark, Limits):
        return schema | {name: n for name, n in mark._asdict().items() if n is not None}
    if isinstance(mark, Before | After):
        informed = isinstance(mark, After) and mark.with_info
        function = {"type": "with-info" if informed else "no-info", "function": mark.function}
        function_type = "function-before" if isinstance(mark, Before) else "function-after"
        schema = {"type": function_type, "function": function, "schema": schema}
        if shown and isinstance(mark, Before) and mark.input_type is not None:
            schema["json_schema_input_schema"] = _schema(mark.input_type, shown)
        return schema
    if shown and isinstance(mark, JsonSchema):
        return schema | {"metadata": {"instead" if mark.replaces else "besides": mark.schema}}
    return schema
