"""Columns of values, as they are written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.search import columns
from generator.search.columns import IndexColumn, number_text
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
    before, columns._CHUNK = columns._CHUNK, chunk
    try:
        written = column(records)
    finally:
        columns._CHUNK = before
    lines = [line.split("\t") for line in written.values_file(str.upper).decode().splitlines()]
    texts = [text for text, _, _ in lines]
    assert lines == [
        [text, text.upper(), str(sum(text in having for having in records))] for text in texts
    ]
    spec, found = written.spec, list[set[str]]()
    for start in range(0, len(records), spec.chunk):
        part, count = written.part(start // spec.chunk), min(spec.chunk, len(records) - start)
        found += [{texts[n - 1] for n in each} for each in index_files.column(spec, part, count)]
    assert found == records


@pytest.mark.parametrize(
    ("number", "text"), [(5, "5"), (5.0, "5"), (-0.0, "0"), (1.5, "1.5"), (1e22, "1e+22")]
)
def test_a_number_is_short_and_exact(number: float, text: str) -> None:
    assert number_text(number) == text and float(text) == number
