"""Problems as text and as plain data; their order; hints."""

from __future__ import annotations

import marshal
import random
import re
from dataclasses import replace

import pytest

from generator.problems.codes import codes
from generator.problems.diagnostic import (
    REPEATED_FIELDS,
    Diagnostic,
    Fix,
    Position,
    nearest_word,
    printable,
    sort_diagnostics,
    suggest_word,
)

ERROR = Diagnostic(
    "content/projects/acme.yaml", 14, 9, "unknown-reference",
    'programs[1]: there is no program "yc-sumer-2024"', 'did you mean "yc-summer-2024"?',
)  # fmt: skip
WARNING = Diagnostic(
    "content/a b,c:d%.yaml", 1, 1, "stray-file", "the build ignores this", severity="warning"
)


def test_a_problem_is_the_same_after_packing() -> None:
    fix = Fix("value", ["a"], ("tags", "topic", 0))
    problem = replace(ERROR, also=(Position("content/b.yaml", 1, 2),), fix=fix)
    again = Diagnostic.unpack(marshal.loads(marshal.dumps(problem.pack())))
    assert (again, again.also, again.fix) == (problem, problem.also, fix)
    kept = Diagnostic.unpack(problem.pack()[:REPEATED_FIELDS])
    assert (kept, kept.also, kept.fix) == (problem, (), None)


def test_problems_are_sorted_by_place_without_duplicates() -> None:
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
        assert sort_diagnostics(given) == wanted


@pytest.mark.parametrize(
    ("text", "escaped"),
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
def test_invisible_characters_are_escaped(text: str, escaped: str) -> None:
    assert printable(text) == escaped
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
def test_the_nearest_known_word_is_found(word: str, known: list[str], near: str | None) -> None:
    assert nearest_word(word, known) == near


def test_a_hint_is_the_nearest_word_or_a_short_list() -> None:
    assert suggest_word("climat", ["health", "climate"]) == 'did you mean "climate"?'
    assert suggest_word("space", ["health", "climate"]) == "one of: climate, health"
    assert suggest_word("space", []) is None
    many = [f"tag-{number}" for number in range(13)]
    assert suggest_word("space", many) is None
    assert suggest_word("space", many, max_words=13) == "one of: " + ", ".join(sorted(many))


@pytest.mark.parametrize("code", codes())
def test_a_code_is_hyphenated_and_explained_in_one_sentence(code: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)
    assert re.fullmatch(r"[A-Z][^\n]+[.]", codes()[code].summary)
