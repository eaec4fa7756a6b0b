"""Whether the cells of a column are values of a field, and how a map reads them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from generator.edit.guesses.cells import (
    LONGEST_LINE,
    SEPARATORS,
    Column,
    Guess,
    divided,
    is_domain,
    is_url,
    parts_of,
    separator_of,
    share,
    unit_of,
)
from generator.edit.places import NotAPlace, read_place
from generator.edit.spreadsheet import formats, in_words, is_date
from generator.edit.tables.columns import CellColumn
from generator.edit.tables.ranges import read_range
from generator.edit.words import WordList, truth
from generator.kinds.types import fold_website
from generator.model.country_names import find_country, is_part, split_parts
from generator.model.kinds.event_times import TIME_FIELDS
from generator.model.online import without_online
from generator.problems.faults import shorten
from generator.text.numbers import readings
from generator.text.words import is_slug, lost_signs, word_slug

_LONGEST_TAG, _LONGEST_NAME, _LONGEST_TEXT = 50, 200, 10_000
_TIMES = {name for names in TIME_FIELDS.values() for name in names}
_SEPARATORS = (";", "、", ",", "/")
_is_day = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII).fullmatch
_is_time = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?", re.ASCII).fullmatch
_begins_with_day = re.compile(r"\d{4}-\d\d-\d\d(?!\d)", re.ASCII).match
_is_year = re.compile(r"1\d{3}|2[01]\d\d", re.ASCII).fullmatch
_has_year = re.compile(r"\b(?:1\d{3}|2[01]\d\d)\b", re.ASCII).search
_is_repository = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII).fullmatch


def fit(
    column: Column, wanted: CellColumn, words: WordList | None, *, online: bool = True
) -> Guess | None:
    """How the cells of a column are read as a field; None if they are no values of it.

    With `online` records have a field that takes "Online" among places.
    """
    if not column.texts:
        return None if column.cells else Guess(1, "no cells")
    if wanted.many and not column.is_list:
        column = replace(column, texts=parts_of(column.texts, "|"))
    name = wanted.name
    if name == "locations":
        found = _places(column, online)
    elif name in _BY_NAME:
        found = _BY_NAME[name](column)
    elif simple := _SIMPLE.get(name) or _SIMPLE.get(wanted.shape):
        found = Guess(share(column.texts, simple[1]), simple[0])
    elif wanted.loc[0] == "links":
        found = _link(column, wanted.loc[1])
    elif words is not None:
        found = _words(column, wanted, words)
    elif wanted.shape == "number":
        found = _number(column, wanted.unit)
    elif wanted.dated:
        found = read_dates(column, name)
    elif wanted.shape == "url":
        found = _urls(column) if wanted.many else _url(column)
    elif wanted.shape == "text":
        found = _description(column)
    else:
        found = Guess(1, "texts", divided(_separator(column) if wanted.many else ""))
    if found is None or found.share < 0.5:
        return None
    if found.share < 1:
        wrong = f"{1 - found.share:.0%} of the cells are not, and are left out"
        doubt = f"{found.doubt}; {wrong}" if found.doubt else wrong
        return replace(found, source={**found.source, "on_error": None}, doubt=doubt)
    return found


def _first_wrong(column: Column, is_value: Callable[[str], Any]) -> str:
    return shorten(next((text for text in column.texts if not is_value(text)), ""), 30)


def _name(column: Column) -> Guess | None:
    texts, lacking = column.texts, not all(column.cells)
    distinct = len(set(texts)) / len(texts)
    is_name = share(texts, lambda t: len(t) <= _LONGEST_NAME and "\n" not in t and not is_url(t))
    numbers = share(texts, lambda text: readings(text) or is_date(text))
    if (column.name.lower() != "name" and (distinct < 0.5 or numbers > 0.5)) or column.is_list:
        return None
    doubt = "some names come twice: choose a key" if distinct < 1 else ""
    doubt = doubt or "some rows have no name" * lacking
    return Guess(is_name, "a name in each row", doubt=doubt)


def _slug(column: Column) -> Guess | None:
    is_unique = len(set(column.texts)) == len(column.cells) == len(column.texts)
    fits = is_unique and all(map(is_slug, column.texts))
    if not fits or all(text.isdigit() for text in column.texts):
        return None
    return Guess(1, "a slug in each row")


def _summary(column: Column) -> Guess | None:
    is_html = any(re.search(r"</?\w+[^>]*>", text) for text in column.texts)
    html = {"strip_html": True} if is_html else {}
    if any(len(text) > LONGEST_LINE for text in column.texts):
        return Guess(1, "texts, some long", {**html, "cut": LONGEST_LINE})
    if any("\n" in text for text in column.texts):
        return Guess(0.6, "texts of several lines")
    return Guess(1, "short texts", html) if not column.is_list else None


def _description(column: Column) -> Guess | None:
    if column.is_list or all(map(is_url, column.texts)):
        return None
    long = any(len(text) > _LONGEST_TEXT for text in column.texts)
    return Guess(1, "texts", {"cut": _LONGEST_TEXT} if long else {})


def _url(column: Column) -> Guess | None:
    bare = share(column.texts, lambda text: not is_url(text) and is_domain(text))
    whole = share(column.texts, is_url)
    joined = {"join": " ", "match": r"^\S+"} if column.is_list else {}
    prefix = {"prefix": "https://"} if bare else {}
    doubt = "the first of several" if joined else ""
    return Guess(whole + bare, "addresses on the web", {**joined, **prefix}, doubt)


def _urls(column: Column) -> Guess | None:
    separator = separator_of(column.texts, is_url)
    urls = share(parts_of(column.texts, separator), is_url)
    return Guess(urls, "addresses on the web", divided(separator))


def _website(column: Column) -> Guess | None:
    found = _url(column)
    whole = (text if "://" in text else f"https://{text}" for text in column.texts)
    if found is not None and len(set(map(fold_website, whole))) < len(column.texts):
        return replace(found, doubt=found.doubt or "some websites come twice")
    return found


def _link(column: Column, key: str) -> Guess | None:
    repositories = share(column.texts, lambda text: _is_repository(text) and not is_domain(text))
    if key == "github" and repositories > 0.5:
        return Guess(repositories, "repositories", {"prefix": "https://github.com/"})
    return _url(column)


def _year(column: Column) -> Guess | None:
    years = share(column.texts, _is_year)
    if years == 1:
        return Guess(1, f"years, {min(column.texts)} to {max(column.texts)}")
    dates = share(column.texts, lambda text: is_date(text) or _is_year(text))
    if dates == 1:
        return _format(column, [text for text in column.texts if not _is_year(text)])
    inside = share(column.texts, _has_year)
    if inside > max(years, 0.5):
        doubt = f'the first year in texts like "{_first_wrong(column, _is_year)}"'
        return Guess(inside, "texts with years", {"match": r"\d{4}"}, doubt)
    return Guess(years, "years")


def _number(column: Column, known: str) -> Guess | None:
    if (with_unit := share(column.texts, lambda text: readings(text, unit=known))) > 0.5:
        words = f"numbers{f' in {known}' * bool(known)}"
        return Guess(with_unit, words, _decimal_mark(column.texts, known))
    units = Counter(map(unit_of, column.texts))
    unit = max(units, key=units.__getitem__)
    numbers = share(column.texts, lambda text: readings(text, unit=unit))
    if unit and not any(readings(text) for text in column.texts):
        inside = {"match": r"[\d.,]+"}
        return Guess(numbers, f'numbers with "{unit}"', inside, "the number alone is taken")
    return Guess(numbers, "numbers")


def _decimal_mark(texts: Sequence[str], unit: str) -> dict[str, str]:
    """How a map reads numbers that may be several: by the only mark that gives each one reading."""
    found = [text for text in texts if readings(text, unit=unit)]
    marks = [mark for mark in ("", ".", ",")
             if all(len(readings(text, mark, unit)) == 1 for text in found)]  # fmt: skip
    return {"number": marks[0]} if len(marks) == 1 and marks[0] else {}


def read_dates(column: Column, name: str = "") -> Guess | None:
    """How texts are read as dates of a field."""
    is_known = _is_time if name in _TIMES else _is_day
    if share(column.texts, is_known) == 1:
        return Guess(1, "dates")
    days = share(column.texts, _begins_with_day)
    if days == 1:
        return Guess(1, "dates with times", {"match": r"^[\d-]{10}"}, "the time of day is left out")
    if share(column.texts, is_date) == 1:
        return _format(column, column.texts)
    ranges = share(column.texts, read_range)
    end = "end" if name in ("ends", "closes", "due") else "start"
    words = f"days in words, like {_first_wrong(column, is_known)}"
    return Guess(max(ranges, days), words, {"range": end} if ranges > days else {})


def _format(column: Column, texts: Sequence[str]) -> Guess | None:
    found = formats(texts)
    if not found:
        return Guess(0.5, "dates in several ways", doubt="say how they are written")
    doubt = f"may be {in_words(found[1])}, too" if found[1:] else ""
    return Guess(1, f"dates, written {in_words(found[0])}", {"date": found[0]}, doubt)


@lru_cache(maxsize=1 << 12)
def _is_place(text: str, online: bool) -> bool:
    rest = without_online(text) if online else None
    if rest == "":
        return True
    try:
        place = read_place(split_parts(rest or text))
    except NotAPlace:
        return False
    return not place.readings and find_country(place.country) is not None


def _places(column: Column, online: bool) -> Guess | None:
    texts, is_place = column.texts, partial(_is_place, online=online)
    separator = separator_of(texts, is_place, ";")
    places = share(parts_of(texts, separator), is_place)
    states = [split_parts(text)[-1] for text in texts if not is_place(text)]
    american = sum(is_part(state, "US") for state in states)
    if american and american + places * len(texts) > len(texts) / 2:
        return Guess(min(places + american / len(texts), 1), "places, many in US states",
                     {"country": "US"}, "places without a country are in the US")  # fmt: skip
    return Guess(places, "places", divided(separator))


def _part_of_place(column: Column) -> Guess | None:
    fits = share(column.texts, lambda t: len(t) <= 60 and not readings(t) and not is_url(t))
    return Guess(fits, "names of places") if not column.is_list else None


def _separator(column: Column) -> str:
    """The separator of several values in the cells of a column; "" without one."""
    if column.is_list:
        return ""
    for separator in _SEPARATORS:
        having = share(column.texts, lambda text: separator in text)  # noqa: B023
        parts = [part.strip() for text in column.texts for part in text.split(separator)]
        if having >= 0.2 and max(map(len, parts)) <= _LONGEST_TAG and all(parts):
            return separator
    return ""


def _words(column: Column, wanted: CellColumn, words: WordList) -> Guess | None:
    separator = _separator(column) if wanted.many else ""
    parts, source = parts_of(column.texts, separator), divided(separator)
    if words.free == "slug":
        return _free_words(parts, words, source)

    def is_known(part: str) -> bool:
        return words.meaning_of(part).value is not None

    separators = _SEPARATORS if wanted.many and not column.is_list else ()
    best = separator_of(column.texts, is_known, separators)
    known = share(parts_of(column.texts, best), is_known)
    are_names = not any(is_url(part) or readings(part) for part in parts)
    if known < 1 and wanted.of and are_names and max(map(len, parts)) <= _LONGEST_NAME:
        # Names of records, which an import may create.
        doubt = f"{wanted.where} lack some of them: --create {wanted.of}"
        return Guess(1, "names", source, doubt)
    return Guess(known, f"words of {wanted.where}", divided(best))


def _free_words(parts: Sequence[str], words: WordList, source: Mapping[str, Any]) -> Guess:
    short = share(parts, lambda part: len(part) <= _LONGEST_TAG)
    nameless = [part for part in dict.fromkeys(parts) if not word_slug(part)]
    if nameless:
        values = {part: f"word-{i}" for i, part in enumerate(nameless, 1)}
        doubt = "words without Latin letters need slugs"
        return Guess(short, "short words", {**source, "values": values}, doubt)
    lossy = any(lost_signs(part) and words.meaning_of(part).is_new for part in parts)
    doubt = "words lose signs in slugs: say what each means" if lossy else ""
    if any(mark in part for part in parts for mark in SEPARATORS):
        doubt = doubt or "some cells may have several words"
    return Guess(short, "short words", source, doubt)


_BY_NAME: Mapping[str, Callable[[Column], Guess | None]] = {
    "name": _name, "slug": _slug, "summary": _summary, "description": _description,
    "website": _website, "locations.region": _part_of_place, "locations.city": _part_of_place,
    "year": _year,
}  # fmt: skip
#: Field, or shape -> words for its texts, and which texts are values of it.
_SIMPLE: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "locations.country": ("countries", find_country),
    "timezone": ("texts", bool),
    "integer": ("whole numbers", partial(readings, whole=True)),
    "boolean": ("yes or no", lambda text: isinstance(truth(text), bool)),
}
