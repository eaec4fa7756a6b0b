"""The text of a map that is proposed: a line for each field, with its reason and what is unsure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.dialect import values
from generator.edit.guesses.cells import Column
from generator.edit.guesses.map_lines import field_line, key_lines
from generator.edit.guesses.propose import Proposal
from generator.edit.tables.columns import CellColumn
from generator.edit.tables.sheet import Sheet
from generator.kinds.declare import Declared
from generator.model.kinds.event_times import REQUIRED_TIME
from generator.problems.faults import shorten


def map_text(
    table: Sheet,
    rows: str,
    kind: Declared,
    known: Mapping[str, CellColumn],
    proposals: list[Proposal],
    left: list[Column],
    remarks: list[str],
) -> str:
    """The map with a comment for each line."""
    lines = [f"# A guess at {table.path}: read each line, then import with --map."]
    lines += [f"# {remark}" for remark in remarks]
    lines.append(f"kind: {kind.kind}")
    if rows:
        lines.append(f"rows: {values.scalar(rows)}")
    fields = {each.field: each for each in proposals}
    lines += key_lines(proposals)
    if "slug" not in fields and "name" in fields:
        latin = [text for text in fields["name"].column.texts if any(map(str.isascii, text))]
        if len(latin) < len(fields["name"].column.texts):
            lines.append(f'slug: "{kind.kind}-{{number}}"  # some names have no Latin letters')
    lines.append("fields:")
    for each in proposals:
        reason = "named so" if each.by_name else "by its values"
        doubt = f"; UNSURE: {each.guess.doubt}" if each.guess.doubt else ""
        doubt += "" if each.by_name else "; UNSURE: only its values say so"
        lines += [f"  # {reason}: {each.guess.words}{doubt}", field_line(each)]
    lines += _missing(kind, known, fields)
    if left:
        lines.append("# Columns that are left:")
        lines += [f"#   {values.scalar(c.name)}: {_example(c)}" for c in left]
    return "\n".join(lines) + "\n"


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
