"""Models from bytes, errors in the author's words, and no error that only follows from another."""

from __future__ import annotations

import json
from typing import Any

import pycountry
import pytest

from generator.model.fields import COUNTRIES
from generator.model.kinds import KINDS
from generator.model.link import check_record, link
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.validate import diagnose, read_model
from generator.problems.faults import describe_field, describe_value
from support import registries

MODELS: dict[str, Any] = {name: kind.model for name, kind in KINDS.items()}
PROJECT, PROGRAM, ORGANIZATION, EVENT = (
    MODELS[name] for name in ("projects", "programs", "organizations", "events")
)


@pytest.fixture
def small() -> Symbols:
    settings = Settings(name="R", description="R")
    return link(
        settings, settings.grammar(), {}, {}, {"programs": set("ab"), "organizations": set("ab")}
    )


def faults(fields: dict[str, Any] | bytes, model: Any = PROJECT) -> list[tuple[str, str]]:
    """(code, message) of every error of a record."""
    raw = (
        fields
        if isinstance(fields, bytes)
        else registries.as_yaml({"name": "Acme", **fields}).encode()
    )
    return [(fault.code, fault.message) for fault in read_model(raw, model)[1]]


def codes(fields: dict[str, Any] | bytes, model: Any = PROJECT) -> list[str]:
    return [code for code, _ in faults(fields, model)]


# --- what is taken --------------------------------------------------------------------------------


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
        {"name": "x" * 200},
        {"name": "\U0001f680"},
        {"name": "\u200fعربي"},
        {"summary": "x" * 300},
        {"description": ""},
        {"description": "one\n\ttwo\n" + "x" * 9_000},
        {"description": "x" * 10_000},
        {"year": 1800},
        {"year": 2200},
        {"team_size": 0},
        {"tags": {}},
        {"tags": {"topic": []}},
        {"tags": {"topic": ["a" * 100, "2024"]}},
        {"links": {"Git_Hub-2": "https://x.example"}},
        {"website": "http://x.example"},
        {"website": "HTTPS://X.example:8080/a?b=c#d"},
        {"website": "https://日本.example/é?q=[1]&r='(2)'"},
        {"website": "https://localhost/"},
        {"locations": [{"country": "NO", "region": None, "city": "Tromsø"}]},
        {"founders": ["Ada Lovelace", "Björk"]},
        {"status": "public"},
    ],
)
def test_valid_values_are_accepted(fields: dict[str, Any]) -> None:
    assert faults(fields) == []


def test_every_country_of_iso_3166_and_kosovo_are_accepted() -> None:
    assert len(COUNTRIES) == 250
    names = {c.alpha_2: getattr(c, "common_name", c.name) for c in pycountry.countries}
    assert names | {"XK": "Kosovo"} == COUNTRIES
    codes = sorted(COUNTRIES)
    for batch in (codes[i : i + 50] for i in range(0, len(codes), 50)):
        assert faults({"locations": [{"country": code} for code in batch]}) == []


# --- what is not ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": "x" * 201}, "invalid-length"),
        ({"name": ""}, "invalid-length"),
        ({"name": " \u3000 "}, "invalid-length"),
        ({"name": "a\nb"}, "line-break"),
        ({"name": "a\u2028b"}, "line-break"),
        ({"name": "a\tb"}, "control-character"),
        ({"name": "a\x07b"}, "control-character"),
        ({"name": "a\u202eb"}, "control-character"),
        ({"name": "a\u2066b"}, "control-character"),
        (b'name: "a\\ufeffb"\n', "control-character"),
        ("name: a\ufeffb\n".encode(), "yaml-syntax"),
        (b'name: "a\\Nb"\n', "line-break"),
        (b'name: Acme\nsummary: "a\\x9db"\n', "control-character"),
        (b'name: Acme\nfounders: ["a\\x9bb"]\n', "control-character"),
        (b'name: Acme\nlocations: [{country: NO, city: "a\\x9bb"}]\n', "control-character"),
        (b'name: Acme\nwebsite: "https://x.example/\\u202e"\n', "control-character"),
        (b'name: Acme\nsources: ["https://x.example/\\x9b"]\n', "control-character"),
        (b'name: Acme\nlinks: {code: "https://x.example/\\ufeff"}\n', "control-character"),
        ({"name": ["a"]}, "wrong-type"),
        ({"name": 1.5}, "wrong-type"),
        ({"name": True}, "wrong-type"),
        ({"name": None}, "missing-field"),
        ({"summary": "x" * 301}, "invalid-length"),
        ({"description": "x" * 10_001}, "invalid-length"),
        ({"description": "a\x00b"}, "control-character"),
        (b'name: Acme\ndescription: "a\\x1bb"\n', "control-character"),
        (b'name: Acme\ndescription: "a\\x9bb"\n', "control-character"),
        (b'name: Acme\ndescription: "a\\u202db"\n', "control-character"),
        ({"year": 1799}, "out-of-range"),
        ({"year": 2201}, "out-of-range"),
        ({"year": "2024"}, "wrong-type"),
        ({"year": 2024.0}, "wrong-type"),
        ({"year": True}, "wrong-type"),
        ({"year": [2024]}, "wrong-type"),
        ({"team_size": -1}, "out-of-range"),
        ({"team_size": 10**30}, "out-of-range"),
        ({"remote": "yes"}, "wrong-type"),
        ({"remote": 1}, "wrong-type"),
        ({"remote": "true"}, "wrong-type"),
        ({"tags": ["climate"]}, "wrong-type"),
        ({"tags": {"topic": "climate"}}, "wrong-type"),
        ({"tags": {"topic": [["climate"]]}}, "wrong-type"),
        ({"tags": {"topic": ["Climate"]}}, "invalid-slug"),
        ({"tags": {"topic": [""]}}, "invalid-length"),
        ({"tags": {"topic": [None]}}, "missing-field"),
        ({"tags": {"topic": None}}, "missing-field"),
        ({"programs": ["a" * 101]}, "invalid-length"),
        ({"programs": ["a_b"]}, "invalid-slug"),
        ({"aliases": ["A"]}, "invalid-slug"),
        ({"website": "www.x.example"}, "invalid-url"),
        ({"website": "//x.example/"}, "invalid-url"),
        ({"website": "mailto:a@x.example"}, "invalid-url"),
        ({"website": "javascript:alert(1)"}, "invalid-url"),
        ({"website": "https://"}, "invalid-url"),
        ({"website": "https:///path"}, "invalid-url"),
        ({"website": "https://user:secret@x.example/"}, "invalid-url"),
        ({"website": "https://x.example:port/"}, "invalid-url"),
        ({"website": "https://x.example/a b"}, "invalid-url"),
        ({"website": "https://x.example/\n"}, "invalid-url"),
        ({"website": "https://x.example/<b>"}, "invalid-url"),
        ({"website": "https://[::1]/"}, "invalid-url"),
        ({"website": " https://x.example/"}, "invalid-url"),
        ({"website": "https://x.example/" + "a" * 2_000}, "invalid-length"),
        ({"website": ""}, "invalid-length"),
        ({"links": {"a b": "https://x.example"}}, "invalid-key"),
        ({"links": {"": "https://x.example"}}, "invalid-key"),
        ({"links": {"a" * 51: "https://x.example"}}, "invalid-key"),
        ({"links": {"code": "x"}}, "invalid-url"),
        ({"sources": ["x"]}, "invalid-url"),
        ({"locations": [{}]}, "missing-field"),
        ({"locations": [{"country": "no"}]}, "unknown-country"),
        ({"locations": [{"country": "XX"}]}, "unknown-country"),
        ({"locations": [{"country": "NO", "city": ""}]}, "invalid-length"),
        ({"locations": [{"country": "NO", "city": "x" * 101}]}, "invalid-length"),
        ({"locations": [{"country": "NO", "zip": "1"}]}, "unknown-field"),
        ({"locations": {"country": "NO"}}, "wrong-type"),
        ({"status": "Active"}, "invalid-choice"),
        ({"status": ["active"]}, "invalid-choice"),
        ({"category": "university"}, "unknown-field"),
        ({"slug": "acme"}, "unknown-field"),
        ({"Name": "Acme"}, "unknown-field"),
    ],
)
def test_invalid_values_have_a_code(fields: dict[str, Any] | bytes, code: str) -> None:
    assert codes(fields) == [code]


def test_all_errors_are_reported_at_once() -> None:
    found = codes(
        {
            "name": 1,
            "year": "2024",
            "statu": "active",
            "website": "x",
            "tags": {"topic": ["A", "B"]},
        }
    )
    assert sorted(found) == [
        "invalid-slug",
        "invalid-slug",
        "invalid-url",
        "unknown-field",
        "wrong-type",
        "wrong-type",
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"year": "soon"}, 'year must be a whole number, not "soon"'),
        ({"tags": {"topic": [1]}}, "tags.topic[0] must be text, not 1"),
        ({"locations": [{"country": "NO"}, {"city": "Oslo"}]}, "locations[1].country is required"),
        ({"founders": [{"name": "Ada"}]}, 'founders[0] must be text, not "key: value" entries'),
        ({"links": {"a b": "https://x.example"}}, 'links: "a b" is not a valid name for a link'),
        ({"name": "x" * 300}, "name has 300 characters; at most 200 are allowed"),
        ({"website": "x" * 100}, 'website: "' + "x" * 57 + '..." is not a valid web address'),
        ({"year": 20}, "year must be at least 1800, not 20"),
    ],
)
def test_a_message_names_the_field_as_in_the_file(fields: dict[str, Any], message: str) -> None:
    assert message in [text for _, text in faults(fields)]


@pytest.mark.parametrize("text", ["1.10", "1e5", "0.50", "+7", "TRUE"])
def test_a_value_is_shown_as_it_is_written(text: str) -> None:
    assert faults(f"name: {text}\n".encode()) == [("wrong-type", f"name must be text, not {text}")]


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        ({"sumary": "x"}, 'did you mean "summary"?'),
        ({"locations": [{"contry": "NO", "country": "NO"}]}, 'did you mean "country"?'),
        ({"status": "actve"}, 'did you mean "active"?'),
        ({"year": "2024"}, "write it without quotes"),
        ({"year": "2,024"}, "write 2024"),
        ({"year": "02024"}, "write 2024"),
        ({"year": "next"}, "write four digits, like 2020"),
        ({"remote": "Yes"}, "write true, without quotes"),
        ({"remote": "off"}, "write false, without quotes"),
        ({"remote": "perhaps"}, None),
        ({"name": 2024}, "write it in quotes"),
        ({"name": ["a"]}, "write one text, without brackets"),
        ({"founders": "Ada"}, 'write it as a list: ["Ada"]'),
        ({"tags": {"topic": ["Climate Change"]}}, 'write it "climate-change"'),
        (
            {"tags": {"topic": ["東京"]}},
            "use lower-case letters a-z, digits and single hyphens, like north-college",
        ),
        ({"website": "x.example/about"}, 'write the whole address, like "https://x.example/about"'),
        ({"website": "about us"}, "write the whole address, like https://example.org/"),
        ({"locations": [{"country": "Germany"}]}, 'did you mean "DE"?'),
        ({"locations": [{"country": "Deutschland"}]}, 'did you mean "DE"?'),
        ({"locations": [{"country": "U.S."}]}, 'did you mean "US"?'),
        ({"locations": [{"country": "UK"}]}, 'did you mean "GB"?'),
        (
            {"locations": [{"country": "Atlantis"}]},
            "write two capital letters, like DE for Germany",
        ),
        (
            {"summary": "a\n"},
            (
                "write it on one line, or begin with >- instead of > or |; longer texts belong in "
                "description"
            ),
        ),
        ({"summary": "a\x07"}, "remove it"),
        ({"summary": "a\tb"}, "write a space instead"),
        ({"summary": "don\x92t"}, 'remove it, or write "\u2019" instead'),
        (
            {"summary": "he said \u00e2\u20ac\x9d"},
            'write "\u201d" instead of "\u00e2\u20ac\x9d", which copying has garbled',
        ),
    ],
)
def test_a_hint_has_the_nearest_valid_value(fields: dict[str, Any], hint: str | None) -> None:
    raw = registries.as_yaml({"name": "Acme", **fields}).encode()
    assert [fault.hint for fault in read_model(raw, PROJECT)[1]] == [hint]


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
def test_copied_hidden_characters_in_a_description_are_removed_with_a_warning(
    given: str, published: str
) -> None:
    raw = b"name: Acme\ndescription: " + json.dumps(given).encode() + b"\n"
    model, found, _ = read_model(raw, PROJECT)
    assert [(fault.code, fault.severity) for fault in found] == [("control-character", "warning")]
    assert model == PROJECT(name="Acme", description=published)


def test_a_description_is_cleaned_beside_other_errors() -> None:
    model, found, _ = read_model(b'name: Acme\nyear: 20\ndescription: "a\\x9d"\n', PROJECT)
    assert (model, [fault.code for fault in found]) == (None, ["control-character", "out-of-range"])


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (b"name: Acme\tInc\n", (1, 11)),
        (b"name: Acme\nsummary: 'one\ttwo'\n", (2, 14)),
        (b'name: Acme\nsummary: "one\\ttwo"\n', (2, 10)),
        ("name: Acme\nfounders:\n- Ida\n- Jon \u202eVik\n".encode(), (4, 7)),
    ],
)
def test_a_hidden_character_has_its_place(raw: bytes, place: tuple[int, int]) -> None:
    (problem,) = diagnose("a.yaml", raw, read_model(raw, PROJECT)[1])
    assert (problem.code, problem.line, problem.column) == ("control-character", *place)


def test_at_most_fifty_problems_of_a_file_are_listed_and_the_rest_counted() -> None:
    raw = b"name: Acme\n" + b"".join(b"field%d: 1\n" % i for i in range(70))
    found = diagnose("a.yaml", raw, read_model(raw, PROJECT)[1])
    assert [problem.line for problem in found] == list(range(2, 53))
    assert (found[-1].code, found[-1].severity) == ("more-problems", "error")
    assert found[-1].message == "20 more problems in this file are not shown"


@pytest.mark.parametrize(
    "raw",
    [
        b"name: A\n" + b"".join(b"f%dx: 1\n" % i for i in range(500)),
        b"name: A\ntags:\n" + b"".join(b"  f%d: [a]\n" % i for i in range(500)),
        b"name: A\nprograms: ["
        + b", ".join(b"p%d" % i for i in range(50))
        + b"]\norganizations: ["
        + b", ".join(b"o%d" % i for i in range(50))
        + b"]\n",
    ],
    ids=["fields", "families", "references"],
)
def test_the_nearest_word_is_computed_only_if_it_is_shown(
    raw: bytes, small: Symbols, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(
        "generator.problems.diagnostic.nearest_word", lambda word, known: looked.append(word)
    )
    monkeypatch.setattr(
        "generator.model.suggestions.nearest_word", lambda word, known: looked.append(word)
    )
    model, found, document = read_model(raw, PROJECT)
    if model is not None:
        found = check_record(KINDS["projects"], model, small)
    assert len(diagnose("a.yaml", raw, found, document)) == 51
    assert len(looked) <= 51


@pytest.mark.parametrize(
    ("raw", "model", "places"),
    [
        (b"name: We are # 1\n", PROJECT, [(1, 14)]),
        (b"name: A\t# 1\n", PROJECT, [(1, 9)]),
        (b"name: A\r\nsummary: one\r\n  two # 1\r\n", PROJECT, [(3, 7)]),
        (b"name: A\nfounders: [Ida, Jon # 1\n  , Bo]\n", PROJECT, [(2, 21)]),
        (
            "name: A\nlocations: [{country: NO, city: Tromsø # x\n  }]\n".encode(),
            PROJECT,
            [(2, 40)],
        ),
        (
            (
                b"name: A\ntag_families: {t: {label: L # x\n  , tags: {a: B # y\n  "
                b"}}}\ndescription: "
                b"D # z\n"
            ),
            Settings,
            [(2, 29), (3, 17), (5, 16)],
        ),
        (
            (
                b"name: A#1\nsummary: 'a # b'\n# c\nyear: 2024 # d\nstatus: active # e\nwebsite: "
                b"https://a.example/ # f\n"
            ),
            PROJECT,
            [],
        ),
        (
            (
                b'name: "A" # b\nprograms: [a, b] # c\ntags: {t: [x]} # d\ndescription: | # e\n  '
                b"f # "
                b"g\nremote: # h\n"
            ),
            PROJECT,
            [],
        ),
        (
            b"name: E\nkind: event # a\nstarts: 2026-10-10 10:00 # b\ntimezone: Europe/Oslo # c\n",
            EVENT,
            [],
        ),
    ],
)
def test_only_a_comment_that_cuts_a_text_is_reported(
    raw: bytes, model: Any, places: list[tuple[int, int]]
) -> None:
    found, faults, document = read_model(raw, model)
    problems = diagnose("a.yaml", raw, faults, document)
    assert found is not None
    assert [(p.code, p.severity, p.line, p.column) for p in problems] == [
        ("cut-text", "warning", *place) for place in places
    ]


@pytest.mark.parametrize(
    "text",
    [
        "“A”",
        "„A“",
        "«A»",
        "»A«",
        "‘A’",
        'A"',
        '"A',
        "'A",
        "A'",
        "“A",
        "A”",
        "“A” and “B",
        "‘A",
        'A"\n',
    ],
)
def test_odd_quotes_are_reported(text: str) -> None:
    assert codes({"description": text}) == ["odd-quotes"]


@pytest.mark.parametrize(
    "text",
    [
        '"A"',
        "'A'",
        '"A" and B',
        'A "B"',
        "“A” and B",
        "A “B”",
        "“A” and “B”",
        "'90s",
        "’90s",
        "Jones'",
        "the founders’",
        '27"',
        "Bob’s",
        "A 'B'",
        "",
        "“",
        "日本「語」",
    ],
)
def test_usual_quotes_are_not_reported(text: str) -> None:
    assert codes({"description": text}) == []


def test_a_hint_for_a_field_of_a_family_lists_the_fields_of_families() -> None:
    raw = b"name: R\ndescription: R\ntag_families: {topic: {lable: Topic, label: Topic}}\n"
    assert [fault.hint for fault in read_model(raw, Settings)[1]] == ['did you mean "label"?']


# --- what follows from another fault --------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"summary: &x Acme\nname: *x\n", ["yaml-anchor", "yaml-alias"]),
        (b"name: {{ name }}\n", ["yaml-key-not-text"]),
        (b"<<: {name: Acme}\n", ["yaml-merge-key"]),
        (b"name: Acme\nlocations:\n  - <<: {country: NO}\n", ["yaml-merge-key"]),
        (b"name: Acme\nyear: !!str 2024\n", ["yaml-tag"]),
        (b"name: Acme\nname: 2024\n", ["yaml-duplicate-key"]),
        (b"name: 2024\n---\nname: Acme\n", ["yaml-several-documents", "wrong-type"]),
        (b"name: 2024\nsummary: &x text\n", ["yaml-anchor", "wrong-type"]),
        (b"name: [" + b"[" * 40, ["yaml-too-deep"]),
        (b"yeer: 2024\nname: 'Acme\n", ["yaml-syntax"]),
    ],
)
def test_a_yaml_error_is_not_repeated_for_a_field(raw: bytes, found: list[str]) -> None:
    assert codes(raw) == found


@pytest.mark.parametrize(
    "raw",
    [b"name: A\nyear: *x\n", b"name: A\nname: B\n", b"name: A\ntags: {<<: {}}\n", b"name: ! A\n"],
)
def test_there_is_no_model_if_a_part_was_skipped(raw: bytes) -> None:
    assert read_model(raw, PROJECT)[0] is None


def test_there_is_a_model_if_the_only_error_is_an_anchor() -> None:
    model, found, _ = read_model(b"name: &x Acme\n", PROJECT)
    assert [fault.code for fault in found] == ["yaml-anchor"]
    assert model == PROJECT(name="Acme")


# --- kinds and settings ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "required"),
    [
        (PROJECT, ["name"]),
        (PROGRAM, ["kind", "name", "organization", "type"]),
        (ORGANIZATION, ["category", "name"]),
        (EVENT, ["kind", "name"]),
        (Settings, ["description", "name"]),
    ],
    ids=lambda part: part.__name__ if isinstance(part, type) else "",
)
def test_missing_required_fields_are_reported(model: Any, required: list[str]) -> None:
    assert sorted(faults(b"{}", model)) == [
        ("missing-field", f"{name} is required") for name in required
    ]


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("2024-02-29", True),
        ("1800-01-01", True),
        ("2200-12-31", True),
        ("2023-02-29", False),
        ("2024-2-29", False),
        ("2024-13-01", False),
        ("2024-00-01", False),
        ("20240229", False),
        ("2024-W09-4", False),
        ("2024-02-29T00:00", False),
        ("1799-12-31", False),
        ("2201-01-01", False),
        ("٢٠٢٤-٠٢-٢٩", False),
        ("2024-02-29 ", False),
        ("", False),
    ],
)
def test_dates_of_programs_are_days_of_the_calendar(text: str, good: bool) -> None:
    record = {"kind": "cohort", "type": "t", "organization": "o", "starts": text}
    assert codes(record, PROGRAM) == ([] if good else ["invalid-date"])


SETTINGS = {"name": "R", "description": "R"}


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"base_url": "https://x.example"}, []),
        ({"base_url": "https://x.example/"}, []),
        ({"base_url": "https://x.github.io/registry/"}, []),
        ({"base_url": "https://x.example/a.b/~c_d-e"}, []),
        ({"base_url": "https://x.example/?a"}, ["invalid-url"]),
        ({"base_url": "https://x.example/#a"}, ["invalid-url"]),
        ({"base_url": "https://x.example//evil.example"}, ["invalid-url"]),
        ({"base_url": "https://x.example/a/../b"}, ["invalid-url"]),
        ({"base_url": "https://x.example/a%20b"}, ["invalid-url"]),
        ({"base_url": "https://x.example/$(a);"}, ["invalid-url"]),
        ({"base_url": "https://a\u2100.example/"}, ["invalid-url"]),
        ({"base_url": "/registry"}, ["invalid-url"]),
        ({"contact": "https://x.example/contact"}, []),
        ({"contact": "registry@x.example"}, []),
        ({"contact": "https://"}, ["invalid-contact"]),
        ({"contact": "http://a b"}, ["invalid-contact"]),
        ({"contact": "registry at x.example"}, ["invalid-contact"]),
        ({"contact": "a@b@c.example"}, ["invalid-contact"]),
        ({"contact": "a@localhost"}, ["invalid-contact"]),
        ({"contact": "a\x1b[1mb@x.example"}, ["control-character"]),
        ({"contact": "a\u202eb@x.example"}, ["control-character"]),
        ({"contact": "https://x.example/\u2066"}, ["control-character"]),
        ({"license": "MIT\x1b"}, ["control-character"]),
        ({"base_url": "https://x.example/\u202e"}, ["control-character"]),
        ({"tag_families": {"topic": {"label": "a\x1bb"}}}, ["control-character"]),
        (
            {"tag_families": {"topic": {"label": "a", "tags": {"a": "a\u2069b"}}}},
            ["control-character"],
        ),
        ({"organization_categories": {"a": "a\x07b"}}, ["control-character"]),
        ({"program_types": {"a": "a\tb"}}, ["control-character"]),
        ({"license": "CC-BY-4.0"}, []),
        ({"license": "Apache License 2.0"}, ["invalid-license"]),
        ({"page_size": 10}, []),
        ({"page_size": 100}, []),
        ({"page_size": 9}, ["out-of-range"]),
        ({"page_size": 101}, ["out-of-range"]),
        ({"page_size": True}, ["wrong-type"]),
        ({"tag_families": {"topic_2": {"label": "Topic"}}}, []),
        ({"tag_families": {"topic": {"label": "Topic", "tags": {}}}}, []),
        ({"tag_families": {"topic-2": {"label": "Topic"}}}, ["invalid-key"]),
        ({"tag_families": {"2topic": {"label": "Topic"}}}, ["invalid-key"]),
        ({"tag_families": {"topic": "Topic"}}, ["wrong-type"]),
        ({"tag_families": {"topic": {}}}, ["missing-field"]),
        ({"tag_families": {"topic": {"label": "Topic", "tags": ["climate"]}}}, ["wrong-type"]),
        (
            {"tag_families": {"topic": {"label": "Topic", "tags": {"Climate": "Climate"}}}},
            ["invalid-slug"],
        ),
        ({"organization_categories": {"university": None}}, ["missing-field"]),
        ({"program_types": {"a b": "A"}}, ["invalid-slug"]),
        ({"hosts": "netlify"}, ["wrong-type"]),
        ({"nouns": {"projects": {"one": "company", "many": "companies"}}}, []),
        (
            {
                "nouns": {
                    "programs": {"one": "kurs før året", "many": "l'école d’été-2"},
                    "events": {"one": "締切", "many": "締切"},
                }
            },
            [],
        ),
        ({"nouns": {"project": {"one": "company", "many": "companies"}}}, ["unknown-field"]),
        ({"nouns": {"projects": {"one": "company"}}}, ["missing-field"]),
        ({"nouns": {"projects": "companies"}}, ["wrong-type"]),
        (
            {"nouns": {"projects": {"one": "", "many": "x" * 41}}},
            ["invalid-length", "invalid-length"],
        ),
        (
            {"nouns": {"projects": {"one": " company", "many": "two  blanks"}}},
            ["invalid-noun", "invalid-noun"],
        ),
        ({"nouns": {"projects": {"one": "a\nb", "many": "`x`"}}}, ["invalid-noun", "invalid-noun"]),
        (
            {"nouns": {"projects": {"one": "a\u202eb", "many": "[x](y)"}}},
            ["invalid-noun", "invalid-noun"],
        ),
    ],
)
def test_settings_are_validated(fields: dict[str, Any], found: list[str]) -> None:
    assert codes({**SETTINGS, **fields}, Settings) == found


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


def test_a_contact_is_a_url() -> None:
    assert (
        Settings(name="R", description="R", contact="a@x.example").contact_url
        == "mailto:a@x.example"
    )
    assert (
        Settings(name="R", description="R", contact="https://x.example/").contact_url
        == "https://x.example/"
    )
    assert (
        Settings(name="R", description="R", contact="http2@x.example").contact_url
        == "mailto:http2@x.example"
    )
    assert Settings(name="R", description="R").contact_url is None


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loc", "text"),
    [
        (("name",), "name"),
        (("programs", 1), "programs[1]"),
        (("tags", "topic", 0), "tags.topic[0]"),
        (("locations", 0, "country"), "locations[0].country"),
        (("tags", "x" * 100), "tags." + "x" * 57 + "..."),
        ((), ""),
    ],
)
def test_a_field_is_named_as_its_author_writes_it(loc: tuple[str | int, ...], text: str) -> None:
    assert describe_field(loc) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", '"a"'),
        ("x" * 61, '"' + "x" * 57 + '..."'),
        (None, "nothing"),
        (True, "true"),
        (12, "12"),
        ([], "a list"),
        ({}, '"key: value" entries'),
    ],
)
def test_a_value_is_cut_to_a_line(value: object, text: str) -> None:
    assert describe_value(value) == text


def test_messages_are_short_and_without_control_characters() -> None:
    raw = ('name: Acme\n"\x41\\e[2J' + "x" * 900 + '": 1\ntags: {"\\u202ex": [A]}\n').encode()
    problems = diagnose("a.yaml", raw, read_model(raw, PROJECT)[1])
    assert len(problems) == 2
    for problem in problems:
        assert problem.message.isprintable()
        assert len(problem.message) < 500
