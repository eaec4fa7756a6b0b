"""The records of a collection as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from generator.api.diagnostic import Diagnostic, is_error
from generator.build.load import read_header
from generator.exchange.columns import cells_of, columns, meaning
from generator.exchange.sheet import write
from generator.records.folder import scan
from generator.records.validate import diagnose, read_model


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
    return Exported(write(form, names, zip(rows, by_column, strict=True)), len(rows))
