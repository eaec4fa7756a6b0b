"""The cells of rows (`mode=rows`): values of records, from their summaries and from columns.

search/js/source/cells.mjs gives the same values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import orjson

from generator.grammar.row_fields import RowField
from generator.kinds.declare import MAX_NUMBER
from generator.search.columns import ReadColumn, Values, parse_number
from generator.search.format import Damaged
from generator.search.found_in import found_in
from generator.search.matching import Matching


def row_cells(
    fields: Sequence[RowField],
    positions: Sequence[int],
    summaries: Sequence[bytes],
    match: Matching,
) -> Iterator[list[Any]]:
    """For each record the values of the fields.

    The columns that fields are in must have been read, with their values.  Raises Damaged.
    """
    for position, raw in zip(positions, summaries, strict=True):
        summary = _parse(raw)
        cells = []
        for field in fields:
            if field.path:
                cells.append(_in_summary(summary, field))
            elif not field.in_column:
                cells.append(found_in(summary, match))
            else:
                column, values = match.columns[field.name], match.values[field.name]
                cells.append(_in_column(column, values, position, field))
        yield cells


def _parse(summary: bytes) -> Any:
    try:
        return orjson.loads(summary)
    except ValueError:
        raise Damaged from None


def _in_summary(summary: Any, field: RowField) -> Any:
    value = reduce(_get, field.path, summary)
    if field.type == "slugs":
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise Damaged
        return sorted(value)
    return value


def _get(mapping: Any, key: str) -> Any:
    if not isinstance(mapping, Mapping) or key not in mapping:
        raise Damaged
    return mapping[key]


def _in_column(column: ReadColumn, values: Values, position: int, field: RowField) -> Any:
    texts = [values.texts[number - 1] for number in column.numbers_at(position)]
    if field.type == "slugs":
        return texts
    return _typed(texts[0], field) if texts else None


def _typed(text: str, field: RowField) -> Any:
    """A value of a column, as JSON has it.  Raises Damaged."""
    if field.type == "boolean":
        return text == "true"
    if field.type == "text":
        return text
    number = parse_number(text)
    if abs(number) > MAX_NUMBER:
        raise Damaged
    return int(number) if number.is_integer() else number
