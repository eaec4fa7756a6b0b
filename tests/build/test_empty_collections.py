"""A collection without records has its first page, sorts and filters, but no lists by value; its
values are unknown in files and in queries, and no document leads to such a list.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from generator.features.feeds import SELECTION
from support import commands, registries, shapes
from support.answers import served
from support.independent import assert_agrees
from support.once import once

ALIAS = "once-applied"
#: A value of each filter of projects that the registry of conferences declares, and one more.
REFUSED = ("status=active", "tag_topic=web", "organization_category=society", "status=not:public",
           "year=2020", "location=ke", "program=formal-networks", "organization=elm-university",
           "status=active,inactive")  # fmt: skip


@pytest.fixture(scope="session")
def conferences(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of dates without a project, where a program was renamed. Do not change it."""

    def make(folder: Path) -> Path:
        records = shapes.conferences(120)
        programs = dict(records["programs"])
        first = next(iter(programs))
        programs[first] = {**programs[first], "aliases": [ALIAS]}
        content = registries.api_alone(base=records, programs=programs)
        registries.write(folder / "content", content)
        return commands.build(folder / "content", folder / "out", "--as-of", commands.TODAY)

    return once(tmp_path_factory, "conferences", make)


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of tools and members without a program or a date. Do not change it."""

    def make(folder: Path) -> Path:
        registries.write(folder / "content", registries.api_alone(base=shapes.tools(100)))
        return commands.build(folder / "content", folder / "out", "--as-of", commands.TODAY)

    return once(tmp_path_factory, "tools", make)


def load(out: Path, path: str) -> Any:
    return json.loads((out / path).read_bytes())


def test_an_empty_collection_has_a_page_sorts_and_filters_but_no_slices(conferences: Path) -> None:
    assert not (conferences / "api/projects/by").exists()
    for path in ("page/1.json", "sort/-year/page/1.json"):
        found = load(conferences, f"api/projects/{path}")
        assert (found["data"], found["page"]["total_pages"]) == ([], 1)
    filters = load(conferences, "api/projects/filters.json")["data"]
    assert {"status", "tag_topic", "program", "year"} <= filters.keys()
    assert not any(listed["values"] for listed in filters.values())
    assert load(conferences, "api/projects/filters/status.json")["data"]["values"] == []
    assert (conferences / "api/programs/by/organization_category/publisher").is_dir()


def test_an_empty_calendar_has_its_page_its_upcoming_page_and_its_feed(tools: Path) -> None:
    below = tools / "api/calendar"
    assert load(tools, "api/calendar/events/page/1.json")["data"] == []
    assert load(tools, "api/calendar/events/upcoming/page/1.json")["data"] == []
    assert b"BEGIN:VCALENDAR" in (below / "events.ics").read_bytes()
    assert not (below / "events/by").exists()


def test_links_of_records_to_an_empty_collection_lead_to_its_first_page(
    conferences: Path, tools: Path
) -> None:
    program = load(conferences, "api/programs/slug/formal-networks.json")["links"]
    assert program["projects"] == "/api/projects/page/1.json"
    assert "/by/program/" in program["events"]
    member = load(tools, "api/organizations/slug/amber-works.json")["links"]
    assert member["programs"] == "/api/programs/page/1.json"
    assert member["events"] == "/api/calendar/events/page/1.json"
    assert "/by/organization/" in member["projects"]


@pytest.mark.parametrize("name", ["conferences", "tools"])
def test_every_address_in_a_document_is_a_file(name: str, request: pytest.FixtureRequest) -> None:
    out: Path = request.getfixturevalue(name)
    documents = [*out.glob("api/**/*.json"), *out.glob("api/**/*.md"), *out.glob("*.[mt][dx]*")]
    assert len(documents) > 100
    missing = {
        (file.name, path)
        for file in documents
        for path in re.findall(r"/api/[^\s\"')>`?]*\.(?:json|ics|md)", file.read_text("utf-8"))
        if not re.search(r"[{<:*]", path) and path != SELECTION and not (out / path[1:]).is_file()
    }
    assert missing == set()


@pytest.mark.parametrize("mode", ["page", "count"])
def test_queries_know_no_value_of_an_empty_collection(conferences: Path, mode: str) -> None:
    queries = (*REFUSED, f"program={ALIAS}")
    targets = [f"/api/projects?mode={mode}&{query}" for query in queries]
    found = served(conferences, *targets)
    problems = [(status, json.loads(body)["code"]) for status, body in found]
    assert problems == [(404, "not-found")] * len(queries)


def test_queries_of_an_empty_collection_are_answered_as_a_whole(conferences: Path) -> None:
    targets = ["/api/projects?mode=page", "/api/projects?mode=page&q=web",
               "/api/projects?mode=page&year=2019..2024", "/api/projects?mode=page&sort=-team_size",
               "/api/projects?mode=count&by=status,program"]  # fmt: skip
    found = served(conferences, *targets)
    assert [status for status, _ in found] == [200] * len(targets)
    last = json.loads(found[-1][1])
    assert last["total_items"] == 0
    assert not any(counts["values"] for counts in last["counts"].values())


def test_a_former_slug_has_no_list_in_an_empty_collection(conferences: Path) -> None:
    assert (conferences / f"api/programs/slug/{ALIAS}.json").is_file()
    rules = (conferences / "_redirects").read_text()
    assert f"/api/calendar/events/by/program/{ALIAS}/" in rules
    assert f"/api/projects/by/program/{ALIAS}/" not in rules


def test_rankings_by_an_empty_collection_are_empty(conferences: Path, tools: Path) -> None:
    dashboard = load(conferences, "api/dashboard.json")["data"]
    assert dashboard["top_programs"] == dashboard["top_organizations"] == []
    assert load(tools, "api/dashboard.json")["data"]["top_organizations"]


def test_texts_for_agents_do_not_mention_an_empty_collection(
    conferences: Path, tools: Path
) -> None:
    for path in ("skill.md", "llms.txt", "api/v1/agent/context/overview.md"):
        # Except for the line of skill.md that says so.
        without_projects, without_programs = (
            re.sub("There are no .*", "", (out / path).read_text()) for out in (conferences, tools)
        )
        assert "api/projects" not in without_projects.replace("/api/projects?mode", "")
        assert "-projects" not in without_projects, path
        assert not re.search(r"\bprojects?\b", without_projects), path
        assert not re.search(r"\b(programs?|events?|calendar)\b", without_programs.lower()), path
    assert "There are no projects." in (conferences / "skill.md").read_text()
    assert "There are no programs or events." in (tools / "skill.md").read_text()
    context = (tools / "api/v1/agent/context/organizations/amber-works.md").read_text()
    assert "/by/organization/amber-works" in context
    assert "Programs" not in context and "dates" not in context


@pytest.mark.slow
def test_an_independent_check_agrees(oracle: Path, tools: Path) -> None:
    assert_agrees(oracle, tools.parent / "content", tools)


def digests(out: Path) -> dict[str, bytes]:
    changing = {out / path for path in commands.OF_BUILDS}
    return {
        str(file.relative_to(out)): file.read_bytes()
        for file in out.rglob("*")
        if file.is_file() and file not in changing
    }


@pytest.mark.slow
def test_the_first_project_and_the_loss_of_the_last_give_the_bytes_of_clean_builds(
    tmp_path: Path,
) -> None:
    content = registries.write(tmp_path / "content", shapes.conferences(40))
    first = content / "projects/first.yaml"
    first.parent.mkdir(exist_ok=True)
    record = {"name": "First", "programs": [next(iter(shapes.conferences(40)["programs"]))]}
    states = []
    for number, text in enumerate((None, registries.as_yaml(record), None)):
        first.write_text(text) if text else first.unlink(missing_ok=True)
        out = tmp_path / "out"
        more = "--as-of", commands.TODAY, "--allow-loss"
        kept = digests(commands.build(content, out, *more, site=True))
        states.append(kept)
        clean = digests(commands.build(content, tmp_path / f"clean-{number}", *more, site=True))
        assert kept.keys() == clean.keys()
        assert [path for path in kept if kept[path] != clean[path]] == []
    before, with_project, after = states
    assert before == after
    assert "api/projects/by/status/active/page/1.json" in with_project.keys() - before.keys()
    assert "projects/index.html" in with_project.keys() - before.keys()


def test_a_first_project_breaks_no_contract_and_the_loss_of_the_last_needs_an_approval(
    tmp_path: Path,
) -> None:
    records = {name: dict(part) for name, part in shapes.conferences(40).items()}
    content = registries.write(tmp_path / "content", registries.api_alone(base=records))
    out = commands.build(content, tmp_path / "out", "--as-of", commands.TODAY)
    first = content / "projects/first.yaml"
    first.parent.mkdir(exist_ok=True)
    first.write_text(registries.as_yaml({"name": "First", "tags": {"topic": ["web"]}}))
    later = commands.build(content, tmp_path / "later", "--as-of", commands.TODAY)
    done = commands.run_forked("diff", out, later)
    assert done.status == 0, done.out
    first.unlink()
    done = commands.run_forked("build", "--content", content, "--out", later, "--no-site")
    assert done.status == 1
    assert "1 of 1 projects is gone: first. Without projects, all their lists by filter" in done.err
