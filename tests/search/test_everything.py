"""A search over all collections: both engines give the same bytes, within few reads, and every
collection is in the answer.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from generator.grammar.grammar import Search
from generator.grammar.paths import SEARCH
from generator.grammar.refusals import QueryError
from generator.reader.site import Site
from generator.search.engine import Engine
from generator.search.reading import MAX_READS
from support import cases, commands, independent, registries
from support.answers import differing, javascript, python
from support.brute import brute_of

Document = dict[str, Any]


def target(q: str) -> str:
    return f"{SEARCH}?q={quote(q, safe='')}"


def searched(out: Path, *texts: str) -> list[Document]:
    """The documents of searches, which both engines give."""
    targets = list(map(target, texts))
    wanted = python(out, *targets)
    found = [(a.status, a.body) for a in javascript(out, *targets)]
    assert differing(targets, found, wanted) == []
    return [json.loads(body) for _, body in wanted]


@pytest.mark.parametrize("which", ["written", "written_below"])
def test_both_engines_find_what_a_scan_of_all_records_finds(
    which: str, request: pytest.FixtureRequest
) -> None:
    out = request.getfixturevalue(which)
    brute, targets = brute_of(out), cases.searches()
    wanted = python(out, *targets)
    found = [(a.status, a.body) for a in javascript(out, *targets)]
    assert differing(targets, found, wanted) == []
    answered = [
        (t, json.loads(body))
        for t, (status, body) in zip(targets, wanted, strict=True)
        if status == 200
    ]
    for one, document in answered:
        brute.assert_right_search(one, document)
    assert len(answered) > 80
    assert any(len(found["data"]) == 5 for _, d in answered for found in d["data"].values())


def test_a_document_is_as_published(built_content: Path) -> None:
    (document,) = searched(built_content, "germany")
    assert list(document) == [
        "schema_version", "kind", "query", "links", "total_items", "data", "suggestions",
    ]  # fmt: skip
    assert document["query"] == {"q": "germany"}
    assert document["links"] == {"self": "/api/search?q=germany"}
    assert list(document["data"]) == ["projects", "programs", "organizations", "events"]
    lists = {name: found["links"]["list"] for name, found in document["data"].items()}
    assert lists["events"] == "/api/calendar/events?mode=page&q=germany"
    for name, found in document["data"].items():
        ((_, body),) = python(built_content, lists[name])
        of_list = json.loads(body)
        assert found["total_items"] == of_list["page"]["total_items"], name
        assert found["data"] == of_list["data"][:5], name
    totals = [found["total_items"] for found in document["data"].values()]
    assert document["total_items"] == sum(totals) > 0 in totals


def test_a_collection_without_records_is_there_with_0(tmp_path: Path) -> None:
    content = registries.content(registries.SMALL)
    content["events"] = {}
    made = registries.write(tmp_path / "content", content)
    out = commands.build(made, tmp_path / "build", "--as-of", commands.TODAY)
    (document,) = searched(out, "launch")
    assert document["data"]["events"] == {
        "total_items": 0,
        "links": {"list": "/api/calendar/events?mode=page&q=launch"},
        "data": [],
    }
    totals = {name: found["total_items"] for name, found in document["data"].items()}
    assert totals == {"projects": 1, "programs": 2, "organizations": 0, "events": 0}
    assert document["total_items"] == 3
    (answer,) = javascript(out, target("launch"))
    read = [path for path in answer.reads if "/index/events/" in path]
    assert read == ["/api/index/events/manifest.json"]


def test_a_registry_without_records_finds_nothing(tmp_path: Path) -> None:
    content = {"registry": registries.SMALL["registry"]}
    made = registries.write(tmp_path / "content", content)
    out = commands.build(made, tmp_path / "build", "--as-of", commands.TODAY)
    (document,) = searched(out, "launch")
    assert (document["total_items"], document["suggestions"]) == (0, [])


def test_suggestions_are_the_first_of_each_collection_then_the_second(tmp_path: Path) -> None:
    names = {"projects": ["Telescope", "Telescopes"], "organizations": ["Telescoped", "Telescope"]}
    content = registries.content(
        projects={name.lower(): {"name": name} for name in names["projects"]},
        organizations={name.lower(): {"name": name, "category": "university"}
                       for name in names["organizations"]},
    )  # fmt: skip
    content |= {"programs": {}, "events": {}}
    made = registries.write(tmp_path / "content", content)
    out = commands.build(made, tmp_path / "build", "--as-of", commands.TODAY)
    wrong, right = searched(out, "telescobe", "telescope")
    assert wrong["suggestions"] == ["telescope", "telescopes", "telescoped"]
    assert right["suggestions"] == []


# --- bounds ---


def reads(out: Path, texts: Sequence[str]) -> Iterator[int]:
    """The reads of searches by engines that have read nothing before."""
    site = Site.open(out)
    for q in texts:
        paths: list[str] = []

        def read(wanted: Sequence[str], paths: list[str] = paths) -> list[bytes | None]:
            paths.extend(wanted)
            return [site.read(path) for path in wanted]

        Engine(site.grammar, read).answer(Search(q))
        assert len(paths) == len(set(paths)), q
        yield len(paths)


@pytest.mark.slow
def test_a_search_of_a_large_registry_takes_at_most_20_reads_in_the_median(
    built_real: Path,
) -> None:
    projects = brute_of(built_real).lists["/api/projects"].rows.values()
    rows = list(projects)[::60]
    texts = [row["name"] for row in rows]
    texts += [" ".join(row["summary"].split()[:2]) for row in rows if row["summary"]]
    found = list(reads(built_real, [text for text in texts if any(map(str.isalnum, text))]))
    assert len(found) > 100
    assert statistics.median(found) <= 20
    assert max(found) <= MAX_READS


def test_a_search_reads_what_python_reads(built_content: Path) -> None:
    texts = ["germany", "open source", "stanford university robot"]
    found = [len(javascript(built_content, target(q))[0].reads) for q in texts]
    assert found == list(reads(built_content, texts))


def test_words_that_need_too_many_reads_are_refused_with_the_bound(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.search.reading.MAX_READS", 12)
    with pytest.raises(QueryError, match=r"This query needs \d+ reads; the limit is 12\."):
        list(reads(written, ["solar robot grid heat pump ocean wave quantum"]))


# --- mixed builds ---


def test_files_of_two_builds_are_never_mixed(written: Path) -> None:
    (good,) = javascript(written, target("amber"))
    for path in good.reads:
        if "/index/programs/" in path and "manifest" not in path:
            (once,) = javascript(written, target("amber"), changed={path: ["another build"]})
            assert (once.status, once.body) == (200, good.body)
            (always,) = javascript(written, target("amber"), changed={path: [["another build"]]})
            assert always.status == 503
            assert path in json.loads(always.body)["detail"]


def test_a_missing_index_is_reported(written: Path) -> None:
    manifest = "/api/index/organizations/manifest.json"
    (answer,) = javascript(written, target("amber"), changed={manifest: [[None]]})
    assert answer.status == 503
    detail = "There is no search index of organizations here."
    assert json.loads(answer.body)["detail"] == detail


# --- an independent check ---


@pytest.mark.slow
@pytest.mark.parametrize("which", ["content", "real"])
def test_answers_are_those_of_an_independent_check(
    which: str, request: pytest.FixtureRequest
) -> None:
    out = request.getfixturevalue(f"built_{which}")
    found = request.getfixturevalue(f"cases_of_{which}")["search"]
    targets = [case["url"] for case in found]
    answers = python(out, *targets)
    assert (
        differing(targets, [(a.status, a.body) for a in javascript(out, *targets)], answers) == []
    )
    for case, (status, body) in zip(found, answers, strict=True):
        independent.assert_found(case, status, json.loads(body))
