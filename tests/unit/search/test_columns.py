"""Columns of values, written and read."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.search import columns
from generator.search.columns import IndexColumn, ReadColumn, Spec, Values, number_text
from generator.search.format import Damaged

VALUES = ["acquired", "active", "inactive", "public"]
#: The values of each record.
RECORDS = st.lists(st.sets(st.sampled_from(VALUES)), max_size=60)
ONE = st.lists(st.none() | st.integers(-5, 300) | st.floats(-9, 9, width=16), max_size=60)


def column(records: list[Any], kind: columns.Type = "text") -> IndexColumn:
    values = sorted({value for having in records for value in having})
    positions = [[p for p, having in enumerate(records) if value in having] for value in values]
    return IndexColumn.from_values(kind, values, positions, len(records))


def read(written: IndexColumn) -> ReadColumn:
    spec = written.spec
    parts = {n: written.part(n) for n in range(-(-written.records // spec.chunk))}
    return ReadColumn(spec, parts, written.records)


@given(RECORDS, st.integers(1, 70), st.data())
def test_a_column_counts_and_finds_values(
    records: list[set[str]], chunk: int, data: st.DataObject
) -> None:
    before, columns._CHUNK = columns._CHUNK, chunk
    try:
        written = column(records)
    finally:
        columns._CHUNK = before
    values = Values.parse(written.values_file(str.upper), written.spec, len(records))
    assert [*values.labels] == [value.upper() for value in values.texts]
    assert dict(zip(values.texts, values.counts, strict=True)) == Counter(
        value for having in records for value in having
    )
    parsed, numbers = read(written), range(1, len(values.texts) + 1)
    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(records)))))) if records else []
    tally = parsed.tally(chosen)
    assert {values.texts[n - 1]: tally[n] for n in numbers if tally.get(n)} == Counter(
        value for p in chosen for value in records[p]
    )
    low, high = (data.draw(st.none() | st.sampled_from(VALUES)) for _ in range(2))
    assert parsed.positions_between(*values.span(low, high)) == [
        p
        for p, having in enumerate(records)
        if any((low or "") <= value <= (high or "z") for value in having)
    ]


@given(ONE, st.booleans())
def test_a_column_of_numbers_orders_records(records: list[float | None], down: bool) -> None:
    written = column([() if value is None else (value,) for value in records], "number")
    parsed, places = read(written), range(len(records))

    def key(p: int) -> Any:
        value = records[p]
        return value is None, -(value or 0) if down else value or 0, p

    ordered = sorted(places, key=key)
    assert parsed.ranks(places, down) == {p: rank for rank, p in enumerate(ordered)}
    values = Values.parse(written.values_file(str), written.spec, len(records))
    assert [*values.keys] == sorted({value for value in records if value is not None})


@pytest.mark.parametrize(
    ("number", "text"), [(5, "5"), (5.0, "5"), (-0.0, "0"), (1.5, "1.5"), (1e22, "1e+22")]
)
def test_a_number_is_short_and_exact(number: float, text: str) -> None:
    assert number_text(number) == text and float(text) == number


SPEC = Spec("text", 2, 1, 0, 4)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"a\tA\t1\n", b"a\tA\t1\nb\tB\t2", b"b\tB\t1\na\tA\t1\n", b"a\tA\t1\na\tA\t1\n",
        b"a\tA\t00\nb\tB\t1\n", b"a\tA\t9\nb\tB\t1\n", b"a\tA\t1\nb\t1\n", b"a\tA\t1\n\xe9\tB\t1\n",
        "a\tA\t1\né\tB\t1\n".encode(), b"a\tA\tx\nb\tB\t1\n",
    ],
)  # fmt: skip
def test_invalid_values_are_damaged(data: bytes) -> None:
    found = Values.parse(b"a\tA\t0\nb\tB\t2\n", SPEC, 3)
    assert (found.texts, found.counts, found.number_of("b")) == (["a", "b"], [0, 2], 2)
    assert found.number_of("c") is None
    with pytest.raises(Damaged):
        Values.parse(data, SPEC, 3)
