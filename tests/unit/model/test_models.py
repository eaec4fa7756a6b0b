"""Classes that declare fields, and the models made of them."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field
from pydantic_core import PydanticCustomError, ValidationError

from generator.kinds.marks import After, Before, JsonSchema, Limits
from generator.kinds.models import Input, make_model, model_of
from generator.kinds.types import Location, Part
from support.kinds import COMPUTED as KINDS


def _even(value: int) -> int:
    if value % 2:
        raise PydanticCustomError("odd", "is odd")
    return value * 10


class Inner(Part):
    word: Annotated[str, Limits(pattern="^[a-z]+$", max_length=3)]
    number: Annotated[int, After(_even)] | None = None


class Outer(Part):
    inner: Annotated[list[Inner], Limits(min_length=1)]
    shown: str | None = None


class Longer(Outer):
    words: Annotated[str, Before(lambda value: "-".join(value), list[str])] = "-"
    any: Annotated[Any, JsonSchema({"type": "number"}, replaces=True)] = None


DATA = {"inner": [{"word": "a", "number": 2}], "shown": "x", "words": ["b", "c"]}


def test_a_model_reads_plain_data_and_returns_it() -> None:
    model = model_of(Longer)
    record = model.model_validate(DATA)
    assert isinstance(record, Longer | Input) and isinstance(record.inner[0], Inner)
    assert (record.inner[0].number, record.words, record.any) == (20, "b-c", None)
    assert record.model_dump(exclude_none=True) == {
        "inner": [{"word": "a", "number": 20}],
        "shown": "x",
        "words": "b-c",
    }
    assert list(model.model_fields) == ["inner", "shown", "words", "any"]
    assert model_of(Longer) is model is model_of(model)


@pytest.mark.parametrize(
    ("data", "kind", "loc"),
    [
        ({}, "missing", ("inner",)),
        ({"inner": []}, "too_short", ("inner",)),
        ({"inner": [{"word": "long"}]}, "string_too_long", ("inner", 0, "word")),
        ({"inner": [{"word": "A"}]}, "string_pattern_mismatch", ("inner", 0, "word")),
        ({"inner": [{"word": "a", "number": "2"}]}, "int_type", ("inner", 0, "number")),
        ({"inner": [{"word": "a", "number": 1}]}, "odd", ("inner", 0, "number")),
        ({"inner": [{"word": "a"}], "other": 1}, "extra_forbidden", ("other",)),
    ],
)
def test_an_error_in_data_has_its_place(data: Any, kind: str, loc: Any) -> None:
    with pytest.raises(ValidationError) as error:
        model_of(Outer).model_validate(data)
    assert [(details["type"], details["loc"]) for details in error.value.errors()] == [(kind, loc)]


def test_a_model_may_have_other_fields_than_its_class() -> None:
    members = {"shown": (int, Field(alias="seen")), "more": (str, "-")}
    model: Any = make_model(Outer, members, extra="allow")
    record = model.model_validate({"inner": [{"word": "a"}], "seen": 1, "other": 2})
    assert (record.shown, record.more, record.other) == (1, "-", 2)
    assert record.model_dump(exclude_none=True).keys() == {"inner", "seen", "more", "other"}
    assert model.written() == {"inner": "inner", "seen": "shown", "more": "more"}
    assert issubclass(model, Outer) and list(model_of(Outer).model_fields) == ["inner", "shown"]


def test_marks_are_in_the_json_schema() -> None:
    schema = model_of(Longer).model_json_schema()
    word = schema["$defs"]["Inner"]["properties"]["word"]
    assert word == {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3, "title": "Word"}
    fields = schema["properties"]
    assert fields["inner"]["minItems"] == 1 and fields["any"]["type"] == "number"
    assert fields["words"]["items"] == {"type": "string"}


@pytest.mark.parametrize("declared", [Location, *(kind.model for kind in KINDS.values())])
def test_classes_of_records_are_no_models(declared: type) -> None:
    """So they are imported without pydantic."""
    assert type(declared) is type and not issubclass(declared, Input)
