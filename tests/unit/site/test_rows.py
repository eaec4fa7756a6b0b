"""The rows of lists."""

from __future__ import annotations

import pytest

from generator.site.rows import initials


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Stripe", "S"), ("Y Combinator Winter", "YC"), ("37signals", "3"), ("&AI", "A"),
        ("élan vital", "ÉV"), ("東京大学", "東"), ("(the) Hub", "TH"), ("straße ßeta", "SSS"),
        ("a – b", "AB"), ("???", ""),
    ],
)  # fmt: skip
def test_initials_are_the_first_letters_of_two_words(name: str, letters: str) -> None:
    assert initials(name) == letters
