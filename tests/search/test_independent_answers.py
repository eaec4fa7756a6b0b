"""Answers compared with those that an independent check computes from the content
(support/independent.py). These tests are skipped if the check is missing.

Both engines answer all of some 2,100 queries; the development server, the command line and the MCP
server answer a sample.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.reader.client import Client
from support import commands, independent, own_fields, registries, shapes, talk
from support.answers import differing, javascript, over_http, python
from support.independent import Cases

pytestmark = pytest.mark.slow


def assert_agrees(cases: Cases, out: Path) -> None:
    targets = [case["url"] for case in cases]
    answers = python(out, *targets)
    found = [(a.status, a.body) for a in javascript(out, *targets)]
    assert differing(targets, found, answers) == []
    for case, (status, body) in zip(cases, answers, strict=True):
        document = json.loads(body)
        independent.assert_right(case, status, document)
        if case.get("tier") == "page":
            assert body == (out / document["links"]["self"][1:]).read_bytes(), case


@pytest.fixture
def asked_of_own(cases_of_own: dict[str, Cases]) -> Cases:
    return cases_of_own["words"]


def test_this_registrys_own_content(
    cases_of_content: dict[str, Cases], built_content: Path
) -> None:
    assert_agrees(cases_of_content["words"], built_content)


def test_a_registry_with_own_fields_of_every_type(asked_of_own: Cases, built_own: Path) -> None:
    parameters = {name for case in asked_of_own for name in case.get("params", ())}
    assert parameters >= {
        "field_funding",
        "field_hiring",
        "field_market",
        "team_size",
        "by",
        "sort",
    }
    assert_agrees(asked_of_own, built_own)


def test_a_large_real_registry(cases_of_real: dict[str, Cases], built_real: Path) -> None:
    assert_agrees(cases_of_real["words"], built_real)


def test_dates_of_conferences_with_rounds_and_zones(oracle: Path, tmp_path: Path) -> None:
    """The zones of these dates have summer time, and minutes in their offsets."""
    content = registries.write(tmp_path / "content", shapes.conferences(2104))
    out = tmp_path / "out"
    commands.build(content, out, "--as-of", commands.TODAY)
    independent.assert_agrees(oracle, content, out)
    cases = independent.queries(oracle, content, events=(8, 250))["events"]
    parameters = {name for case in cases for name in case.get("params", ())}
    assert parameters >= {"tag_topic", "location", "organization_category", "status", "stage"}
    assert_agrees(cases, out)


# --- other query tiers ---


def test_the_development_server(asked_of_own: Cases, served_own: int) -> None:
    sample = asked_of_own[::5]
    answers = over_http(served_own, [case["url"] for case in sample])
    for case, (status, body, _) in zip(sample, answers, strict=True):
        independent.assert_right(case, status, json.loads(body))


def filters_of(case: dict[str, Any]) -> dict[str, str]:
    other_parameters = ("mode", "q", "sort", "page", "by", "like")
    return {name: text for name, text in case["params"].items() if name not in other_parameters}


def test_the_command_line(asked_of_own: Cases, built_own: Path) -> None:
    for case in [case for case in asked_of_own if "params" in case][::14]:
        params = case["params"]
        words = ["search"] if "q" in params else ["list"]
        if params["mode"] == "count":
            words = ["count"]
        words += [params["q"], "--in"] if words == ["search"] else []
        words.append(case["collection"])
        for name, text in filters_of(case).items():
            words += ["--filter", f"{name}={text}"]
        for name in ("sort", "page", "by"):
            words += [f"--{name}", str(params[name])] if name in params else []
        if words[0] == "count" and "q" in params:
            words += ["--q", params["q"]]
        done = commands.run_forked(*words, "--format", "json", "--from", built_own)
        assert (done.status, done.err) == (0, ""), case
        independent.assert_right(case, 200, json.loads(done.out))


def as_a_tool_answers(case: dict[str, Any]) -> dict[str, Any]:
    """The case of a count with at most ten alternatives beside values that the query asks for."""
    counts = {
        name: {**found, "values": found["values"][:10], "truncated": found["total_values"] > 10}
        if found["selected"]
        else found
        for name, found in case["counts"].items()
    }
    return {**case, "counts": counts}


def test_the_mcp_server(asked_of_own: Cases, built_own: Path) -> None:
    client = Client.open(str(built_own))
    for case in [case for case in asked_of_own if "params" in case][::14]:
        params = case["params"]
        arguments: dict[str, Any] = {"collection": case["collection"]}
        arguments |= {name: params[name] for name in ("q", "sort") if name in params}
        if filters := filters_of(case):
            arguments["filters"] = filters
        if params["mode"] == "count":
            arguments |= {"by": params["by"].split(",")} if "by" in params else {}
            document = talk.answer(client, "count_records", arguments)
            counts = {name: {"selected": [], **found} for name, found in document["data"].items()}
            independent.assert_counted(as_a_tool_answers(case), {**document, "counts": counts})
            continue
        start = (int(params.get("page", 1)) - 1) * own_fields.SIZE + 1
        arguments |= {"start": start, "limit": own_fields.SIZE, "fields": ["name"]}
        tool = "search_records" if "q" in params else "list_records"
        if case["collection"] == "events" and tool == "list_records":
            tool = "calendar_events"
            arguments = {"filters": filters_of(case)} | {
                name: arguments[name] for name in ("start", "limit", "fields")
            }
        document = talk.answer(client, tool, arguments)
        assert document["total_items"] == case["total_items"], case
        slugs = [row["slug"] for row in document["data"]]
        assert slugs == case.get("slugs", slugs), case
        assert sorted(slugs) == (case.get("members") or sorted(slugs)), case
