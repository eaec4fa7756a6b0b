"""Models from bytes: valid values, values that are corrected, settings.  What is invalid is in
test_bad_content.py.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from typing import Any

import pycountry
import pytest

from generator.kinds.continents import CONTINENT_OF, CONTINENTS, COUNTRIES_OF
from generator.kinds.models import model_of
from generator.kinds.types import COUNTRIES, COUNTRY_SLUGS
from generator.model.link import check_record, link
from generator.model.validate import diagnose, read_model
from support import registries
from support.kinds import COMPUTED as KINDS
from support.kinds import Settings

PROJECT: Any = model_of(KINDS["projects"].model)


def codes(fields: dict[str, Any], model: Any = PROJECT) -> list[str]:
    """The code of every error of a record."""
    raw = registries.as_yaml({"name": "Acme", **fields}).encode()
    return [fault.code for fault in read_model(raw, model)[1]]


def test_a_good_record_is_read_without_looking_for_places() -> None:
    model, found, document = read_model(b"name: Acme\nyear: 2024\nremote: true\n", PROJECT)
    assert model == PROJECT(name="Acme", year=2024, remote=True)
    assert (found, document) == ([], None)


def test_null_and_empty_mean_that_a_field_is_not_there() -> None:
    model, found, _ = read_model(
        b"name: Acme\nyear:\ntags: ~\nsources: null\nwebsite: # none\n", PROJECT
    )
    assert found == []
    assert model == PROJECT(name="Acme")


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "x" * 200, "summary": "x" * 300, "year": 1000, "team_size": 0, "tags": {}},
        {"name": "\U0001f680", "description": "", "tags": {"topic": []}, "year": 2200},
        {"name": "\u200fعربي", "description": "one\n\ttwo\n" + "x" * 9_000},
        {"description": "x" * 10_000, "tags": {"topic": ["a" * 100, "2024"]}},
        {"links": {"Git_Hub-2": "https://x.example"}, "website": "http://x.example"},
        {"website": "HTTPS://X.example:8080/a?b=c#d"},
        {"website": "https://日本.example/é?q=[1]&r='(2)'"},
        {"website": "https://localhost/", "status": "public"},
        {"locations": [{"country": "NO", "region": None, "city": "Tromsø"}]},
        {"founders": ["Ada Lovelace", "Björk"]},
    ],
)
def test_valid_values_are_accepted(fields: dict[str, Any]) -> None:
    assert codes(fields) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "x" * 201},
        {"summary": "x" * 301},
        {"description": "x" * 10_001},
        {"website": "https://x.example/" + "a" * 2_000},
    ],
)
def test_texts_have_a_limit(fields: dict[str, Any]) -> None:
    assert codes(fields) == ["invalid-length"]


def test_every_country_of_iso_3166_and_kosovo_are_accepted() -> None:
    names = {c.alpha_2: getattr(c, "common_name", c.name) for c in pycountry.countries}
    assert names | {"XK": "Kosovo"} == COUNTRIES
    every = sorted(COUNTRIES)
    for batch in (every[i : i + 50] for i in range(0, len(every), 50)):
        assert codes({"locations": [{"country": code} for code in batch]}) == []


def test_every_country_has_exactly_one_continent() -> None:
    times = Counter(code for codes in COUNTRIES_OF.values() for code in codes.split())
    known = {country.alpha_2.lower() for country in pycountry.countries} | {"xk"}
    assert set(times) == set(CONTINENT_OF) == known == COUNTRY_SLUGS
    assert set(times.values()) == {1}
    assert set(CONTINENTS.values()) == {
        "Africa", "Antarctica", "Asia", "Europe", "North America", "Oceania", "South America",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "published"),
    [
        ("he said \x93no\x94", "he said “no”"),
        ("one\x85two", "one\ntwo"),
        ("one\x9dtwo, \x9dthree", "one two, three"),
        ("\u202dleft\u202c to right", "left to right"),
        ("a\ufeff b", "a b"),
    ],
)
def test_copied_hidden_characters_in_a_description_are_removed(given: str, published: str) -> None:
    raw = b"name: Acme\ndescription: " + json.dumps(given).encode() + b"\n"
    assert read_model(raw, PROJECT)[0] == PROJECT(name="Acme", description=published)


@pytest.mark.parametrize(
    "raw",
    [
        b"name: A\n" + b"".join(b"f%dx: 1\n" % i for i in range(500)),
        b"name: A\ntags:\n" + b"".join(b"  f%d: [a]\n" % i for i in range(500)),
        b"name: A\nprograms: [%s]\norganizations: [%s]\n"
        % tuple(b", ".join(b"%b%d" % (one, i) for i in range(50)) for one in (b"p", b"o")),
    ],
    ids=["fields", "families", "references"],
)
def test_the_nearest_word_is_computed_only_if_it_is_shown(
    raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    for module in ("problems.diagnostic", "model.suggestions"):
        monkeypatch.setattr(
            f"generator.{module}.nearest_word", lambda word, known: looked.append(word)
        )
    model, found, document = read_model(raw, PROJECT)
    if model is not None:
        settings = Settings(name="R", description="R")
        known = {"programs": set("ab"), "organizations": set("ab")}
        symbols = link(settings, settings.grammar(), {}, known)
        found = check_record(KINDS["projects"], model, symbols)
    assert len(diagnose("a.yaml", raw, found, document)) == 51
    assert len(looked) <= 51


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "base_url: https://x.example",
        "base_url: https://x.example/",
        "base_url: https://x.github.io/registry/",
        "base_url: https://x.example/a.b/~c_d-e",
        "contact: https://x.example/contact",
        "contact: registry@x.example",
        "license: CC-BY-4.0",
        "page_size: 10",
        "page_size: 100",
        "tag_families: {topic_2: {label: Topic}, topic: {label: Topic, tags: {}}}",
        "nouns: {projects: {one: company, many: companies}, events: {one: 締切, many: 締切}}",
        "nouns: {programs: {one: kurs før året, many: l'école d’été-2}}",
        "labels: {projects: {year: Founded}, organizations: {}}",
        "labels: {project: {year: Founded}} -> unknown-field",
        'labels: {projects: {year: "a\\nb"}} -> line-break',
        "base_url: https://x.example/?a -> invalid-url",
        "base_url: https://x.example/#a -> invalid-url",
        "base_url: https://x.example//evil.example -> invalid-url",
        "base_url: https://x.example/a/../b -> invalid-url",
        "base_url: https://x.example/a%20b -> invalid-url",
        "base_url: https://x.example/$(a); -> invalid-url",
        "base_url: https://a\u2100.example/ -> invalid-url",
        "base_url: /registry -> invalid-url",
        'base_url: "https://x.example/\\u202e" -> control-character',
        "contact: https:// -> invalid-contact",
        "contact: http://a b -> invalid-contact",
        "contact: registry at x.example -> invalid-contact",
        "contact: a@b@c.example -> invalid-contact",
        "contact: a@localhost -> invalid-contact",
        'contact: "a\\x1b[1mb@x.example" -> control-character',
        'contact: "a\\u202eb@x.example" -> control-character',
        'contact: "https://x.example/\\u2066" -> control-character',
        "license: Apache License 2.0 -> invalid-license",
        'tag_families: {topic: {label: "a\\x1bb"}} -> control-character',
        'tag_families: {topic: {label: a, tags: {a: "a\\u2069b"}}} -> control-character',
        "tag_families: {topic-2: {label: Topic}} -> invalid-key",
        "tag_families: {2topic: {label: Topic}} -> invalid-key",
        "tag_families: {topic: Topic} -> wrong-type",
        "tag_families: {topic: {}} -> missing-field",
        "tag_families: {topic: {label: Topic, tags: [climate]}} -> wrong-type",
        "tag_families: {topic: {label: Topic, tags: {Climate: Climate}}} -> invalid-slug",
        "organization_categories: {university: ~} -> missing-field",
        'organization_categories: {a: "a\\ab"} -> control-character',
        "program_types: {a b: A} -> invalid-slug",
        'program_types: {a: "a\\tb"} -> control-character',
        "page_size: 9 -> out-of-range",
        "page_size: 101 -> out-of-range",
        "page_size: true -> wrong-type",
        "hosts: netlify -> wrong-type",
        "nouns: {project: {one: company, many: companies}} -> unknown-field",
        "nouns: {projects: {one: company}} -> missing-field",
        "nouns: {projects: companies} -> wrong-type",
        f"nouns: {{projects: {{one: '', many: {'x' * 41}}}}} -> invalid-length invalid-length",
        "nouns: {projects: {one: ' company', many: two  blanks}} -> odd-space invalid-noun",
        'nouns: {projects: {one: "a\\nb", many: "`x`"}} -> invalid-noun invalid-noun',
        'nouns: {projects: {one: "a\\u202eb", many: "[x](y)"}} -> invalid-noun invalid-noun',
    ],
)
def test_settings_are_validated(line: str) -> None:
    setting, _, found = line.partition(" -> ")
    faults = read_model(f"name: R\ndescription: R\n{setting}\n".encode(), Settings)[1]
    assert [fault.code for fault in faults] == found.split()


@pytest.mark.parametrize(
    ("base_url", "origin", "prefix"),
    [
        (None, "", ""),
        ("https://x.example", "https://x.example", ""),
        ("https://x.example/", "https://x.example", ""),
        ("https://x.github.io:8080/registry/", "https://x.github.io:8080", "/registry"),
    ],
)
def test_a_base_url_has_an_origin_and_a_prefix(
    base_url: str | None, origin: str, prefix: str
) -> None:
    settings = Settings(name="R", description="R", base_url=base_url)
    assert (settings.origin, settings.prefix, settings.grammar().prefix) == (origin, prefix, prefix)


@pytest.mark.parametrize(
    ("contact", "url"),
    [
        ("a@x.example", "mailto:a@x.example"),
        ("https://x.example/", "https://x.example/"),
        ("http2@x.example", "mailto:http2@x.example"),
        (None, None),
    ],
)
def test_a_contact_is_a_url(contact: str | None, url: str | None) -> None:
    assert Settings(name="R", description="R", contact=contact).contact_url == url


def test_settings_reach_another_process_with_the_kinds_of_their_registry() -> None:
    given: dict[str, Any] = {
        "name": "R", "description": "R", "site": False, "guards": {"least": {"projects": 3}},
        "nouns": {"projects": {"one": "tool", "many": "tools"}},
        "fields": {"projects": {"stage": {"label": "Stage", "type": "choice"}}},
    }  # fmt: skip
    settings = Settings.model_validate(given)
    there = pickle.loads(pickle.dumps(settings))
    assert there == settings and type(there) is type(settings) and not there.has_site
    assert there.grammar() == settings.grammar() and there.kinds is settings.kinds
    project = settings.kinds["projects"]
    assert "field_stage" in project.fields and pickle.loads(pickle.dumps(project)) is project
