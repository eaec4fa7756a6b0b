"""`registry match`: the verdict for each row of a table."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from support import commands, registries

TABLE = """Company,Country,Site
AURORA Grid,,
Aurroa Grid,,
Quartet,,
,,https://bloom.test
=cmd,,
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("matched")
    projects = {
        "aurora-grid": {"name": "Aurora Grid", "locations": [{"country": "KE"}]},
        "bloom": {
            "name": "Bloom",
            "website": "https://bloom.test/",
            "locations": [{"country": "DE"}],
        },
    }
    registries.write(folder / "content", registries.content(projects=projects))
    (folder / "table.csv").write_text(TABLE)
    return commands.build(folder / "content", folder / "build")


def run(build: Path, *options: str) -> commands.Done:
    table = build.parent / "table.csv"
    return commands.run_forked("match", table, *options, "--from", build)


def test_each_row_has_a_verdict_and_reasons(build: Path) -> None:
    done = run(build, "--column", "Company", "--website", "Site", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["row"], row["verdict"], row["slug"], row["reasons"]) for row in rows] == [
        ("2", "match", "aurora-grid", "name"),
        ("3", "maybe", "aurora-grid", "spelling"),
        ("4", "none", "", ""),
        ("5", "match", "bloom", "website"),
        ("6", "none", "", ""),
    ]
    assert rows[4]["asked"] == "'=cmd"
    table = run(build, "--format", "table")
    assert table.out.endswith("1 match, 1 maybe, 3 none\n")


def test_a_place_is_a_column_or_the_same_for_all_rows(build: Path) -> None:
    found = [json.loads(run(build, "--country", place, "--format", "json").out)["rows"]
             for place in ("Kenya", "Germany", "Country")]  # fmt: skip
    assert [rows[0]["candidates"][0]["score"] for rows in found] == [100, 80, 100]
    assert [rows[0]["verdict"] for rows in found] == ["match", "maybe", "match"]


def test_ndjson_has_all_candidates_of_a_row_in_a_line(build: Path) -> None:
    lines = run(build, "--format", "ndjson").out.splitlines()
    assert [len(json.loads(line)["candidates"]) for line in lines] == [1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--column", "Firm"), 'no column "Firm"; one of: Company, Country, Site'),
        (("--website", "Web"), 'no column "Web"'),
        (("--collection", "companies"), 'no collection "companies"'),
    ],
)
def test_wrong_options_are_explained(build: Path, options: tuple[str, ...], said: str) -> None:
    done = run(build, *options)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
