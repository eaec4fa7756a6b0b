"""Reads tables in documents: JSON, NDJSON, YAML, TOML and Markdown.  Rows may be nested."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

from generator.dialect.foreign import NotYaml, read_yaml
from generator.edit.tables.nested import Items, Walk, paths_of_rows, read_step, unreadable_at
from generator.edit.tables.sheet import SheetFile, SheetRow, unreadable
from generator.problems.diagnostic import suggest_word
from generator.problems.faults import shorten

_WHITESPACE = " \t\n\r"
#: The front matter of a Markdown file, between lines of --- (YAML) or +++ (TOML).
_front_matter = re.compile(r"\s*(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*\r?$\n?", re.S | re.M).match


def read_rows(file: SheetFile, form: str, within: str, *, single: bool) -> Iterator[SheetRow]:
    """The rows at the path `within`.  If `single` is set, a document may be one row.  Raises
    UnreadableTable.
    """
    number = 0
    for value, begin, items in _READERS[form](file):
        steps = [read_step(part) for part in within.split(".")] if within else []
        single_here = single or form in ("ndjson", "markdown")
        for at, row, outer in Walk(file, items, within, single_here).rows(value, begin, steps, {}):
            number += 1
            if not isinstance(row, dict):
                message = f"row {number} is not an object"
                raise unreadable_at(file, at, message)
            yield SheetRow(number, at, row, file, outer)
    if not number and within and (paths := row_paths(file, form)) and within not in paths:
        message = f'there are no rows at "{shorten(within)}"'
        raise unreadable_at(file, 0, message, suggest_word(within, paths))


def row_paths(file: SheetFile, form: str) -> dict[str, int]:
    """The paths of lists and mappings of rows in a document, with their numbers of rows."""
    value = next((value for value, _, _ in _READERS[form](file)), None)
    return dict(paths_of_rows(value, "")) if isinstance(value, dict) else {}


# --- JSON -----------------------------------------------------------------------------------------


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'the key "{shorten(duplicate)}" is there twice')
    return values


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
#: Takes all that is JSON syntax.
_lenient = json.JSONDecoder(parse_int=str)


def _json_value(
    file: SheetFile, index: int, decoder: json.JSONDecoder = _decoder
) -> tuple[Any, int]:
    """The value at an index, and the index of what follows it.  Raises UnreadableTable."""
    try:
        value, end = decoder.raw_decode(file.text, index)
    except json.JSONDecodeError as error:
        message = f"this is not valid JSON: {error.msg.lower()}"
        comma = file.text[index : error.pos].rstrip().endswith(",")
        hint = "remove the comma before it" if comma and file.text[error.pos] in "]}" else None
        raise unreadable_at(file, error.pos, message, hint) from None
    except RecursionError:
        raise unreadable_at(file, index, "this is nested too deeply") from None
    except ValueError as error:  # of `_decoder`, or for numbers of thousands of digits
        raise unreadable_at(file, index, f"in this value, {error}") from None
    return value, _skip_space(file.text, end)


def _skip_space(text: str, index: int) -> int:
    while index < len(text) and text[index] in _WHITESPACE:
        index += 1
    return index


def _json_items(file: SheetFile) -> Items:
    def items(_: Any, index: int) -> Iterator[tuple[str, Any, int]]:
        text = file.text
        begin, key = text[index], ""
        index = _skip_space(text, index + 1)
        while text[index] not in "]}":
            if begin == "{":
                key, index = _json_value(file, index)
                index = _skip_space(text, index + 1)
            value, after = _json_value(file, index)
            yield key, value, index
            index = _skip_space(text, after + 1) if text[after] == "," else after

    return items


Documents = Iterator[tuple[Any, int, Items]]


def _json(file: SheetFile) -> Documents:
    index = _skip_space(file.text, 0)
    value, _ = _json_value(file, index, _lenient)
    yield [] if isinstance(value, list) else value, index, _json_items(file)


def _ndjson(file: SheetFile) -> Documents:
    next_line = 0
    for number, line in enumerate(file.text.split("\n"), 1):
        begin = _skip_space(file.text, next_line)
        next_line += len(line) + 1
        if not line.strip(_WHITESPACE):
            continue
        value, end = _json_value(file, begin)
        if end < next_line - 1:
            raise unreadable_at(file, end, f"row {number} goes on after its object")
        yield value, begin, _json_items(file)


# --- YAML, TOML, Markdown -------------------------------------------------------------------------


def _plain_items(begins: Mapping[int, int]) -> Items:
    def items(value: Any, index: int) -> Iterator[tuple[str, Any, int]]:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        yield from ((str(key), inner, begins.get(id(inner), index)) for key, inner in pairs)

    return items


def _yaml(file: SheetFile, text: str | None = None, shift: int = 0) -> Documents:
    text = file.text if text is None else text
    try:
        documents, begins = read_yaml(text)
    except NotYaml as error:
        line = error.at[0] + file.text.count("\n", 0, shift)
        message = f"this is not valid YAML: {error}"
        raise unreadable(file.path, line, error.at[1], message, error.hint) from None
    if shift:
        begins = {key: index + shift for key, index in begins.items()}
    if len(documents) > 1:
        documents = [[row for each in documents if each is not None
                      for row in (each if isinstance(each, list) else [each])]]  # fmt: skip
    for value in documents:
        yield value, begins.get(id(value), shift), _plain_items(begins)


def _toml(file: SheetFile, text: str | None = None, shift: int = 0) -> Documents:
    text = file.text if text is None else text
    try:
        value = tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"(.*) \(at line (\d+), column (\d+)\)$", str(error))
        line = int(found[2]) if found else 1
        message = f"this is not valid TOML: {(found[1] if found else str(error)).lower()}"
        place = line + file.text.count("\n", 0, shift), int(found[3]) if found else 1
        raise unreadable(file.path, *place, message) from None
    value, begins = _without_dates(value), dict[int, int]()
    for name, inner in value.items():
        head = rf"^[ \t]*\[\[?[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*\]"
        found_heads = [match.start() + shift for match in re.finditer(head, text, re.M)]
        rows = inner if isinstance(inner, list) else [inner]
        begins |= {id(row): at for row, at in zip(rows, found_heads, strict=False)}
    yield value, shift, _plain_items(begins)


def _without_dates(value: Any) -> Any:
    """The data of TOML with dates and times as texts."""
    if isinstance(value, dict):
        return {key: _without_dates(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_dates(item) for item in value]
    return str(value) if isinstance(value, datetime | date | time) else value


def _markdown(file: SheetFile) -> Documents:
    """One row: its front matter, and the text below it as `body`."""
    match = _front_matter(file.text)
    fields, begin, items = dict[str, Any](), 0, _plain_items({})
    if match is not None:
        reader = _yaml if match[1] == "---" else _toml
        for value, begin, items in reader(file, match[2], match.start(2)):  # noqa: B007
            if not isinstance(value, dict):
                raise unreadable_at(file, begin, "the front matter must have fields")
            fields = value
    body = file.text[match.end() :] if match is not None else file.text
    yield {"body": body.strip(), **fields}, begin, items


_READERS: dict[str, Callable[[SheetFile], Documents]] = {
    "json": _json, "ndjson": _ndjson, "yaml": _yaml, "toml": _toml, "markdown": _markdown,
}  # fmt: skip
