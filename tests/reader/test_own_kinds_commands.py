"""Commands and MCP read registries that declare kinds, from a folder and over HTTP."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator.reader.client import Client
from support import commands, own_kinds
from support.fake_host import serving
from support.talk import answer, message, post, refusal


@pytest.fixture(scope="module", params=["folder", "HTTP"])
def wheres(
    request: pytest.FixtureRequest, built_own_kinds: dict[str, Path]
) -> Iterator[dict[str, str]]:
    """Where each registry is."""
    if request.param == "folder":
        yield {name: str(out) for name, out in built_own_kinds.items()}
        return
    investors, tools = built_own_kinds["investors"], built_own_kinds["tools"]
    with serving(investors, "/a") as first, serving(tools, "/b") as second:
        yield {"investors": first.base, "tools": second.base}


@pytest.fixture
def ask(wheres: dict[str, str]) -> Callable[..., str]:
    def run(name: str, *arguments: str, form: str = "table") -> str:
        options = ("--from", wheres[name], "--no-cache", "--format", form)
        done = commands.run_forked(*arguments, *options)
        assert done.status == 0, done.err
        return done.out

    return run


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(("name", "collection"), [
    *(("investors", name) for name in own_kinds.INVESTORS if name != "registry"),
    *(("tools", name) for name in own_kinds.TOOLS if name != "registry"),
])  # fmt: skip
def test_each_record_of_each_kind_is_listed_and_read(
    name: str, collection: str, ask: Callable[..., str]
) -> None:
    content = {"investors": own_kinds.INVESTORS, "tools": own_kinds.TOOLS}[name][collection]
    listed = json.loads(ask(name, "list", collection, form="json"))
    if collection != "events":
        assert {row["slug"] for row in listed["data"]} == content.keys()
    for slug in content:
        record = json.loads(ask(name, "get", f"{collection}/{slug}", form="json"))
        assert record["data"]["name"] == content[slug]["name"]


def test_tables_have_the_fields_of_a_kind(ask: Callable[..., str]) -> None:
    head, *lines = ask("investors", "list", "rounds").splitlines()
    assert head.split() == ["slug", "name", "project", "lead", "investors", "amount", "day",
                            "summary"]  # fmt: skip
    assert ["5000000", "2026-02-28"] in [line.split()[-2:] for line in lines]
    assert lines[-1].endswith("3 rounds")
    assert ask("tools", "list", "tools").splitlines()[0].split() == [
        "slug", "name", "licence", "stars", "year", "summary",
    ]  # fmt: skip
    shown = ask("investors", "get", "investors", "quay-ventures").splitlines()
    found = dict(line.split(None, 1) for line in shown)
    assert found["assets"] == "99.5" and found["stage"] == "growth"
    assert (found["counts_projects"], found["counts_rounds_lead"]) == ("2", "1")


def test_rows_of_csv_have_a_cell_for_each_field(ask: Callable[..., str]) -> None:
    found = rows(ask("investors", "list", "projects", "--all", form="csv"))
    assert [row["field_backed_by"] for row in found] == [
        "", "birch-capital;quay-ventures", "quay-ventures",
    ]  # fmt: skip
    assert [row["counts_rounds"] for row in found] == ["0", "2", "1"]
    [row] = rows(ask("tools", "get", "papers", "maps-that-read", form="csv"))
    assert (row["about"], row["venue"]) == ("mapper;parse-it", "atlas-days")


def test_queries_of_own_kinds(ask: Callable[..., str]) -> None:
    found = json.loads(ask("investors", "count", "rounds", "--by", "investor,project_status",
                           "--stat", "amount", form="json"))  # fmt: skip
    assert found["stat"]["sum"] == 5400000
    assert {v["value"]: v["count"] for v in found["counts"]["investor"]["values"]} == {
        "birch-capital": 1, "quay-ventures": 2,
    }  # fmt: skip
    found = json.loads(ask("investors", "rows", "investors", "--fields", "name,rounds,assets",
                           "--sort=-rounds", form="json"))  # fmt: skip
    assert found["rows"][0] == ["quay-ventures", "Quay Ventures", 2, 99.5]
    found = json.loads(ask("tools", "list", "papers", "--filter", "tool_licence=mit", form="json"))
    assert [row["slug"] for row in found["data"]] == ["maps-that-read"]
    found = json.loads(ask("tools", "search", "parsing", form="json"))
    assert [*found["data"]] == ["tools", "papers", "venues"] and found["total_items"] == 1
    assert "1 found" in ask("tools", "search", "parsing")
    assert "top venues papers" in ask("tools", "dashboard")


@pytest.mark.parametrize(("arguments", "said"), [
    (["list", "projects"], 'no collection "projects"; one of: papers, tools, venues'),
    (["calendar"], "has no calendar"), (["calendar", "--ics"], "has no calendar"),
    (["calendar", "--within", "30d"], "has no calendar"),
    (["list", "papers", "--filter", "tool=map-it"], 'The tool "map-it" is now called "mapper"'),
    (["list", "tools", "--filter", "licenc=mit"], 'Did you mean "licence"?'),
    (["get", "tools", "maper"], "mapper"),
])  # fmt: skip
def test_what_is_not_there_is_said(arguments: list[str], said: str, wheres: dict[str, str]) -> None:
    done = commands.run_forked(*arguments, "--from", wheres["tools"], "--no-cache")
    assert done.status == 2 and said in done.err


def test_models_read_own_kinds(wheres: dict[str, str]) -> None:
    client = Client.open(wheres["tools"])
    listed = json.loads(post(client, json.dumps(message("tools/list")))[1])["result"]["tools"]
    named = {tool["name"]: tool["inputSchema"]["properties"] for tool in listed}
    assert "calendar_events" not in named
    for name in ("list_records", "count_records", "get_record"):
        assert named[name]["collection"]["enum"] == ["tools", "papers", "venues"]
    found = answer(client, "list_records", {"collection": "papers", "filters": {"tool": "mapper"}})
    assert [row["slug"] for row in found["data"]] == ["maps-that-read"]
    found = answer(client, "get_record", {"collection": "tools", "slug": "map-it"})
    assert found["data"]["slug"] == "mapper"
    found = answer(client, "count_records", {"collection": "tools", "by": ["licence"]})
    assert found["total_items"] == 3 and "gpl-3-0" in json.dumps(found["data"])
    refused = refusal(client, "list_records", {"collection": "projects"})
    assert refused["allowed"] == ["tools", "papers", "venues"]
