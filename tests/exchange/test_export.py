"""`registry export`, and the round trip of export and import."""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from generator.dialect import values
from generator.edit.exchange.columns import (
    escape_formula,
    format_cell,
    split_cell,
    unescape_formula,
)
from generator.edit.exchange.export_table import export
from generator.edit.exchange.import_table import run_import
from support.commands import files, run_forked
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
    folder = write(tmp_path / "content", REGISTRY)
    table = tmp_path / f"table.{form}"
    done = run_forked("export", kind, "--out", table, "--content", folder)
    assert done.status == 0 and "rows written" in done.err
    before = files(folder)
    done = run_forked("import", table, "--kind", kind, "--content", folder, "--write")
    assert (done.status, done.err) == (0, "") and "Nothing to do." in done.out
    assert files(folder) == before
    done = run_forked("export", kind, "--out", table, "--content", folder)
    assert done.status == 2 and "Add --force to overwrite it" in done.err
    assert run_forked("export", kind, "--format", form, "--content", folder).out == (
        table.read_text()
    )


@pytest.mark.parametrize("form", ["csv", "json"])
def test_accepted_duplicates_are_no_conflict_in_another_registry(form: str, tmp_path: Path) -> None:
    twin = {"name": "Phoenix", "status": "inactive"}
    accepting = {"phoenix": twin | {"accept": ["same-record"]}, "phoenix-2": twin}
    folder = write(tmp_path / "content", content(projects=accepting))
    other = write(tmp_path / "other", content(projects={}))
    table = tmp_path / f"table.{form}"
    table.write_text(text_of(folder, form))
    done = run_forked("import", table, "--kind", "project", "--content", other, "--write")
    assert (done.status, done.err) == (0, "")
    assert text_of(other, form) == text_of(folder, form)
    assert run_forked("check", "--strict", "--content", other).status == 0


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
        "year": st.integers(1800, 2200),
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


@settings(deadline=None, max_examples=60, phases=[Phase.reuse, Phase.generate])
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
        done = run_import(str(empty), str(table), form, None, "projects", None, "new")
        assert not isinstance(done, list), done
        assert not done.failed, done.problems
        for change in done.changes:
            assert change.after is not None
            path = empty / change.path
            path.write_bytes(change.after)
        assert text_of(empty, form) == before
        again = run_import(str(empty), str(table), form, None, "projects", None, "refuse")
        assert not isinstance(again, list) and again.changes == []


@given(st.text(max_size=20))
def test_no_text_is_a_formula_and_each_is_restored(text: str) -> None:
    held = escape_formula(text)
    assert held[:1] not in tuple("=+-@\t\r\n＝＋－＠") and unescape_formula(held) == text


@given(st.lists(st.text(max_size=6), min_size=1, max_size=4).filter(lambda some: some != [""]))
def test_the_values_of_a_cell_are_restored(some: list[str]) -> None:
    assert split_cell(unescape_formula(format_cell(some))) == some


def test_formulas_numbers_and_the_byte_order_mark(tmp_path: Path) -> None:
    record = {"name": "=cmd|' /C calc'!A0", "description": "-1\nx", "founders": ["@a", "b|c"],
              "fields": {"funding": -5}}  # fmt: skip
    folder = write(tmp_path / "content", REGISTRY)
    (folder / "projects" / "evil.yaml").write_text(json.dumps(record))
    raw = run_forked("export", "project", "--excel", "--content", folder).out
    mark, _, table = raw.partition("\n")
    assert mark == "\ufeffsep=,"
    row = next(r for r in csv.DictReader(io.StringIO(table)) if r["slug"] == "evil")
    assert row["name"] == "'=cmd|' /C calc'!A0" and row["description"] == "'-1\nx"
    assert (row["founders"], row["fields.funding"]) == ("'@a|b\\|c", "-5")
    (tmp_path / "t.csv").write_text(raw, "utf-8", newline="")
    asked = "import", tmp_path / "t.csv", "--kind", "project", "--content", folder
    assert "Nothing to do." in run_forked(*asked).out


def test_a_spreadsheet_changes_one_cell_and_one_line_changes(tmp_path: Path) -> None:
    folder = write(tmp_path / "content", REGISTRY)
    text = "name: Zed # the last\nsummary: Old\n# where\nlocations:\n  - country: NO\n"
    (folder / "projects" / "zed.yaml").write_text(text)
    raw = run_forked("export", "project", "--content", folder).out
    table = tmp_path / "t.csv"
    table.write_text(raw.replace("Zed,Old", "Zed,New").replace("\n", "\r\n"), newline="")
    before = files(folder)
    done = run_forked("import", table, "--kind", "project", "--content", folder, "--write")
    assert done.status == 0 and "1 changed" in done.out
    assert files(folder) == before | {"projects/zed.yaml": text.replace("Old", "New").encode()}


def test_content_with_errors_is_not_exported(tmp_path: Path) -> None:
    folder = write(tmp_path / "content", REGISTRY)
    (folder / "projects" / "bad.yaml").write_text("name: Bad\nyear: x\n")
    (folder / "projects" / "stray.txt").write_text("x\n")
    done = run_forked("export", "project", "--content", folder)
    assert done.status == 1 and done.out == "" and "bad.yaml:2:7: error[wrong-type]" in done.err
    assert done.err.index("bad.yaml:2:7") < done.err.index("stray.txt")


def test_a_spreadsheet_with_a_decimal_comma_comes_round(tmp_path: Path) -> None:
    own = {"funding": 1250.5, "listed": False, "since": "2026-05-04"}
    record = {"name": "Ærø", "year": 2019, "remote": True, "team_size": 1200, "fields": own}
    folder = write(tmp_path / "content", REGISTRY)
    (folder / "projects" / "aeroe.yaml").write_text(values.record(record))
    (folder / "projects" / "b.yaml").write_text("name: B\nfields: {funding: 1.234}\n")
    export_it = "export", "project", "--excel", "--number", ",", "--content", folder
    mark, _, text = run_forked(*export_it).out.partition("\n")
    assert mark == "\ufeffsep=;" and ";1250,5;" in text and ";1,234;" in text
    # What Excel saves: no mark, its own words, and dates and numbers of its place.
    text = text.replace("true", "WAHR").replace("false", "FALSCH").replace("1200", "1.200")
    text = f'Projekte;;\n;;;\n"Stand:\nMai";\n{text.replace("2026-05-04", "04.05.2026")}'
    table = tmp_path / "t.csv"
    table.write_text(text, "utf-8")
    said = tmp_path / "map.yaml"
    said.write_text("kind: project\nheader: 4\n")
    import_it = "import", table, "--map", said, "--content", folder
    done = run_forked(*import_it)
    assert done.status == 1
    for line in ('number: "," (decimal comma)', 'date: "%d.%m.%Y" (day.month.year)'):
        assert f"import with a map (--map) of kind: project and {line}" in done.err
    said.write_text('kind: project\nheader: 4\nnumber: ","\ndate: "%d.%m.%Y"\n')
    done = run_forked(*import_it)
    assert (done.status, done.err) == (0, "") and "Nothing to do." in done.out
    table.write_text(text.replace("1250,5", "1.250,75").replace("FALSCH", "faux"), "utf-8")
    done = run_forked(*import_it)
    assert "1 changed" in done.out and "fields.funding: 1250.5 → 1250.75" in done.out


@pytest.mark.parametrize("number", [".", ","])
def test_an_export_for_excel_changes_nothing(number: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "content", REGISTRY)
    table, said = tmp_path / "t.csv", tmp_path / "map.yaml"
    said.write_text(f'kind: project\nnumber: "{number}"\n')
    asked = "--excel", "--number", number, "--out", table, "--content", folder
    assert run_forked("export", "project", *asked).status == 0
    done = run_forked("import", table, "--map", said, "--content", folder)
    assert (done.status, done.err) == (0, "") and "Nothing to do." in done.out
