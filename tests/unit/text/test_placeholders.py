"""Words for a missing value, and names that look like them."""

from __future__ import annotations

import pytest

from generator.text.numbers import is_placeholder


@pytest.mark.parametrize("text", [
    "N/A", "n/a", "n.a.", "N. A.", "NA", "#N/A", "None", "none", "NULL", "null", "nan", "NaN",
    "TBD", "tba", "Unknown", "-", "--", "–", "?", "???", "...", "…", "keine Angabe", "k.A.",
    "k. A.", "Keine", "(none)", "<unknown>", " n/a ", "not available", "n-a", "keine-angabe",
    "not_applicable", "Inconnu", "_No response_",
])  # fmt: skip
def test_a_placeholder_is_no_value(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize("text", [
    "", " ", "Nan", "Na", "Nil", "Nantes", "Nonesuch", "Unknown Worlds", "Null Island", "0", "x",
    "Ka", "No", "!!!", "Noneto", "Empty", "C++", "Dash", "Tbilisi", "ANA", "Unknown, Inc.",
])  # fmt: skip
def test_a_name_is_a_value(text: str) -> None:
    assert not is_placeholder(text)
