"""Problems that several cells of a table have: each once, with the line of the map that decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from generator.dialect import values
from generator.edit.words import is_spelling, plain
from generator.features.tables.cells import CellReader, Cells
from generator.features.tables.spreadsheet import formats, in_words
from generator.kinds import KIND_OF
from generator.problems.diagnostic import Diagnostic, Severity
from generator.problems.faults import shorten
from generator.text.numbers import in_digits, readings
from generator.text.placeholders import is_placeholder
from generator.text.slugs import lost_signs, word_slug

_OTHER = "…"  # what a person writes instead
#: The code of a problem, its message and its hint.
_Said = tuple[str, str, str]


def problem(
    reader: CellReader, cells: Cells, said: _Said, severity: Severity = "error"
) -> Diagnostic:
    """A problem of these cells, at the first of them."""
    return reader.table.problem(cells.rows[0], cells.column, *said, severity)


def unknown_words(reader: CellReader) -> Iterator[tuple[Cells, _Said]]:
    """The words that the registry does not know, or that can mean several things."""
    where = {target.column.name: target.column.where for target in reader.asked.targets}
    for (name, text), cells in reader.found["word"].items():
        if cells.meant.value is None:
            place = where.get(name) or "the countries of ISO 3166-1"
            message, hint = _unknown(reader, name, text, cells, place)
            yield cells, ("unmatched-value", f"{message} ({cells.count})", hint)


def _unknown(reader: CellReader, name: str, text: str, cells: Cells, place: str) -> tuple[str, str]:
    meant, word = cells.meant, f'{name}: "{shorten(text)}"'
    message = f"{word} is not among {place}"
    said = _decide(reader, "what is meant", map_values({text: _OTHER}))
    if is_placeholder(text):
        return message, leave_out(reader, text)
    if meant.choices:
        labels = " or ".join(choice.label for choice in meant.choices)
        lines = " or ".join(map_values({text: choice.value}) for choice in meant.choices)
        hint = _decide(reader, "what is meant", lines)
        if name == "locations":
            hint += (
                "; or map a column that names the country as locations.country, or if all places "
                "are in one country, locations.country: {value: …}"
            )
        return f"{word} {'can mean' if meant.choices[1:] else 'is no country, but'} {labels}", hint
    if meant.nearest:
        line = map_values({text: meant.nearest})
        return message, f"{meant.near}; if that is meant, write {line} in the map"
    if name in reader.words and reader.words[name].free == "slug" and not word_slug(text):
        return f"{word} has no Latin letters or digits, so no slug can be made of it", said
    if any(mark in text for mark in ",;/"):
        return message, f"if these are several words, write split in the map; if not, {said}"
    return message, said


def words_with_one_slug(
    reader: CellReader, is_used_by_others: Callable[[str, str, Cells], bool]
) -> Iterator[tuple[Cells, _Said]]:
    """The different words of a free vocabulary that would become the same slug, and those that lose
    signs in it, such as C++.

    Words that differ only by case, accents, and spaces or hyphens are the same.  A slug in use is
    another word if something of the table's word is lost in it (C++ and the tag c), unless only
    records of the same rows have it: `is_used_by_others(field, slug, cells)`.
    """
    for (name, slug), cells in reader.found["slug"].items():
        words = list({plain(text): text for text in reversed(cells.texts)}.values())[::-1]
        lossy = [text for text in cells.texts if not is_spelling(text, slug)]
        listed = [f'"{shorten(word)}"' for word in words]
        if lossy and slug not in words and is_used_by_others(name, slug, cells.only(lossy)):
            listed.append(f'"{slug}", which is in use,')
        if len(listed) > 1:
            said = f"{', '.join(listed[:-1])} and {listed[-1]} would become the same word,"
            others = [word for word in words if word != slug]
            different = map_values(dict.fromkeys(others, _OTHER))
            hint = _decide(reader, "what each means", different)
            hint += f"; if they mean the same, {map_values(dict.fromkeys(others, slug))}"
            message = f'{name}: {said} "{slug}" ({cells.count})'
            yield cells, ("unmatched-value", message, hint)
        elif signs := lost_signs(words[0]):
            message = f'{name}: "{shorten(words[0])}" would become "{slug}", without "{signs}"'
            hint = _decide(reader, "what it means", map_values({words[0]: _OTHER}))
            hint += f"; if that is right, {map_values({words[0]: slug})}"
            yield cells, ("unmatched-value", f"{message} ({cells.count})", hint)


def formula(reader: CellReader, name: str, cells: Cells, text: str) -> _Said:
    message = f'{name}: "{text}" looks like a formula{cells.more}'
    hint = (
        "in the spreadsheet, replace formulas by their values and save again; if the text is "
        f"right, write an apostrophe before it: '{text}"
    )
    return "formula", message, hint


def date(reader: CellReader, name: str, cells: Cells, text: str) -> _Said:
    """Dates without a date format, with formats that fit."""
    message = f'{name}: "{text}" is a date; the map must say how it is written{cells.more}'
    fitting = formats(set(cells.texts))
    lines = " or ".join(f"{_date_line(reader, name, f)} ({in_words(f)})" for f in fitting)
    if not fitting:
        return "invalid-date", message, (
            "this column writes dates in several ways: write all of them the same way, and "
            "say in the map how, with date"
        )  # fmt: skip
    return "invalid-date", message, f"{_by_map(reader)}{lines}"


def number(reader: CellReader, name: str, cells: Cells, text: str) -> _Said:
    """Numbers with two readings."""
    unit = next(t.column.unit for t in reader.asked.targets if t.column.name == name)
    found = {in_digits(readings(text, mark, unit)[0]): mark for mark in ",."}
    message = f'{name}: "{text}" may be {" or ".join(found)}{cells.more}'
    lines = " or ".join(f'number: "{mark}" for {number}' for number, mark in found.items())
    return "wrong-type", message, f"{_by_map(reader)}{lines}"


#: What cells of a field have in common -> what is said of it, and the severity.
_OF_FIELDS: Mapping[str, tuple[Callable[[CellReader, str, Cells, str], _Said], Severity]] = {
    "formula": (formula, "warning"),
    "date": (date, "error"),
    "number": (number, "error"),
}


def problems_of_fields(reader: CellReader) -> Iterator[Diagnostic]:
    """Formulas, dates without a format and unclear numbers, each once for a field."""
    for what, (say, severity) in _OF_FIELDS.items():
        for (name, _), cells in reader.found[what].items():
            said = say(reader, name, cells, shorten(cells.texts[0]))
            yield problem(reader, cells, said, severity)


# --- lines of a map -------------------------------------------------------------------------------


def _decide(reader: CellReader, what: str, lines: str) -> str:
    """A hint at the lines of a map that decide what a word means."""
    if reader.asked.exact:
        return f"correct it in the table, or import with a map (--map) that says {what}: {lines}"
    return f"say in the map {what}: {lines}"


def leave_out(reader: CellReader, text: str) -> str:
    """A hint at the line of a map that leaves a word out."""
    line = map_values({text: None})
    if reader.asked.exact:
        return f"if there is no value, empty the cell, or import with a map (--map) with {line}"
    return f"if there is no value, write {line} in the map"


def map_values(meanings: Mapping[str, Any]) -> str:
    """The line of a map that gives words a meaning."""
    flow = {None: "null", _OTHER: _OTHER}
    pairs = (
        f"{values.scalar(word)}: "
        f"{flow[meaning] if meaning in (None, _OTHER) else values.flow(meaning)}"
        for word, meaning in meanings.items()
    )
    return f"values: {{{', '.join(pairs)}}}"


def _by_map(reader: CellReader) -> str:
    """The begin of a hint at a line of the map, which may be the only one but its kind."""
    if reader.asked.exact:
        return f"import with a map (--map) of kind: {KIND_OF[reader.asked.collection]} and "
    return "in the map, write "


def _date_line(reader: CellReader, name: str, date_format: str) -> str:
    """The line of a map for a field, with a date format; without fields that for all."""
    if reader.asked.exact:
        return values.flow({"date": date_format})[1:-1]
    source = next(t.source for t in reader.asked.targets if t.column.name == name)
    given = {key: value for key, value in source.model_dump(exclude_none=True).items() if value}
    return f"{name}: {values.flow({**given, 'date': date_format})}"
