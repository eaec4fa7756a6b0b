"""The lines of a map that is proposed for a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.dialect import values
from generator.edit.guesses.propose import Proposal


def field_line(each: Proposal) -> str:
    """The line of a field: the column that gives it, and how it is read."""
    source = {**each.guess.source}
    if each.column.missing and "on_error" not in source:
        source["values"] = {**source.get("values", {}), **dict.fromkeys(each.column.missing)}
    if not source and "{" not in each.column.name:
        return f"  {each.field}: {values.scalar(each.column.name)}"
    return f"  {each.field}: {_flow({'column': each.column.name, **source})}"


def _flow(value: Any) -> str:
    """A value in braces, with null for nothing."""
    if isinstance(value, Mapping):
        pairs = (f"{values.flow_item(key)}: {_flow(inner)}" for key, inner in value.items())
        return f"{{{', '.join(pairs)}}}"
    return "null" if value is None else values.flow_item(value)


def key_lines(proposals: Sequence[Proposal], kind: str) -> Iterator[str]:
    """The lines with the fields that tell the rows apart, if their names do not, and with slugs of
    records of this kind, if none can be made of some names.
    """
    single = [each for each in proposals
              if "split" not in each.guess.source and not each.column.is_list]  # fmt: skip
    cells = {each.field: each.column.cells for each in single if each.field}

    def is_key(*names: str) -> bool:
        rows = list(zip(*(cells[name] for name in names), strict=True))
        return len(set(rows)) == len(rows) and all(cells[names[0]])

    if "slug" in cells or "name" not in cells:
        return
    pairs = (["name", other] for other in cells if other != "name" and is_key("name", other))
    key = ["website"] if "website" in cells and is_key("website") else next(pairs, [])
    if key and not is_key("name"):
        yield f"key: {values.flow(key)}  # tells rows apart"
    if not all(any(map(str.isascii, name)) for name in filter(None, cells["name"])):
        yield f'slug: "{kind}-{{number}}"  # some names have no Latin letters'
