"""Whether a newer pattern takes all texts of an older pattern, compared with all short texts."""

import re
from itertools import product
from typing import Any

import pytest

from generator.features.diff import patterns
from generator.features.diff.patterns import takes_all

PATTERNS = (
    "^a$", "^a+$", "^a*$", "^[ab]+$", "^[^b]$", "^[^,]*$", "^a{0,2}$", "^a{0,3}$", "^a{2}$",
    "^a{0,0}$", "^a{1,}$", "^(?:a|b)$", "^(?:a|b,)+$", "^(?:a|b)(?:,(?:a|b))*$", "^-?0(?:\\.0)?$",
    "^(?:all:|not:)?a$", "^(?:a(?:,a)*|not:a)$", "^(?:a(?:,a)*|not:a)(?:;a)*$",
    "^(?:(?:a|b)(?:,(?:a|b))*(?:;(?:a|b))*)$",
)  # fmt: skip
TEXTS = [
    *("".join(letters) for length in range(5) for letters in product("ab,;0", repeat=length)),
    *("not:a", "all:a", "not:a;a", "-0", "0.0", "-0.0", "c", ":", "aaaaa", "a,b,a"),
]
TAKEN = {
    pattern: {text for text in TEXTS if re.fullmatch(pattern[1:-1], text)} for pattern in PATTERNS
}


@pytest.mark.parametrize("old", PATTERNS)
def test_a_pattern_takes_all_that_an_older_pattern_took(old: str) -> None:
    for new in PATTERNS:
        assert takes_all(new, old) == (TAKEN[old] <= TAKEN[new]), (new, old)


@pytest.mark.parametrize(
    "pattern",
    ["a", "^a|b$", "^(a)$", "^(?=a)a$", r"^\w+$", "^a{20000}$", "^(?:a{9999}){9999}$", "^a**$"],
)
def test_what_cannot_be_decided_is_no_pattern_that_takes_all(pattern: str) -> None:
    assert not takes_all(pattern, pattern)


@pytest.mark.parametrize("late", ["^(?:a|b)*a" + "(?:a|b)" * 40 + "$", "^(?:[a-z]?){4000}$"])
def test_a_search_that_takes_long_is_given_up(late: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, after = [0], patterns._Automaton.after

    def counted(self: Any, states: frozenset[int], character: int) -> frozenset[int]:
        looked[0] += len(states)
        return after(self, states, character)

    monkeypatch.setattr(patterns._Automaton, "after", counted)
    assert not takes_all(late, late)
    assert looked[0] < 2 * patterns._MOST_LOOKS


def test_filters_take_more_since_conditions_can_all_hold() -> None:
    slug = "[a-z0-9]+(?:-[a-z0-9]+)*"
    several = f"(?:(?:all:|not:){slug}(?:,{slug})*|{slug}(?:,{slug})+)"
    old = f"^{several}$"
    new = f"^(?:{several}(?:;(?:(?:all:|not:)?{slug}(?:,{slug})*))*|{slug}(?:;{slug})+)$"
    assert takes_all(new, old)
    assert not takes_all(old, new)
