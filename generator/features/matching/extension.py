"""Data extension of the Reconciliation Service API: some fields of the records with some slugs.

search/js/source/extension.mjs does the same in JavaScript.
"""

from __future__ import annotations

from typing import Any

from generator.features.matching.candidates import name_keys, read_names
from generator.features.matching.names import parse_name
from generator.features.matching.questions import Extension
from generator.grammar.grammar import Grammar, Query
from generator.search.cells import row_cells
from generator.search.format import Damaged
from generator.search.matching import EARLY_PARTS, Matching
from generator.search.reading import Reading
from generator.search.rows import read_rows, row_file_source


def find_cells(asked: Extension, reading: Reading, grammar: Grammar) -> dict[str, list[Any]]:
    """The cells of each slug that a record has.  Raises Damaged, and as `Reading.files` does."""
    index, match = reading.index, Matching(reading, Query(reading.index.collection), grammar)
    columns = [field.name for field in asked.fields if not field.path]
    early = [name for name in columns if reading.several(name) <= EARLY_PARTS]
    match.read(early, columns)
    known = name_keys(index)
    keys = {slug: known.of_name(parse_name(slug).joined)[:1] for slug in asked.slugs}
    lines = read_names([key for some in keys.values() for key in some], reading)
    ids = {line[2]: line[3] for some in lines.values() for line in some}
    wanted = {slug: _position(ids[slug], match) for slug in asked.slugs if slug in ids}
    match.read_columns(columns, [*wanted.values()])
    positions = [*wanted.values()]
    sources = [row_file_source(positions, match, level) for level in range(len(index.rows))]
    fields = [index.collection.row_fields["slug"], *asked.fields]
    rows = row_cells(fields, positions, read_rows(positions, sources, reading), match)
    found = {slug: cells for slug, *cells in rows}
    if found.keys() != wanted.keys():
        raise Damaged
    reading.check_time()
    return found


def _position(number: str, match: Matching) -> int:
    """The position of a record's id.  Raises Damaged."""
    positions = match.index.blocks.positions
    if not (number.isascii() and number.isdigit() and len(number) < 9):
        raise Damaged
    if int(number) >= len(positions) or positions[int(number)] >= match.index.records:
        raise Damaged
    return positions[int(number)]
