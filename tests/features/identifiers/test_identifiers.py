"""Identifiers: forms, checksums, patterns and web addresses; and documents by identifier."""

from __future__ import annotations

import hashlib
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.features.identifiers import outputs
from generator.features.identifiers.schemes import KNOWN, IdScheme, pattern_validator
from generator.features.identifiers.settings import MAX_PATTERN, is_pattern
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from support import registries
from support.commands import build, run

#: Identifiers with the right form and checksum.
RIGHT = {
    "wikidata": ["Q1", "Q95", "Q123456789"],
    "ror": ["05gq02987", "03yrm5c26"],
    "lei": ["5493006MHB84DD0ZWV18", "7LTWFZYICNSX8D621K86", "213800LBQA1Y9L22JB70"],
    "isni": ["000000012146438X", "0000000121032683"],
    "crunchbase": ["airbnb", "open-ai-2"],
    "github": ["torvalds", "Microsoft", "a-b"],
    "linkedin": ["airbnb", "1441", "Acme.Inc_2"],
    "pypi": ["zope.interface", "ruamel_yaml"],
    "npm": ["lodash", "JSONStream"],
}
WRONG = {
    "wikidata": ["95", "Q0", "q95", "Q9 5", "P31"],
    "ror": ["15gq02987", "05gq0298", "05gq0298l", "05GQ02987"],
    "lei": ["5493006MHB84DD0ZWV19", "5493006mhb84dd0zwv18", "5493006MHB84DD0ZWV1"],
    "isni": ["0000000121464381", "X000000121464380", "0000 0001 2146 438X"],
    "crunchbase": ["Airbnb", "organization/airbnb", "-a"],
    "github": ["torvalds/linux", "a_b", "a" * 40],
    "linkedin": ["company/airbnb", "acmé"],
    "pypi": ["", ".hidden", "a" * 101],
    "npm": ["@scope/name", "a b"],
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_scheme_takes_its_identifiers_and_no_others(name: str) -> None:
    scheme = KNOWN[name]
    assert [text for text in [*RIGHT[name], scheme.example] if not scheme.is_valid(text)] == []
    assert [text for text in WRONG[name] if scheme.is_valid(text)] == []
    for text in RIGHT[name]:
        address = scheme.address(text)
        for written in (f" {address} ", f"{address}/", address.replace("https", "http")):
            assert scheme.corrected(written) == text


@given(st.sampled_from(["lei", "isni"]), st.data())
def test_one_wrong_digit_is_found(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(RIGHT[name]))
    at = data.draw(st.sampled_from([i for i in range(len(text) - 2) if text[i].isdigit()]))
    digit = data.draw(st.sampled_from("0123456789"))
    changed = text[:at] + digit + text[at + 1 :]
    assert KNOWN[name].is_valid(changed) == (changed == text)


NO_ACCOUNTS = (
    "https://github.com/acme/repository",
    "https://github.com/orgs/acme",
    "https://github.com/features",
    "https://gist.github.com/acme",
    "https://github.com",
    "https://github.example/acme",
    "https://www.wikidata.org/wiki/Property:P31",
    "https://www.linkedin.com/in/acme",
    "https://www.npmjs.com/package/@acme/tool",
    "https://www.crunchbase.com/person/ada",
    "https://ror.org/",
    "https://acme.example/https://ror.org/05gq02987",
)


def test_other_addresses_are_no_identifiers() -> None:
    for url in NO_ACCOUNTS:
        assert [name for name, scheme in KNOWN.items() if scheme.corrected(url)] == [], url
    other_forms = {
        "http://m.wikidata.org/entity/Q95": ("wikidata", "Q95"),
        "https://uk.linkedin.com/company/acme/?trk=x": ("linkedin", "acme"),
        "HTTPS://GitHub.com/Acme": ("github", "Acme"),
    }
    for url, (name, text) in other_forms.items():
        assert KNOWN[name].corrected(url) == text


def test_an_own_scheme_may_have_the_id_anywhere_after_the_host() -> None:
    scheme = IdScheme("Own", "https://own.example/?id={id}&x=1", "[a-z]+")
    assert scheme.corrected(scheme.address("abc")) == "abc"


@pytest.mark.parametrize(
    "pattern",
    ["", "(a)", "a**", "a+*", "a{2}{3}", "a{2}+", "^a", "a$", "[^a]", "[a", "a|", "|a", "[z-a]",
     r"\w", r"\1", "a{3,2}", "[[a]]", "a b", "é", "a" * (MAX_PATTERN + 1), "(?:a|a)*", "a{1000}"],
)  # fmt: skip
def test_patterns_with_groups_or_nested_quantifiers_are_refused(pattern: str) -> None:
    assert not is_pattern(pattern)


#: Parts of patterns, each also a pattern.
PARTS = st.sampled_from(
    ["a", "Z", "7", "-", "_", ".", r"\d", r"\.", "[a-z]", "[A-Z0-9._-]", r"[\d-]"]
)
QUANTIFIERS = st.sampled_from(["", "?", "*", "+", "{2}", "{1,3}", "{0,}"])
PATTERNS = st.lists(
    st.lists(st.tuples(PARTS, QUANTIFIERS).map("".join), min_size=1, max_size=3).map("".join),
    min_size=1,
    max_size=3,
).map("|".join)


@given(PATTERNS, st.text("aZ7-_.x9", min_size=1, max_size=8))
def test_patterns_mean_what_they_mean_elsewhere(pattern: str, text: str) -> None:
    assert is_pattern(pattern)
    found = pattern_validator(pattern).isinstance_python(text)
    assert found == (re.fullmatch(pattern, text, re.ASCII) is not None)


def test_a_pattern_that_backtracks_elsewhere_takes_no_time() -> None:
    pattern = "a*" * 99 + "b"
    assert is_pattern(pattern)
    scheme = IdScheme("Slow", "https://slow.example/{id}", pattern)
    began = time.process_time()
    assert not any(scheme.is_valid("a" * 100) for _ in range(100))
    assert time.process_time() - began < 2


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
