"""Rows in any order make the same table."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from generator.grammar.filters import Facet
from generator.model.symbols import CITY, CONTINENT, COUNTRY, REGION, NamedPlace
from generator.model.tables.table import Row, tabulate
from generator.model.tables.texts import TextRows
from support import registries


def rows(chance: random.Random, number: int) -> list[Row]:
    def row(number: int, slug: str) -> Row:
        facets = tuple(Facet("year", str(year)) for year in chance.sample(range(2000, 2010), 2))
        oslo = NamedPlace("no-oslo", *chance.choice([("Oslo", REGION), ("OSLO", CITY)]))
        places = (NamedPlace("no", "Norway", COUNTRY), oslo) if chance.random() < 0.5 else ()
        aliases = (f"{slug}-once",) if chance.random() < 0.2 else ()
        year = chance.choice([None, 2001, 2002])
        key, covers = chance.choice("abc"), tuple(chance.sample(range(4), 2))
        return Row(slug, slug, key, (year, 1), "", facets, places, aliases, {}, covers, number)

    return [row(n, f"s-{slug}") for n, slug in enumerate(chance.sample(range(1000), number))]


@pytest.mark.parametrize("seed", range(4))
def test_rows_in_any_order_make_one_table(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    collection = registries.registry(tmp_path).tables["projects"].collection
    every = rows(chance, 60)
    texts = TextRows()
    assert texts.add((row.slug.encode(), b"", b"") for row in every) == 0
    made = tabulate(collection, every, texts)
    assert [text.decode() for text in made.summaries] == made.slugs
    chance.shuffle(every)
    again = tabulate(collection, every, texts)
    assert list(again.summaries) == list(made.summaries)
    texts = {"summaries": (), "documents": (), "words": (), "added": ()}
    assert replace(again, **texts) == replace(made, **texts)
    assert list(made) == sorted(every, key=lambda row: (row.key, row.slug))
    years = [row.numbers[0] for row in made]
    order = sorted(range(60), key=lambda n: (years[n] is None, -(years[n] or 0)))
    assert list(made.orders["-year"]) == order
    for facet, numbers in made.members.items():
        assert [row for row in made if facet in row.facets] == [made.rows[n] for n in numbers]
    assert made.labels == {"no": "Norway", "no-oslo": "OSLO"}
    levels = map(made.levels_of, ("europe", "no", "no-oslo", "remote"))
    assert [*levels] == [CONTINENT, COUNTRY, REGION | CITY, 0]
    assert made.aliases == {row.slug: row.aliases for row in every if row.aliases}
    assert sum(made.coverage.values()) == 120
