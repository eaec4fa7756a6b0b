"""A feature adds fields to kinds: they are in everything that is published, written and asked."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from support.commands import ROOT, environment

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
CONTENT = {
    "registry.yaml": "name: Small\ndescription: Of two records.\ndata: [csv]\n",
    "projects/acme.yaml": "employees: 12\nname: Acme\nmotto: Warm homes\n",
    "projects/bolt.yaml": "name: Bolt\n",
}


class House(NamedTuple):
    """A folder with an installed feature of another package, and a registry."""

    folder: Path

    def run(self, *arguments: str, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "generator", *arguments],
            cwd=self.folder, capture_output=True, text=True, check=False,
            env=environment(PYTHONPATH=f"{ROOT}:{self.folder}"),
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def data(self, address: str) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.folder / "build" / address).read_bytes())
        return found


def installed(folder: Path, fields: str) -> House:
    package, about = folder / "registry_stars", folder / "registry_stars-1.0.dist-info"
    package.mkdir(), about.mkdir()
    (package / "__init__.py").write_text('"""Stars: how large projects are."""\n')
    (package / "fields.py").write_text(fields)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: registry-stars\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[registry_generator.features]\nstars = registry_stars\n"
    )
    for path, text in CONTENT.items():
        file = folder / "content" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return House(folder)


def test_a_field_of_a_feature_is_published_and_asked(tmp_path: Path) -> None:
    house = installed(tmp_path, FIELDS)
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
    house = installed(tmp_path, FIELDS)
    house.run("fmt", "--content", "content")
    acme = tmp_path / "content/projects/acme.yaml"
    assert acme.read_text() == "name: Acme\nmotto: Warm homes\nemployees: 12\n"
    (row, _) = csv.DictReader(house.run("export", "project").splitlines())
    assert (row["motto"], row["employees"]) == ("Warm homes", "12")
    acme.write_text("name: Acme\nemployes: many\n")
    assert 'did you mean "employees"?' in house.run("check", status=1)


def test_two_fields_of_one_name_are_refused(tmp_path: Path) -> None:
    house = installed(tmp_path, FIELDS.replace("employees:", "team_size:"))
    said = house.run("check", status=2)
    assert "The feature stars has the field team_size of projects, which the generator has" in said
