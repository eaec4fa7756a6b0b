"""A refusal of several unknown values names all."""

from __future__ import annotations

import json
from pathlib import Path

from support.answers import served

QUERIES = {
    "location=kenia,norwai": '"kenia" or "norwai"',
    "location=all:us,kenia,norwai,xyzxyz": '"kenia", "norwai" or "xyzxyz"',
    "status=active&location=not:kenia": '"kenia"',
}


def test_all_unknown_values_of_a_filter_are_named(built_content: Path) -> None:
    targets = [f"/api/projects?mode=count&{query}" for query in QUERIES]
    found = served(built_content, *targets)
    for (status, body), words in zip(found, QUERIES.values(), strict=True):
        problem = json.loads(body)
        assert status == 404 and f"has the location {words};" in problem["detail"]
        assert "ke" in problem["allowed"] and len(problem["allowed"]) <= 10
        if "norwai" in words:
            assert problem["allowed"][:2] == ["ke", "no"]


def test_all_invalid_values_of_a_filter_have_near_values(built_content: Path) -> None:
    target = "/api/projects?mode=count&location=Kenya,Norway"
    ((status, body),) = served(built_content, target)
    assert status == 400 and json.loads(body)["allowed"] == ["ke", "no"]
