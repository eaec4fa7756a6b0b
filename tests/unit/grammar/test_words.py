"""Slugs: how they are made of a name, and which texts are slugs."""

from __future__ import annotations

import pytest

from generator.text.words import is_slug, slugify


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("São Paulo", "sao-paulo"), ("Washington, D.C.", "washington-d-c"), ("--A--b--", "a-b"),
        ("Łódź", "lodz"), ("Malmö/Lund", "malmo-lund"), ("½", "12"), ("東京", ""), ("!", ""),
        ("", ""), ("A_B", "a-b"),
    ],
)  # fmt: skip
def test_slugs_are_made_of_ascii_letters_and_digits(text: str, slug: str) -> None:
    assert slugify(text) == slug
    assert not slug or is_slug(slug)


def test_a_slug_is_lower_case_letters_digits_and_single_hyphens() -> None:
    assert all(map(is_slug, ("a", "2024", "a-b-3", "a" * 100)))
    wrong = ("a" * 101, "", "-a", "a-", "a--b", "A", "a_b", "a b", "é", "٣", "a\n", "a.b", "..")
    assert not any(map(is_slug, wrong))
