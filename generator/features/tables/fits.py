"""Whether the cells of a column are values of a field, and how a map reads them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from generator.edit.guess import is_domain
from generator.edit.guess_fields import is_url, parts_of
from generator.edit.places import NotAPlace, read_place
from generator.edit.spreadsheet import formats, in_words, is_date
from generator.edit.tables.sheet import Sheet, as_text, value_of
from generator.edit.words import WordList, truth
from generator.features.tables.columns import CellColumn
from generator.features.tables.ranges import read_range
from generator.model.country_names import find_country, is_part, split_parts
from generator.model.kinds.event_times import TIME_FIELDS
from generator.model.online import without_online
from generator.problems.faults import shorten
from generator.text.numbers import is_placeholder, readings
from generator.text.words import is_slug, word_slug

_MOST_ROWS = 500  # rows that a guess looks at
_LONGEST_TAG, _LONGEST_LINE, _LONGEST_NAME = 50, 300, 200
_TIMES = {name for names in TIME_FIELDS.values() for name in names}
_SEPARATORS = (";", "、", ",", "/")
_is_day = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII).fullmatch
_is_time = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?", re.ASCII).fullmatch
_begins_with_day = re.compile(r"\d{4}-\d\d-\d\d(?!\d)", re.ASCII).match
_is_year = re.compile(r"1\d{3}|2[01]\d\d", re.ASCII).fullmatch
_has_year = re.compile(r"\b(?:1\d{3}|2[01]\d\d)\b", re.ASCII).search
_is_repository = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII).fullmatch


@dataclass
class Column:
    """The texts of a column of a table, without empty cells and words for a missing value."""

    name: str
    texts: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    is_list: bool = False
    rows: int = 0

    @classmethod
    def of(cls, table: Sheet, name: str) -> Column | None:
        """None for a column of mappings."""
        column = cls(name)
        for row in table.rows[:_MOST_ROWS]:
            value = value_of(row, name)
            parts = value if isinstance(value, list) else [value]
            if any(isinstance(part, dict | list) for part in parts):
                return None
            column.is_list |= isinstance(value, list)
            texts = [text for text in map(as_text, parts) if text]
            column.missing += filter(is_placeholder, texts)
            column.texts += [text for text in texts if not is_placeholder(text)]
            column.rows += 1
        return column


class Fit(NamedTuple):
    """How cells are read as a field: the share of cells that are values of it, the words for a map,
    what the cells look like, and what is unsure.
    """

    share: float
    words: str
    source: Mapping[str, Any] = {}
    doubt: str = ""


def fit(column: Column, wanted: CellColumn, words: WordList | None) -> Fit | None:
    """How the cells of a column are read as a field; None if they are no values of it."""
    if not column.texts:
        return None
    if wanted.many and not column.is_list:
        column = replace(column, texts=parts_of(column.texts, "|"))
    name = wanted.name
    if name in _BY_NAME:
        found = _BY_NAME[name](column)
    elif wanted.loc[0] == "links":
        found = _link(column, wanted.loc[1])
    elif words is not None:
        found = _words(column, wanted, words)
    elif wanted.shape == "number":
        found = _number(column, wanted.unit)
    elif wanted.dated and wanted.shape != "integer":
        found = _date(column, name)
    else:
        line = _lines if wanted.many else _line
        found = _BY_SHAPE.get(wanted.shape, line)(column)
    if found is None or found.share < 0.5:
        return None
    if found.share < 1:
        wrong = f"{1 - found.share:.0%} of the cells are not, and are left out"
        doubt = f"{found.doubt}; {wrong}" if found.doubt else wrong
        return found._replace(source={**found.source, "on_error": None}, doubt=doubt)
    return found


def _share(column: Column, is_value: Callable[[str], Any]) -> float:
    return sum(bool(is_value(text)) for text in column.texts) / len(column.texts)


def _first_wrong(column: Column, is_value: Callable[[str], Any]) -> str:
    return shorten(next((text for text in column.texts if not is_value(text)), ""), 30)


def _name(column: Column) -> Fit | None:
    distinct = len(set(column.texts)) / len(column.texts)
    lacking = len(column.texts) < column.rows
    is_name = _share(column, lambda t: len(t) <= _LONGEST_NAME and "\n" not in t and not is_url(t))
    numbers = _share(column, lambda text: readings(text) or is_date(text))
    if distinct < 0.5 or numbers > 0.5 or column.is_list:
        return None
    doubt = "some names come twice: choose a key" if distinct < 1 else ""
    doubt = doubt or "some rows have no name" * lacking
    return Fit(is_name, "a name in each row", doubt=doubt)


def _slug(column: Column) -> Fit | None:
    is_unique = len(set(column.texts)) == column.rows == len(column.texts)
    fits = is_unique and all(map(is_slug, column.texts))
    if not fits or all(text.isdigit() for text in column.texts):
        return None
    return Fit(1, "a slug in each row")


def _summary(column: Column) -> Fit | None:
    html = {"strip_html": True} if _share(column, lambda t: re.search(r"</?\w+[^>]*>", t)) else {}
    if any(len(text) > _LONGEST_LINE for text in column.texts):
        return Fit(1, "texts, some long", {**html, "cut": _LONGEST_LINE})
    if any("\n" in text for text in column.texts):
        return Fit(0.6, "texts of several lines")
    return Fit(1, "short texts", html) if not column.is_list else None


def _description(column: Column) -> Fit | None:
    return Fit(1, "texts") if not column.is_list and not all(map(is_url, column.texts)) else None


def _line(column: Column) -> Fit | None:
    return Fit(1, "texts")


def _lines(column: Column) -> Fit | None:
    separator = _separator(column)
    return Fit(1, "texts", {"split": separator} if separator else {})


def _url(column: Column) -> Fit | None:
    bare = _share(column, lambda text: not is_url(text) and is_domain(text))
    whole = _share(column, is_url)
    joined = {"join": " ", "match": r"^\S+"} if column.is_list else {}
    prefix = {"prefix": "https://"} if bare else {}
    doubt = "the first of several" if joined else ""
    return Fit(whole + bare, "addresses on the web", {**joined, **prefix}, doubt)


def _link(column: Column, key: str) -> Fit | None:
    repositories = _share(column, lambda text: _is_repository(text) and not is_domain(text))
    if key == "github" and repositories > 0.5:
        return Fit(repositories, "repositories", {"prefix": "https://github.com/"})
    return _url(column)


def _year(column: Column) -> Fit | None:
    years = _share(column, _is_year)
    if years == 1:
        return Fit(1, f"years, {min(column.texts)} to {max(column.texts)}")
    dates = _share(column, lambda text: is_date(text) or _is_year(text))
    if dates == 1:
        return _format(column, [text for text in column.texts if not _is_year(text)])
    inside = _share(column, _has_year)
    if inside > max(years, 0.5):
        doubt = f'the first year in texts like "{_first_wrong(column, _is_year)}"'
        return Fit(inside, "texts with years", {"match": r"\d{4}"}, doubt)
    return Fit(years, "years")


def _integer(column: Column) -> Fit | None:
    return Fit(_share(column, lambda text: readings(text, whole=True)), "whole numbers")


def _number(column: Column, known: str) -> Fit | None:
    if (with_unit := _share(column, lambda text: readings(text, unit=known))) > 0.5:
        return Fit(with_unit, f"numbers{f' in {known}' * bool(known)}")
    units = Counter(re.sub(r"[\d\s.,'’+-]", "", text) for text in column.texts)
    unit = max(units, key=units.__getitem__)
    numbers = _share(column, lambda text: readings(text, unit=unit))
    if unit and not any(readings(text) for text in column.texts):
        inside = {"match": r"[\d.,]+"}
        return Fit(numbers, f'numbers with "{unit}"', inside, "the number alone is taken")
    return Fit(numbers, "numbers")


def _boolean(column: Column) -> Fit | None:
    return Fit(_share(column, lambda text: isinstance(truth(text), bool)), "yes or no")


def _date(column: Column, name: str) -> Fit | None:
    is_known = _is_time if name in _TIMES else _is_day
    if _share(column, is_known) == 1:
        return Fit(1, "dates")
    days = _share(column, _begins_with_day)
    if days == 1:
        return Fit(1, "dates with times", {"match": r"^[\d-]{10}"}, "the time of day is left out")
    if _share(column, is_date) == 1:
        return _format(column, column.texts)
    ranges = _share(column, read_range)
    end = "end" if name in ("ends", "closes", "due") else "start"
    words = f"days in words, like {_first_wrong(column, is_known)}"
    return Fit(max(ranges, days), words, {"range": end} if ranges > days else {})


def _format(column: Column, texts: Sequence[str]) -> Fit | None:
    found = formats(texts)
    if not found:
        return Fit(0.5, "dates in several ways", doubt="say how they are written")
    doubt = f"may be {in_words(found[1])}, too" if found[1:] else ""
    return Fit(1, f"dates, written {in_words(found[0])}", {"date": found[0]}, doubt)


def _is_place(text: str) -> bool:
    rest = without_online(text)
    if rest == "":
        return True
    try:
        place = read_place(split_parts(rest or text))
    except NotAPlace:
        return False
    return not place.readings and find_country(place.country) is not None


def _places(column: Column) -> Fit | None:
    best = Fit(0, "places")
    for separator in ("", ";"):
        parts = parts_of(column.texts, separator)
        share = sum(map(_is_place, parts)) / len(parts)
        if share > best.share:
            best = Fit(share, "places", {"split": separator} if separator else {})
    states = [split_parts(text)[-1] for text in column.texts if not _is_place(text)]
    american = sum(is_part(state, "US") for state in states)
    if american and american + best.share * len(column.texts) > len(column.texts) / 2:
        share = best.share + american / len(column.texts)
        return Fit(min(share, 1), "places, many in US states", {"country": "US"},
                   "places without a country are in the US")  # fmt: skip
    return best


def _country(column: Column) -> Fit | None:
    return Fit(_share(column, find_country), "countries")


def _part_of_place(column: Column) -> Fit | None:
    fits = _share(column, lambda text: len(text) <= 60 and not readings(text) and not is_url(text))
    return Fit(fits, "names of places") if not column.is_list else None


def _separator(column: Column) -> str:
    """The separator of several values in the cells of a column; "" without one."""
    if column.is_list:
        return ""
    for separator in _SEPARATORS:
        having = _share(column, lambda text: separator in text)  # noqa: B023
        parts = [part.strip() for text in column.texts for part in text.split(separator)]
        if having >= 0.2 and max(map(len, parts)) <= _LONGEST_TAG and all(parts):
            return separator
    return ""


def _words(column: Column, wanted: CellColumn, words: WordList) -> Fit | None:
    separator = _separator(column) if wanted.many else ""
    parts = parts_of(column.texts, separator)
    source = {"split": separator} if separator else {}
    if words.free == "slug":
        short = sum(len(part) <= _LONGEST_TAG for part in parts) / len(parts)
        nameless = [part for part in dict.fromkeys(parts) if not word_slug(part)]
        doubt = "words without Latin letters need slugs" if nameless else ""
        values = {"values": {part: f"word-{i}" for i, part in enumerate(nameless, 1)}}
        return Fit(short, "short words", {**source, **(values if nameless else {})}, doubt)
    known = sum(words.meaning_of(part).value is not None for part in parts) / len(parts)
    if known == 1:
        return Fit(1, f"words of {wanted.where}", source)
    are_names = not any(is_url(part) or readings(part) for part in parts)
    if wanted.of and are_names and max(map(len, parts)) <= _LONGEST_NAME:
        # Names of records, which an import may create.
        doubt = f"{wanted.where} lack some of them: --create {wanted.of}"
        return Fit(1, "names", source, doubt)
    return Fit(known, f"words of {wanted.where}", source)


_BY_NAME: Mapping[str, Callable[[Column], Fit | None]] = {
    "name": _name, "slug": _slug, "summary": _summary, "description": _description,
    "locations": _places, "locations.country": _country, "locations.region": _part_of_place,
    "locations.city": _part_of_place, "year": _year, "timezone": _line,
}  # fmt: skip
_BY_SHAPE: Mapping[str, Callable[[Column], Fit | None]] = {
    "url": _url, "integer": _integer, "boolean": _boolean,
    "text": _description,
}  # fmt: skip
