"""Names compared: which are the same, how alike others are, and under which keys they are found."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from generator import PACKAGE
from generator.engine.table import table
from generator.features.matching.index import NamedRecord, name_files, terms
from generator.features.matching.names import site_of
from generator.grammar.grammar import Grammar
from generator.kinds import built_in
from generator.text.legal_forms import (
    FIRST_FORMS,
    LEGAL_FORMS,
    MAX_FORM,
    MAX_NAME,
    before_brackets,
    without_legal_form,
    words_of,
)
from support import index_files
from support.engines import ask, need

SAME = 100
TABLE = table(Grammar(built_in()))
NAMES = {
    "module": str(PACKAGE / "search/js/source/names.mjs"),
    "table": {key: TABLE[key] for key in ("names", "folding")},
}


def in_javascript(**asked: Any) -> Any:
    """The answer of names.mjs."""
    need()
    return ask(Path(__file__).with_name("names.mjs"), NAMES | asked)


def score(asked: str, known: str) -> tuple[int, str]:
    number, reason = in_javascript(asked=asked, known=known)
    return number, reason


@pytest.mark.parametrize(
    ("asked", "known", "wanted"),
    [
        ("ÉCLAIR labs", "Eclair Labs", (SAME, "name")),
        ("Johnson & Johnson", "Johnson and Johnson", (SAME, "name")),
        ("I.B.M.", "IBM", (SAME, "name")),
        ("Acme Inc.", "Acme", (97, "legal_form")),
        ("Acme L.L.C.", "Acme GmbH & Co. KG", (97, "legal_form")),
        ("Acme Pvt. Ltd.", "Acme Private Limited", (97, "legal_form")),
        ("Acme S.A.S.", "Acme Co., Ltd", (97, "legal_form")),
        ("The Browser Company Inc.", "The Browser Company", (97, "legal_form")),
        ("OOO Acme", "Acme", (97, "legal_form")),
        ("주식회사 카카오", "카카오", (97, "legal_form")),
        ("Stack AI", "StackAI", (95, "spacing")),
        ("The Browser Company", "Browser Company", (95, "spacing")),
        ("Zeta Technologies", "Zeta Tech", (93, "abbreviation")),
        ("Strpie", "Stripe", (86, "spelling")),
        ("Strip", "Stripe", (86, "spelling")),
        ("Surgical Zeta", "Zeta Surgical", (90, "words")),
        ("MIT", "Massachusetts Institute Technology", (75, "initials")),
        ("Acme", "Zebra", (0, "words")),
    ],
)
def test_scores_and_reasons(asked: str, known: str, wanted: tuple[int, str]) -> None:
    assert score(asked, known) == wanted


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("Browser", "The Browser Company"),
        ("Inc", "Ltd"),
        ("Winter 2024", "Winter 2025"),
        ("Ava", "Eva"),
    ],
)
def test_names_of_different_things_are_not_nearly_the_same(asked: str, known: str) -> None:
    assert score(asked, known)[0] <= 80


def test_a_name_with_more_words_in_common_is_more_alike() -> None:
    """Words that many names have count little."""
    assert score("Zeta Health", "Zeta Labs")[0] > score("Zeta Health", "Alpha Health")[0]
    assert score("Zeta", "Zeta Health")[0] > score("Zeta", "Zeta Surgical")[0]


def test_a_word_that_begins_another_counts_only_beside_one_that_few_names_have() -> None:
    assert score("Zeta Robo", "Zeta Robotics")[0] > score("Zeta Robo", "Zeta Surgical")[0]
    assert score("Robotic AI", "Robotics AI")[0] > 80
    assert score("Robo AI", "Robotics AI")[0] < 50
    for asked, known in (("velmora com", "Comfortaria"), ("Velmora", "Velm"), ("Com", "Combi One")):
        assert score(asked, known) == (0, "words")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Acme", []),
        ("Acme (member)", ["Acme "]),
        ("Acme [Gold Member] ", ["Acme "]),
        ("Acme（会員）", ["Acme"]),
        ("Acme［会員）.", ["Acme"]),
        ("Acme (was Older (Labs))", ["Acme "]),
        ("Acme (UK) [member], (x)", ["Acme (UK) [member], ", "Acme "]),
        ("Acme (UK) Ltd", []),
        ("Acme (half", []),
        ("Acme half)", []),
        ("Acme (half))", []),
        ("Acme ((half)", ["Acme ("]),
        ("(Acme)", [""]),
        (")(", []),
        ("", []),
        (f"Acme ({'x' * MAX_NAME})", []),
    ],
)
def test_what_is_before_the_brackets_at_the_end_of_a_name(text: str, wanted: list[str]) -> None:
    assert before_brackets(text) == wanted


def test_brackets_are_read_alike_in_javascript() -> None:
    dice = random.Random(5)
    texts = [
        "".join(dice.choices("ab é(()))[]（）［］ .", k=dice.randrange(16))) for _ in range(200)
    ]
    for text in texts:
        words = [words_of(part) for part in (text, *before_brackets(text))]
        assert in_javascript(read=text) == [words[0], *filter(None, words[1:])], text


@pytest.mark.parametrize("bracket", ["", " (member)", " [Gold (2024)] (member)"])
@pytest.mark.parametrize(
    "asked", ["Sripe Robotics", "Stripe Robotcis", "Stripe Inc", "Robotics Stripe"]
)
def test_a_changed_name_is_looked_up_under_a_key_of_the_name(asked: str, bracket: str) -> None:
    known = {
        "name": ("Stripe" if asked == "Stripe Inc" else "Stripe Robotics") + bracket,
        "locations": (),
        "aliases": (),
        "website": None,
    }
    files, split = name_files([NamedRecord(0, "x", terms("x", known))])
    keys = {key.decode() for file in files for key, _ in index_files.entries(file)}
    assert not split and keys.intersection(in_javascript(asked=asked, letters=2))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("https://www.Acme.com/", ("acme.com", "")),
        ("acme.co.uk", ("acme.co.uk", "")),
        ("http://github.com/Acme/x?a=1#b", ("github.com", "Acme/x")),
        (" acme.com:8080 ", ("acme.com", "")),
        ("Acme Inc.", None),
        ("v2.0", None),
        ("", None),
        ("acme.com/a b", None),
    ],
)
def test_the_host_and_the_path_of_a_website(text: str, wanted: tuple[str, str] | None) -> None:
    assert site_of(text) == wanted
    assert in_javascript(site=text) == (wanted and list(wanted))


def test_every_legal_form_is_found_as_it_is_written() -> None:
    for form in sorted(LEGAL_FORMS):
        assert " ".join(words_of(form)) == form
        assert without_legal_form(f"Acme {form}") == "acme", form
        assert without_legal_form(form) == form
        assert form.count(" ") < MAX_FORM
    for form in sorted(FIRST_FORMS):
        assert without_legal_form(f"{form} Acme") == "acme", form
    assert [without_legal_form(name) for name in ("Acme & Co.", "Acme Zoo", "The Acme AG")] == [
        "acme co",
        "acme zoo",
        "the acme",
    ]
