"""The records of a collection as a table (`registry export`)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from generator.dialect.folder import scan
from generator.edit.tables.columns import column_values, columns, format_cell, plain_data
from generator.model.settings.own_fields import record_model
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic, is_error
from generator.published.content.read import read_header


def export(
    folder: str, collection: str, form: str, number: str = "."
) -> tuple[str, int] | list[Diagnostic]:
    """The records of a collection, sorted by slug, in the format `form` (csv, json or ndjson), and
    their number.  `number` is the decimal mark of CSV.

    Returns the errors instead if there are any: an unreadable record would be missing.
    """
    content = scan(folder)
    header, problems = read_header(content)
    problems += content.problems
    model = record_model(content.kinds[collection], header.unknown)
    rows: list[dict[str, Any]] = []
    for source in sorted(content.sources[collection]):
        taken = content.read_content(source.path)
        if isinstance(taken, Diagnostic):
            problems.append(taken)
            continue
        record, faults, document = read_model(taken, model)
        problems += diagnose(content.display_path(source.path), taken, faults, document)
        if record is not None:
            rows.append({"slug": source.slug} | plain_data(record, collection, content.kinds))
    if errors := [problem for problem in problems if is_error(problem)]:
        return errors
    if form == "csv":
        return _csv(list(columns(collection, header.settings)), rows, number), len(rows)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    if form == "json" and lines:
        return "[\n" + ",\n".join(lines) + "\n]\n", len(rows)
    return "[]\n" if form == "json" else "".join(f"{line}\n" for line in lines), len(rows)


def delimiter_of(number: str) -> str:
    """The delimiter of CSV whose numbers have this decimal mark."""
    return ";" if number == "," else ","


def _csv(names: list[str], rows: Sequence[Mapping[str, Any]], number: str) -> str:
    by_column = [dict(column_values(row)) for row in rows]
    parts = sorted({name for row in by_column for name in row}.difference(names))
    names = [name for name in names if name != "locations"]
    position = names.index("sources")
    names[position:position] = parts
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", delimiter=delimiter_of(number))
    writer.writerow(names)
    writer.writerows([format_cell(row.get(name), number) for name in names] for row in by_column)
    return text.getvalue()
