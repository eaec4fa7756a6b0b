"""Columns of values, as they are written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.search import blocks
from generator.search.blocks import IndexColumn, number_text
from support import index_files

VALUES = ["acquired", "active", "inactive", "public"]
#: The values of each record.
RECORDS = st.lists(st.sets(st.sampled_from(VALUES)), max_size=60)


def column(records: list[Any]) -> IndexColumn:
    values = sorted({value for having in records for value in having})
    positions = [[p for p, having in enumerate(records) if value in having] for value in values]
    return IndexColumn.from_values("text", values, positions, len(records))


@given(RECORDS, st.integers(1, 70))
def test_a_column_has_the_values_of_every_record(records: list[set[str]], chunk: int) -> None:
    before, blocks._CHUNK = blocks._CHUNK, chunk
    try:
        written = column(records)
    finally:
        blocks._CHUNK = before
    lines = [line.split("\t") for line in written.values_file(str.upper, len).decode().splitlines()]
    texts = [text for text, _, _ in lines]
    assert lines == [
        [text, text.upper(), str(sum(text in having for having in records))] for text in texts
    ]
    spec, found = written.spec, list[set[str]]()
    for start in range(0, len(records), spec.chunk):
        part, count = written.part(start // spec.chunk), min(spec.chunk, len(records) - start)
        found += [{texts[n - 1] for n in each} for each in index_files.column(spec, part, count)]
    assert found == records


def test_lines_of_places_end_with_the_bits_of_their_levels() -> None:
    levels = {"europe": 1, "de": 2, "de-berlin": 12, "remote": 0}
    written = IndexColumn.from_values("place", [*levels], [[0]] * 4, 1)
    lines = written.values_file(str.upper, levels.__getitem__).decode().splitlines()
    assert lines[2:] == ["de-berlin\tDE-BERLIN\t1\tc", "remote\tREMOTE\t1\t0"]


@pytest.mark.parametrize(
    ("number", "text"), [(5, "5"), (5.0, "5"), (-0.0, "0"), (1.5, "1.5"), (1e22, "1e+22")]
)
def test_a_number_is_short_and_exact(number: float, text: str) -> None:
    assert number_text(number) == text and float(text) == number
