"""A feature adds fields to kinds: they are in everything that is published, written and asked."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from support.installed import installed

FIELDS = '''"""The number of people of a project."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Filtered, Label, Listed, Ranged, Sorted, Words
from generator.kinds.types import Count, Line


class Project:
    employees: Annotated[Count | None, Ranged(), Sorted("", "-employees"), Listed(),
        Label("Employees"), Words("How many people it employs.", 12)] = None


class Record:
    motto: Annotated[Line | None, Words("A few words.")] = None
'''
TYPED = '''"""Where shares of a project are traded."""

from typing import Annotated

from generator.kinds.declare import Follows, Label, Typed, ValueType, Words
from generator.kinds.marks import Limits
from generator.kinds.types import Key

TYPE = ValueType(
    "exchange: symbol",
    lambda value, symbols: {key: [{"symbol": text}] for key, text in (value or {}).items()},
    lambda: dict[str, list[dict[str, str]]],
    key="exchange",
    pattern="^[a-z]+$",
    members=("exchange", "symbol"),
    shown=lambda value, symbols: [
        (key.upper(), one["symbol"], f"https://{key}.example/{one['symbol']}")
        for key, several in value.items()
        for one in several
    ],
)


class Project:
    shares: Annotated[
        Annotated[dict[Key, str], Limits(max_length=5), Typed("added", TYPE)] | None,
        Follows("links"), Label("Shares"), Words("Where it is traded.", {"nyse": "ACME"}),
    ] = None
'''
COLLECT = '''"""What is traded."""


def know(settings):
    return settings.name


def collect(kind, record, symbols):
    shares = getattr(record, "shares", None)
    return (symbols.extras["stars"], *shares.values()) if shares else None
'''
CHECKS = '''"""Notes on what is traded."""


def notes(published):
    for table in published.tables.values():
        for slug, found in table.extras.get("stars", {}).items():
            yield f"{slug}: {found}"
'''
CONTENT = {
    "registry.yaml": "name: Small\ndescription: Of two records.\ndata: [csv]\n",
    "projects/acme.yaml": "employees: 12\nname: Acme\nmotto: Warm homes\n",
    "projects/bolt.yaml": "name: Bolt\n",
}


def test_a_field_of_a_feature_is_published_and_asked(tmp_path: Path) -> None:
    house = installed(tmp_path, {"fields.py": FIELDS}, CONTENT)
    assert "fields: motto of all records, employees of projects" in house.run("features")
    assert "Built build" in house.run("build", "--as-of", "2026-06-01")
    acme = house.data("api/projects/slug/acme.json")["data"]
    assert isinstance(acme, dict) and (acme["employees"], acme["motto"]) == (12, "Warm homes")
    shapes = house.data("api/schemas/project.json")["$defs"]
    assert isinstance(shapes, dict)
    shape = shapes["ProjectRecord"]
    assert shape["properties"]["employees"]["description"] == "How many people it employs."
    # Others publish the same format without the field.
    assert "employees" not in shape["required"] and "team_size" in shape["required"]
    assert ": as published" in house.run("verify", "build")
    assert "Acme" in house.run("list", "projects", "--filter", "employees=10..", "--from", "build")
    with (tmp_path / "build/data/projects.csv").open() as table:
        assert [row["employees"] for row in csv.DictReader(table)] == ["12", ""]
    assert "Employees" in (tmp_path / "build/projects/acme/index.html").read_text()


def test_a_field_of_a_feature_is_written(tmp_path: Path) -> None:
    house = installed(tmp_path, {"fields.py": FIELDS}, CONTENT)
    house.run("fmt", "--content", "content")
    acme = tmp_path / "content/projects/acme.yaml"
    assert acme.read_text() == "name: Acme\nmotto: Warm homes\nemployees: 12\n"
    (row, _) = csv.DictReader(house.run("export", "project").splitlines())
    assert (row["motto"], row["employees"]) == ("Warm homes", "12")
    acme.write_text("name: Acme\nemployes: many\n")
    assert 'did you mean "employees"?' in house.run("check", status=1)


def test_two_fields_of_one_name_are_refused(tmp_path: Path) -> None:
    house = installed(tmp_path, {"fields.py": FIELDS.replace("employees:", "team_size:")}, CONTENT)
    said = house.run("check", status=2)
    assert "The feature stars has the field team_size of Project, which the generator has" in said


def test_a_feature_adds_a_type_of_values_and_collects_them(tmp_path: Path) -> None:
    house = installed(
        tmp_path, {"fields.py": TYPED, "collect.py": COLLECT, "checks.py": CHECKS}, CONTENT
    )
    acme = tmp_path / "content/projects/acme.yaml"
    acme.write_text("shares: {nyse: ACME}\nname: Acme\nlinks: {code: https://acme.example/}\n")
    house.run("fmt", "--content", "content")
    assert re.findall(r"(?m)^\w+", acme.read_text()) == ["name", "links", "shares"]
    assert "acme: ('Small', 'ACME')" in house.run("build", "--as-of", "2026-06-01")
    data = house.data("api/projects/slug/acme.json")["data"]
    assert isinstance(data, dict) and data["shares"] == {"nyse": [{"symbol": "ACME"}]}
    assert [name for name in data if name in ("links", "shares", "sources")] == [
        "links", "shares", "sources",
    ]  # fmt: skip
    page = (tmp_path / "build/projects/acme/index.html").read_text()
    assert "NYSE ACME" in page and 'href="https://nyse.example/ACME"' in page
    (row, _) = csv.DictReader(house.run("export", "project").splitlines())
    assert row["shares.nyse"] == "ACME"
    with (tmp_path / "build/data/projects.csv").open() as table:
        (first, _) = csv.DictReader(table)
    assert json.loads(first["shares"]) == [{"exchange": "nyse", "symbol": "ACME"}]
