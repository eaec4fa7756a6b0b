"""Models of input files: their core schema is the schema that pydantic would generate."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

import pydantic
import pytest
from pydantic import AfterValidator, BeforeValidator, ConfigDict, create_model
from pydantic_core import ValidationError

from generator.edit.exchange.mapping import Map
from generator.kinds.models import (
    UNIONS,
    After,
    Before,
    Limits,
    Model,
    core_schema,
    derive_model,
    given,
)
from generator.model.kinds import KINDS
from generator.model.settings.approvals import Approvals
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removals

OWN = Settings.model_validate(
    {
        "name": "Own",
        "description": "Fields of every type.",
        "fields": {
            "projects": {
                "stage": {"label": "Stage", "type": "choice", "values": {"seed": "Seed"}},
                "grants": {"label": "Grants", "type": "number", "required": True},
                "since": {"label": "Since", "type": "date"},
                "pages": {"label": "Pages", "type": "url", "many": True, "required": True},
                "words": {"label": "Words", "type": "text", "many": True},
                "open": {"label": "Open", "type": "boolean"},
            }
        },
    }
)
MODELS: list[type[Model]] = [
    *(kind.model for kind in KINDS.values()),
    Settings,
    Removals,
    Approvals,
    Map,
    OWN.models()["projects"],
]


def of_pydantic(model: type[Model]) -> type[pydantic.BaseModel]:
    """The same model, declared for pydantic."""
    config = ConfigDict(strict=True, extra=model.extra)
    fields: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        about: dict[str, Any] = {"alias": field.alias} if field.alias else {}
        if field.given.default_factory is not None:
            about["default_factory"] = field.given.default_factory
            about["validate_default"] = field.given.default_factory is dict or None
        elif not field.is_required():
            about["default"] = field.given.default
        fields[name] = translated(field.annotation), pydantic.Field(**about)
    return create_model(model.__name__, __config__=config, **fields)


def translated(annotation: Any) -> Any:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        result = translated(parts[0])
        for mark in parts[1:]:
            if isinstance(mark, Limits):
                limits = {k: v for k, v in mark._asdict().items() if v is not None}
                result = Annotated[result, pydantic.Field(**limits)]
            elif isinstance(mark, Before):
                result = Annotated[result, BeforeValidator(mark.function)]
            elif isinstance(mark, After):
                result = Annotated[result, AfterValidator(mark.function)]
        return result
    if origin in UNIONS:
        result, *rest = map(translated, parts)
        for other in rest:
            result = result | other
        return result
    if origin in (list, dict, tuple):
        return origin[tuple(map(translated, parts))]
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return of_pydantic(annotation)
    return annotation


#: Parts of a schema that do not affect validation, or are defaults that pydantic writes out.
SILENT = {"metadata", "ref", "serialization", "json_schema_input_schema", "field_name"}
SILENT |= {"serialization_alias"}
PLAIN: dict[str, Any] = {"computed_fields": [], "custom_init": False, "root_model": False}
PLAIN |= {"default_factory_takes_data": False, "validate_default": False, "copy_default": False}


def plain(schema: Any, known: dict[str, Any]) -> Any:
    """A schema without definitions."""
    if isinstance(schema, list):
        return [plain(part, known) for part in schema]
    if not isinstance(schema, dict):
        return schema.__name__ if isinstance(schema, type) else schema
    if schema.get("type") == "definitions":
        return plain(
            schema["schema"],
            {definition["ref"]: definition for definition in schema["definitions"]},
        )
    if schema.get("type") == "definition-ref":
        return plain(known[schema["schema_ref"]], known)
    return {
        key: plain(value, known)
        for key, value in schema.items()
        if key not in SILENT and (key not in PLAIN or value != PLAIN[key])
    }


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_the_core_schema_of_a_model_is_that_of_pydantic(model: type[Model]) -> None:
    theirs = plain(of_pydantic(model).__pydantic_core_schema__, {})
    assert plain(core_schema(model), {}) == theirs


class Inner(Model):
    a: int = 1


class Outer(Model):
    word: Annotated[str, Limits(max_length=3)]
    inner: Inner = given(default_factory=Inner)
    shown: str | None = given(default=None, alias="seen")


def test_a_model_reads_plain_data_and_returns_it() -> None:
    model = Outer.model_validate({"word": "abc", "seen": "x"})
    assert (model.word, model.inner, model.shown) == ("abc", Inner(), "x")
    assert model.model_dump() == {"word": "abc", "inner": {"a": 1}, "seen": "x"}
    assert Outer(word="abc").model_dump(exclude_none=True) == {"word": "abc", "inner": {"a": 1}}
    assert Outer(word="abc") != model == Outer.model_validate(model.model_dump())
    assert model.model_copy({"word": "other"}).word == "other" and model.word == "abc"
    assert repr(Inner(a=2)) == "Inner(a=2)"


@pytest.mark.parametrize(
    ("data", "kind", "loc"),
    [
        ({}, "missing", ("word",)),
        ({"word": "long"}, "string_too_long", ("word",)),
        ({"word": "a", "inner": {"a": "1"}}, "int_type", ("inner", "a")),
        ({"word": "a", "other": 1}, "extra_forbidden", ("other",)),
        ({"word": "a", "seen": 1}, "string_type", ("seen",)),
    ],
)
def test_an_error_in_data_has_its_place(data: Any, kind: str, loc: Any) -> None:
    with pytest.raises(ValidationError) as error:
        Outer.model_validate(data)
    assert [(details["type"], details["loc"]) for details in error.value.errors()] == [(kind, loc)]


class Open(Model):
    extra: ClassVar[Literal["ignore"]] = "ignore"
    word: str


def test_a_model_may_accept_unknown_fields() -> None:
    assert Open.model_validate({"word": "a", "other": 1}).model_dump() == {"word": "a"}


def test_a_derived_model_does_not_change_its_base() -> None:
    assert Outer(word="abc").inner.a == 1
    wider = derive_model("Wider", Outer, {"inner": (str, "-"), "more": (int, 0)})
    assert list(wider.model_fields) == ["word", "inner", "shown", "more"]
    assert wider(word="abc").model_dump() == {"word": "abc", "inner": "-", "seen": None, "more": 0}
    assert list(Outer.model_fields) == ["word", "inner", "shown"]


def test_an_unchecked_model_has_the_defaults() -> None:
    assert Outer.model_construct(word="longer").model_dump() == {
        "word": "longer",
        "inner": {"a": 1},
        "seen": None,
    }
