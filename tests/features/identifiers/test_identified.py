"""Documents by identifier: in every place that lists documents, and on request only."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from generator.features.identifiers import outputs
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from support import registries
from support.commands import build, run

SETTINGS = {
    "base_url": "https://registry.test/sub",
    "identifier_schemes": {
        "acme": {"label": "Acme", "url": "https://acme.test/{id}/x", "pattern": "[a-z0-9]+|A-1"}
    },
    "publish": {"by_id": ["ror", "acme"], "changes": False},
}
PROJECTS: dict[str, dict[str, Any]] = {
    "one": {"name": "One", "identifiers": {"ror": "05gq02987", "acme": ["a1", "A-1"]}},
    "two": {"name": "Two <b>", "identifiers": {"wikidata": "Q95", "acme": "b2"}},
    "three": {"name": "Three"},
}
OTHERS: dict[str, Any] = {
    "programs": {
        "launch": {
            "name": "Launch", "kind": "program", "type": "accelerator",
            "organization": "north-college", "identifiers": {"acme": "a1"},
        }
    },
    "organizations": {
        "north-college": {
            "name": "North", "category": "university", "identifiers": {"ror": "05gq02987"},
            "links": {"same": "https://ror.org/05gq02987"},
        }
    },
    "events": {
        "day": {"name": "Day", "kind": "event", "starts": "2026-12-30",
                "identifiers": {"wikidata": "Q7"}}
    },
}  # fmt: skip


def write(folder: Path, projects: dict[str, Any], **settings: Any) -> Path:
    return registries.write(
        folder, registries.content(registry=SETTINGS | settings, projects=projects, **OTHERS)
    )


def identified(out: Path) -> dict[str, list[tuple[str, str, str]]]:
    """path -> (collection, slug, id) of every document by identifier."""
    return {
        str(path.relative_to(out)): [
            (entry["collection"], entry["slug"], entry["id"])
            for entry in json.loads(path.read_bytes())["data"]
        ]
        for path in (out / "api" / "by-id").rglob("*")
        if path.is_file()
    }


def place(scheme: str, text: str) -> str:
    return f"api/by-id/{scheme}/{hashlib.sha256(text.lower().encode()).hexdigest()[:16]}.json"


def test_an_identifier_leads_to_its_records(tmp_path: Path) -> None:
    out = build(write(tmp_path / "content", PROJECTS), tmp_path / "out", site=True)
    assert identified(out) == {
        place("ror", "05gq02987"): [
            ("organizations", "north-college", "05gq02987"), ("projects", "one", "05gq02987")
        ],
        place("acme", "a1"): [("programs", "launch", "a1"), ("projects", "one", "a1")],
        place("acme", "A-1"): [("projects", "one", "A-1")],
        place("acme", "b2"): [("projects", "two", "b2")],
    }  # fmt: skip
    schema = Draft202012Validator(json.loads((out / "api/schemas/identified.json").read_bytes()))
    paths = json.loads((out / "api/openapi.json").read_bytes())["paths"]
    parameters = paths["/api/by-id/{scheme}/{digest}.json"]["get"]["parameters"]
    assert parameters[0]["schema"]["enum"] == ["ror", "acme"]
    surfaces = json.loads((out / "api/index.json").read_bytes())["data"]["surfaces"]
    (surface,) = (each for each in surfaces if each["name"] == "by_id")
    sizes = [(out / path).stat().st_size for path in identified(out)]
    assert (surface["count"], surface["bytes"]) == (4, sum(sizes))
    assert run("verify", str(out)).status == 0
    for path in identified(out):
        document = json.loads((out / path).read_bytes())
        schema.validate(document)
        assert document["links"]["self"] == f"/sub/{path}"
        assert re.fullmatch(parameters[1]["schema"]["pattern"], Path(path).stem)
        served = answer("GET", f"/sub/{path}", Deployment.open(out))
        assert (served.status, json.loads(served.body)) == (200, document)
        for entry in document["data"]:
            record = json.loads((out / entry["href"].removeprefix("/sub/")).read_bytes())["data"]
            known = record["identifiers"][entry["scheme"]]
            assert {"id": entry["id"], "url": entry["url"]} in known
            assert (record["name"], record["slug"]) == (entry["name"], entry["slug"])


def test_pages_link_identifiers_and_say_sameas(tmp_path: Path) -> None:
    out = build(write(tmp_path / "content", PROJECTS), tmp_path / "out", site=True)
    urls = {
        "projects/one": ["https://ror.org/05gq02987", "https://acme.test/a1/x",
                         "https://acme.test/A-1/x"],
        "projects/three": [],
        "programs/launch": ["https://acme.test/a1/x"],
        "organizations/north-college": ["https://ror.org/05gq02987"],  # a link and an identifier
        "calendar/day": ["https://www.wikidata.org/wiki/Q7"],
    }  # fmt: skip
    for page, wanted in urls.items():
        text = (out / page / "index.html").read_text("utf-8")
        script = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.S)
        assert script is not None
        (thing, *_) = json.loads(script[1])["@graph"]
        assert thing.get("sameAs", []) == wanted, page
        assert all(f'href="{url}"' in text for url in wanted)
        assert ("<dt>Identifiers</dt>" in text) is bool(wanted)


def test_identifiers_with_one_digest_share_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "digest_of", lambda text: "0" * 16)
    registry = registries.registry(
        tmp_path, registries.content(registry=SETTINGS, projects=PROJECTS, **OTHERS)
    )
    found = registries.rendered("features.identifiers", registry)
    data = json.loads(found[f"/api/by-id/acme/{'0' * 16}.json"])["data"]
    assert [entry["id"] for entry in data] == ["A-1", "a1", "a1", "b2"]
    assert len(found) == 2


def test_a_scheme_that_every_registry_has_is_not_declared_again(tmp_path: Path) -> None:
    own = {"label": "Own", "url": "https://own.test/{id}"}
    folder = write(tmp_path / "content", PROJECTS, identifier_schemes={"acme": own, "ror": own})
    done = run("check", "--content", folder)
    lines = (folder / "registry.yaml").read_text().splitlines()
    line = next(i for i, text in enumerate(lines, 1) if text == '  "ror": {')
    assert f"registry.yaml:{line}:3: error[invalid-declaration]" in done.err
    assert "identifier_schemes.ror is a scheme that every registry has" in done.err
