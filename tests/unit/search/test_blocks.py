"""Blocks of records: their division, their changes when a record is added, and their file."""

from __future__ import annotations

import random
from statistics import mean

from hypothesis import given
from hypothesis import strategies as st

from generator.engine.table import MAX_BYTES
from generator.reader.documents import MAX_READ
from generator.search import blocks
from generator.search.blocks import BLOCK, Blocks, slots_for
from support import index_files


def slugs(count: int, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    return sorted({f"r-{chance.randrange(1 << 40):x}" for _ in range(count)})


@given(st.integers(0, 2000), st.integers(0, 5))
def test_every_record_has_its_own_id_and_the_file_has_them_all(count: int, seed: int) -> None:
    known = Blocks.from_slugs(slugs(count, seed))
    assert known.records == len(known.ids) == len({*known.ids}) == len(slugs(count, seed))
    assert [known.positions[record_id] for record_id in known.ids] == list(range(known.records))
    assert len(known.positions) == slots_for(len(known.slots)) * BLOCK
    assert all(1 <= size <= BLOCK for size in known.sizes)
    again = index_files.blocks(known.data)
    assert (list(again.slots), list(again.sizes), list(again.levels)) == (
        list(known.slots), list(known.sizes), list(known.levels),
    )  # fmt: skip


def test_one_record_more_or_less_changes_few_ids() -> None:
    every, chance, moved = slugs(20_000), random.Random(2), list[int]()
    before = dict(zip(every, Blocks.from_slugs(every).ids, strict=True))
    for _ in range(20):
        left = list(every)
        gone = left.pop(chance.randrange(len(left)))
        after = dict(zip(left, Blocks.from_slugs(left).ids, strict=True))
        moved.append(sum(before[slug] != record_id for slug, record_id in after.items()))
        assert gone not in after
    assert mean(moved) < 16 and sorted(moved)[len(moved) // 2] < 10


def test_files_of_rows_are_neither_many_nor_large() -> None:
    for count, levels in ((100, 2), (5000, 3), (50_000, 3)):
        known = Blocks.from_slugs(slugs(count))
        starts = [known.starts_at_level(level) for level in range(levels + 1)]
        assert max(known.levels) == levels
        for above, below in zip(starts[1:], starts, strict=False):
            assert {*above} <= {*below} and above[0] == 0
        assert len(starts[2]) <= 300
        assert levels < 3 or 8 <= len(starts[3]) <= 32


def test_no_file_of_rows_is_larger_than_what_an_answer_reads() -> None:
    most = blocks.MAX_LARGER_BYTES
    assert max(Blocks.from_slugs(slugs(5000), most).levels) == 3
    assert max(Blocks.from_slugs(slugs(5000), most + 1).levels) == 2
    assert 2 * most / (blocks.MAX_LARGER_FILES / 2) <= MAX_BYTES == MAX_READ
