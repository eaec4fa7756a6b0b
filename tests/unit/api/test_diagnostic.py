"""Problems as text, JSON, GitHub workflow commands and SARIF; their order; hints."""

from __future__ import annotations

import json
import random
import re

import pytest

from generator.api.codes import codes
from generator.api.diagnostic import (
    Diagnostic,
    did_you_mean,
    is_error,
    ordered,
    printable,
    render,
    suggestion,
)

ERROR = Diagnostic(
    "content/projects/acme.yaml", 14, 9, "unknown-reference",
    'programs[1]: there is no program "yc-sumer-2024"', 'did you mean "yc-summer-2024"?',
)  # fmt: skip
WARNING = Diagnostic(
    "content/a b,c:d%.yaml", 1, 1, "stray-file", "no build reads this", severity="warning"
)


def test_text_says_where_what_and_what_next() -> None:
    assert render([ERROR, WARNING], "text") == (
        "content/projects/acme.yaml:14:9: error[unknown-reference]\n"
        '  programs[1]: there is no program "yc-sumer-2024"\n'
        '  did you mean "yc-summer-2024"?\n'
        "content/a b,c:d%.yaml:1:1: warning[stray-file]\n"
        "  no build reads this\n"
    )


def test_json_holds_every_part() -> None:
    assert json.loads(render([ERROR, WARNING], "json")) == {
        "problems": [
            {
                "path": "content/projects/acme.yaml",
                "line": 14,
                "column": 9,
                "code": "unknown-reference",
                "message": 'programs[1]: there is no program "yc-sumer-2024"',
                "hint": 'did you mean "yc-summer-2024"?',
                "severity": "error",
            },
            {
                "path": "content/a b,c:d%.yaml",
                "line": 1,
                "column": 1,
                "code": "stray-file",
                "message": "no build reads this",
                "hint": None,
                "severity": "warning",
            },
        ]
    }


def test_github_gets_a_workflow_command_a_line() -> None:
    """https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands"""
    assert render([ERROR, WARNING], "github").splitlines() == [
        "::error file=content/projects/acme.yaml,line=14,col=9,title=unknown-reference::"
        'programs[1]: there is no program "yc-sumer-2024"%0Adid you mean "yc-summer-2024"?',
        "::warning file=content/a b%2Cc%3Ad%25.yaml,line=1,col=1,title=stray-file::no build reads "
        "this",
    ]


@pytest.mark.parametrize(
    ("message", "escaped"),
    [
        ("100%", "100%25"),
        ("a\r\nb", "a%0D%0Ab"),
        ("%0A", "%250A"),
        ("a: b, c", "a: b, c"),
        ("::error::x", "::error::x"),
        ("x\n::stop-commands::y", "x%0A::stop-commands::y"),
    ],
)
def test_a_message_cannot_end_a_workflow_command(message: str, escaped: str) -> None:
    line = render([Diagnostic("a.yaml", 1, 2, "yaml-syntax", message)], "github")
    assert line == f"::error file=a.yaml,line=1,col=2,title=yaml-syntax::{escaped}\n"


def test_sarif_is_one_run_with_rules_results_and_places() -> None:
    log = json.loads(render([ERROR, WARNING, ERROR], "sarif"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["tool"]["driver"]["name"] == "registry-generator"
    assert run["tool"]["driver"]["rules"] == [
        {"id": "stray-file", "shortDescription": {"text": codes()["stray-file"].summary}},
        {
            "id": "unknown-reference",
            "shortDescription": {"text": codes()["unknown-reference"].summary},
        },
    ]
    assert [result["ruleId"] for result in run["results"]] == [
        "unknown-reference",
        "stray-file",
        "unknown-reference",
    ]
    assert run["results"][0] == {
        "ruleId": "unknown-reference",
        "level": "error",
        "message": {
            "text": 'programs[1]: there is no program "yc-sumer-2024" (did you mean '
            '"yc-summer-2024"?)'
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "content/projects/acme.yaml"},
                    "region": {"startLine": 14, "startColumn": 9},
                }
            }
        ],
    }
    assert run["results"][1]["level"] == "warning"
    assert run["results"][1]["message"] == {"text": "no build reads this"}
    # A URI (RFC 3986), so blanks and percent signs are encoded.
    uri = run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "content/a%20b%2Cc%3Ad%25.yaml"


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_documents_are_whole_without_a_problem(form: str) -> None:
    document = json.loads(render([], form))
    assert document.get("problems", document.get("runs", [{}])[0].get("results")) == []


@pytest.mark.parametrize("form", ["text", "github"])
def test_lines_are_none_without_a_problem(form: str) -> None:
    assert render([], form) == ""


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_every_form_ends_with_its_line_and_keeps_letters(form: str) -> None:
    text = render([Diagnostic("a.yaml", 1, 1, "latin-spelling", 'locations[0].city: "東京"')], form)
    assert text.endswith("\n")
    assert "東京" in text


def test_order_is_by_place_and_each_problem_is_told_once() -> None:
    wanted = [
        Diagnostic("a.yaml", 2, 1, "yaml-tag", "m"),
        Diagnostic("a.yaml", 10, 1, "yaml-alias", "m"),
        Diagnostic("a.yaml", 10, 1, "yaml-tag", "m"),
        Diagnostic("a.yaml", 10, 1, "yaml-tag", "n"),
        Diagnostic("a.yaml", 10, 1, "yaml-tag", "n", "a hint"),
        Diagnostic("a.yaml", 10, 2, "yaml-alias", "m"),
        Diagnostic("b.yaml", 1, 1, "yaml-alias", "m", severity="warning"),
    ]
    for seed in range(20):
        given = wanted * 2
        random.Random(seed).shuffle(given)
        assert ordered(given) == wanted


def test_only_errors_are_errors() -> None:
    assert is_error(ERROR)
    assert not is_error(WARNING)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grüße, 日本 \U0001f680", "Grüße, 日本 \U0001f680"),
        ("a\nb\tc", r"a\nb\tc"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\u202eevil", r"\u202eevil"),
        ("a\u200bb\xa0c", r"a\u200bb\xa0c"),
        ("\udce9", r"\udce9"),
        ("", ""),
    ],
)
def test_what_cannot_be_seen_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(text).isprintable()


@pytest.mark.parametrize(
    ("word", "known", "near"),
    [
        ("sumary", ["summary", "name"], "summary"),
        ("Active", ["active", "inactive"], "active"),
        ("pagesize", ["page_size"], "page_size"),
        ("colour", ["name", "year"], None),
        ("x" * 10_000, ["x"], None),
        ("", ["name"], None),
        ("name", [], None),
    ],
)
def test_the_nearest_known_word_is_found_when_one_is_near(
    word: str, known: list[str], near: str | None
) -> None:
    assert did_you_mean(word, known) == near


def test_a_hint_is_the_nearest_word_or_all_of_a_few() -> None:
    assert suggestion("climat", ["health", "climate"]) == 'did you mean "climate"?'
    assert suggestion("space", ["health", "climate"]) == "one of: climate, health"
    assert suggestion("space", []) is None
    many = [f"tag-{number}" for number in range(13)]
    assert suggestion("space", many) is None
    assert suggestion("space", many, most=13) == "one of: " + ", ".join(sorted(many))


@pytest.mark.parametrize("code", codes())
def test_a_code_is_words_with_hyphens_and_is_explained_in_one_sentence(code: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)
    assert re.fullmatch(r"[A-Z][^\n]+[.]", codes()[code].summary)
