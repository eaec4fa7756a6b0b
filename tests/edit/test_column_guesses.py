"""How the cells of columns are read as fields that are known."""

from __future__ import annotations

import pytest

from generator.edit.guesses.cells import Column
from generator.edit.guesses.fits import fit
from generator.edit.tables.columns import CellColumn
from generator.edit.words import WordList

PRICE = CellColumn(("fields", "price"), "number", unit="EUR")
SOURCES = CellColumn(("sources",), "url", many=True)
WEBSITE = CellColumn(("website",), "url")
TOPIC = CellColumn(("tags", "topic"), "slug", many=True)
PLACES = CellColumn(("locations",), "place", many=True)
LOSES = "words lose signs in slugs: say what each means"


@pytest.mark.parametrize(
    ("wanted", "cells", "source", "doubt"),
    [
        (PRICE, ["1.250", "8,50", "7 €"], {"number": ","}, ""),
        (PRICE, ["1,250", "8.50"], {"number": "."}, ""),
        (PRICE, ["1.250", "2.500"], {}, ""),  # the language decides, or a person
        (SOURCES, ["https://a.example/;https://b.example", "https://c.example"], {"split": ";"},
         ""),
        (SOURCES, ["https://a.example/a,b;c"], {}, ""),
        (WEBSITE, ["a.example", "https://www.a.example/"], {"prefix": "https://"},
         "some websites come twice"),
        (TOPIC, ["C++", "Rust"], {}, LOSES),
        (TOPIC, ["Python; C", "Rust", "Go, Zig"], {"split": ";"},
         "some cells may have several words"),
        (TOPIC, ["Python", "Rust"], {}, ""),
        (PLACES, ["Online", "Oslo, Norway"], {}, ""),
    ],
)  # fmt: skip
def test_cells_are_read_as_a_field(
    wanted: CellColumn, cells: list[str], source: dict[str, str], doubt: str
) -> None:
    words = WordList({}, "slug") if wanted is TOPIC else None
    guess = fit(Column("x", cells, cells), wanted, words)
    assert guess is not None and (guess.share, guess.source, guess.doubt) == (1, source, doubt)


def test_online_is_a_place_only_if_a_field_takes_it() -> None:
    cells = ["Online", "Oslo, Norway", "Rome, Italy"]
    guess = fit(Column("x", cells, cells), PLACES, None, online=False)
    assert guess is not None and guess.source == {"on_error": None}
