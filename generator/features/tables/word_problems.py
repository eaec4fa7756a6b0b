"""Problems of the words of a table: each once, with the line of the map that decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from generator.dialect import values
from generator.edit.words import is_spelling, plain
from generator.features.tables.cells import Cells, Reader
from generator.problems.diagnostic import Diagnostic
from generator.problems.faults import shorten
from generator.text.placeholders import is_placeholder
from generator.text.slugs import lost_signs, word_slug

_OTHER = "…"  # what a person writes instead


def unknown_words(reader: Reader) -> Iterator[tuple[Cells, Diagnostic]]:
    """The words that the registry does not know, or that can mean several things."""
    where = {target.column.name: target.column.where for target in reader.targets}
    for (name, text), cells in reader.differing_words.items():
        if cells.meant.value is None:
            place = where.get(name) or "the countries of ISO 3166-1"
            yield cells, _problem(reader, cells, *_unknown(reader, name, text, cells, place))


def _unknown(reader: Reader, name: str, text: str, cells: Cells, place: str) -> tuple[str, str]:
    """The message and the hint about an unknown word."""
    meant, word = cells.meant, f'{name}: "{shorten(text)}"'
    vocabulary = reader.words.get(name)
    said = _decide(reader, "what is meant", map_values({text: _OTHER}))
    if is_placeholder(text):
        message, hint = f"{word} is not among {place}", leave_out(reader, text)
    elif meant.choices:
        labels = " or ".join(choice.label for choice in meant.choices)
        lines = " or ".join(map_values({text: choice.value}) for choice in meant.choices)
        is_known = len(meant.choices) > 1
        message = f"{word} {'can mean' if is_known else 'is no country, but'} {labels}"
        hint = _decide(reader, "what is meant", lines)
        if name == "locations":
            hint += (
                "; or map a column that names the country as locations.country, or if all places "
                "are in one country, locations.country: {value: …}"
            )
    elif meant.nearest:
        message = f"{word} is not among {place}"
        hint = (
            f"{meant.near}; if that is meant, write {map_values({text: meant.nearest})} in the map"
        )
    elif vocabulary is not None and vocabulary.free == "slug" and not word_slug(text):
        message = f"{word} has no Latin letters or digits, so no slug can be made of it"
        hint = said
    else:
        message, hint = f"{word} is not among {place}", said
        if any(mark in text for mark in ",;/"):
            hint = f"if these are several words, write split in the map; if not, {said}"
    return f"{message} ({_count(cells)})", hint


def words_with_one_slug(
    reader: Reader, is_used_by_others: Callable[[str, str, list[Cells]], bool]
) -> Iterator[tuple[Cells, Diagnostic]]:
    """The different words of a free vocabulary that would become the same slug, and those that lose
    signs in it.

    Words that differ only by case, accents, and spaces or hyphens are the same.  A slug in use is
    another word if something of the table's word is lost in it (C++ and the tag c), unless only
    records of the same rows have it: `is_used_by_others(field, slug, cells)`.
    """
    for (name, slug), by_text in reader.slugs_of_words.items():
        words = list({plain(text): text for text in reversed(by_text)}.values())[::-1]
        lossy = [cells for text, cells in by_text.items() if not is_spelling(text, slug)]
        listed = [f'"{shorten(word)}"' for word in words]
        if lossy and slug not in by_text and is_used_by_others(name, slug, lossy):
            listed.append(f'"{slug}", which is in use,')
        if len(listed) < 2:
            yield from _words_without_signs(reader, name, slug, by_text)
            continue
        cells = _together(by_text.values())
        *firsts, last = listed
        said = f"{', '.join(firsts)} and {last}"
        message = f'{name}: {said} would become the same word, "{slug}" ({_count(cells)})'
        others = [word for word in words if word != slug]
        different = map_values(dict.fromkeys(others, _OTHER))
        hint = _decide(reader, "what each means", different)
        hint += f"; if they mean the same, {map_values(dict.fromkeys(others, slug))}"
        yield cells, _problem(reader, cells, message, hint)


def _words_without_signs(
    reader: Reader, name: str, slug: str, by_text: Mapping[str, Cells]
) -> Iterator[tuple[Cells, Diagnostic]]:
    """The words that lose signs in their slug, such as C++."""
    for text, cells in by_text.items():
        if signs := lost_signs(text):
            message = f'{name}: "{shorten(text)}" would become "{slug}", without "{signs}"'
            hint = _decide(reader, "what it means", map_values({text: _OTHER}))
            hint += f"; if that is right, {map_values({text: slug})}"
            yield cells, _problem(reader, cells, f"{message} ({_count(cells)})", hint)


def _together(cells: Iterable[Cells]) -> Cells:
    """The cells of several words as those of one."""
    rows = [(row.number, row, each) for each in cells for row in each.rows]
    rows.sort(key=lambda item: item[0])
    _, first, cells_of_first = rows[0]
    texts = [text for _, _, each in rows for text in each.texts[:1]]
    return Cells(first, cells_of_first.column, texts=texts, rows=[row for _, row, _ in rows])


def _decide(reader: Reader, what: str, lines: str) -> str:
    """A hint at the lines of a map that decide what a word means."""
    if reader.exact:
        return f"correct it in the table, or import with a map (--map) that says {what}: {lines}"
    return f"say in the map {what}: {lines}"


def leave_out(reader: Reader, text: str) -> str:
    """A hint at the line of a map that leaves a word out."""
    line = map_values({text: None})
    if reader.exact:
        return f"if there is no value, empty the cell, or import with a map (--map) with {line}"
    return f"if there is no value, write {line} in the map"


def map_values(meanings: Mapping[str, Any]) -> str:
    """The line of a map that gives words a meaning."""
    pairs = (f"{values.scalar(word)}: {_flow(meaning)}" for word, meaning in meanings.items())
    return f"values: {{{', '.join(pairs)}}}"


def _flow(meaning: Any) -> str:
    if meaning is None or meaning == _OTHER:
        return meaning or "null"
    return values.flow(meaning)


def _count(cells: Cells) -> str:
    count = len(cells.texts)
    return f"{count:,} cells" if count > 1 else "1 cell"


def _problem(reader: Reader, cells: Cells, message: str, hint: str) -> Diagnostic:
    return reader.table.problem(cells.row, cells.column, "unmatched-value", message, hint)
