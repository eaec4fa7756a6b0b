"""Every query of requests/*.txt gets its recorded answer, byte for byte, from the server, in whose
process the engine is embedded, and from the search.js of the build in node; only refusals of hosts
have `try`.

An independent check confirms answers where it is there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from generator.engine.table import MAX_READS
from generator.grammar.parameters import PARAMETERS
from generator.reader.client import Client
from support import alike, commands, independent, own_fields, recorded, registries, shapes, talk
from support.answers import as_in_browsers, differing, javascript, served
from support.independent import Cases

HERE = Path(__file__).parent
LISTS = sorted((HERE / "requests").glob("*.txt"))
Given = list[tuple[int, bytes]]


def everywhere(out: Path, targets: Sequence[str]) -> Given:
    """The answers of the server, which search.js gives too, within the bounds."""
    answers, found = served(out, *targets), javascript(out, *targets)
    given = [(a.status, a.body) for a in found]
    assert differing(targets, given, as_in_browsers(answers)) == []
    assert max(len(a.reads) for a in found) <= MAX_READS
    return answers


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_the_server_and_search_js_give_the_recorded_answers(
    path: Path, built: Callable[[str], Path], regenerate: bool
) -> None:
    targets = recorded.targets(path)
    answers = dict(zip(targets, everywhere(built(path.stem), targets), strict=True))
    recorded.assert_recorded(path, answers, regenerate)


def test_the_path_of_a_base_url_is_in_every_link(
    built: Callable[[str], Path], tmp_path: Path
) -> None:
    """Otherwise answers are the same, also to addresses with that path."""
    targets = recorded.targets(HERE / "requests/alike.txt")
    below = alike.build(tmp_path, "https://registry.example.org/registry")
    wanted = served(built("alike"), *targets)
    for prefix in ("", "/registry"):
        found = everywhere(below, [prefix + target for target in targets])
        plain = [(status, body.replace(b"/registry/api", b"/api")) for status, body in found]
        assert differing(targets, plain, wanted) == []
    assert any(b'"/registry/api/' in body for _, body in found)


# --- an independent check ---


#: A collection and a filter of it: the check takes all filters for prepared.
UNPREPARED = ("organizations", "year")


def agree(cases: Cases, out: Path) -> None:
    """The answers are those of the independent check."""
    for case, (status, body) in zip(cases, served(out, *(c["url"] for c in cases)), strict=True):
        document = json.loads(body)
        independent.assert_right(case, status, document)
        asked = {case.get("collection"), *case.get("params", ())}
        if case.get("tier") == "page" and not asked.issuperset(UNPREPARED):
            assert body == (out / document["links"]["self"][1:]).read_bytes(), case


#: Registry -> for each part of the check the seed and the number of queries.
CHECKED = {
    "own": {"words": (6, 150), "rows": (13, 120), "search": (7, 60), "events": (5, 60),
            "values": (3, 120), "analysts": (1, 200)},
    "content": {"words": (4, 300), "search": (7, 120), "rows": (11, 400), "values": (8, 300),
                "analysts": (2, 400)},
    "real": {"words": (5, 150), "search": (7, 50), "rows": (12, 60), "values": (2, 60),
             "analysts": (3, 100)},
}  # fmt: skip
CHECKED |= dict.fromkeys(("writings", "alike"), CHECKED["own"])


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKED)
def test_an_independent_check_confirms_answers(
    name: str, oracle: Path, built: Callable[[str], Path], request: pytest.FixtureRequest
) -> None:
    """Of recorded registries, this registry's own content and a large registry."""
    if name in ("content", "real"):
        out: Path = request.getfixturevalue(f"built_{name}")
        real = name == "real"
        content = request.getfixturevalue("real_content") if real else commands.ROOT / "content"
    else:
        out = built(name)
        content = out.parent / "content"
    for cases in independent.queries(oracle, content, **CHECKED[name]).values():
        agree(cases, out)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make, parts",
    [
        (shapes.conferences, ("words", "search", "rows", "events", "values", "analysts")),
        (shapes.tools, ("words", "search", "rows", "values", "analysts")),
    ],
    ids=["no projects", "no programs and no events"],
)
def test_an_independent_check_confirms_answers_without_a_collection(
    make: Callable[[int], dict[str, Any]], parts: Sequence[str], oracle: Path, tmp_path: Path
) -> None:
    content = registries.write(tmp_path / "content", make(150))
    out = commands.build(content, tmp_path / "out", "--as-of", commands.TODAY)
    for cases in independent.queries(oracle, content, **dict.fromkeys(parts, (9, 60))).values():
        assert cases
        agree(cases, out)


@pytest.mark.slow
def test_dates_of_conferences_with_rounds_and_zones(oracle: Path, tmp_path: Path) -> None:
    """The zones of these dates have summer time, and minutes in their offsets."""
    content = registries.write(tmp_path / "content", shapes.conferences(2104))
    out = commands.build(content, tmp_path / "out", "--as-of", commands.TODAY)
    independent.assert_agrees(oracle, content, out)
    agree(independent.queries(oracle, content, events=(8, 250))["events"], out)


# --- commands and tools ---


def rest_of(case: dict[str, Any]) -> dict[str, str]:
    """The filters of a query."""
    others = ("mode", "q", *(p.name for p in PARAMETERS))
    return {name: text for name, text in case["params"].items() if name not in others}


@pytest.mark.slow
def test_commands_and_tools_give_the_same_answers(
    oracle: Path, built: Callable[[str], Path]
) -> None:
    out = built("own")
    client = Client.open(str(out))
    found = independent.queries(oracle, out.parent / "content", words=(6, 400))["words"]
    for case in [case for case in found if "params" in case][::14]:
        params = case["params"]
        command = "count" if params["mode"] == "count" else "search" if "q" in params else "list"
        words = [command, *([params["q"], "--in"] if command == "search" else [])]
        words += [case["collection"]]
        for name, text in rest_of(case).items():
            words += ["--filter", f"{name}={text}"]
        for name in ("sort", "page", "by"):
            words += [f"--{name}", str(params[name])] if name in params else []
        if command == "count" and "q" in params:
            words += ["--q", params["q"]]
        done = commands.run_forked(*words, "--format", "json", "--from", out)
        assert (done.status, done.err) == (0, ""), case
        independent.assert_right(case, 200, json.loads(done.out))
        assert_tool(case, client, command)


def assert_tool(case: dict[str, Any], client: Client, command: str) -> None:
    """The tool of agents for a command gives the answer of a case."""
    params, filters = case["params"], rest_of(case)
    asked: dict[str, Any] = {name: params[name] for name in ("q", "sort") if name in params}
    asked |= {"collection": case["collection"]} | ({"filters": filters} if filters else {})
    if command == "count":
        asked |= {"by": params["by"].split(",")} if "by" in params else {}
        document = talk.answer(client, "count_records", asked)
        counts = {name: {"selected": [], **one} for name, one in document["data"].items()}
        # Beside values that are asked for, a tool has ten others at most.
        ten = {
            name: {**one, "values": one["values"][:10], "truncated": one["total_values"] > 10}
            if one["selected"]
            else one
            for name, one in case["counts"].items()
        }
        independent.assert_counted({**case, "counts": ten}, {**document, "counts": counts})
        return
    start = (int(params.get("page", 1)) - 1) * own_fields.SIZE + 1
    asked |= {"start": start, "limit": own_fields.SIZE, "fields": ["name"]}
    tool = f"{command}_records"
    if case["collection"] == "events" and command == "list":
        tool = "calendar_events"
        asked = {"filters": filters} | {name: asked[name] for name in ("start", "limit", "fields")}
    document = talk.answer(client, tool, asked)
    assert document["total_items"] == case["total_items"], case
    slugs = [row["slug"] for row in document["data"]]
    assert slugs == case.get("slugs", slugs), case
    assert sorted(slugs) == (case.get("members") or sorted(slugs)), case


def test_the_command_prints_rows_as_a_table_json_ndjson_and_csv(
    built: Callable[[str], Path],
) -> None:
    words = ["rows", "projects", "--fields", "name,year,tag_script", "--sort", "-year"]
    words += ["--filter", "location=us", "--limit", "2", "--from", built("own")]
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
    assert head == "slug,name,year,tag_script"
    assert line == ",".join([*map(str, cells[:3]), ";".join(cells[3])])
    last = printed["table"].out.splitlines()[-2:]
    assert last == [f"2 of {document['total_items']} projects", "More: --start 2"]


def test_the_command_for_rows_names_the_fields_and_other_queries(
    built: Callable[[str], Path],
) -> None:
    refused = commands.run_forked("rows", "events", "--fields", "colour", "--from", built("own"))
    assert refused.status == 2
    assert 'no field "colour"' in refused.err and "starts_at" in refused.err
    words = ["rows", "projects", "-q", "robto", "--filter", "status=acquired"]
    empty = commands.run_forked(*words, "--format", "table", "--from", built("own"))
    assert "0 of 0 projects\nSimilar queries that find projects:" in empty.out


@pytest.mark.parametrize(
    "words",
    [
        ("rows", "projects", "-q", "p*"),
        ("search", "p*"),
        ("search", "p*", "--in", "programs"),
        ("count", "projects", "--q", "p*"),
    ],
)
def test_commands_print_what_an_answer_did_not_understand(
    words: tuple[str, ...], built: Callable[[str], Path]
) -> None:
    done = commands.run_forked(*words, "--format", "table", "--from", built("own"))
    assert 'Note: "*" is ignored' in done.out
