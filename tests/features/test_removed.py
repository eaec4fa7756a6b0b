"""Features can be taken off, in any combination: without their folders the generator builds,
verifies and serves.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
import yaml

from generator.feature import Feature, features
from generator.kinds.declare import read_fields
from generator.kinds.models import Input
from support.commands import ROOT, environment, run
from support.kinds import KINDS
from support.serving import Server

OWN = {feature.name: feature for feature in features() if not feature.origin}
ALL = "all of them"
PROGRAM = (sys.executable, "-m", "generator")  # that in the current folder


def keys_of(feature: Feature) -> dict[str, set[str]]:
    """The keys of registry.yaml that a feature adds, by the key that they are below."""
    module = feature.load("settings") if "settings" in feature.parts else None
    models = {"": "Settings", "publish": "Publish"}.items()
    return {key: {*getattr(module, name, Input).model_fields} for key, name in models}


def fields_of(feature: Feature) -> set[str]:
    """The fields that a feature adds to records."""
    module = feature.load("fields") if "fields" in feature.parts else None
    return {
        name
        for kind in ("Record", *(kind.model.__name__ for kind in KINDS.values()))
        for name in read_fields(getattr(module, kind, object))
    }


def commands_of(feature: Feature) -> set[str]:
    found = (feature.folder / "commands").glob("[a-z]*.py")
    return {path.stem.rstrip("_").replace("_", "-") for path in found}


class House:
    """A copy of the generator without some features, and of our content without their keys."""

    def __init__(self, folder: Path, removed: Iterable[Feature]):
        self.folder, self.content, self.out = folder, folder / "content", folder / "out"
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "generator", folder / "generator", ignore=left_out)
        for feature in removed:
            shutil.rmtree(folder / "generator" / "features" / feature.folder.name)
        (folder / "generator" / "_templates").symlink_to(ROOT / "templates")
        shutil.copytree(ROOT / "content", self.content)
        for file in self.content.rglob("*.yaml"):
            for feature in removed:
                is_registry = file.name == "registry.yaml"
                self._strip(file, keys_of(feature) if is_registry else {"": fields_of(feature)})

    def _strip(self, file: Path, keys: Mapping[str, set[str]]) -> None:
        """Take keys out of a file, each by the key that it is below."""
        data = yaml.safe_load(file.read_text("utf-8"))
        found = False
        for key, names in keys.items():
            below = data.get(key, {}) if key else data
            for name in names & below.keys():
                del below[name]
                found = True
        if found:
            file.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), "utf-8")

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            cwd=self.folder, env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def dead_links(out: Path) -> set[str]:
    """The pages that other pages lead to and that the build does not have."""
    pages = (page.read_text("utf-8") for page in out.rglob("*.html"))
    found = {path for page in pages for path in re.findall(r'href="(/[^"#?]*/)["#?]', page)}
    return {path for path in found if not (out / path[1:] / "index.html").is_file()}


def halves() -> dict[str, list[Feature]]:
    """Halves of the features, by name.  Of any two features one half has the first and lacks the
    second, so it shows whether the second needs the first.
    """
    numbered = [*enumerate(OWN.values())]
    return {
        f"bit {bit} is {value}": [each for number, each in numbered if number >> bit & 1 == value]
        for bit in range((len(OWN) - 1).bit_length())
        for value in (0, 1)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", [ALL, *halves()])
def test_the_generator_works_without_features(name: str, tmp_path: Path) -> None:
    removed = [*OWN.values()] if name == ALL else halves()[name]
    house, gone = House(tmp_path, removed), {feature.name for feature in removed}
    gone |= {other.name for other in OWN.values() if gone & {*other.needs}}
    listed = re.findall(r"(?m)^([a-z-]+): ", house.run("features"))
    assert {*listed} == {other.replace("_", "-") for other in OWN.keys() - gone}
    known = re.findall(r"(?m)^  ([a-z-]+)  ", house.run("--help"))
    assert "build" in known and not {*known} & set[str]().union(*map(commands_of, removed))
    house.run("build", "--content", "content", "--out", str(house.out))
    assert dead_links(house.out) == set()
    verified = run("verify", house.out)
    assert verified.status == 0, verified.err
    fields = set[str]().union(*map(fields_of, removed))
    (record, *_) = (house.out / "api/projects/slug").glob("*.json")
    assert not fields & json.loads(record.read_bytes())["data"].keys()
    schema = json.loads((house.out / "api/schemas/project.json").read_bytes())
    assert not fields & schema["$defs"]["ProjectRecord"]["properties"].keys()
    assert json.loads(house.run("count", "projects", "--from", str(house.out)))["total_items"]
    with Server(tmp_path, program=PROGRAM).running() as server:
        assert server.get("/api/projects?mode=page").status == 200
        assert server.get("/").status == 200
