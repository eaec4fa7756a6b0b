"""Rows are the first records of a list with the values that lists, filters and records have."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from generator.grammar.grammar import Grammar
from generator.reader.client import Client
from generator.reader.site import Site
from generator.search.reading import MAX_READS
from support import cases, commands, independent, registries
from support.answers import differing, javascript, over_http, python
from support.brute import ROOTS, brute_of
from support.independent import Cases


def grammar_of(out: Path) -> Grammar:
    return Site.open(out).grammar


def both(out: Path, targets: list[str]) -> list[tuple[int, dict[str, Any]]]:
    """The answers of both engines, after asserting that they are equal and within the bounds."""
    answers, found = python(out, *targets), javascript(out, *targets)
    assert differing(targets, [(a.status, a.body) for a in found], answers) == []
    assert max(len(a.reads) for a in found) <= MAX_READS
    return [(status, json.loads(body)) for status, body in answers]


def drawn(out: Path, number: int, seed: int) -> Iterator[tuple[str, str]]:
    """Pairs of a list and rows with the same filters, words and sort."""
    chance, brute = random.Random(seed), brute_of(out)
    by_root = {c.root: c for c in grammar_of(out).collections.values()}
    roots = {root: 1 for root in ROOTS if brute.lists[root].rows}
    for target in cases.drawn(brute, number, seed, roots):
        part, asked, filters = brute.asked(target)
        known = [*by_root[part.root].row_fields]
        fields = chance.sample(known, chance.randint(1, min(8, len(known))))
        pairs = {name: asked[name] for name in (*filters, "q", "sort") if name in asked}
        raw = "".join(f"&{name}={quote(text, ',:')}" for name, text in pairs.items())
        limit = chance.choice((1, 2, 10, 50))
        rows = f"{part.root}?mode=rows{raw}&fields={','.join(fields)}&limit={limit}"
        yield f"{part.root}?mode=page{raw}", rows


def assert_rows_of_lists(out: Path, number: int, seed: int) -> None:
    """Both engines give the same rows, and these are the first records of the list.  The name, the
    texts and the tags of a row are those of its summary.
    """
    lists, rows = map(list, zip(*drawn(out, number, seed), strict=True))
    for (status, document), (other, listed) in zip(both(out, rows), both(out, lists), strict=True):
        assert status == other == 200
        summaries = listed["data"][: document["query"]["limit"]]
        assert document["total_items"] == listed["page"]["total_items"]
        assert document["alternatives"] == listed.get("alternatives", [])
        assert document["columns"] == ["slug", *document["query"]["fields"]]
        assert len(document["rows"]) == min(document["query"]["limit"], document["total_items"])
        for row, summary in zip(document["rows"], summaries, strict=False):
            cells = dict(zip(document["columns"], row, strict=True))
            same = {"slug", "name", "summary", "website", "href", "status", "timezone", "ends_at"}
            for name in same & cells.keys() & summary.keys():
                assert cells[name] == summary[name]
            for name in cells:
                if name.startswith("tag_"):
                    tags = sorted(summary["tags"][name.removeprefix("tag_")])
                    of_program = document["kind"] == "event_rows"
                    assert set(tags) <= set(cells[name]) if of_program else tags == cells[name]


def test_rows_are_the_first_records_of_the_list(built_content: Path, built_own: Path) -> None:
    assert_rows_of_lists(built_content, 150, 31)
    assert_rows_of_lists(built_own, 250, 32)


@pytest.mark.slow
def test_rows_of_a_large_registry(built_real: Path) -> None:
    assert_rows_of_lists(built_real, 60, 33)


def test_own_fields_have_the_values_of_the_record(built_own: Path) -> None:
    """Also those that only a column has, and small numbers."""
    for collection in grammar_of(built_own).collections.values():
        names = [name for name in collection.row_fields if name.startswith("field_")]
        targets = [
            f"{collection.root}?mode=rows&limit=50&fields={','.join(names[start : start + 8])}"
            for start in range(0, len(names), 8)
        ]
        for _, document in both(built_own, targets):
            for slug, *cells in document["rows"]:
                path = built_own / collection.record_path(slug)[1:]
                own = json.loads(path.read_bytes())["data"]["fields"]
                for name, cell in zip(document["query"]["fields"], cells, strict=True):
                    value = own[name.removeprefix("field_")]
                    choices = collection.row_fields[name].type == "slugs"
                    assert cell == (sorted(value) if choices else value), (slug, name)
                    assert type(cell) is type(value)


def test_the_largest_and_the_smallest_numbers(tmp_path: Path) -> None:
    """Python and JavaScript write small numbers differently unless they take care."""
    numbers = [1e-5, 1.5e-6, -1.5e-6, 1e-7, 2.5e-300, 0.1, 0, 1 << 53, -(1 << 53), 123456.789]
    field = {"label": "Value", "type": "number"}
    declared = {"value": field | {"sort": True}, "shown": field | {"summary": True}}
    records = {
        f"p{place}": {"name": f"P {place}", "fields": {"value": value, "shown": value}}
        for place, value in enumerate(numbers)
    }
    content = registries.api_alone({"fields": {"projects": declared}}, projects=records)
    registries.write(tmp_path / "content", content)
    out = commands.build(tmp_path / "content", tmp_path / "out")
    target = "/api/projects?mode=rows&sort=field_value&fields=field_value,field_shown"
    ((_, document),) = both(out, [target])
    assert [row[1:] for row in document["rows"]] == [[n, n] for n in sorted(numbers)]


REFUSED = {
    "mode=rows&page=2": "fields",
    "mode=rows&by=year": "limit",
    "mode=rows&like=a": "sort",
    "mode=rows&fields=colour": "name",
    "mode=rows&fields=nmae": "name",
    "mode=rows&fields=slug": "name",
    "mode=rows&fields=name,name": "website",
    "mode=rows&fields=name,": "name",
    "mode=rows&fields=upcoming": "starts_at",
    "mode=rows&limit=0": "50",
    "mode=rows&limit=51": "1",
    "mode=rows&limit=05": "1",
    "mode=rows&limit=x": "1",
}


def test_refusals_list_what_is_allowed(built_content: Path) -> None:
    fields = [*grammar_of(built_content).events.row_fields]
    wide = f"mode=rows&fields={','.join(fields[:9])}"
    targets = [f"/api/calendar/events?{raw}" for raw in (*REFUSED, wide)]
    for wanted, (status, document) in zip(
        (*REFUSED.values(), "ends_local"), both(built_content, targets), strict=True
    ):
        assert (status, document["code"]) == (400, "invalid-parameter")
        assert wanted in document["allowed"]


@pytest.mark.parametrize("raw", ["mode=page", "mode=count", "mode=all", "q=a", "mode=rowss"])
@pytest.mark.parametrize("extra", ["fields=name", "limit=5"])
def test_other_modes_do_not_know_the_parameters_of_rows(
    raw: str, extra: str, built_content: Path
) -> None:
    ((status, document),) = both(built_content, [f"/api/projects?{raw}&{extra}"])
    assert (status, document["code"]) == (400, "unknown-parameter")


def test_links_and_defaults(built_content: Path) -> None:
    plain, sorted_, narrowed, several = both(
        built_content,
        [
            "/api/projects?mode=rows",
            "/api/projects?limit=10&sort=-year&fields=name&mode=rows",
            "/api/organizations?mode=rows&category=accelerator&fields=name%2Cyear",
            "/api/calendar/events?mode=rows&q=demo&kind=event&limit=3",
        ],
    )
    links = [document["links"] for _, document in (plain, sorted_, narrowed, several)]
    assert links == [
        {"self": "/api/projects?mode=rows", "list": "/api/projects/page/1.json"},
        {
            "self": "/api/projects?mode=rows&sort=-year",
            "list": "/api/projects/sort/-year/page/1.json",
        },
        {
            "self": "/api/organizations?mode=rows&category=accelerator&fields=name,year",
            "list": "/api/organizations/by/category/accelerator/page/1.json",
        },
        {
            "self": "/api/calendar/events?mode=rows&q=demo&kind=event&limit=3",
            "list": "/api/calendar/events?mode=page&q=demo&kind=event",
        },
    ]
    assert plain[1]["query"]["fields"] == ["name"] and len(plain[1]["rows"]) == 10
    assert "as_of" in several[1]


def test_rows_that_find_nothing_name_other_queries(built_content: Path) -> None:
    ((_, document),) = both(
        built_content, ["/api/projects?mode=rows&status=acquired&location=us&q=robtics&sort=-year"]
    )
    assert (document["total_items"], document["rows"]) == (0, [])
    for other in document["alternatives"]:
        assert other["total_items"] > 0 and "sort=-year" in other["href"]
    assert document["alternatives"]


# --- an independent check ---


def assert_agrees(found: list[dict[str, Any]], out: Path) -> None:
    for case, (status, document) in zip(found, both(out, [c["url"] for c in found]), strict=True):
        independent.assert_rows(case, status, document)


def test_an_independent_check_of_this_registrys_own_content(
    cases_of_content: dict[str, Cases], built_content: Path
) -> None:
    assert_agrees(cases_of_content["rows"], built_content)


@pytest.mark.slow
def test_an_independent_check_of_a_large_registry(
    cases_of_real: dict[str, Cases], built_real: Path
) -> None:
    assert_agrees(cases_of_real["rows"], built_real)


def test_the_development_server_and_the_client(
    cases_of_own: dict[str, Cases], served_own: int, built_own: Path
) -> None:
    found = cases_of_own["rows"]
    assert_agrees(found, built_own)
    answers = over_http(served_own, [case["url"] for case in found[::6]])
    for case, (status, body, _) in zip(found[::6], answers, strict=True):
        independent.assert_rows(case, status, json.loads(body))
    client = Client.open(str(built_own))
    for case in [case for case in found if "params" in case][::6]:
        params = dict(case["params"])
        others = {name: params.pop(name) for name in ("mode", "q", "sort", "fields", "limit")
                  if name in params}  # fmt: skip
        document = client.answer(
            client.rows_query(
                client.grammar.collections[case["collection"]],
                params.items(),
                q=others.get("q"),
                sort=others["sort"],
                fields=others["fields"].split(","),
                limit=others["limit"],
            )
        )
        independent.assert_rows(case, 200, document)


# --- the command line ---


def test_the_command_prints_a_table_json_ndjson_and_csv(built_content: Path) -> None:
    words = ["rows", "projects", "--fields", "name,year,tag_topic", "--sort", "-year"]
    words += ["--filter", "location=us", "--limit", "2", "--from", built_content]
    printed = {
        form: commands.run_forked(*words, "--format", form)
        for form in ("table", "json", "ndjson", "csv")
    }
    assert {done.status for done in printed.values()} == {0}
    document = json.loads(printed["json"].out)
    cells = document["rows"][0]
    first = dict(zip(document["columns"], cells, strict=True))
    assert json.loads(printed["ndjson"].out.splitlines()[0]) == first
    head, line, *_ = printed["csv"].out.splitlines()
    assert head == "slug,name,year,tag_topic"
    assert line == ",".join([*map(str, cells[:3]), ";".join(cells[3])])
    assert printed["table"].out.splitlines()[-1] == f"2 of {document['total_items']} projects"


def test_the_command_names_the_fields_and_other_queries(built_content: Path) -> None:
    refused = commands.run_forked("rows", "events", "--fields", "colour", "--from", built_content)
    assert refused.status == 2
    assert 'no field "colour"' in refused.err and "starts_at" in refused.err
    words = ["rows", "projects", "-q", "robtics", "--filter", "status=acquired"]
    empty = commands.run_forked(*words, "--format", "table", "--from", built_content)
    assert "0 of 0 projects\nSimilar queries that find projects:" in empty.out
