"""The records of a collection as a table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.build.load import read_header
from generator.dialect.folder import scan
from generator.edit.exchange.columns import cell, cells_of, columns, meaning
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic, is_error


class Exported(NamedTuple):
    """A table as text, piece by piece, and how many rows it has."""

    text: Iterator[str]
    rows: int


def export(folder: str, collection: str, form: str) -> Exported | list[Diagnostic]:
    """The records of a collection, by slug; or, where some have an error, all problems: what cannot
    be read would be missing.
    """
    content = scan(folder)
    header, problems = read_header(content)
    problems += content.problems
    model = header.settings.models(header.unknown)[collection]
    rows: list[dict[str, Any]] = []
    for source in sorted(content.sources[collection]):
        taken = content.take(source.path)
        if isinstance(taken, Diagnostic):
            problems.append(taken)
            continue
        record, faults, document = read_model(taken.raw, model)
        problems += diagnose(content.shown(source.path), taken.raw, faults, document)
        if record is not None:
            rows.append({"slug": source.slug} | meaning(record))
    if any(map(is_error, problems)):
        return [problem for problem in problems if is_error(problem)]
    by_column = [dict(cells_of(row)) for row in rows]
    known = list(columns(collection, header.settings))
    used = {name for row in by_column for name in row}
    links = sorted(used.difference(known))
    known.remove("locations")
    at = known.index("sources")
    names = [*known[:at], *links, *known[at:]]
    return Exported(_written(form, names, zip(rows, by_column, strict=True)), len(rows))


def _written(
    form: str, columns: Sequence[str], rows: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> Iterator[str]:
    """A table as text, piece by piece; of each row what it says, whole and by column."""
    if form == "csv":
        page = io.StringIO()
        writer = csv.writer(page, lineterminator="\n")
        writer.writerow(columns)
        for _, by_column in rows:
            writer.writerow([cell(by_column.get(name)) for name in columns])
        yield page.getvalue()
        return
    begin, between, end = ("[\n", ",\n", "\n]\n") if form == "json" else ("", "\n", "\n")
    first = True
    for whole, _ in rows:
        yield begin if first else between
        yield json.dumps(whole, ensure_ascii=False)
        first = False
    yield (("[]\n" if form == "json" else "") if first else end)
