"""Data files: every cell of every format against the record files, and the package."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import shutil
import sqlite3
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.contract.addresses import is_output_path
from generator.kinds import built_in
from generator.published.check import check
from generator.published.history.provenance import Moment
from generator.published.report import Report
from support.kinds import KIND_OF
from support.own import OWN
from support.registries import HOSTILE, content, write

DAY = date(2026, 6, 1)
FORMATS = ("csv", "ndjson", "parquet", "sqlite")
HAS_PARQUET = importlib.util.find_spec("pyarrow") is not None
Value = Any


def with_data(*formats: str, **more: Any) -> dict[str, Any]:
    """A registry with own fields of every type and texts that break naive writers."""
    awkward = {
        "name": HOSTILE,
        "description": 'Two\nlines, "quoted", with a comma;\ttab',
        "links": {"code": "https://example.org/code", "docs": "https://example.org/docs"},
        "sources": ["https://example.org/a,b", "https://example.org/c"],
        "locations": [{"country": "NO"}, {"country": "US", "region": "CA", "city": "Davis"}],
        "organizations": ["north-college", "harbour-fund"],
        "programs": ["launch"],
        "founders": ["A, B", 'C "D"'],
        "aliases": ["older"],
        "fields": {"stage": "seed", "funding": 9007199254740992, "margin": 1e-7},
    }
    settings = {"data": list(formats), "hosts": ["nginx"], "site": False} | more
    return content(OWN, registry=settings, projects=OWN["projects"] | {"awkward": awkward})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def built(folder: Path, records: Mapping[str, Any]) -> Path:
    shutil.rmtree(folder / "content", ignore_errors=True)
    write(folder / "content", records)
    report = run_build(folder)
    assert not report.failed, report.problems
    return folder / "out"


def run_build(folder: Path) -> Report:
    moment = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), DAY, None)
    return build(str(folder / "content"), folder / "out", moment, BuildOptions(jobs=1))


def data_files(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((out / "data").glob("*"))}


# --- what the record files say ---


def records_of(out: Path, collection: str) -> list[dict[str, Any]]:
    """The rows that the record files of the API have, by column."""
    place = "calendar/events" if collection == "events" else collection
    paths = sorted((out / "api" / place / "slug").glob("*.json"))
    documents = [json.loads(path.read_bytes()) for path in paths]
    found = [flat(d["data"], collection) for d in documents if d["kind"] != "moved"]
    return sorted(found, key=lambda row: row["slug"])


def flat(record: Mapping[str, Any], collection: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in record.items():
        if name == "tags":
            row |= {f"tag_{family}": value.get(family, []) for family in ("topic", "technology")}
        elif name == "fields":
            for key, own in OWN["registry"]["fields"].get(collection, {}).items():
                row[f"field_{key}"] = value.get(key, [] if own.get("many") else None)
        elif name == "links":
            row[name] = [{"name": key, "url": url} for key, url in value.items()]
        elif name == "identifiers":
            row[name] = [{"scheme": key} | item for key, items in value.items() for item in items]
        elif name != "breakdown":
            row[name] = reference(value)
    return row


def reference(value: Value) -> Value:
    if isinstance(value, list):
        return [reference(item) for item in value]
    is_reference = isinstance(value, dict) and value.keys() == {"slug", "name", "href"}
    return value["slug"] if is_reference else value


# --- what each format says ---


def from_csv(out: Path, collection: str) -> list[dict[str, Any]]:
    resource = next(r for r in package(out)["resources"] if r["path"] == f"{collection}.csv")
    types = {field["name"]: field["type"] for field in resource["schema"]["fields"]}
    parse: dict[str, Any] = dict.fromkeys(("array", "boolean", "integer", "number"), json.loads)
    text = (out / "data" / f"{collection}.csv").read_bytes().decode()
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [
        {name: parse.get(types[name], str)(cell) if cell else None for name, cell in row.items()}
        for row in rows
    ]


def from_ndjson(out: Path, collection: str) -> list[dict[str, Any]]:
    lines = (out / "data" / f"{collection}.ndjson").read_bytes().split(b"\n")
    assert lines.pop() == b""
    return [json.loads(line) for line in lines]


def from_parquet(out: Path, collection: str) -> list[dict[str, Any]]:
    from pyarrow import parquet

    rows = parquet.read_table(out / "data" / f"{collection}.parquet").to_pylist()
    for row in rows:
        for name, value in row.items():
            if isinstance(value, datetime):
                row[name] = value.strftime("%Y-%m-%dT%H:%M:%SZ")
            elif isinstance(value, date):
                row[name] = value.isoformat()
    return rows


def from_sqlite(out: Path, collection: str) -> list[dict[str, Any]]:
    database = sqlite3.connect(f"file:{out}/data/registry.sqlite?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    rows = [dict(row) for row in database.execute(f"SELECT * FROM {collection} ORDER BY slug")]
    booleans = {"remote", "all_day", "online", "rolling", "field_hiring", "field_online"}
    schema = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    tables = [name for (name,) in schema if name.startswith(f"{collection}_")]
    for row in rows:
        row |= {name: bool(v) for name, v in row.items() if name in booleans and v is not None}
        for table in tables:
            items = database.execute(
                f"SELECT * FROM {table} WHERE {KIND_OF[collection]} = ? ORDER BY position",
                (row["slug"],),
            )
            row[table.removeprefix(f"{collection}_")] = [item(dict(found)) for found in items]
    database.close()
    return rows


def item(found: dict[str, Any]) -> Value:
    values = list(found.items())[2:]
    return values[0][1] if [name for name, _ in values] == ["value"] else dict(values)


def package(out: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((out / "data/datapackage.json").read_bytes())
    return loaded


READERS = {"csv": from_csv, "ndjson": from_ndjson, "parquet": from_parquet, "sqlite": from_sqlite}


@pytest.mark.parametrize("form", FORMATS)
def test_every_cell_is_that_of_the_record_files(form: str, folder: Path) -> None:
    if form == "parquet" and not HAS_PARQUET:
        pytest.skip("pyarrow, the extra parquet, is not installed")
    out = built(folder, with_data(form))
    for collection in KIND_OF:
        expected = records_of(out, collection)
        assert expected and READERS[form](out, collection) == expected
    assert any(row["description"] and "\n" in row["description"]
               for row in READERS[form](out, "projects"))  # fmt: skip


def test_the_package_describes_every_file(folder: Path) -> None:
    formats = [form for form in FORMATS if form != "parquet" or HAS_PARQUET]
    out = built(folder, with_data(*formats))
    described = package(out)
    written = data_files(out)
    resources = {resource["path"]: resource for resource in described["resources"]}
    assert resources.keys() == written.keys() - {"datapackage.json"}
    for path, resource in resources.items():
        assert resource["bytes"] == len(written[path])
        assert resource["hash"] == f"sha256:{sha256(written[path]).hexdigest()}"
    names = {resource["name"] for resource in described["resources"]}
    for resource in described["resources"]:
        assert resource.get("schema", {}).get("foreignKeys") != []
        for key in resource.get("schema", {}).get("foreignKeys", ()):
            assert key["reference"].get("resource", resource["name"]) in names
            rows = READERS["csv"](out, resource["name"].partition("_")[0])
            to = key["reference"].get("resource", resource["name"]).partition("_")[0]
            known = {row["slug"] for row in READERS["csv"](out, to)}
            assert {row[key["fields"][0]] for row in rows} - {None} <= known
    assert described["libraries"]["sqlite"] == sqlite3.sqlite_version
    assert all(is_output_path(f"/data/{path}", built_in()) for path in written)
    bins = (out / "api/manifest/bins").glob("*.json")
    entries = [entry for path in bins for entry in json.loads(path.read_bytes())["data"]]
    listed = {path.removeprefix("/data/"): digest for path, _, digest in entries}
    assert {name: listed[name] for name in written} == {
        name: sha256(raw).hexdigest() for name, raw in written.items()
    }
    surfaces = json.loads((out / "api/index.json").read_bytes())["data"]["surfaces"]
    named = [s for s in surfaces if (s["href"] or "").startswith("/data/")]
    assert [(s["href"], s["bytes"]) for s in named] == [
        ("/data/datapackage.json", len(written["datapackage.json"]))
    ]


def test_the_database_is_sound_and_its_references_lead_somewhere(folder: Path) -> None:
    out = built(folder, with_data("sqlite"))
    database = sqlite3.connect(out / "data/registry.sqlite")
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    plan = database.execute(
        "EXPLAIN QUERY PLAN SELECT project FROM projects_programs WHERE value = 'launch'"
    ).fetchall()
    assert "INDEX" in plan[0][3]
    dump = "\n".join(database.iterdump())
    database.close()
    copy = sqlite3.connect(":memory:")
    copy.executescript(dump)
    assert copy.execute("SELECT count(*) FROM projects").fetchone() == (4,)
    copy.close()


def test_no_name_of_a_family_or_field_is_that_of_an_index(folder: Path) -> None:
    records = with_data("sqlite")
    one = {"label": "One", "tags": {"a": "A"}}
    records["registry"]["tag_families"] |= {"topic_by_value": one, "by_value_of_projects": one}
    out = built(folder, records)
    assert {"tag_topic", "tag_topic_by_value"} <= from_sqlite(out, "projects")[0].keys()


def test_the_site_names_the_files_only_if_they_exist(folder: Path) -> None:
    options = {"site": {}, "base_url": "https://registry.example/under"}
    out = built(folder, with_data("csv", "ndjson", **options))
    page = (out / "index.html").read_text()
    json_ld = page.partition('<script type="application/ld+json">')[2].partition("</script>")[0]
    dataset = next(thing for thing in json.loads(json_ld)["@graph"] if thing["@type"] == "Dataset")
    written = data_files(out).keys() - {"datapackage.json"}
    addresses = {file["contentUrl"].rpartition("/data/")[2] for file in dataset["distribution"]}
    assert addresses == {*written, "https://registry.example/under/api/index.json"}
    assert all(f'href="/under/data/{name}"' in page for name in written)
    page = (built(folder, with_data(**options)) / "index.html").read_text()
    assert 'href="/under/data/' not in page and "Tables" not in page


def test_parquet_without_its_package_is_an_error_that_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    write(folder / "content", with_data("csv", "parquet"))
    (problem,) = run_build(folder).problems
    assert problem.code == "missing-package" and "extra.txt" in (problem.hint or "")
    (warning,) = check(str(folder / "content"), DAY).problems
    assert warning == replace(problem, severity="warning")
    line = (folder / "content/registry.yaml").read_text().splitlines()[problem.line - 1]
    assert "parquet" in line[problem.column - 1 :]
    assert not (folder / "out").exists()
