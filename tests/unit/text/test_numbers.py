"""Words that are numbers, in any of the ways in which people write them."""

from __future__ import annotations

from typing import Any

import pytest

from generator.text.numbers import decimal_mark, in_digits, read_number, readings


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12", [12]),
        ("1250", [1250]),
        ("-12", [-12]),
        ("−12,5", [-12.5]),
        ("+3", [3]),
        ("007", [7]),
        # A decimal mark alone.
        ("0.5", [0.5]),
        ("0,5", [0.5]),
        (".5", [0.5]),
        ("12,50", [12.5]),
        ("12.0", [12]),
        ("1250,500", [1250.5]),
        ("1e3", [1000]),
        ("1,5E+3", [1500]),
        # Groups never begin with 0.
        ("0,500", [0.5]),
        ("0.125", [0.125]),
        ("00.125", [0.125]),
        # Both marks, or a mark twice.
        ("12.500,50", [12500.5]),
        ("12,500.50", [12500.5]),
        ("12.500,00", [12500]),
        ("1.250.000", [1_250_000]),
        ("1,250,000", [1_250_000]),
        ("12,50,000", [1_250_000]),
        ("12.500,-", [12500]),
        ("1'250.–", [1250]),
        # Other signs between groups.
        ("12'500", [12500]),
        ("12’500", [12500]),
        ("12 500", [12500]),
        ("12\u202f500,250", [12500.25]),
        ("12_500", [12500]),
        # One mark with three digits behind it.
        ("12.500", [12.5, 12500]),
        ("12,500", [12500, 12.5]),
        ("-1.000", [-1, -1000]),
        # Words for thousands and millions.
        ("1,2 Mio.", [1_200_000]),
        ("1.2M", [1_200_000]),
        ("12k", [12_000]),
        ("3 Tsd.", [3_000]),
        ("2.5 bn", [2_500_000_000]),
        ("1,250 Mio", [1_250_000_000, 1_250_000]),
        # No numbers.
        *((text, []) for text in (
            "", "-", ".", "many", "12 m", "1.25.000", "12,5000,1", "1,25,00", "0.500.000", "1 2",
            "12.500.5", "12 Stück", "1e999", "٣", "12-15", "12 500.250 1", "k", "1 billion",
        )),
    ],
)  # fmt: skip
def test_a_word_has_the_numbers_that_it_may_mean(text: str, found: list[Any]) -> None:
    assert readings(text) == found
    assert list(map(type, readings(text))) == list(map(type, found))


@pytest.mark.parametrize(
    ("text", "options", "number"),
    [
        ("12.500", {}, None),
        ("12.500", {"mark": ","}, 12500),
        ("12.500", {"mark": "."}, 12.5),
        ("12.500", {"language": "de"}, 12500),
        ("12.500", {"language": "de-CH"}, 12.5),
        ("12.500", {"language": "en"}, 12.5),
        ("12.5", {"language": "de"}, 12.5),  # it has one reading
        ("12.5", {"mark": ","}, None),
        ("12.500", {"whole": True}, 12500),
        ("5.000", {"whole": True}, None),
        ("5.000", {"whole": True, "language": "de"}, 5000),
        ("5.000", {"whole": True, "language": "en"}, None),
        ("5,000", {"whole": True, "language": "en"}, 5000),
        ("5.000", {"whole": True, "mark": "."}, 5),
        ("12.5", {"whole": True}, None),
        ("12.500 €", {"mark": ",", "unit": "EUR"}, 12500),
        ("EUR 12'500", {"unit": "€"}, 12500),
        ("1,2 Mio. EUR", {"unit": "EUR"}, 1_200_000),
        ("1,2 Mio. EUR", {"unit": "Mio. EUR"}, 1.2),
        ("1,2 Mio.", {"unit": "Mio. EUR"}, None),
        ("12 kW", {"unit": "kW"}, 12),
        ("12 $", {"unit": "EUR"}, None),
        ("12 %", {"unit": "percent"}, 12),
        ("EUR", {"unit": "EUR"}, None),
    ],
)
def test_a_mark_a_unit_or_a_language_decides(
    text: str, options: dict[str, Any], number: float | None
) -> None:
    assert read_number(text, **options) == number


@pytest.mark.parametrize(
    ("language", "mark"), [("de", ","), ("fr-FR", ","), ("en", "."), ("es-MX", "."), ("ja", ".")]
)
def test_languages_have_a_decimal_mark(language: str, mark: str) -> None:
    assert decimal_mark(language) == mark


@pytest.mark.parametrize("number", [0, -3, 12.5, 12.125, 1250.125, 0.125, -1.25, 1e-7, 1e21])
def test_a_number_in_digits_has_one_reading(number: float) -> None:
    assert readings(in_digits(number)) == [number]
