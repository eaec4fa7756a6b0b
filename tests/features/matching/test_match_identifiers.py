"""An identifier alone finds its record: as text, with its scheme, and as a web address; an
index without identifiers has no files for them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_match_names import both, posted

from support import commands, registries

PROJECTS: dict[str, dict[str, Any]] = {
    "acme": {
        "name": "Acme",
        "identifiers": {"wikidata": "Q95", "ror": "05gq02987", "github": "shared"},
        "locations": [{"country": "KE"}],
    },
    "bravo": {
        "name": "Bravo",
        "identifiers": {"isni": "000000012146438X", "npm": ["shared", "Bravo.js"]},
    },
    "charlie": {"name": "Charlie", "identifiers": {"tickers": "AC"}},
    "q7": {"name": "Q7"},
    "delta": {"name": "Delta", "identifiers": {"wikidata": "Q7"}},
}
SCHEMES = {"tickers": {"label": "Tickers", "url": "https://t.example/{id}/about"}}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("identified")
    settings = {"identifier_schemes": SCHEMES}
    registries.write(folder / "content", registries.content(registry=settings, projects=PROJECTS))
    return commands.build(folder / "content", folder / "build", "--host", "cloudflare")


CASES = {
    "Q95": "acme",
    " q95 ": "acme",
    "wikidata:Q95": "acme",
    "ror:Q95": None,
    "https://www.wikidata.org/wiki/Q95": "acme",
    "http://evil.example/wiki/Q95": None,
    "ror.org/05GQ02987/": "acme",
    "000000012146438x": "bravo",
    "bravo.JS": "bravo",
    "https://www.npmjs.com/package/Bravo.js": "bravo",
    "shared": None,  # an account and a package
    "github:shared": "acme",
    "https://www.npmjs.com/package/shared": "bravo",
    "Q7": None,  # the name of one record and an identifier of another
    "wikidata:Q7": "delta",
    "tickers:ac": "charlie",
    "Q9": None,
    "Q95 ": "acme",
    "..": None,
}


def test_an_identifier_alone_is_a_match(out: Path) -> None:
    batches = [
        {
            "name": {"query": name},
            "site": {"query": "", "properties": [{"pid": "website", "v": name}]},
            "place": {"query": name, "properties": [{"pid": "country", "v": "KE"}]},
        }
        for name in CASES
    ]
    answers = both(out, [posted("queries", batch) for batch in batches])
    for (name, slug), (status, body) in zip(CASES.items(), answers, strict=True):
        assert status == 200, body
        for key, found in json.loads(body).items():
            sure = [each["id"] for each in found["result"] if each["match"]]
            wanted = "delta" if (name, key) == ("Q7", "site") else slug  # no name is compared
            assert sure == ([wanted] if wanted else []), (name, key)
        first = json.loads(body)["name"]["result"]
        if slug:
            assert {"id": "identifier", "value": 100} in first[0]["features"]


def test_an_index_without_identifiers_has_no_files_for_them(out: Path, tmp_path: Path) -> None:
    plain = {s: {k: v for k, v in r.items() if k != "identifiers"} for s, r in PROJECTS.items()}
    registries.write(tmp_path / "content", registries.content(projects=plain))
    bare = commands.build(tmp_path / "content", tmp_path / "build")
    for folder, wanted in ((out, True), (bare, False)):
        index = folder / "api" / "index" / "projects"
        assert (b'"ids":' in (index / "manifest.json").read_bytes()) is wanted
        assert (index / "ids").is_dir() is wanted
