"""Features of other packages that are broken: the message names them, and the output stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import registries
from support.commands import Done, run
from support.installed import distribute
from support.serving import Server

KEYS = "from generator.model.settings.keys import Keys\n"
FIELD = """
from typing import Annotated
from generator.kinds.declare import Words
from generator.kinds.types import Line
class Project:
    website: Annotated[Line | None, Words("Where it is.")] = None
"""
VIEW = """
from generator.site.meta import below_home
from generator.site.rendering import render_page
ADDRESSES = ("/stars/",)
def render(site):
    yield render_page(site, "/stars/", "stars", about=below_home(site, "Stars"))
"""
OUTPUT = """
from generator.contract.artifact import Artifact
ADDRESSES = ("/api/dashboard.json",)
def render(settings):
    yield Artifact("/api/dashboard.json", b"{}")
"""
CODE = '[fields.missing-field]\nsummary = "A."\ncause = "B."\nmend = "C."\n'
ROUTE = """
from generator.grammar.routes import Service
def services(grammar):
    yield Service(("/api/stars",), "/api/stars", ("/api/stars",))
"""
EDGE = """
const answer = () => { throw new Error('no stars') }
edge.add({ paths: ['/api/stars'], answer })
"""
RAISING = "def {}:\n    raise ValueError('no stars')\n"
NAMED = "The feature stars (registry-stars 1.0) failed"


def build(folder: Path, path: str) -> Done:
    content = registries.write(folder / "content")
    return run("build", "--content", content, "--out", folder / "out", env={"PYTHONPATH": path})


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"checks.py": "def check_record(:\n"}, f"{NAMED}: SyntaxError: "),
        ({"checks.py": RAISING.format("check_record(*_)")}, f"{NAMED} in "),
        ({"collect.py": RAISING.format("collect(*_)")}, "collect.py, line 2: ValueError: no stars"),
        (
            {"views.py": "def links():\n    return ()\n"},
            "has no views.links(site): too many positional",
        ),
        ({"views.py": VIEW}, "LookupError: there is no template stars.html.j2"),
        (
            {"outputs.py": OUTPUT},
            "is written by outputs.dashboard and by features.stars; uninstall",
        ),
        ({"settings.py": "class Settings:\n    hosts = 1\n"}, "is no subclass of Keys"),
        (
            {"settings.py": f"{KEYS}class Settings(Keys):\n    hosts: str | None = None\n"},
            "The feature stars has the key hosts of registry.yaml, which the generator has too",
        ),
        ({"fields.py": FIELD}, "has the field website of Project, which the generator has too"),
        ({"edge.js": "const answer = (\n"}, f"{NAMED}: JSException: SyntaxError: "),
        ({"edge.js": "stars()"}, f"{NAMED}: JSException: ReferenceError: "),
    ],
    ids=["syntax", "check", "collect", "signature", "template", "address", "settings", "key",
         "field", "script", "start"],
)  # fmt: skip
def test_a_build_names_a_broken_feature(files: dict[str, str], says: str, tmp_path: Path) -> None:
    done = build(tmp_path, distribute(tmp_path / "site", {"stars": files}))
    assert (done.status, says in done.err) == (2, True), done.err
    assert "stars" in done.err and "Traceback" not in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"codes.toml": "[fields.\n"}, f"{NAMED}: TOMLDecodeError"),
        ({"codes.toml": CODE}, f"{NAMED}: ValueError: there is a code missing-field already"),
        ({"codes.toml": CODE.replace("cause", "why")}, f"{NAMED}: TypeError: "),
        (
            {"codes.toml": CODE.replace("fields", "stars")},
            "stars is no group of codes: files, yaml",
        ),
        (
            {"commands/__init__.py": "", "commands/build.py": "command = None\n"},
            "The feature stars has the command build, which there is already",
        ),
    ],
    ids=["toml", "code", "texts", "group", "command"],
)
def test_help_and_explanations_name_a_broken_feature(
    files: dict[str, str], says: str, tmp_path: Path
) -> None:
    path = distribute(tmp_path, {"stars": files})
    asked = ("--help",) if "codes.toml" not in files else ("explain", "missing-field")
    done = run(*asked, env={"PYTHONPATH": path})
    assert (done.status, says in done.err) == (2, True), done.err


def test_views_of_a_feature_may_only_add_to_other_pages(tmp_path: Path) -> None:
    panels = "def panels(site, place, subject):\n    yield f'Stars & {place}'\n"
    done = build(tmp_path, distribute(tmp_path / "site", {"stars": {"views.py": panels}}))
    assert done.status == 0, done.err
    assert "Stars &amp; head" in (tmp_path / "out/index.html").read_text("utf-8")


def test_two_features_of_one_name_and_a_missing_package_are_refused(tmp_path: Path) -> None:
    path = distribute(tmp_path / "one", {"stars": {}})
    shutil.rmtree(tmp_path / "one/registry_stars")
    done = build(tmp_path / "missing", path)
    assert (done.status, "1.0) has no package registry_stars" in done.err) == (2, True)
    for name in ("stars", "other"):
        path = distribute(tmp_path / "two", {"stars": {}}, name)
    done = build(tmp_path / "twice", path)
    assert done.status == 2 and "Two features have the name stars: that of " in done.err


def test_the_development_server_names_a_broken_feature_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"routes.py": ROUTE, "edge.js": EDGE}
    monkeypatch.setenv("PYTHONPATH", distribute(tmp_path / "site", {"stars": files}))
    registries.write(tmp_path / "content")
    with Server(tmp_path).running() as server:
        assert server.get("/api/stars").status == 500
        assert server.get("/api/projects?mode=page").status == 200
    assert f"GET /api/stars: Error: {NAMED}: Error: no stars. Tell its authors" in server.told
