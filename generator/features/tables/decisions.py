"""Problems that several cells of a table have: each once, with the line of the map that decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from generator.dialect import values
from generator.edit.spreadsheet import formats, in_words
from generator.edit.tables.columns import values_place
from generator.edit.words import is_spelling, plain
from generator.features.tables.problems import Cells
from generator.features.tables.scalars import ScalarReader
from generator.problems.faults import shorten
from generator.text.numbers import in_digits, is_placeholder, readings
from generator.text.words import lost_signs, word_slug

_OTHER = "…"  # what a person writes instead


def undecided_words(
    reader: ScalarReader, is_used_by_others: Callable[[str, str, Cells], bool]
) -> Iterator[tuple[Cells, str, str]]:
    """The words that a person must decide on: their cells, the message and the hint.

    The registry does not know them, or they can mean several things; or different words of a free
    vocabulary would become the same slug, or a word loses signs in it, such as C++.  Words that
    differ only by case, accents, and spaces or hyphens are the same.  A slug in use is another word
    if something of the table's word is lost in it (C++ and the tag c), unless only records of the
    same rows have it: `is_used_by_others(field, slug, cells)`.
    """
    where = {target.column.name: target.column.where for target in reader.asked.targets}
    for (name, text), cells in reader.found["word"].items():
        if cells.meant.value is None:
            place = where.get(name) or "the countries of ISO 3166-1"
            message, hint = _unknown(reader, name, text, cells, place)
            yield cells, message, hint
    for (name, slug), cells in reader.found["slug"].items():
        words = list({plain(text): text for text in reversed(cells.texts)}.values())[::-1]
        lossy = [text for text in cells.texts if not is_spelling(text, slug)]
        listed = [f'"{shorten(word)}"' for word in words]
        if lossy and slug not in words and is_used_by_others(name, slug, cells.only(lossy)):
            listed.append(f'"{slug}", which is in use,')
        others = [word for word in words if word != slug]
        if len(listed) > 1:
            message = f"{' and '.join((', '.join(listed[:-1]), listed[-1]))} would become the same "
            message += f'word, "{slug}"'
            hint = _decide(reader, "what each means", map_values(dict.fromkeys(others, _OTHER)))
            hint += f"; if they mean the same, {map_values(dict.fromkeys(others, slug))}"
        elif signs := lost_signs(words[0] if name in reader.created else _within(words[0])):
            message = f'"{shorten(words[0])}" would become "{slug}", without "{signs}"'
            hint = _decide(reader, "what it means", map_values({words[0]: _OTHER}))
            hint += f"; if that is right, {map_values({words[0]: slug})}"
        else:
            continue
        yield cells, f"{name}: {message}", hint


def _within(word: str) -> str:
    """A word without signs that stand alone, as in "⊘ Proprietary": its label keeps these."""
    parts = [part for part in word.split() if any(map(str.isalnum, part))]
    return " ".join(parts)


def _unknown(
    reader: ScalarReader, name: str, text: str, cells: Cells, place: str
) -> tuple[str, str]:
    meant, word = cells.meant, f'{name}: "{shorten(text)}"'
    message = f"{word} is not among {place}"
    said = _decide(reader, "what is meant", map_values({text: _OTHER}))
    target = next((t.column for t in reader.asked.targets if t.column.name == name), None)
    if target is not None and (target.of or values_place(target)) and word_slug(text):
        said += f"; or create what is missing: --create {target.of or name}"
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
    several = any(mark in text for mark in ",;/")
    split = "if these are several words, write split in the map; if not, " if several else ""
    if meant.nearest:
        line = map_values({text: meant.nearest})
        return message, f"{split}{meant.near}; if that is meant, write {line} in the map"
    if name in reader.words and reader.words[name].free == "slug" and not word_slug(text):
        return f"{word} has no Latin letters or digits, so no slug can be made of it", said
    return message, f"{split}{said}"


def report_fields(reader: ScalarReader) -> None:
    """Report formulas, dates without a format and unclear numbers, each once for a field."""
    add = reader.problems.add
    for (name, _), cells in reader.found["formula"].items():
        text = shorten(cells.texts[0])
        message = f'{name}: "{text}" looks like a formula{cells.more}'
        hint = (
            "in the spreadsheet, replace formulas by their values and save again; if the text is "
            f"right, write an apostrophe before it: '{text}"
        )
        add(cells.rows, name, cells.column, "formula", message, hint, "warning")
    for (name, _), cells in reader.found["date"].items():
        text = shorten(cells.texts[0])
        message = f'{name}: "{text}" is a date; the map must say how it is written{cells.more}'
        fitting = formats(set(cells.texts))
        lines = " or ".join(f"{_date_line(reader, name, f)} ({in_words(f)})" for f in fitting)
        hint = f"{_by_map(reader)}{lines}"
        if not fitting:
            hint = (
                "this column writes dates in several ways: write all of them the same way, and "
                "say in the map how, with date"
            )
        add(cells.rows, name, cells.column, "invalid-date", message, hint)
    for (name, _), cells in reader.found["number"].items():
        text = cells.texts[0]
        unit = next(t.column.unit for t in reader.asked.targets if t.column.name == name)
        found = {in_digits(readings(text, mark, unit)[0]): mark for mark in ",."}
        message = f'{name}: "{shorten(text)}" may be {" or ".join(found)}{cells.more}'
        lines = " or ".join(f'number: "{mark}" for {number}' for number, mark in found.items())
        add(cells.rows, name, cells.column, "wrong-type", message, f"{_by_map(reader)}{lines}")


# --- lines of a map -------------------------------------------------------------------------------


def _decide(reader: ScalarReader, what: str, lines: str) -> str:
    """A hint at the lines of a map that decide what a word means."""
    if reader.asked.exact:
        return f"correct it in the table, or import with a map (--map) that says {what}: {lines}"
    return f"say in the map {what}: {lines}"


def leave_out(reader: ScalarReader, text: str) -> str:
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


def _by_map(reader: ScalarReader) -> str:
    """The begin of a hint at a line of the map, which may be the only one but its kind."""
    if reader.asked.exact:
        return f"import with a map (--map) of kind: {reader.asked.kind} and "
    return "in the map, write "


def _date_line(reader: ScalarReader, name: str, date_format: str) -> str:
    """The line of a map for a field, with a date format; without fields that for all."""
    if reader.asked.exact:
        return values.flow({"date": date_format})[1:-1]
    source = next(t.source for t in reader.asked.targets if t.column.name == name)
    given = {key: value for key, value in source.model_dump(exclude_none=True).items() if value}
    return f"{name}: {values.flow({**given, 'date': date_format})}"
