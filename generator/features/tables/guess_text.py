"""The text of a map that is proposed: a line for each field, with its reason and what is unsure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.dialect import values
from generator.edit.tables.sheet import Sheet
from generator.features.tables.columns import CellColumn
from generator.features.tables.fits import Column
from generator.features.tables.guess_map import Proposal
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
    key = _key(table, fields)
    if key:
        lines.append(f"key: {values.flow(key)}  # tells rows apart")
    if "slug" not in fields and "name" in fields:
        latin = [text for text in fields["name"].column.texts if any(map(str.isascii, text))]
        if len(latin) < len(fields["name"].column.texts):
            lines.append(f'slug: "{kind.kind}-{{number}}"  # some names have no Latin letters')
    lines.append("fields:")
    for name, each in fields.items():
        reason = "named so" if each.by_name else "by its values"
        doubt = f"; UNSURE: {each.fit.doubt}" if each.fit.doubt else ""
        doubt += "" if each.by_name else "; UNSURE: only its values say so"
        lines.append(f"  # {reason}: {each.fit.words}{doubt}")
        lines.append(f"  {name}: {_source(each)}")
    lines += _missing(kind, known, fields)
    if left:
        lines.append("# Columns that are left:")
        lines += [f"#   {values.scalar(c.name)}: {_example(c)}" for c in left]
    return "\n".join(lines) + "\n"


def _source(each: Proposal) -> str:
    source = {**each.fit.source}
    if each.column.missing and "on_error" not in source:
        source["values"] = {**source.get("values", {}), **dict.fromkeys(each.column.missing)}
    if not source and "{" not in each.column.name:
        return values.scalar(each.column.name)
    return _flow({"column": each.column.name, **source})


def _flow(value: Any) -> str:
    """A value in braces, with null for nothing."""
    if isinstance(value, Mapping):
        pairs = (f"{values.flow_item(key)}: {_flow(inner)}" for key, inner in value.items())
        return f"{{{', '.join(pairs)}}}"
    return "null" if value is None else values.flow_item(value)


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
    return f"like {values.scalar(shorten(' '.join(column.texts[0].split()), 40))}"


def _key(table: Sheet, fields: Mapping[str, Proposal]) -> list[str]:
    """The fields that tell the rows apart, if their names do not."""
    if "slug" in fields or "name" not in fields:
        return []

    def is_unique(*names: str) -> bool:
        columns = [fields[name].column for name in names]
        texts = list(zip(*(column.texts for column in columns), strict=False))
        return len(set(texts)) == len(texts) == fields["name"].column.rows

    if is_unique("name"):
        return []
    if "website" in fields and is_unique("website"):
        return ["website"]
    others = (name for name in fields if name != "name" and is_unique("name", name))
    return ["name", other] if (other := next(others, "")) else []
