"""Texts that are one edit apart, and the pairs of such texts among many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model.checks.tags import find_similar_tags
from generator.problems.one_edit import MIN_LENGTH, differ_by_one_edit, one_edit_pairs


@pytest.mark.parametrize(
    ("first", "second", "near"),
    [
        ("acme heating", "acme heatng", True),
        ("acme heating", "acme haeting", True),
        ("acme heating", "acme hearing", True),
        ("acme heating", "acmeheating", True),
        ("acme-heating", "acme heating", True),
        ("acme heating", "acme heating", False),
        ("acme heating", "acme hetng", False),
        ("batch a", "batch b", False),
        ("launch 2025", "launch 2026", False),
        ("launch 202", "launch 2026", False),
        ("the loom", "the zoom", False),
        ("robot one", "robots one", True),
        ("", "", False),
    ],
)
def test_one_edit_in_a_word_that_is_long_enough(first: str, second: str, near: bool) -> None:
    assert differ_by_one_edit(first, second) is differ_by_one_edit(second, first) is near


WORDS = st.text("abc -", min_size=MIN_LENGTH, max_size=9)


@given(st.lists(WORDS, max_size=12, unique=True))
def test_the_pairs_are_those_of_comparing_all_with_all(words: list[str]) -> None:
    entries = [("", word) for word in words]
    expected = {(a, b) for a in words for b in words if differ_by_one_edit(a, b)}
    # Also for two exchanged letters in the very middle.
    assert {(a, b) for (_, a), (_, b) in one_edit_pairs(entries, entries)} == expected


def test_the_same_pairs_are_found_from_either_side() -> None:
    for first, second in (("acmes", "acmess"), ("acmess", "acmesss")):
        left, right = [("", first)], [("", second)]
        assert list(one_edit_pairs(left, right)) == [(b, a) for a, b in one_edit_pairs(right, left)]


def test_the_more_frequent_spelling_is_proposed() -> None:
    assert list(find_similar_tags({"robot": 2, "robots": 3, "robotics": 9})) == [
        ("robot", "robots")
    ]
    assert list(find_similar_tags({"robots": 3, "robot": 3})) == [("robots", "robot")]
