"""`registry import --guess`: proposes the map of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from generator.dialect import values
from generator.edit.guesses.cells import Column
from generator.edit.guesses.map_lines import field_line, key_lines
from generator.edit.guesses.propose import Proposal, propose
from generator.edit.new_kind import plan_kind, singular
from generator.edit.tables.columns import CellColumn, columns, named
from generator.edit.tables.sheet import Sheet, UnreadableTable
from generator.edit.tables.sources import find_rows, read
from generator.edit.words import WordList
from generator.edit.workspace import OpenRegistry, open_registry
from generator.features.tables.drafts import Drafts
from generator.features.tables.mapping import ImportSettings
from generator.kinds.declare import Declared
from generator.kinds.rules import is_name
from generator.model.kinds.event_times import REQUIRED_TIME
from generator.problems.faults import shorten
from generator.published.content.load import read_and_link
from generator.published.content.read import read_header
from generator.text.words import word_slug

#: In place of a kind: the table becomes a kind of its own.
NEW = "new"
_MOST_ROWS = 500  # rows that a guess looks at
_MOST_PATHS = 8  # of rows in a document that are compared
_LINKS = ("github", "linkedin", "twitter", "crunchbase")


class GuessedMap(NamedTuple):
    """The text of a map, and its proposals."""

    text: str
    proposals: list[Proposal]


def guess(folder: str, sources: Sequence[str], form: str, collection: str) -> GuessedMap:
    """A guess at the map of a table; `collection` may be `NEW`.

    Raises Faulty, NoSource, UnreadableTable, ClientError, Refused and OSError.
    """
    known, paths = open_registry(folder), find_rows(sources, form)
    if collection == NEW:
        rows = max(paths, key=paths.__getitem__, default="")
        return GuessedMap(_new_kind(known, read(sources, form, rows), rows, sources), [])
    kind = known.content.kinds[collection]
    fields = {**columns(collection, known.settings)}
    words = _words_of(known, collection)
    tables = dict[str, Sheet]()
    for at in [*paths][:_MOST_PATHS]:
        with suppress(UnreadableTable):  # a sheet of notes
            tables[at] = read(sources, form, at)
    tables = tables or {"": read(sources, form)}
    names = [f"links.{key}" for key in _LINKS] if "links" in kind.written else []
    names += [name for table in tables.values() for name in table.columns]
    links = (named(name, known.content.kinds) for name in names if name not in fields)
    fields |= {column.name: column for column in links if column is not None}
    found = {rows: propose(_columns(table), fields, words, kind) for rows, table in tables.items()}
    rows = max(found, key=lambda rows: (_worth(tables[rows], found[rows]), paths.get(rows, 0)))
    proposals, used = found[rows], {each.column.name for each in found[rows]}
    lines = [f"# A guess at {tables[rows].path}: read each line, then import with --map."]
    lines += [f"# UNSURE: the rows may also be at {other}{f': {count:,}' * (count > 1)}"
              for other, count in paths.items() if other != rows]  # fmt: skip
    lines.append(f"kind: {kind.kind}")
    if rows:
        lines.append(f"rows: {values.scalar(rows)}")
    lines += _map_lines(kind, fields, proposals)
    if left := [column for column in _columns(tables[rows]) if column.name not in used]:
        lines.append("# Columns that are left:")
        lines += [f"#   {values.scalar(c.name)}: {_example(c)}" for c in left]
    return GuessedMap("\n".join(lines) + "\n", proposals)


def _columns(table: Sheet) -> list[Column]:
    """The columns of a table, with those around nested rows and the names of several files."""
    around = list[str]()
    for level, outer in (table.rows[0].outer if table.rows else {}).items():
        inner = outer if isinstance(outer, Mapping) else ()
        around += [f"{level}.{name}" for name in inner] or [level]
    names = [*filter(None, table.columns), *around, *["filename"] * (len(table.files) > 1)]
    rows = table.rows[:_MOST_ROWS]
    found = (Column.of(rows, name, around=name in around) for name in names)
    return [column for column in found if column and (column.texts or not column.cells)]


def _worth(table: Sheet, proposals: Sequence[Proposal]) -> float:
    """How much the columns of rows themselves say, not those around them or in lists within."""
    own = [each for each in proposals if each.by_name and each.column.name in table.columns]
    return sum(each.score / (1 + each.column.name.count("[]") * 3) for each in own)


def _words_of(known: OpenRegistry, collection: str) -> Mapping[str, WordList]:
    """The words of the registry by field."""
    header, _ = read_header(known.content)
    today = datetime.now(UTC).date().isoformat()
    linked = read_and_link(known.content, header, header.settings.grammar(), today)
    asked = ImportSettings([], ("name",), {}, "keep", collection=collection)
    return Drafts(known.content, linked, Sheet("", (), ()), asked).reader.words


def _new_kind(known: OpenRegistry, table: Sheet, rows: str, sources: Sequence[str]) -> str:
    """The declaration of a kind for the records of a table as a comment, and the map."""
    stem = word_slug(PurePosixPath(sources[0].rstrip("/")).stem)
    stem = stem if is_name(stem) else "things"
    name = stem if singular(stem) else f"{stem}s"
    one = singular(name)
    made = plan_kind(known.content.folder, known, name, one, table, rows)
    lines = [f"# A new kind, named like the file: {one}, {name}. Add to registry.yaml:", "#"]
    lines += [f"# {line}".rstrip() for line in made.added.strip("\n").split("\n")]
    return "\n".join([*lines, "#", made.map_text])


# --- lines of the map -----------------------------------------------------------------------------


def _map_lines(
    kind: Declared, known: Mapping[str, CellColumn], proposals: Sequence[Proposal]
) -> Iterator[str]:
    """The key and the fields of a map, each with its reason and what is unsure."""
    fields = {each.field: each for each in proposals}
    yield from key_lines(proposals, kind.kind)
    yield "fields:"
    for each in proposals:
        reason = "named so" if each.by_name else "by its values"
        doubt = f"; UNSURE: {each.guess.doubt}" if each.guess.doubt else ""
        doubt += "" if each.by_name else "; UNSURE: only its values say so"
        yield f"  # {reason}: {each.guess.words}{doubt}"
        yield field_line(each)
    yield from _missing(kind, known, fields)


def _missing(
    kind: Declared, known: Mapping[str, CellColumn], fields: Mapping[str, Proposal]
) -> Iterator[str]:
    """Lines for required fields without a column."""
    for field in kind.written.values():
        name = ".".join(field.place)
        if not field.required or name in fields or name == "name":
            continue
        choices = list((known[name].allowed_values if name in known else None) or ())
        value = choices[0] if len(choices) == 1 else ""
        if name == "kind" and choices:
            timed = (one for one in reversed(choices) if REQUIRED_TIME.get(one) in fields)
            value = next(timed, choices[-1])
        yield f"  # UNSURE: required, but without a column{_or(choices)}"
        yield f"  {name}: {{value: {value or '…'}}}"
    if not any(name == "name" for name in fields):
        yield "  # UNSURE: no column looks like names"
        yield "  name: …"


def _or(choices: list[str]) -> str:
    return f"; one of: {', '.join(choices[:12])}" if choices else ""


def _example(column: Column) -> str:
    text = " ".join(column.texts[0].split()) if column.texts else ""
    return f"like {values.scalar(shorten(text, 40))}" if text else "empty"
