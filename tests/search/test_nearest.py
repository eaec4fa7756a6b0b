"""Values near an unknown word, which a refusal names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from generator import PACKAGE
from generator.text.folding import folding_table
from support.answers import served
from support.engines import ask, need

SCRIPT = Path(__file__).with_name("nearest.mjs")
MODULE = PACKAGE / "search/js/source/more/nearest.mjs"
MOST = 10
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


def near(texts: str | Sequence[str], values: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The values near a text or several; all values if there are few and none is near."""
    need()
    asked = [[[texts] if isinstance(texts, str) else texts, values]]
    [found] = ask(SCRIPT, {"module": str(MODULE), "folding": folding_table(), "asked": asked})
    return tuple(found)


@pytest.mark.parametrize(
    ("text", "found"),
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
def test_near_values_are_found_by_spelling_and_by_label(text: str, found: tuple[str, ...]) -> None:
    assert near(text, PLACES) == found


def test_a_label_with_a_comma_is_a_name_unless_its_end_is_another_label() -> None:
    values = [("acme", "Acme, Makers of Rockets"), ("us-dc", "Washington, D.C., United States")]
    assert near("rockets", values) == ("acme",)
    assert near("states", [*values, ("us", "United States")]) == ("us",)


def test_a_few_values_are_all_named_if_none_is_near() -> None:
    assert near("closed", STATUSES) == tuple(value for value, _ in STATUSES)
    assert near("aktive", STATUSES) == ("active",)


def test_at_most_ten_values_are_named_the_most_frequent_first() -> None:
    values = [(f"climate-{n}", "") for n in range(30)]
    assert near("climate", values) == tuple(value for value, _ in values[:MOST])
    assert near("weather", values) == ()


def test_several_texts_share_the_ten_values() -> None:
    values = [(f"{word}-{n}", "") for word in ("climate", "health") for n in range(9)]
    assert near(("climate", "xyz", "health"), values) == tuple(
        f"{word}-{n}" for n in range(5) for word in ("climate", "health")
    )
    assert near(("health-0", "health-0"), values)[0] == "health-0"
    assert near(("xyz", "abc"), STATUSES) == tuple(value for value, _ in STATUSES)


QUERIES = {
    "location=kenia,norwai": '"kenia" or "norwai"',
    "location=all:us,kenia,norwai,xyzxyz": '"kenia", "norwai" or "xyzxyz"',
    "status=active&location=not:kenia": '"kenia"',
}


def test_all_unknown_values_of_a_filter_are_named(built_content: Path) -> None:
    targets = [f"/api/projects?mode=count&{query}" for query in QUERIES]
    found = served(built_content, *targets)
    for (status, body), words in zip(found, QUERIES.values(), strict=True):
        problem = json.loads(body)
        assert status == 404 and f"has the location {words};" in problem["detail"]
        assert "ke" in problem["allowed"] and len(problem["allowed"]) <= 10
        if "norwai" in words:
            assert problem["allowed"][:2] == ["ke", "no"]


def test_all_invalid_values_of_a_filter_have_near_values(built_content: Path) -> None:
    target = "/api/projects?mode=count&location=Kenya,Norway"
    ((status, body),) = served(built_content, target)
    assert status == 400 and json.loads(body)["allowed"] == ["ke", "no"]
