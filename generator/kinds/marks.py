"""What the annotation of a field says about its values besides their type.

The classes implement pydantic's protocol for the metadata of an annotation, without importing it:
https://docs.pydantic.dev/latest/concepts/types/#customizing-validation-with-__get_pydantic_core_schema__
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, NamedTuple, Union

#: The origins of a union: of types, and of other annotations.
UNIONS = (Union, UnionType)


class Limits(NamedTuple):
    """The pattern of a text, the length of a text, list or mapping, or the range of a number."""

    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    ge: int | None = None
    le: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return handler(source) | {name: n for name, n in self._asdict().items() if n is not None}


class Before(NamedTuple):
    """Converts a value before its type is checked; `input_type` is the type of the input."""

    function: Callable[[Any], Any]
    input_type: Any = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        schema = _call("function-before", self.function, handler(source))
        if self.input_type is not None:
            schema["json_schema_input_schema"] = handler.generate_schema(self.input_type)
        return schema


class After(NamedTuple):
    """Checks or converts a value after its type is checked."""

    function: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return _call("function-after", self.function, handler(source))


def _call(when: str, function: Callable[[Any], Any], schema: Any) -> dict[str, Any]:
    return {"type": when, "function": {"type": "no-info", "function": function}, "schema": schema}


class JsonSchema:
    """Keywords that extend the generated JSON schema of a value, or replace it (`replaces`)."""

    def __init__(self, schema: Mapping[str, Any], *, replaces: bool = False):
        self.schema, self.replaces = schema, replaces

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        return {**({} if self.replaces else handler(core_schema)), **self.schema}
