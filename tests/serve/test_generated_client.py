"""Clients that others generate from openapi.json send every default of a parameter: each operation
answers such a request, in each mode.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from support.serving import Published, fetch

Parameter = dict[str, Any]
#: Values of required parameters that openapi.json does not list.
WORDS = {"q": "a", "page": "1"}
#: What an operation asks for that OpenAPI cannot say.
ONE_OF = {"read_selection_feed": {"kind": "deadline"}}


@pytest.fixture(params=["small_at_a_prefix", pytest.param("content", marks=pytest.mark.slow)])
def site(request: pytest.FixtureRequest) -> Published:
    found: Published = request.getfixturevalue(request.param)
    return found


def schema(document: dict[str, Any], parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = parameter["schema"]
    name = found.get("$ref", "").rpartition("/")[2]
    return document["components"]["schemas"][name] if name else found


def defaults(document: dict[str, Any], parameters: list[Parameter]) -> dict[str, str]:
    """What a generated client sends without being asked to."""
    given = {p["name"]: schema(document, p).get("default") for p in parameters}
    return {
        name: ",".join(value) if isinstance(value, list) else str(value)
        for name, value in given.items()
        if value is not None
    }


def requests(document: dict[str, Any]) -> Iterator[str]:
    """Targets of the operations whose required parameters have listed values: with all defaults,
    once for each value of a parameter that may have only some.
    """
    for path, methods in document["paths"].items():
        parameters = methods["get"].get("parameters", [])
        required = {p["name"]: WORDS.get(p["name"]) for p in parameters if p["required"]}
        for p in parameters:
            if p["required"] and required[p["name"]] is None:
                required[p["name"]] = next(iter(schema(document, p).get("enum", [])), None)
        if None in required.values():
            continue
        sent = defaults(document, parameters) | required
        sent |= ONE_OF.get(methods["get"]["operationId"], {})
        placed = path.format_map({p["name"]: quote(str(sent.pop(p["name"])))
                                  for p in parameters if p["in"] == "path"})  # fmt: skip
        mode = next((p for p in parameters if p["name"] == "mode"), None)
        modes = [{"mode": word} for word in mode["schema"]["enum"]] if mode else []
        for more in modes if mode and mode["required"] else [{}, *modes]:
            yield f"{placed}?{urlencode(sent | more)}".removesuffix("?")


def test_the_defaults_of_openapi_are_accepted_in_every_mode(site: Published) -> None:
    document = site.json("/api/openapi.json")
    targets = list(requests(document))
    assert {f"/api/projects?mode={mode}" for mode in ("page", "rows", "count")} <= {*targets}
    assert {"/api/calendar/events", "/api/search?q=a"} <= {*targets}
    refused = [target for target in targets if fetch(site.base + target)[0] != 200]
    assert refused == []
