"""Guesses what a column of a table is from its cells: one of the types of own fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.edit.guesses.cells import (
    LONGEST_LINE,
    SEPARATORS,
    Column,
    Guess,
    divided,
    is_url,
    parts_of,
    unit_of,
)
from generator.edit.guesses.fits import read_dates
from generator.edit.guesses.propose import Proposal
from generator.edit.words import WordList, plain, truth
from generator.kinds.own import MAX_NUMBER
from generator.kinds.types import MAX_ITEMS
from generator.text.numbers import CURRENCY_SIGNS, decimal_mark, in_digits, readings
from generator.text.words import fold, word_slug

_MOST_CHOICES, _LONGEST_CHOICE = 30, 40
#: Words in the name of a column whose digits are no number.
_NO_NUMBER = [
    "isbn", "issn", "doi", "ean", "zip", "postcode", "plz", "phone", "tel", "telephone", "id",
    "code", "nr", "no", "number",
]  # fmt: skip
_DIGITS = ("0", "1")
#: Signs that a slug loses -> words for them.
_SIGNS = str.maketrans({"+": " plus ", "#": " sharp ", "&": " and ", "@": " at ", "%": " percent "})
_with_unit = re.compile(r"(.+?)\s*(?:[(\[]([^()\[\]]{1,40})[)\]]|,? in (\S{1,10}))", re.S).fullmatch


@dataclass
class OwnFields:
    """Declares fields for columns of records that are called `many`.

    `records` has the records of other kinds by collection, `currencies` all codes, `language` is
    that of the registry.
    """

    many: str
    records: Mapping[str, WordList]
    currencies: frozenset[str]
    language: str

    def propose(self, column: Column) -> Proposal | None:
        """The field that a column is; None if its texts are too long."""
        name, cells = column.name, list(filter(None, column.cells))
        single = () if column.is_list else (self._boolean, self._date, self._number)
        finds = (self._relation, self._url, *single, self._choice, self._text)
        for find in finds if cells else [self._text]:
            if (guess := find(name, cells)) is not None:
                if column.is_list:
                    guess.settings["many"] = True
                has_unit = guess.settings["type"] in ("number", "money")
                label = _label_and_unit(name)[0] if has_unit else name
                guess.settings = {"label": " ".join(label.split())[:200], **guess.settings}
                return Proposal(_key(label), column, guess)
        return None

    def _relation(self, column: str, cells: list[str]) -> Guess | None:
        header = fold(column)
        for name in sorted(self.records, key=lambda name: name.rstrip("s") not in header):
            settings = {"type": "record", "of": name, "filter": True,
                        "reverse": self.many.capitalize()}  # fmt: skip
            words = self.records[name]
            guess = _all_are(cells, lambda part: words.meaning_of(part).value,  # noqa: B023
                             f"names of {name}", **settings)  # fmt: skip
            if guess is not None:
                return guess
        return None

    def _url(self, column: str, cells: list[str]) -> Guess | None:
        return _all_are(cells, is_url, "addresses on the web", type="url")

    def _boolean(self, column: str, cells: list[str]) -> Guess | None:
        if any(cell in _DIGITS or not isinstance(truth(cell), bool) for cell in cells):
            return None
        return Guess(1, "yes or no", settings={"type": "boolean", "filter": True})

    def _date(self, column: str, cells: list[str]) -> Guess | None:
        for some in cells[:10], cells:  # most columns are no dates
            how = read_dates(Column(column, some, some))
            if how is None or how.share < 1 or how.source.keys() - {"date"}:
                return None
        if how is None or "%H" in how.source.get("date", ""):
            return None
        how.words += f"; {how.doubt}" if how.doubt else ""
        how.settings = {"type": "date", "filter": True, "sort": True}
        return how

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
        return Guess(1, f"{what}, {span}", source, settings=settings)

    def _currency(self, column: str, cells: list[str]) -> str:
        """The currency that the name of a column or all its cells have; "" for none."""
        for match in re.finditer(r"[^\W\d_]+|[^\s\w()\[\]]+", column):
            code = CURRENCY_SIGNS.get(match[0].casefold(), match[0])
            if code in self.currencies:
                return code
        signs = set(map(unit_of, cells))
        codes: set[str] = {CURRENCY_SIGNS.get(sign.casefold(), sign) for sign in signs}
        found = sorted(codes & self.currencies)
        return found[0] if len(found) == len(codes) == 1 else ""

    def _choice(self, column: str, cells: list[str]) -> Guess | None:
        within = [mark for mark in SEPARATORS if any(mark in cell for cell in cells)]
        found = {separator: _choices(parts_of(cells, separator)) for separator in (*within, "")}
        found = {separator: values for separator, values in found.items() if values}
        if not found:
            return None
        separator = min(found, key=lambda separator: len(found[separator]))
        words = f"{'lists of' if separator else 'one of'} {len(found[separator])} words"
        settings = {"type": "choice", "values": found[separator], "filter": True}
        return _several(words, separator, **settings)

    def _text(self, column: str, cells: list[str]) -> Guess | None:
        for separator in "|;":
            having = sum(separator in cell for cell in cells)
            lists = [parts_of([cell], separator) for cell in cells]
            if cells and having * 2 >= len(cells) and max(map(len, lists)) <= MAX_ITEMS:
                return _several("lists of texts", separator, type="text")
        if any(len(cell) > LONGEST_LINE or "\n" in cell for cell in cells):
            return None
        return Guess(1, "texts", settings={"type": "text"})


def _label_and_unit(column: str) -> tuple[str, str]:
    """The name of a column without a unit in brackets or after "in", and the unit."""
    match = _with_unit(column.strip())
    return (match[1], match[2] or match[3]) if match else (column, "")


def _key(label: str) -> str:
    key = word_slug(label).replace("-", "_")
    return (key if key[:1].isalpha() else f"column_{key}".rstrip("_"))[:50].strip("_")


def _all_are(
    cells: list[str], is_value: Callable[[str], Any], words: str, **settings: Any
) -> Guess | None:
    """The first division of cells in which all parts are values."""
    for separator in ("", *SEPARATORS):
        if all(map(is_value, parts_of(cells, separator))):
            return _several(words, separator, **settings)
    return None


def _several(words: str, separator: str, **settings: Any) -> Guess:
    if not separator:
        return Guess(1, words, settings=settings)
    words = f'{words}, divided by "{separator}"'
    return Guess(1, words, divided(separator), settings={**settings, "many": True})


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
