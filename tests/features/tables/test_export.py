"""`registry export`, and the round trip of export and import."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from generator.dialect import values
from generator.edit.changes import apply
from generator.edit.tables.columns import (
    escape_formula,
    format_cell,
    split_cell,
    unescape_formula,
)
from generator.features.tables.export_table import export
from generator.features.tables.run import Run
from support import sessions
from support.commands import files
from support.registries import SMALL, content, write

OWN = {
    "projects": {
        "funding": {"label": "Funding", "type": "number"},
        "listed": {"label": "Listed", "type": "boolean"},
        "since": {"label": "Since", "type": "date"},
        "note": {"label": "Note", "type": "text"},
        "stages": {"label": "Stages", "type": "choice", "many": True},
        "notes": {"label": "Notes", "type": "text", "many": True},
    }
}
REGISTRY = content(registry=SMALL["registry"] | {"fields": OWN})


def text_of(folder: Path, form: str, collection: str = "projects") -> str:
    done = export(str(folder), collection, form)
    assert isinstance(done, tuple), done
    return done[0]


@pytest.mark.parametrize("form", ["csv", "json", "ndjson"])
@pytest.mark.parametrize("kind", ["project", "program", "organization", "event"])
def test_importing_an_export_changes_nothing(kind: str, form: str, tmp_path: Path) -> None:
    write(tmp_path / "content", REGISTRY)
    table = f"table.{form}"
    assert sessions.run("export", kind, "--out", table, cwd=tmp_path).status == 0
    before = files(tmp_path)
    done = sessions.run("import", table, "--kind", kind, "--write", cwd=tmp_path)
    assert (done.status, done.err) == (0, "") and "Nothing to do." in done.out
    assert files(tmp_path) == before
    shown = sessions.run("export", kind, "--format", form, cwd=tmp_path).out
    assert shown.encode() == before[table]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_accepted_duplicates_are_no_conflict_in_another_registry(form: str, tmp_path: Path) -> None:
    twin = {"name": "Phoenix", "status": "inactive"}
    accepting = {"phoenix": twin | {"accept": ["same-record"]}, "phoenix-2": twin}
    folder = write(tmp_path / "content", content(projects=accepting))
    other = write(tmp_path / "other", content(projects={}))
    (other / f"table.{form}").write_text(text_of(folder, form))
    asked = ("import", f"table.{form}", "--content", ".", "--kind", "project", "--write")
    done = sessions.run(*asked, cwd=other)
    assert (done.status, done.err) == (0, "")
    assert text_of(other, form) == text_of(folder, form)


LINES = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Cn", "Co"])
    | st.sampled_from("'|\\=+-@;,\"#: \u3000\u00a0\u0301"),
    min_size=1, max_size=20,
).filter(lambda text: bool(text.strip()))  # fmt: skip
NAMES = LINES.map(str.strip)  # spaces at the ends of a name are an error
TEXTS = LINES | st.lists(LINES | st.just(""), min_size=1, max_size=3).map("\n".join) | st.just("")
PLACES = st.fixed_dictionaries(
    {"country": st.sampled_from(["NO", "US", "GB"])},
    optional={
        "region": st.sampled_from(["Troms", "A, B"]),
        "city": st.sampled_from(["Łódź", "x|y\\"]),
    },
)
SLUGS = st.lists(st.sampled_from(["a", "no", "1", "null", "b-2"]), unique=True, max_size=3)
RECORDS = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "summary": LINES,
        "description": TEXTS,
        "year": st.integers(1000, 2200),
        "status": st.sampled_from(["active", "public"]),
        "remote": st.booleans(),
        "team_size": st.integers(0, 10**8),
        "founders": st.lists(NAMES, max_size=3),
        "former_names": st.lists(NAMES, max_size=2),
        "website": st.just("https://example.org/?q=%7C"),
        "links": st.dictionaries(st.sampled_from(["a", "B_c-d"]), st.just("http://x.example/")),
        "tags": st.fixed_dictionaries(
            {}, optional={"topic": st.just(["climate", "health"]), "technology": SLUGS}
        ),
        "locations": st.lists(PLACES, max_size=3),
        "programs": st.just(["launch-2025"]),
        "fields": st.fixed_dictionaries(
            {},
            optional={
                "funding": st.integers(-(2**53), 2**53)
                | st.floats(-1e15, 1e15, allow_nan=False, allow_subnormal=False),
                "listed": st.booleans(),
                "since": st.just("2026-05-04"),
                "note": LINES,
                "stages": SLUGS,
                "notes": st.lists(LINES, max_size=3),
            },
        ),
    },
)


@settings(phases=[Phase.reuse, Phase.generate])
@given(st.lists(RECORDS, min_size=1, max_size=3), st.sampled_from(["csv", "json", "ndjson"]))
def test_a_round_trip_gives_the_same_export(records: list[dict[str, Any]], form: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        empty = write(Path(scratch) / "empty", REGISTRY)
        for path in (empty / "projects").iterdir():
            path.unlink()
        full = Path(scratch) / "full"
        shutil.copytree(empty, full)
        for number, record in enumerate(records):
            path = full / "projects" / f"p{number}.yaml"
            path.write_text(values.record(record), "utf-8")
        before = text_of(full, form)
        table = Path(scratch) / f"table.{form}"
        table.write_text(before, "utf-8", newline="")
        asked: dict[str, Any] = {"form": form, "collection": "projects"}
        importing = partial(Run, str(empty), str(table), map_path=None, empty=None, **asked)
        done = importing(conflicts="new").done()
        assert not isinstance(done, list), done
        assert not done.failed, done.problems
        for change in done.changes:
            assert change.after is not None
            path = empty / change.path
            path.write_bytes(change.after)
        assert text_of(empty, form) == before
        again = importing(conflicts="refuse").done()
        assert not isinstance(again, list) and again.changes == []


@given(st.text(max_size=20))
def test_no_text_is_a_formula_and_each_is_restored(text: str) -> None:
    held = escape_formula(text)
    assert held[:1] not in tuple("=+-@\t\r\n＝＋－＠") and unescape_formula(held) == text


@given(st.lists(st.text(max_size=6), min_size=1, max_size=4).filter(lambda some: some != [""]))
def test_the_values_of_a_cell_are_restored(some: list[str]) -> None:
    assert split_cell(unescape_formula(format_cell(some))) == some


@pytest.mark.parametrize("number", [".", ","])
def test_an_export_for_excel_changes_nothing(number: str, tmp_path: Path) -> None:
    write(tmp_path / "content", REGISTRY)
    (tmp_path / "map.yaml").write_text(f'kind: project\nnumber: "{number}"\n')
    asked = ("export", "project", "--excel", "--number", number, "--out", "t.csv")
    assert sessions.run(*asked, cwd=tmp_path).status == 0
    done = sessions.run("import", "t.csv", "--map", "map.yaml", cwd=tmp_path)
    assert (done.status, done.err) == (0, "") and "Nothing to do." in done.out


OWN_KINDS = content(
    registry=SMALL["registry"]
    | {
        "fields": {
            "projects": {
                "backed_by": {"label": "Backed by", "type": "record", "of": "investors",
                              "many": True, "filter": True},
            }
        },
        "kinds": {
            "investors": {
                "one": "investor", "has": ["tags", "locations", "website", "year"],
                "fields": {
                    "stages": {"label": "Stages", "type": "choice", "many": True},
                    "assets": {"label": "Assets", "type": "money", "currency": "EUR"},
                    "parent_firm": {"label": "Parent", "type": "record", "of": "investors"},
                },
            },
            "rounds": {
                "one": "round-of-money", "has": [],
                "fields": {
                    "lead": {"label": "Lead", "type": "record", "of": "investors"},
                    "announced": {"label": "Announced", "type": "date"},
                    "closed": {"label": "Closed", "type": "boolean"},
                },
            },
        },
    },
    projects={"bloom": {"name": "Bloom", "fields": {"backed_by": ["polar", "fund-b"]}}},
    investors={
        "polar": {"name": "Polar Capital", "year": 2001, "tags": {"topic": ["climate"]},
                  "locations": [{"country": "NO", "city": "Oslo"}], "stages": ["seed", "late"],
                  "assets": 2.5, "parent_firm": "fund-b"},
        "fund-b": {"name": "Fund B", "website": "https://fund.example/"},
    },
    rounds={"bloom-seed": {"name": "Bloom, seed", "lead": "polar", "announced": "2026-02-03",
                           "closed": True}},
)  # fmt: skip


@pytest.mark.parametrize("form", ["csv", "json", "ndjson"])
@pytest.mark.parametrize("collection", ["projects", "investors", "rounds"])
def test_records_of_own_kinds_and_relations_come_round(
    collection: str, form: str, tmp_path: Path
) -> None:
    folder = write(tmp_path / "content", OWN_KINDS)
    text = text_of(folder, form, collection)
    table = tmp_path / f"table.{form}"
    table.write_text(text, "utf-8")
    how: dict[str, Any] = {"map_path": None, "collection": collection, "empty": None}
    done = Run(str(folder), str(table), form=form, conflicts="refuse", **how).done()
    assert not isinstance(done, list) and (done.changes, done.problems) == ([], [])
    shutil.rmtree(folder / collection)
    if collection == "investors":  # what refers to them
        shutil.rmtree(folder / "rounds")
        shutil.rmtree(folder / "projects")
    done = Run(str(folder), str(table), form=form, conflicts="refuse", **how).done()
    assert not isinstance(done, list) and done.problems == []
    apply(str(folder), done.changes)
    assert text_of(folder, form, collection) == text


def test_a_table_names_records_of_own_kinds_and_amounts_in_words(tmp_path: Path) -> None:
    folder = write(tmp_path / "content", OWN_KINDS)
    table = tmp_path / "rounds.csv"
    table.write_text("name,lead\nBloom B,polar capital\nBloom C,Fund b\n", "utf-8")
    how: dict[str, Any] = {"map_path": None, "empty": None, "conflicts": "refuse", "form": "csv"}
    done = Run(str(folder), str(table), collection="rounds", **how).done()
    assert not isinstance(done, list) and done.problems == []
    assert [outcome.data["lead"] for outcome in done.outcomes] == ["polar", "fund-b"]
    table.write_text("name,assets\nFund C,€ 2.5 million\n", "utf-8")
    done = Run(str(folder), str(table), collection="investors", **how).done()
    assert not isinstance(done, list) and done.problems == []
    assert done.outcomes[0].data["assets"] == 2_500_000
