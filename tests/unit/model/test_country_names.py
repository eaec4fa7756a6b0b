"""Words for countries: codes and names, words with several readings, and near names."""

from __future__ import annotations

import pytest

from generator.kinds.types import COUNTRIES
from generator.model.country_names import (
    _table,
    find_country,
    is_part,
    nearest_country,
    only_spelling,
    other_spelling,
    read_last_part,
    split_parts,
)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Korea, Republic of | Republic of Korea | Korea, South | KOR", "KR"),
        ("Gambia, The | The Gambia", "GM"),
        ("Tanzania, United Republic of | Tansania", "TZ"),
        ("ROM | ROU | Rumänien", "RO"),
        ("SUI | CHE | Schweiz", "CH"),
        ("U.S.A. | U.S. | U. S. | usa | US | the United States | États-Unis", "US"),
        ("U.K. | England | Angleterre | Great Britain | Vereinigtes Königreich", "GB"),
        ("D.R. Congo | DR Congo | Demokratische Republik Kongo", "CD"),
        ("Côte d’Ivoire | Côte d'Ivoire | cote d ivoire | Ivory Coast", "CI"),
        ("Deutschland | Allemagne | DEU | germany", "DE"),
        ("Holland | Die Niederlande | Pays-Bas", "NL"),
        ("Kosovo | XK | xkx", "XK"),
        ("St. Lucia | Saint Lucia | Sainte-Lucie", "LC"),
        ("Bosnia & Herzegovina | Bosnien und Herzegowina", "BA"),
        ("日本 | ญี่ปุ่น | Japón | Япония", "JP"),
        ("中国 | 中國 | चीन | الصين", "CN"),
        ("Estados Unidos | Stati Uniti | 美国 | США | アメリカ", "US"),
        ("Hiszpania | España | Espanha | Spanje", "ES"),
    ],
)
def test_a_country_has_many_spellings(words: str, code: str) -> None:
    assert {find_country(word) for word in words.split(" | ")} == {code}


@pytest.mark.parametrize(("country", "number"), [("BR", 16), ("CH", 17), ("IT", 65)])
def test_a_code_of_a_part_is_none_of_a_country(country: str, number: int) -> None:
    """In addresses: "Bern, BE" is in Belgium or in Switzerland."""
    codes = [row["code"][3:] for row in _table("3166-2") if row["code"][:2] == country]
    same = [code for code in codes if code in COUNTRIES]
    assert len(same) == number
    for code in same:
        first, *others = read_last_part(code)
        assert first == (code, "") and others, code
        assert is_part(code, country)
        assert other_spelling(other_spelling(code, country) or "", country) == code


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Seoul, Korea, Republic of", ["Seoul", "Korea, Republic of"]),
        ("Tanzania, United Republic of", ["Tanzania, United Republic of"]),
        ("Banjul, Gambia, The", ["Banjul", "Gambia, The"]),
        ("Paris, France", ["Paris", "France"]),
        ("Austin, TX, USA", ["Austin", "TX", "USA"]),
        ("Oslo, ", ["Oslo", ""]),
    ],
)
def test_the_comma_in_the_name_of_a_country_separates_no_parts(text: str, parts: list[str]) -> None:
    assert split_parts(text) == parts


def test_a_last_part_that_is_a_country_and_a_part_of_another_has_all_readings() -> None:
    several = {code for code in COUNTRIES if len(read_last_part(code, alone=True)) > 1}
    states = "AL AR AZ CA CO DE GA ID IL IN KY LA MA MD ME MN MO MS MT NC NE PA SC SD TN VA"
    assert several - {"NL", "NU", "PE", "SA", "SK", "YT"} == set(states.split())
    names = {name for name in COUNTRIES.values() if len(read_last_part(name)) > 1}
    assert names == {"Georgia", "Niger"}
    labels = [reading.label for reading in read_last_part("georgia")]
    assert labels == ["Georgia (GE)", "Georgia, United States"]
    # A territory with a code of its own is the same place.
    assert [reading.country for reading in read_last_part("Puerto Rico")] == ["PR"]
    # A part of a country that is no country has this reading alone.
    assert [reading.label for reading in read_last_part("Punjab")] == [
        "Punjab, India",
        "Punjab, Pakistan",
    ]
    assert {len(read_last_part(only_spelling(code))) for code in COUNTRIES} == {1}


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("Norwayy", "NO"),
        ("Niger Republic", "NE"),
        ("United State", "US"),
        ("North Macedona", "MK"),
        *((word, None) for word in ("EU", "Europe", "Remote", "Republic", "Korea Kingdom Wide")),
    ],
)
def test_a_country_is_proposed_by_whole_words(word: str, code: str | None) -> None:
    assert nearest_country(word) == code
