"""The JSON schema of a model, by pydantic, which takes long to import."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from generator.model.models import Model, core_schema

Schema = dict[str, Any]


class _OfModels(GenerateJsonSchema):
    def generate_inner(self, schema: Any) -> Schema:
        shown = schema.get("metadata", {})
        if "instead" in shown:
            return dict(shown["instead"])
        return {**super().generate_inner(schema), **shown.get("besides", {})}

    def model_schema(self, schema: Any) -> Schema:
        model: type[Model] = schema["cls"]
        words = {"description": cleandoc(model.__doc__)} if model.__doc__ else {}
        return {
            **self.generate_inner(schema["schema"]),
            **words,
            "additionalProperties": model.extra != "forbid",
        }


def of_model(model: type[Model]) -> Schema:
    """What a model takes, by the names that people write."""
    schema: Schema = _OfModels().generate(core_schema(model, shown=True))
    return schema
