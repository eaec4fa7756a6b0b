"""Guesses what the columns of a table are, from their names and their cells.

For the first declaration of a kind (`generator.edit.new_kind`), which a person edits: the words of
a guess say what a column looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.edit.guess_fields import (
    LONGEST_CHOICE,
    LONGEST_LINE,
    SEPARATORS,
    FieldGuesses,
    Guess,
    is_url,
    parts_of,
)
from generator.edit.places import NotAPlace, read_place
from generator.edit.spreadsheet import is_date
from generator.edit.tables.sheet import Sheet, as_text, value_of
from generator.edit.words import WordList, country_meaning
from generator.text.numbers import is_placeholder, readings
from generator.text.words import fold, is_slug, lost_signs, word_slug

#: Field that kinds share -> the names of columns with its values.
_NAMES: Mapping[str, Sequence[str]] = {
    "slug": ("slug", "id"),
    "name": ("name", "title", "titel", "nom", "nombre", "bezeichnung"),
    "summary": ("summary", "description", "about", "tagline", "subtitle", "beschreibung", "notes"),
    "website": ("website", "url", "homepage", "web", "web site", "site", "link", "webseite"),
    "year": ("year", "founded", "established", "built", "opened", "published", "released", "jahr",
             "gegrundet", "year founded", "founding year", "publication year", "release year"),
    "sources": ("source", "sources", "reference", "references", "quelle", "quellen"),
    "locations.country": ("country", "country code", "land", "pays", "nation"),
    "locations.region": ("region", "state", "province", "bundesland"),
    "locations.city": ("city", "town", "stadt", "ville"),
    "locations": ("location", "locations", "place", "places", "office", "offices", "headquarters",
                  "hq", "based in", "ort"),
    "tags": ("tags", "tag", "keywords", "topics", "topic"),
}  # fmt: skip
is_domain = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?", re.I).fullmatch


class Guesses:
    """Guesses the columns of a table of records; `one` is the word for a single record.

    `families` has the tag families (family -> label and allowed tags, None for any), `own` guesses
    the columns that no field of all kinds has.
    """

    def __init__(
        self,
        table: Sheet,
        one: str,
        families: Mapping[str, tuple[str, WordList | None]],
        own: FieldGuesses,
    ):
        self.table, self.families, self.own = table, families, own
        self.called = {one, own.many, f"{one} name"}
        self.cells: dict[str, list[str]] = {}
        self.missing: dict[str, list[str]] = {}
        for column in filter(None, table.columns):
            found = [value_of(row, column) for row in table.rows]
            if any(isinstance(value, dict) for value in found):
                continue
            texts = [as_text(value, "|").strip() for value in found]
            self.missing[column] = list(dict.fromkeys(filter(is_placeholder, texts)))
            self.cells[column] = [t for t in texts if t and not is_placeholder(t)]
        self.taken: set[str] = set()

    def all(self) -> list[Guess]:
        """A guess for each column."""
        found = {column: self._shared(column) for column in self._by_name()}
        if "name" not in self.taken:
            self._find_names(found)
        guesses = [
            found[column]
            or self.own.guess(column, cells)
            or self._description(column)
            or Guess(column, "too long for a field: left out")
            for column, cells in self.cells.items()
        ]
        for guess in guesses:
            if guess.name and (missing := self.missing[guess.column]):
                guess.source["values"] = dict.fromkeys(missing)
        return guesses

    def _by_name(self) -> list[str]:
        """The columns, those with the first names of a field first, countries before cities."""
        ranks = {name: (i, j) for i, names in enumerate(_NAMES.values())
                 for j, name in enumerate(names)}  # fmt: skip
        return sorted(self.cells, key=lambda c: ranks.get(_header(c), (len(ranks), 0)))

    def _find_names(self, found: dict[str, Guess | None]) -> None:
        """The first column with a different text in each row has the names."""
        rows = len(self.table.rows)
        for column, cells in self.cells.items():
            distinct = len(set(cells)) == len(cells) == rows
            if found[column] is None and distinct and not any(map(_is_no_name, cells)):
                found[column] = Guess(column, "the name of each record", "name")
                return

    # --- fields that kinds share ---

    def _shared(self, column: str) -> Guess | None:
        header, cells = _header(column), self.cells[column]
        if not cells and self.table.rows:
            return Guess(column, "empty: left out")
        for name, (label, tags) in self.families.items():
            is_family = header in (fold(name), fold(label), *_NAMES["tags"])
            if is_family and (guess := self._tags(column, name, tags)):
                return guess
        if header in self.called and "name" not in self.taken and self._fits_name(cells):
            return self._take(column, "name", "the name of each record")
        for name, headers in _NAMES.items():
            if header in headers and name not in self.taken:
                reader: Callable[[str, list[str]], Guess | None] = getattr(
                    self, f"_{name.replace('.', '_')}"
                )
                return reader(column, cells) if name != "tags" else None
        return None

    def _take(self, column: str, name: str, words: str, **source: Any) -> Guess:
        self.taken.add(name)
        return Guess(column, words, name, source=source)

    def _slug(self, column: str, cells: list[str]) -> Guess | None:
        fits = all(map(is_slug, cells)) and len(set(cells)) == len(self.table.rows)
        if not fits or all(cell.isdigit() for cell in cells):
            return None
        return self._take(column, "slug", "the file name of each record")

    def _fits_name(self, cells: list[str]) -> bool:
        return len(cells) == len(self.table.rows) and max(map(len, cells), default=0) <= 200

    def _name(self, column: str, cells: list[str]) -> Guess | None:
        fits = self._fits_name(cells)
        return self._take(column, "name", "the name of each record") if fits else None

    def _summary(self, column: str, cells: list[str]) -> Guess | None:
        if all(len(cell) <= LONGEST_LINE and "\n" not in cell for cell in cells):
            return self._take(column, "summary", "a line about each record")
        return self._description(column)

    def _description(self, column: str) -> Guess | None:
        fits = all(len(cell) <= 10_000 for cell in self.cells[column])
        if "description" in self.taken or not fits:
            return None
        return self._take(column, "description", "a longer text about each record")

    def _website(self, column: str, cells: list[str]) -> Guess | None:
        bare = [cell for cell in cells if not is_url(cell)]
        if not all(map(is_domain, bare)) or len({fold(cell) for cell in cells}) < len(cells):
            return None
        prefix = {"prefix": "https://"} if bare else {}
        return self._take(column, "website", "the website of each record", **prefix)

    def _year(self, column: str, cells: list[str]) -> Guess | None:
        years = (re.fullmatch(r"1\d\d\d|2[01]\d\d", cell, re.ASCII) for cell in cells)
        if not cells or not all(years):
            return None
        return self._take(column, "year", f"the year of each record, {min(cells)} to {max(cells)}")

    def _sources(self, column: str, cells: list[str]) -> Guess | None:
        for separator in ("", *SEPARATORS):
            if all(map(is_url, parts_of(cells, separator))):
                split = {"split": separator} if separator else {}
                return self._take(column, "sources", "where the facts come from", **split)
        return None

    def _locations_country(self, column: str, cells: list[str]) -> Guess | None:
        if any(country_meaning(cell).value is None for cell in cells):
            return None
        return self._take(column, "locations.country", "the country of each record")

    def _locations_region(self, column: str, cells: list[str]) -> Guess | None:
        return self._in_country(column, "region")

    def _locations_city(self, column: str, cells: list[str]) -> Guess | None:
        return self._in_country(column, "city")

    def _in_country(self, column: str, part: str) -> Guess | None:
        country = next((c for c in self.cells if _header(c) in _NAMES["locations.country"]), "")
        alone = any(row.values.get(column) and not row.values.get(country)
                    for row in self.table.rows)  # fmt: skip
        marks = any(mark in cell for cell in self.cells[column] for mark in SEPARATORS)
        if "locations.country" not in self.taken or alone or marks:
            return None
        return self._take(column, f"locations.{part}", f"the {part} of each record")

    def _locations(self, column: str, cells: list[str]) -> Guess | None:
        if self.taken & {"locations.country", "locations"}:
            return None
        for separator in ("", ";", "|"):
            if all(map(_is_place, parts_of(cells, separator))):
                split = {"split": separator} if separator else {}
                return self._take(column, "locations", "the places of each record", **split)
        return None

    def _tags(self, column: str, family: str, tags: WordList | None) -> Guess | None:
        name = f"tags.{family}"
        for separator in ("", *SEPARATORS):
            parts = parts_of(self.cells[column], separator)
            known = all(
                tags.meaning_of(part).value if tags else word_slug(part) and not lost_signs(part)
                for part in parts
            )
            short = all(len(part) <= LONGEST_CHOICE for part in parts)
            marked = any(mark in part for part in parts for mark in SEPARATORS)
            if name not in self.taken and known and short and not marked:
                split = {"split": separator} if separator else {}
                return self._take(column, name, f"tags of the family {family}", **split)
        return None


def _header(column: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", fold(column)))


def _is_place(text: str) -> bool:
    try:
        place = read_place([part.strip() for part in text.split(",")])
    except NotAPlace:
        return False
    return not place.readings and country_meaning(place.country).value is not None


def _is_no_name(text: str) -> bool:
    return bool(len(text) > 200 or is_url(text) or is_date(text) or readings(text))
