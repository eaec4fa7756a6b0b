"""The JSON schema of a model.  It needs pydantic, which is slow to import."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from generator.kinds.models import Model, core_schema

Schema = dict[str, Any]


class _ModelSchema(GenerateJsonSchema):
    def generate_inner(self, schema: Any) -> Schema:
        metadata = schema.get("metadata", {})
        if "instead" in metadata:
            return dict(metadata["instead"])
        return {**super().generate_inner(schema), **metadata.get("besides", {})}

    def model_schema(self, schema: Any) -> Schema:
        model: type[Model] = schema["cls"]
        description = {"description": cleandoc(model.__doc__)} if model.__doc__ else {}
        return {
            **self.generate_inner(schema["schema"]),
            **description,
            "additionalProperties": model.extra != "forbid",
        }


def schema_from_model(model: type[Model]) -> Schema:
    """The schema of a model's input, with the field names that people write."""
    schema: Schema = _ModelSchema().generate(core_schema(model, with_metadata=True))
    return schema
