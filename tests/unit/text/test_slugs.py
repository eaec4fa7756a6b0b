"""Slugs of new names and words, and the signs that they lose."""

from __future__ import annotations

import pytest

from generator.text.words import lost_signs, name_slug, slugify, word_slug


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Batch 2024–2025", "batch-2024-2025"),
        ("Batch 2024−2025", "batch-2024-2025"),
        ("L’Atelier", "l-atelier"),
        ("L'Atelier", "l-atelier"),
        ("LʼAtelier", "l-atelier"),
        ("Łódź·City", "lodz-city"),
        ("a\u00a0b\u3000c…d", "a-b-c-d"),
        ("soft\u00adware\u200b", "software"),
        ("½ Marathon", "1-2-marathon"),
        ("東京Tech", "tech"),
        ("第8回ハッカソン", ""),
        ("Яндекс Go", ""),
        ("ラーメン", ""),
        ("Hawaiʻi", "hawaii"),
        ("Öhl & Straße", "ohl-strasse"),
    ],
)
def test_marks_beyond_ascii_separate_words(name: str, slug: str) -> None:
    assert name_slug(name) == slug


@pytest.mark.parametrize("name", ["Öhlmüller", "O\u0308hlmu\u0308ller"])
def test_german_slugs_spell_umlauts(name: str) -> None:
    assert name_slug(name, german=True) == "oehlmueller"
    assert name_slug(name) == "ohlmuller"
    assert name_slug("Ångström Ä", german=True) == "angstroem-ae"


def test_published_slugs_of_places_are_as_the_contract_has_them() -> None:
    assert slugify("L’Haÿ–les–Roses") == "lhaylesroses"
    assert word_slug("L’Haÿ–les–Roses") == "l-hay-les-roses"


@pytest.mark.parametrize(
    ("word", "signs"),
    [
        ("C++", "+"), ("C#", "#"), (".NET", "."), ("F#/C#", "#"), ("<10", "<"), ("$1 or €1", "$€"),
        ("AI技術", "技術"), ("Node.js", ""), ("R&D", ""), ("Web 3.0", ""), ("AI (beta)", ""),
        ("naïve–AI’s", ""), ("Øresund", ""), ("½", ""), ("24/7!", ""),
    ],
)  # fmt: skip
def test_signs_that_make_another_word(word: str, signs: str) -> None:
    assert lost_signs(word) == signs
