"""The queries of openapi.json alone, small enough for the prompt of a language model.

They have no schemas of answers and no patterns of values.  A parameter that several operations have
is there once, with the values that it takes if they are few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import orjson

from generator.grammar.filters import MAX_VALUES

#: The tag of operations that are queries, and what the address of a filter's values follows in the
#: description of the filter.
QUERIES, ALL_VALUES = "queries", " All values: "
#: The most values of a filter that its description has.
_LISTED = 12
_HOW_TO_ASK = (
    f"A filter takes one value, any of several (a,b), all:a,b or not:a,b, at most {MAX_VALUES}; "
    "years, months, days and numbers also ranges: 2019..2024, 2020.., ..2010. Conditions that all "
    "hold are joined: 2015..;not:2020."
)
_LEFT_OUT = ("pattern", "maxLength", "minLength", "uniqueItems")

Part = dict[str, Any]


def queries_alone(document: Part) -> Part:
    """A document in OpenAPI with the queries of another."""
    schemas = document["components"]["schemas"]
    paths = {
        path: {method: _operation(of[method], schemas) for method in of}
        for path, of in document["paths"].items()
        if all(QUERIES in operation["tags"] for operation in of.values())
    }
    operations = [operation for of in paths.values() for operation in of.values()]
    counts = Counter(orjson.dumps(p) for each in operations for p in each["parameters"])
    shared: dict[str, Part] = {}
    for each in operations:
        each["parameters"] = [
            _shared(p, shared) if counts[orjson.dumps(p)] > 1 else p for p in each["parameters"]
        ]
    info = {**document["info"], "description": _HOW_TO_ASK}
    kept = {name: part for name, part in document.items() if name != "tags"}
    return {**kept, "info": info, "paths": paths, "components": {"parameters": shared}}


def _operation(operation: Mapping[str, Any], values: Mapping[str, Part]) -> Part:
    kept = {name: operation[name] for name in ("operationId", "summary")}
    parameters = [_parameter(p, values) for p in operation.get("parameters", ())]
    words = operation["responses"]["200"]["description"]
    return {**kept, "parameters": parameters, "responses": {"200": {"description": words}}}


def _parameter(parameter: Part, values: Mapping[str, Part]) -> Part:
    words = parameter["description"].partition(ALL_VALUES)[0]
    schema = parameter["schema"]
    if "anyOf" in schema:
        name = schema["anyOf"][0].get("$ref", "").rpartition("/")[2]
        known = values.get(name, {}).get("enum", ())
        words += f" Values: {', '.join(known)}." if 0 < len(known) <= _LISTED else ""
        schema = {"type": "string"}
    schema = {key: part for key, part in schema.items() if key not in _LEFT_OUT}
    small = {**parameter, "description": words, "schema": schema}
    return {key: part for key, part in small.items() if part is not False or key != "required"}


def _shared(parameter: Part, shared: dict[str, Part]) -> dict[str, str]:
    """A reference to a parameter, which is put among those that are shared."""
    name, number = parameter["name"], 1
    while shared.setdefault(name, parameter) != parameter:
        number += 1
        name = f"{parameter['name']}_{number}"
    return {"$ref": f"#/components/parameters/{name}"}
