"""Values near an unknown word, in both languages."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest

from generator.grammar.nearest import (
    MAX_NEAR,
    near_values,
    near_values_of_each,
    near_values_or_few,
)
from generator.search import js
from generator.text.folding import folding_table
from support.engines import need

PLACES = [
    ("us", "United States"),
    ("us-ca", "CA, United States"),
    ("us-ca-san-francisco", "San Francisco, CA, United States"),
    ("ke", "Kenya"),
    ("ke-nairobi", "Nairobi, Kenya"),
    ("no-tromso", "Tromsø, Norway"),
    ("no", "Norway"),
    ("gb", "United Kingdom"),
    ("jp-tokyo", "東京, Japan"),
    ("de", "Germany"),
    ("remote", "Remote"),
    ("fr", "France"),
]
STATUSES = [(one, one) for one in ("active", "acquired", "public", "inactive")]


@pytest.mark.parametrize(
    ("text", "near"),
    [
        # By label, whole and by its beginning.
        ("kenya", ("ke",)),
        ("Kenya", ("ke",)),
        ("San Francisco", ("us-ca-san-francisco",)),
        ("tromso", ("no-tromso",)),
        ("Tromsø", ("no-tromso",)),
        ("東京", ("jp-tokyo",)),
        ("united", ("us", "gb")),
        ("us-c", ("us-ca", "us-ca-san-francisco", "us")),
        # By the initials of a label.
        ("uk", ("gb",)),
        ("sf", ("us-ca-san-francisco",)),
        # By spelling: one letter changed, missing, added or swapped.
        ("kenia", ("ke",)),
        ("norwy", ("no",)),
        ("germanny", ("de",)),
        ("frnace", ("fr",)),
        ("us-ca-san-fransisco", ("us-ca-san-francisco", "us", "us-ca")),
        # By a word in both.
        ("kingdom", ("gb",)),
        ("greater-nairobi-area", ("ke-nairobi",)),
        ("us-tx-austin", ("us",)),
        # A word inside the name of a city, or the place that it is in, is no reason.
        ("francisco", ()),
        ("san-jose", ()),
        ("xyz", ()),
        ("", ()),
        ("--", ()),
        ("a" * 500, ()),
    ],
)
def test_near_values_are_found_by_spelling_and_by_label(text: str, near: tuple[str, ...]) -> None:
    assert near_values_or_few(text, PLACES) == near


def test_a_label_with_a_comma_is_a_name_unless_its_end_is_another_label() -> None:
    values = [("acme", "Acme, Makers of Rockets"), ("us-dc", "Washington, D.C., United States")]
    assert near_values_or_few("rockets", values) == ("acme",)
    assert near_values("states", [*values, ("us", "United States")]) == ("us",)


def test_a_few_values_are_all_named_if_none_is_near() -> None:
    assert near_values_or_few("closed", STATUSES) == tuple(value for value, _ in STATUSES)
    assert near_values_or_few("aktive", STATUSES) == ("active",)


def test_at_most_ten_values_are_named_the_most_frequent_first() -> None:
    values = [(f"climate-{n}", "") for n in range(30)]
    assert near_values_or_few("climate", values) == tuple(value for value, _ in values[:MAX_NEAR])
    assert near_values_or_few("weather", values) == ()


def test_several_texts_share_the_ten_values() -> None:
    values = [(f"{word}-{n}", "") for word in ("climate", "health") for n in range(9)]
    near = near_values_of_each(("climate", "xyz", "health"), values)
    assert near == tuple(f"{word}-{n}" for n in range(5) for word in ("climate", "health"))
    assert near_values_of_each(("health-0", "health-0"), values)[0] == "health-0"
    assert near_values_of_each(("xyz", "abc"), STATUSES) == tuple(value for value, _ in STATUSES)


def random_texts() -> list[tuple[str, list[tuple[str, str]]]]:
    """Random texts with known values: short words, to have many near values, and typing errors."""
    chance = random.Random(12)
    letters = "aabbcde-- _éøß東京ก\U0001d54f"

    def word(most: int) -> str:
        return "".join(chance.choice(letters) for _ in range(chance.randint(0, most)))

    cases = [(text, PLACES) for text in ("kenia", "San  FRANCISCO", "no", "東", "x" * 300)]
    for _ in range(500):
        values = [(word(8), word(12)) for _ in range(chance.choice((1, 5, 12, 40)))]
        values += [(word(8), f"{word(12)}, {chance.choice(values)[1]}") for _ in values[::3]]
        text = word(10)
        if chance.random() < 0.5:
            near = list(chance.choice(values)[chance.random() < 0.5])
            for _ in range(chance.choice((1, 1, 2, 3))):
                near.insert(chance.randint(0, len(near)), chance.choice(letters))
                chance.choice(near) and near.pop(chance.randrange(len(near)))
            text = "".join(near)
        cases.append((text, values))
    return cases


def test_javascript_finds_the_same_near_values() -> None:
    need()
    random_cases = random_texts()
    cases = [
        ([text, *(other for other, _ in random_cases[n : n + n % 3])], values)
        for n, (text, values) in enumerate(random_cases)
    ]
    module = Path(js.__file__).parent / "source/nearest.mjs"
    run = subprocess.run(
        ["node", str(Path(__file__).with_name("nearest.mjs"))],
        input=json.dumps({"module": str(module), "folding": folding_table(), "asked": cases}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    wanted = [list(near_values_of_each(texts, values)) for texts, values in cases]
    found = json.loads(run.stdout)
    assert [case for case in zip(cases, found, wanted, strict=True) if case[1] != case[2]] == []
    assert sum(map(bool, wanted)) > 150
