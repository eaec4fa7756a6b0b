"""Rows from several batches make the same table as all rows together."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from generator.model.tables.table import Row, TableBuilder, pack_rows, tabulate
from support import registries


def rows(chance: random.Random, number: int) -> list[Row]:
    def row(slug: str) -> Row:
        facets = tuple(f"year/{year}" for year in chance.sample(range(2000, 2010), 2))
        labels = (("no-oslo", chance.choice(["Oslo", "OSLO"])),) if chance.random() < 0.5 else ()
        aliases = (f"{slug}-once",) if chance.random() < 0.2 else ()
        year = chance.choice([None, 2001, 2002])
        summary = b'{"slug":"%b"}' % slug.encode()
        key, covers = chance.choice("abc"), tuple(chance.sample(range(4), 2))
        return Row(slug, slug, key, (year, 1), "", facets, labels, aliases, (), covers, summary)

    return [row(f"s-{n}") for n in chance.sample(range(1000), number)]


@pytest.mark.parametrize("seed", range(4))
def test_batches_in_any_order_make_one_table(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    collection = registries.registry(tmp_path).projects.collection
    every = rows(chance, 60)
    builder, left = TableBuilder(), list(every)
    while left:
        size = chance.randrange(1, 20)
        builder.add(pack_rows(left[:size]))
        left = left[size:]
    chance.shuffle(every)
    built, expected = builder.make_table(collection), tabulate(collection, every)
    assert list(built) == list(expected) == sorted(every, key=lambda row: (row.key, row.slug))
    assert built.members == expected.members
    assert (built.labels, built.aliases, built.coverage) == (
        expected.labels,
        expected.aliases,
        expected.coverage,
    )
    for sort, order in expected.orders.items():
        assert list(built.orders[sort]) == list(order)
    for facet, numbers in built.members.items():
        assert [row for row in built if facet in row.facets] == [built.rows[n] for n in numbers]
