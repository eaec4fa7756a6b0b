"""The records of a collection as a table (`registry export`)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.build.load import read_header
from generator.dialect.folder import scan
from generator.edit.exchange.columns import column_values, columns, format_cell, plain_data
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic, is_error


class Exported(NamedTuple):
    """A table as pieces of text, and its number of rows."""

    text: Iterator[str]
    rows: int


def export(folder: str, collection: str, form: str) -> Exported | list[Diagnostic]:
    """The records of a collection, sorted by slug, in the format `form`: csv, json or ndjson.

    Returns the errors instead if there are any: an unreadable record would be missing.
    """
    content = scan(folder)
    header, problems = read_header(content)
    problems += content.problems
    model = header.settings.models(header.unknown)[collection]
    rows: list[dict[str, Any]] = []
    for source in sorted(content.sources[collection]):
        taken = content.read_content(source.path)
        if isinstance(taken, Diagnostic):
            problems.append(taken)
            continue
        record, faults, document = read_model(taken.raw, model)
        problems += diagnose(content.display_path(source.path), taken.raw, faults, document)
        if record is not None:
            rows.append({"slug": source.slug} | plain_data(record))
    if errors := [problem for problem in problems if is_error(problem)]:
        return errors
    by_column = [dict(column_values(row)) for row in rows]
    names = list(columns(collection, header.settings))
    parts = sorted({name for row in by_column for name in row}.difference(names))
    names.remove("locations")
    position = names.index("sources")
    names[position:position] = parts
    return Exported(_pieces(form, names, zip(rows, by_column, strict=True)), len(rows))


def _pieces(
    form: str, columns: Sequence[str], rows: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> Iterator[str]:
    """The text of a table.  Each row is given as a record and as a mapping by column."""
    if form == "csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        for _, by_column in rows:
            writer.writerow([format_cell(by_column.get(name)) for name in columns])
        yield text.getvalue()
        return
    begin, between, end = ("[\n", ",\n", "\n]\n") if form == "json" else ("", "\n", "\n")
    first = True
    for record, _ in rows:
        yield begin if first else between
        yield json.dumps(record, ensure_ascii=False)
        first = False
    yield (("[]\n" if form == "json" else "") if first else end)
