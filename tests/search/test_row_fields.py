"""The fields of rows that are not fields of records, from both engines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support import commands
from support.answers import function, python


def rows(out: Path, *queries: str) -> list[dict[str, Any]]:
    """The documents of queries with `mode=rows`, which both engines give alike."""
    targets = [f"/api/{query.replace('?', '?mode=rows&')}" for query in queries]
    answers = python(out, *targets)
    assert [(a.status, a.body) for a in function(out, *targets)] == answers
    return [json.loads(body) for _, body in answers]


def test_slug_may_be_named_and_stays_the_first_column_alone(built: Callable[[str], Path]) -> None:
    out = built("own")
    given = rows(
        out,
        "projects?fields=slug",
        "projects?fields=name,slug",
        "projects?fields=slug,name&limit=2",
        "projects?fields=slug,slug",
        "projects?fields=slugs",
    )
    slug, second, first, *refused = given
    assert slug["columns"] == ["slug"]
    assert all(len(row) == 1 for row in slug["rows"])
    assert second["columns"] == first["columns"] == ["slug", "name"]
    assert second["query"]["fields"] == ["name", "slug"]
    assert first["links"]["self"] == "/api/projects?mode=rows&fields=slug,name&limit=2"
    assert second["rows"][:2] == first["rows"]
    assert [each["code"] for each in refused] == ["invalid-parameter"] * 2
    assert refused[1]["allowed"] == ["slug"]


def test_the_command_takes_slug_as_a_field(built: Callable[[str], Path]) -> None:
    words = ["rows", "projects", "--fields", "slug,name", "--limit", "1", "--from", built("own")]
    printed = commands.run_forked(*words, "--format", "csv")
    assert (printed.status, printed.out.splitlines()[0]) == (0, "slug,name")
