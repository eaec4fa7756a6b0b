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

from generator.grammar.headers import EDITOR_POLICY, EMBED_POLICY, POLICY
from generator.outputs import cms
from support.commands import ROOT, files, run_forked
from support.own import OWN
from support.registries import SMALL, Content, content, write
from support.serving import serving

PACKAGE = ROOT / "tests" / "hosts" / "node_modules" / "@sveltia" / "cms"
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


def test_the_editing_page_is_off_by_default(tmp_path: Path) -> None:
    assert built(tmp_path / "a", SMALL) == {}
    assert built(tmp_path / "b", SMALL, repository=GITHUB) == {}
    assert built(tmp_path / "c", SMALL, repository=GITHUB, cms=False) == {}
    write(tmp_path / "d", content(registry={"cms": True}))
    done = run_forked("check", "--content", tmp_path / "d")
    assert (
        done.status == 1 and "cms: needs repository: the address where the records are" in done.err
    )


def test_only_the_script_of_the_package_runs(tmp_path: Path) -> None:
    assert json.loads((PACKAGE / "package.json").read_bytes())["version"] == cms.VERSION
    script = (PACKAGE / "dist" / "sveltia-cms.js").read_bytes()
    digest = base64.b64encode(hashlib.sha384(script).digest()).decode()
    assert f"sha384-{digest}" == cms.INTEGRITY
    page = built(tmp_path, SMALL, repository=GITHUB, cms=True)["index.html"].decode()
    assert re.findall("<script[^>]*>", page) == [
        f'<script src="{cms.SCRIPT}" integrity="{cms.INTEGRITY}" crossorigin="anonymous" defer>'
    ]
    assert "https://api.github.com https://www.githubstatus.com;" in page
    assert "unpkg.com https:;" in EDITOR_POLICY and "unpkg.com https:;" not in page


@pytest.mark.slow
def test_the_development_server_sends_the_policy_of_the_page(tmp_path: Path) -> None:
    write(tmp_path / "content", content(registry={"repository": GITHUB, "cms": True}))
    with serving(tmp_path) as address:
        for path, policy in (
            ("/admin/", EDITOR_POLICY),
            ("/projects/", POLICY),
            ("/embed/list/", EMBED_POLICY),
        ):
            with urllib.request.urlopen(f"{address}{path}") as answer:
                assert answer.headers["Content-Security-Policy"] == policy
        with urllib.request.urlopen(f"{address}/admin/config.yml") as answer:
            assert answer.headers["Content-Type"] == "application/yaml"


@pytest.mark.slow
@pytest.mark.parametrize("registry", [SMALL, OWN], ids=["small", "own"])
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
def test_the_cms_takes_its_configuration(
    tmp_path: Path, registry: Content, repository: Any, settings: Any
) -> None:
    validator = Draft7Validator(
        json.loads((PACKAGE / "schema" / "sveltia-cms.json").read_text("utf-8"))
    )
    made = config(tmp_path, registry, repository=repository, cms=settings)
    assert [error.message for error in validator.iter_errors(made)] == []


def test_backends_and_folders_are_those_of_the_repository(tmp_path: Path) -> None:
    made = config(
        tmp_path / "a",
        SMALL,
        repository={"url": "https://gitlab.example.org/a/b/", "folder": ".", "branch": "x"},
        cms={"app_id": "1", "review": False},
    )
    assert made["backend"] == {
        "name": "gitlab",
        "repo": "a/b",
        "branch": "x",
        "api_root": "https://gitlab.example.org/api/v4",
        "base_url": "https://gitlab.example.org",
        "auth_type": "pkce",
        "app_id": "1",
    }
    assert made["publish_mode"] == "simple"
    assert [of["folder"] for of in made["collections"]] == [
        of["name"] for of in made["collections"]
    ]
    made = config(tmp_path / "b", SMALL, repository=GITHUB, cms=True)
    assert made["backend"] == {
        "name": "github",
        "repo": "o/r",
        "branch": "main",
        "auth_methods": ["token"],
    }
    assert made["publish_mode"] == "editorial_workflow"
    assert {of["folder"] for of in made["collections"]} == {
        f"content/{name}" for name in ("projects", "programs", "organizations", "events")
    }


def fields(made: dict[str, Any], collection: str) -> dict[str, dict[str, Any]]:
    of = next(of for of in made["collections"] if of["name"] == collection)
    return {field["name"]: field for field in of["fields"]}


def test_every_field_has_its_widget(tmp_path: Path) -> None:
    made = config(tmp_path / "a", SMALL, repository=GITHUB, cms=True)
    project, program = fields(made, "projects"), fields(made, "programs")
    assert {name: field["widget"] for name, field in project.items()} == {
        "name": "string", "summary": "string", "description": "text", "website": "string",
        "links": "keyvalue",
        "identifiers": "object", "sources": "list", "tags": "object", "aliases": "list",
        "locations": "list", "year": "number", "status": "select", "programs": "select",
        "organizations": "select", "remote": "boolean", "team_size": "number",
        "founders": "list", "former_names": "list", "logo": "string", "verified": "datetime",
        "accept": "select",
    }  # fmt: skip
    assert project["programs"]["options"][1] == {"label": "Launch 2025", "value": "launch-2025"}
    topic, technology = project["tags"]["fields"]
    assert topic["multiple"] and [option["value"] for option in topic["options"]] == [
        "climate", "health", "space",
    ]  # fmt: skip
    assert technology["widget"] == "list" and technology["field"]["pattern"][0].startswith("^[a-z")
    assert [field["name"] for field in project["locations"]["fields"]] == [
        "country", "region", "city",
    ]  # fmt: skip
    assert program["starts"]["widget"] == "datetime" and program["organization"]["required"]
    flat = config(tmp_path / "b", SMALL, repository=GITHUB, cms={"folders": False})
    assert fields(flat, "programs")["parent"] == {
        "name": "parent",
        "label": "Parent",
        "hint": "The program it belongs to.",
        "required": False,
        "widget": "relation",
        "collection": "programs",
        "value_field": "{{slug}}",
        "display_fields": ["{{name}}"],
        "search_fields": ["name"],
    }
    own = fields(config(tmp_path / "c", OWN, repository=GITHUB, cms=True), "projects")["fields"]
    assert {field["name"] for field in own["fields"]} == set(OWN["registry"]["fields"]["projects"])
