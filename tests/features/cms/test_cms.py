"""The page to edit records: its CMS accepts the configuration, and browsers its script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from generator.contract.addresses import page_policies
from generator.features.cms import outputs as cms
from generator.grammar.headers import POLICY
from support.commands import ROOT, files, run_forked
from support.own import OWN
from support.own_kinds import INVESTORS
from support.registries import SMALL, Content, content, write
from support.serving import serving
from support.transcripts import Case, Shell, transcript

PACKAGE = ROOT / "tests" / "hosts" / "node_modules" / "@sveltia" / "cms"
UMLAUTS = {"ä": "ae", "Ä": "Ae", "ö": "oe", "ü": "ue"}
GITHUB = "https://github.com/o/r"


def built(folder: Path, registry: Content, **settings: Any) -> dict[str, bytes]:
    """The files of `/admin/` of a build."""
    every = content(registry, registry=settings) if settings else registry
    write(folder / "content", every)
    where = ("--content", folder / "content", "--out", folder / "build")
    done = run_forked("build", *where, "--no-site")
    assert done.status == 0, done.err
    below = files(folder / "build")
    return {path[6:]: data for path, data in below.items() if path.startswith("admin/")}


def config(folder: Path, registry: Content, **settings: Any) -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load(built(folder, registry, **settings)["config.yml"])
    return made


@transcript(Path(__file__).parent / "transcripts/cms.txt")
def test_editing_page(case: Case, tmp_path: Path, regenerate: bool) -> None:
    folders = {"SMALL": write(tmp_path / "small", SMALL), "OWN": write(tmp_path / "own", OWN)}
    (tmp_path / "here").mkdir()
    case.run(Shell(tmp_path / "here", **folders), regenerate)


def test_editors_of_own_kinds_choose_records_and_words(tmp_path: Path) -> None:
    made = config(tmp_path, INVESTORS, repository=GITHUB, cms={"folders": False})
    validator = Draft7Validator(json.loads((PACKAGE / "schema/sveltia-cms.json").read_bytes()))
    assert list(validator.iter_errors(made)) == []
    of = {each["name"]: {f["name"]: f for f in each["fields"]} for each in made["collections"]}
    assert [*of][-2:] == ["investors", "rounds"]
    assert of["investors"]["stage"]["options"][0] == {"label": "Seed", "value": "seed"}
    assert of["investors"]["assets"]["widget"] == "number"
    project, investors = of["rounds"]["project"], of["rounds"]["investors"]
    assert (project["collection"], project["required"]) == ("projects", True)
    assert (investors["collection"], investors["multiple"]) == ("investors", True)
    (backed_by,) = of["projects"]["fields"]["fields"]
    assert (backed_by["label"], backed_by["collection"]) == ("Backed by", "investors")


def test_only_the_script_of_the_package_runs(tmp_path: Path) -> None:
    assert json.loads((PACKAGE / "package.json").read_bytes())["version"] == cms.VERSION
    script = (PACKAGE / "dist" / "sveltia-cms.js").read_bytes()
    digest = base64.b64encode(hashlib.sha384(script).digest()).decode()
    assert f"sha384-{digest}" == cms.INTEGRITY
    page = built(tmp_path, SMALL, repository=GITHUB, cms=True)["index.html"].decode()
    assert re.findall("<script[^>]*>", page) == [
        f'<script src="{cms.SCRIPT}" integrity="{cms.INTEGRITY}" crossorigin="anonymous" defer>'
    ]
    assert "unpkg.com https:;" in page_policies()["/admin"] and "unpkg.com https:;" not in page


def test_slugs_are_proposed_with_umlauts_spelled_out(tmp_path: Path) -> None:
    """The script replaces characters by its table if the configuration says `clean_accents`."""
    made = config(tmp_path, SMALL, repository=GITHUB, cms=True)
    assert made["slug"] == {"encoding": "ascii", "clean_accents": True}
    script = (PACKAGE / "dist" / "sveltia-cms.js").read_text("utf-8")
    table = script.partition("=new Map([[`ß`,`ss`]")[2].partition("]);")[0]
    assert all(f"[`{a}`,`{b}`]" in table for a, b in UMLAUTS.items())


@pytest.mark.slow
def test_the_development_server_sends_the_policy_of_the_page(tmp_path: Path) -> None:
    write(tmp_path / "content", content(registry={"repository": GITHUB, "cms": True}))
    with serving(tmp_path) as address:
        for path, policy in (
            ("/admin/", page_policies()["/admin"]),
            ("/projects/", POLICY),
            ("/embed/list/", page_policies()["/embed"]),
        ):
            with urllib.request.urlopen(f"{address}{path}") as answer:
                assert answer.headers["Content-Security-Policy"] == policy
        with urllib.request.urlopen(f"{address}/admin/config.yml") as answer:
            assert answer.headers["Content-Type"] == "application/yaml"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("repository", "settings"),
    [
        (GITHUB, True),
        (GITHUB, {"auth": "https://auth.example.org/x", "review": False, "folders": False}),
        ({"url": "https://gitlab.com/a/b/c", "folder": ".", "branch": "x"}, {"app_id": "1"}),
        ("https://gitlab.example.org/a/b", True),
        ("https://github.example.org/a/b.git", True),
    ],
)
def test_the_cms_takes_its_configuration(tmp_path: Path, repository: Any, settings: Any) -> None:
    validator = Draft7Validator(
        json.loads((PACKAGE / "schema" / "sveltia-cms.json").read_text("utf-8"))
    )
    made = config(tmp_path, OWN, repository=repository, cms=settings)
    assert [error.message for error in validator.iter_errors(made)] == []
