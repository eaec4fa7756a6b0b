"""Guesses what the columns of a table are, from their names and their cells.

For the first declaration of a kind (`generator.edit.new_kind`), which a person edits: the words of
a guess say what a column looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.edit.places import NotAPlace, read_place
from generator.edit.sheet import Sheet
from generator.edit.spreadsheet import formats, in_words, is_date
from generator.edit.words import WordList, country_meaning, plain, truth
from generator.kinds.own import MAX_NUMBER
from generator.kinds.types import MAX_ITEMS
from generator.text.numbers import CURRENCY_SIGNS, decimal_mark, in_digits, is_placeholder, readings
from generator.text.words import fold, is_slug, lost_signs, word_slug

_SEPARATORS = "|;,"
_MOST_CHOICES, _LONGEST_CHOICE, _LONGEST_LINE = 30, 40, 300
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
#: Words in the name of a column whose digits are no number.
_NO_NUMBER = [
    "isbn",
    "issn",
    "doi",
    "ean",
    "zip",
    "postcode",
    "plz",
    "phone",
    "tel",
    "telephone",
    "id",
    "code",
    "nr",
    "no",
    "number",
]
_DIGITS = ("0", "1")
#: Signs that a slug loses -> words for them.
_SIGNS = str.maketrans({"+": " plus ", "#": " sharp ", "&": " and ", "@": " at ", "%": " percent "})
_with_unit = re.compile(r"(.+?)\s*(?:[(\[]([^()\[\]]{1,40})[)\]]|,? in (\S{1,10}))", re.S).fullmatch
_is_url = re.compile(r"https?://[^\s/.]+(?:\.[^\s/.]+)+(?:/\S*)?").fullmatch
_is_domain = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?", re.I).fullmatch
_is_day = re.compile(r"[12]\d{3}-[01]\d-[0-3]\d", re.ASCII).fullmatch


@dataclass
class Guess:
    """What a column looks like.

    `name` is the field of a record, like `tags.topic`, "" if the column is left out; `settings` are
    those of its declaration, empty for a field that kinds share.  `source` says how an import reads
    it, and `words` what it looks like.
    """

    column: str
    words: str
    name: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    source: dict[str, Any] = field(default_factory=dict)


class Guesses:
    """Guesses the columns of a table of records; `called` is the word for one and for several.

    `records` has the records of other kinds by collection, `families` the tag families (family ->
    label and allowed tags, None for any), `currencies` all codes, `language` that of the registry.
    """

    def __init__(
        self,
        table: Sheet,
        called: tuple[str, str],
        records: Mapping[str, WordList],
        families: Mapping[str, tuple[str, WordList | None]],
        currencies: Iterable[str],
        language: str,
    ):
        self.table, self.records, (one, many) = table, records, called
        self.many, self.called = many.replace("-", " "), {one, many, f"{one} name"}
        self.families, self.currencies, self.language = families, set(currencies), language
        self.cells: dict[str, list[str]] = {}
        self.missing: dict[str, list[str]] = {}
        for column in filter(None, table.columns):
            texts = [str(row.values.get(column) or "").strip() for row in table.rows]
            self.missing[column] = list(dict.fromkeys(filter(is_placeholder, texts)))
            self.cells[column] = [t for t in texts if t and not is_placeholder(t)]
        self.taken: set[str] = set()

    def all(self) -> list[Guess]:
        """A guess for each column."""
        found = {column: self._shared(column) for column in self._by_name()}
        if "name" not in self.taken:
            self._find_names(found)
        guesses = [found[column] or self._own(column) for column in self.cells]
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
        if not cells:
            return None if not self.table.rows else Guess(column, "empty: left out")
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
        if all(len(cell) <= _LONGEST_LINE and "\n" not in cell for cell in cells):
            return self._take(column, "summary", "a line about each record")
        return self._description(column)

    def _description(self, column: str) -> Guess | None:
        fits = all(len(cell) <= 10_000 for cell in self.cells[column])
        if "description" in self.taken or not fits:
            return None
        return self._take(column, "description", "a longer text about each record")

    def _website(self, column: str, cells: list[str]) -> Guess | None:
        bare = [cell for cell in cells if not _is_url(cell)]
        if not all(map(_is_domain, bare)) or len({fold(cell) for cell in cells}) < len(cells):
            return None
        prefix = {"prefix": "https://"} if bare else {}
        return self._take(column, "website", "the website of each record", **prefix)

    def _year(self, column: str, cells: list[str]) -> Guess | None:
        years = (re.fullmatch(r"1[89]\d\d|2[01]\d\d", cell, re.ASCII) for cell in cells)
        if not cells or not all(years):
            return None
        return self._take(column, "year", f"the year of each record, {min(cells)} to {max(cells)}")

    def _sources(self, column: str, cells: list[str]) -> Guess | None:
        for separator in ("", *_SEPARATORS):
            if all(map(_is_url, _parts(cells, separator))):
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
        marks = any(mark in cell for cell in self.cells[column] for mark in _SEPARATORS)
        if "locations.country" not in self.taken or alone or marks:
            return None
        return self._take(column, f"locations.{part}", f"the {part} of each record")

    def _locations(self, column: str, cells: list[str]) -> Guess | None:
        if self.taken & {"locations.country", "locations"}:
            return None
        for separator in ("", ";", "|"):
            if all(map(_is_place, _parts(cells, separator))):
                split = {"split": separator} if separator else {}
                return self._take(column, "locations", "the places of each record", **split)
        return None

    def _tags(self, column: str, family: str, tags: WordList | None) -> Guess | None:
        name = f"tags.{family}"
        for separator in ("", *_SEPARATORS):
            parts = _parts(self.cells[column], separator)
            known = all(
                tags.meaning_of(part).value if tags else word_slug(part) and not lost_signs(part)
                for part in parts
            )
            short = all(len(part) <= _LONGEST_CHOICE for part in parts)
            marked = any(mark in part for part in parts for mark in _SEPARATORS)
            if name not in self.taken and known and short and not marked:
                split = {"split": separator} if separator else {}
                return self._take(column, name, f"tags of the family {family}", **split)
        return None

    # --- own fields ---

    def _own(self, column: str) -> Guess:
        cells = self.cells[column]
        for find in [self._text] if not cells else (
            self._relation, self._url, self._boolean, self._date, self._number, self._choice,
            self._text,
        ):  # fmt: skip
            if (guess := find(column, cells)) is not None:
                label, _ = _label_and_unit(column)
                if guess.settings:
                    label = label if guess.settings["type"] in ("number", "money") else column
                    guess.name = _key(label)
                    guess.settings = {"label": " ".join(label.split())[:200], **guess.settings}
                return guess
        return self._description(column) or Guess(column, "too long for a field: left out")

    def _relation(self, column: str, cells: list[str]) -> Guess | None:
        header = fold(column)
        near = sorted(self.records, key=lambda name: name.rstrip("s") not in header)
        for name in near:
            for separator in ("", *_SEPARATORS):
                parts = _parts(cells, separator)
                if all(self.records[name].meaning_of(part).value for part in parts):
                    return _several(column, f"names of {name}", separator, type="record", of=name,
                                    filter=True, reverse=self.many.capitalize())  # fmt: skip
        return None

    def _url(self, column: str, cells: list[str]) -> Guess | None:
        for separator in ("", *_SEPARATORS):
            if all(map(_is_url, _parts(cells, separator))):
                return _several(column, "addresses on the web", separator, type="url")
        return None

    def _boolean(self, column: str, cells: list[str]) -> Guess | None:
        if any(cell in _DIGITS or not isinstance(truth(cell), bool) for cell in cells):
            return None
        return Guess(column, "yes or no", settings={"type": "boolean", "filter": True})

    def _date(self, column: str, cells: list[str]) -> Guess | None:
        settings = {"type": "date", "filter": True, "sort": True}
        if all(map(_is_day, cells)):
            return Guess(column, "dates", settings=settings)
        found = [f for f in formats(cells) if "%H" not in f] if all(map(is_date, cells)) else []
        if not found:
            return None
        also = f"; may be {in_words(found[1])}, too" if found[1:] else ""
        words = f"dates, written {in_words(found[0])}{also}"
        return Guess(column, words, settings=settings, source={"date": found[0]})

    def _number(self, column: str, cells: list[str]) -> Guess | None:
        _, unit = _label_and_unit(column)
        words = {fold(word) for word in re.findall(r"\w+", column)}
        leading = any(re.fullmatch(r"0\d+", cell) for cell in cells)
        if leading or words.intersection(_NO_NUMBER):
            return None
        currency = self._currency(column, cells)
        unit = currency or unit
        first = decimal_mark(self.language)
        for mark in ("", first, {".": ",", ",": "."}[first]):
            found = [readings(cell, mark, unit) for cell in cells]
            if all(len(numbers) == 1 and abs(numbers[0]) <= MAX_NUMBER for numbers in found):
                break
        else:
            return None
        numbers = [numbers[0] for numbers in found]
        span = f"{in_digits(min(numbers))} to {in_digits(max(numbers))}"
        what = f"amounts in {currency}" if currency else f"numbers{f' in {unit}' * bool(unit)}"
        of = {"currency": currency} if currency else {"unit": unit} if unit else {}
        settings = {"type": "money" if currency else "number", **of, "filter": True, "sort": True}
        source = {"number": mark} if mark else {}
        return Guess(column, f"{what}, {span}", settings=settings, source=source)

    def _currency(self, column: str, cells: list[str]) -> str:
        """The currency that the name of a column or all its cells have; "" for none."""
        for match in re.finditer(r"[^\W\d_]+|[^\s\w()\[\]]+", column):
            code = CURRENCY_SIGNS.get(match[0].casefold(), match[0])
            if code in self.currencies:
                return code
        signs = {re.sub(r"[\d\s.,'’+-]", "", cell) for cell in cells}
        codes: set[str] = {CURRENCY_SIGNS.get(sign.casefold(), sign) for sign in signs}
        found = sorted(codes & self.currencies)
        return found[0] if len(found) == len(codes) == 1 else ""

    def _choice(self, column: str, cells: list[str]) -> Guess | None:
        within = [mark for mark in _SEPARATORS if any(mark in cell for cell in cells)]
        found = {separator: _choices(_parts(cells, separator)) for separator in (*within, "")}
        found = {separator: values for separator, values in found.items() if values}
        if not found:
            return None
        separator = min(found, key=lambda separator: len(found[separator]))
        words = f"{'lists of' if separator else 'one of'} {len(found[separator])} words"
        settings = {"type": "choice", "values": found[separator], "filter": True}
        return _several(column, words, separator, **settings)

    def _text(self, column: str, cells: list[str]) -> Guess | None:
        for separator in "|;":
            having = sum(separator in cell for cell in cells)
            lists = [_parts([cell], separator) for cell in cells]
            if having * 2 >= len(cells) and max(map(len, lists)) <= MAX_ITEMS:
                return _several(column, "lists of texts", separator, type="text")
        if any(len(cell) > _LONGEST_LINE or "\n" in cell for cell in cells):
            return None
        return Guess(column, "texts", settings={"type": "text"})


def _header(column: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", fold(column)))


def _label_and_unit(column: str) -> tuple[str, str]:
    """The name of a column without a unit in brackets or after "in", and the unit."""
    match = _with_unit(column.strip())
    return (match[1], match[2] or match[3]) if match else (column, "")


def _key(label: str) -> str:
    key = word_slug(label).replace("-", "_")
    return (key if key[:1].isalpha() else f"column_{key}".rstrip("_"))[:50].strip("_")


def _parts(cells: Iterable[str], separator: str) -> list[str]:
    """The values of cells, which a separator divides; "" for one value in each cell."""
    parts = (cell.split(separator) if separator else [cell] for cell in cells)
    return [part.strip() for of in parts for part in of if part.strip()]


def _several(column: str, words: str, separator: str, **settings: Any) -> Guess:
    if not separator:
        return Guess(column, words, settings=settings)
    divided = f'{words}, divided by "{separator}"'
    return Guess(column, divided, settings={**settings, "many": True}, source={"split": separator})


def _choices(parts: Sequence[str]) -> dict[str, str]:
    """The values of a choice, slug -> label, if few words come again and again; else none."""
    labels: dict[str, str] = {}
    for part in parts:
        labels.setdefault(plain(part), part)
    few = 1 < len(labels) <= _MOST_CHOICES and len(labels) * 3 <= len(parts) * 2
    if not few or any(len(part) > _LONGEST_CHOICE for part in parts):
        return {}
    values = {word_slug(text.translate(_SIGNS)): text for text in labels.values()}
    return values if len(values) == len(labels) and all(values) else {}


def _is_place(text: str) -> bool:
    try:
        place = read_place([part.strip() for part in text.split(",")])
    except NotAPlace:
        return False
    return not place.readings and country_meaning(place.country).value is not None


def _is_no_name(text: str) -> bool:
    return bool(len(text) > 200 or _is_url(text) or is_date(text) or readings(text))
