"""What the documents and tools of registries with own kinds say of them: relations and their other
side, filters through these, and the words that find records.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from generator.contract.artifact import encode_json
from generator.grammar.limits import MAX_ANSWER
from generator.outputs import skill
from generator.reader.client import Client
from support import commands, registries
from support.lanes import fast_first
from support.talk import answer

#: Words of startups, and the files of the API and for agents that may have them in a registry
#: without the first four kinds: keys of the dashboard, and the program that built it.
STARTUPS = re.compile(r"\b(projects?|programs?|organi[sz]ations?|cohorts?|startups?)\b", re.I)
FOUR = ("projects", "programs", "organizations", "events")
EXPECTED = {
    "api/dashboard.json",
    "api/openapi.json",
    *(f"api/schemas/{name}.json" for name in ("dashboard", "problem", "build")),
}


def load(out: Path, path: str) -> Any:
    return json.loads((out / path).read_bytes())


def test_nothing_is_about_startups_in_a_registry_without_them(
    built_own_kinds: dict[str, Path],
) -> None:
    out = built_own_kinds["tools"]
    files = {
        path.relative_to(out).as_posix(): path
        for path in out.rglob("*")
        if path.suffix in (".json", ".md", ".txt", ".xml")
    }
    found = {
        name
        for name, path in files.items()
        if not name.startswith(("assets/", "api/index/"))  # scripts' texts; a private format
        and STARTUPS.search(path.read_text("utf-8"))
    }
    assert found <= EXPECTED
    words = STARTUPS.findall(json.dumps(load(out, "api/dashboard.json")["data"]))
    assert words == ["projects", "programs"]  # the keys of without_year
    described = re.findall(
        '"description": "[^"]*"', json.dumps(load(out, "api/schemas/dashboard.json"))
    )
    assert [text for text in described if STARTUPS.search(text)] == [
        '"description": "How many records have no year, by collection: projects and programs."'
    ]


def test_agents_read_of_relations_and_of_their_other_side(
    built_own_kinds: dict[str, Path],
) -> None:
    skill = (built_own_kinds["tools"] / "skill.md").read_text("utf-8")
    assert "totals, what most records refer to." in skill
    assert "`tool_licence` is `licence` of what a record refers to by `tool`" in skill
    assert "to rank by it, sort by `-tools_dependency`" in skill
    assert "tags, places, countries, licence or names of tools and venues;" in skill
    overview = built_own_kinds["tools"] / "api/v1/agent/context/overview.md"
    text = overview.read_text("utf-8")
    assert "## The tools with the most tools (Needed by)\n\n- Parse It (1): " in text
    assert "## The tools with the most papers\n\n- Parse It (2): " in text
    fields = load(built_own_kinds["tools"], "api/v1/agent/schema.json")["data"]["kinds"]
    [papers] = [kind for kind in fields if kind["dataset"] == "papers"]
    types = {field["name"]: (field["type"], field["in_lists"]) for field in papers["fields"]}
    assert types["fields.about"] == ("list of {slug, name, href}", "list of slug")
    assert types["fields.venue"] == ("{slug, name, href} or null", "slug or null")

    skill = (built_own_kinds["investors"] / "skill.md").read_text("utf-8")
    assert "totals, shares, the largest, what most records refer to" in skill
    assert "places, countries, status, stage or names of" in skill


def test_tools_say_what_the_kinds_have(built_own_kinds: dict[str, Path]) -> None:
    tools = {
        name: {tool["name"]: tool for tool in load(out, "api/v1/agent/tools.json")["data"]["tools"]}
        for name, out in built_own_kinds.items()
    }
    dashboard = tools["tools"]["dashboard"]
    assert (dashboard["title"], dashboard["purpose"]) == (
        "Totals", "Totals, the tools and venues that most others refer to."
    )  # fmt: skip
    assert tools["investors"]["dashboard"]["title"] == "Totals, shares and next dates"
    assert tools["investors"]["dashboard"]["purpose"].endswith(
        "the investors that most others refer to, next events."
    )
    assert "calendar_events" in tools["investors"] and "calendar_events" not in tools["tools"]
    listed = tools["tools"]["list_records"]["input"]["properties"]
    assert listed["collection"]["enum"] == ["tools", "papers", "venues"]
    assert {"-papers", "-tools_dependency", "-stars", "stars"} <= {*listed["sort"]["enum"]}
    filters = tools["tools"]["count_records"]["input"]["properties"]["filters"]["description"]
    assert "tool_licence, tool_tag_topic" in filters


def test_words_find_records_by_choices_places_tags_and_related_names(
    built_own_kinds: dict[str, Path],
) -> None:
    def found(registry: str, collection: str, q: str) -> list[str]:
        client = Client.open(str(built_own_kinds[registry]))
        asked = {"collection": collection, "q": q, "fields": ["slug"]}
        return sorted(record["slug"] for record in answer(client, "search_records", asked)["data"])

    assert found("tools", "tools", "GPL") == ["parse-it"]  # the label of a choice
    assert found("tools", "tools", "maps") == ["mapper", "parse-it"]
    assert found("tools", "papers", "mapper") == ["maps-that-read"]
    assert found("tools", "papers", "atlas") == ["maps-that-read"]
    assert found("tools", "venues", "kenya") == ["atlas-days"]
    assert found("investors", "investors", "growth") == ["quay-ventures"]
    assert found("investors", "investors", "harbour") == ["birch-capital"]
    assert found("investors", "rounds", "quay") == ["bloom-a", "bloom-seed"]
    assert found("investors", "projects", "birch") == ["bloom"]


def test_filters_through_a_relation_have_the_labels_of_the_other_record(
    built_own_kinds: dict[str, Path],
) -> None:
    out = built_own_kinds["investors"]
    status = load(out, "api/rounds/filters.json")["data"]["project_status"]
    assert status["label"] == "Status (Project)"
    assert {v["value"]: (v["label"], v["href"]) for v in status["values"]} == {
        "active": ("Active", "/api/rounds?mode=page&project_status=active"),
        "inactive": ("Inactive", "/api/rounds?mode=page&project_status=inactive"),
    }
    client = Client.open(str(out))
    asked = {"collection": "rounds", "by": ["project_status"]}
    counted = answer(client, "count_records", asked)["data"]["project_status"]["values"]
    assert counted[0] == {"value": "active", "label": "Active", "count": 2}


@pytest.mark.parametrize("name", ["investors", "tools"])
def test_data_files_have_relations_numbers_and_money(
    name: str, built_own_kinds: dict[str, Path], tmp_path: Path
) -> None:
    content = shutil.copytree(built_own_kinds[name].parent / "content", tmp_path / "content")
    settings = content / "registry.yaml"
    told = json.loads(settings.read_text("utf-8"))
    settings.write_text(
        json.dumps(told | {"data": ["csv", "ndjson", "parquet", "sqlite"]}), "utf-8"
    )
    out = commands.build(content, tmp_path / "out", "--as-of", commands.TODAY)
    database = sqlite3.connect(out / "data" / "registry.sqlite")
    assert not database.execute("PRAGMA foreign_key_check").fetchall()
    if name == "investors":
        asked = "SELECT slug, projects, rounds_lead, rounds, assets, owner FROM investors"
        assert database.execute(asked).fetchall() == [
            ("birch-capital", 1, 1, 1, 2500000.0, "harbour-fund"),
            ("idle-money", 0, 0, 0, None, None),
            ("quay-ventures", 2, 1, 2, 99.5, None),
        ]
        line = (out / "data" / "rounds.ndjson").read_text("utf-8").splitlines()[0]
        first = json.loads(line)
        assert first["investors"] == ["quay-ventures"] and first["lead"] == "quay-ventures"
    else:
        header, *_ = (out / "data" / "papers.csv").read_text("utf-8").splitlines()
        assert header.endswith("published,about,venue") and "website" not in header
    database.close()


def wide(kinds: int, fields: int) -> dict[str, Any]:
    """A registry of kinds with long names, each with so many fields and two relations."""
    names = [f"collection-of-things-{chr(97 + i)}" for i in range(kinds)]
    types = ("choice", "number", "date", "boolean", "money")
    declared = {}
    for i, name in enumerate(names):
        own = {
            f"quite_a_field_{j}": {
                "label": f"Quite a field {j}", "type": types[j % 5], "filter": True,
                "summary": True, "sort": types[j % 5] in ("number", "date", "money"),
                **({"currency": "USD"} if types[j % 5] == "money" else {}),
            } for j in range(fields)
        }  # fmt: skip
        for j in range(2):
            own[f"refers_to_{j}"] = {
                "label": f"Refers {j}", "type": "record", "of": names[(i + j) % kinds],
                "filter": f"relation_{j}_of_{chr(97 + i)}", "reverse": f"Of {j}",
            }  # fmt: skip
        declared[name] = {"one": f"thing-{chr(97 + i)}", "has": ["locations"], "fields": own}
    registry = {"name": "Wide", "description": "Wide.", "kinds": declared}
    records: dict[str, Any] = {"registry": registry | {"without_kinds": [*FOUR]}}
    for i, name in enumerate(names):
        values = ("a", 5, "2020-01-01", True, 100)
        more = {f"quite_a_field_{j}": values[j % 5] for j in range(fields)}
        more |= {f"refers_to_{j}": f"t-{(i + j) % kinds}" for j in range(2)}
        records[name] = {f"t-{i}": {"name": f"Thing {i}", **more}}
    return records


@pytest.mark.slow
@pytest.mark.parametrize(("kinds", "fields"), [(12, 5), (3, 36)])
def test_the_agent_layer_of_many_kinds_and_fields_keeps_its_bounds(
    kinds: int, fields: int, tmp_path: Path
) -> None:
    content = registries.write(tmp_path / "content", wide(kinds, fields))
    out = commands.build(content, tmp_path / "out", "--as-of", commands.TODAY)
    for name in ("catalog", "schema", "tools"):
        assert len((out / f"api/v1/agent/{name}.json").read_bytes()) <= MAX_ANSWER, name
    assert len((out / "skill.md").read_bytes()) <= skill.MAX_BYTES
    if kinds == 12:
        assert load(out, "api/v1/agent/catalog.json")["data"]["truncated"]
        assert load(out, "api/v1/agent/schema.json")["data"]["truncated"]
    client = Client.open(str(out))
    asked = {"collection": "collection-of-things-b", "sort": "-quite_a_field_1",
             "filters": {"relation_0_of_b": "t-1"}}  # fmt: skip
    assert [r["slug"] for r in answer(client, "list_records", asked)["data"]] == ["t-1"]
    for tool in ("dataset_catalog", "describe_schema", "dashboard"):
        assert len(encode_json(answer(client, tool))) <= MAX_ANSWER


def test_an_own_kind_may_have_logos_and_contexts(tmp_path: Path) -> None:
    kinds = {
        "plants": {"one": "garden-plant", "has": ["logo"], "contexts": True, "fields": {
            "bed": {"label": "Bed", "type": "record", "of": "beds", "filter": "bed_in"}}},
        "beds": {"one": "bed"},
    }  # fmt: skip
    registry = {"name": "Garden", "description": "Plants.", "kinds": kinds}
    content = registries.write(tmp_path / "content", {
        "registry": registry | {"without_kinds": [*FOUR]},
        "plants": {"rose": {"name": "Rose", "logo": "rose.svg", "bed": "front"}},
        "beds": {"front": {"name": "Front"}},
    })  # fmt: skip
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8"/></svg>'
    (content / "plants" / "rose.svg").write_text(picture, "utf-8")
    out = commands.build(content, tmp_path / "out", "--as-of", commands.TODAY)
    logo = load(out, "api/plants/slug/rose.json")["data"]["logo"]
    assert (out / logo.removeprefix("/")).is_file()
    context = (out / "api/v1/agent/context/plants/rose.md").read_text("utf-8")
    assert "- Bed: Front (/api/beds/slug/front.json)" in context
    assert not (out / "api/v1/agent/context/beds").exists()
    manifest = json.loads(Client.open(str(out)).ask("/api/reconcile/plants", ()))
    assert manifest["defaultTypes"] == [{"id": "garden_plant", "name": "Garden plant"}]


@pytest.mark.parametrize("name", fast_first(1, ["tools", "investors"]))
def test_openapi_is_valid(name: str, built_own_kinds: dict[str, Path]) -> None:
    for document in ("openapi", "openapi-queries"):
        validate(load(built_own_kinds[name], f"api/{document}.json"))


def test_feeds_name_the_records_that_an_event_refers_to(tmp_path: Path) -> None:
    paid_by = {"label": "Paid by", "type": "record", "of": "sponsors", "many": True,
               "filter": True, "summary": True}  # fmt: skip
    registry = {
        "name": "Fairs", "description": "Fairs.", "without_kinds": [*FOUR[:3]],
        "feeds": ["sponsor"], "kinds": {"sponsors": {"one": "sponsor"}},
        "fields": {"events": {"paid_by": paid_by}},
    }  # fmt: skip
    spring = {"name": "Spring", "kind": "event", "starts": "2027-03-01",
              "fields": {"paid_by": ["acme", "bolt"]}}  # fmt: skip
    content = registries.write(tmp_path / "content", {
        "registry": registry, "events": {"spring": spring},
        "sponsors": {"acme": {"name": "Acme"}, "bolt": {"name": "Bolt"}},
    })  # fmt: skip
    out = commands.build(content, tmp_path / "out", "--as-of", commands.TODAY)
    feeds = out / "api" / "calendar" / "events" / "by" / "sponsor"
    assert sorted(path.name for path in feeds.glob("*.ics")) == ["acme.ics", "bolt.ics"]
    text = (feeds / "acme.ics").read_text("utf-8").replace("\n ", "")
    assert text.count("Paid by: ") == 2 and r"Paid by: Acme\nPaid by: Bolt\n" in text
