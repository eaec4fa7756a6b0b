"""The initials that stand for a logo."""

from __future__ import annotations

import pytest

from generator.site.labels import initials


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Airbnb", "A"),
        ("Aurora Grid", "AG"),
        ("The Long Name of It", "TL"),
        ("500 Global", "5G"),
        ("(re)start – again", "RA"),
        ("élan vital", "ÉV"),
        ("東京 スカイツリー", "東ス"),
        ("ßtraße", "SS"),
        ("🤖 !", ""),
        ("37signals", "3"),
        ("&AI", "A"),
        ("straße ßeta", "SSS"),
        ("a – b", "AB"),
    ],
)
def test_initials_are_of_the_first_two_words_with_a_letter(name: str, expected: str) -> None:
    assert initials(name) == expected
