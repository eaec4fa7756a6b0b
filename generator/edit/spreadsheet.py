"""Dates and formulas as spreadsheets write them to CSV."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from itertools import product

from generator.model.dates import MONTH_NUMBERS
from generator.text.words import fold

#: A formula, or the error that a spreadsheet shows in place of its value.
is_formula = re.compile(
    r"=.+|#(?:N/A|REF!|NAME\?|VALUE!|NUM!|NULL!|SPILL!|DIV/0!)", re.S | re.I
).fullmatch
_is_numeric_date = re.compile(
    r"\d{1,4}([-./])\d{1,2}\1\d{1,4}(?: \d{1,2}:\d\d(?::\d\d)?)?", re.ASCII
).fullmatch
#: Formats of dates for strptime.  A year of four digits is tried first: two digits may be a day.
_DATES = (
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d",
    "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%y",
)  # fmt: skip
_FORMATS = tuple(map("".join, product(_DATES, ("", " %H:%M", " %H:%M:%S"))))
_WORDS = {"%d": "day", "%m": "month", "%B": "month", "%b": "month", "%Y": "year", "%y": "year",
          "%H": "hour", "%M": "minute", "%S": "second"}  # fmt: skip


def is_date(text: str) -> bool:
    """Whether a text is a date in one of the formats of spreadsheets."""
    return _is_numeric_date(text) is not None and any(
        _reads(date_format, text) for date_format in _FORMATS
    )


def formats(texts: Iterable[str]) -> list[str]:
    """The formats that can read all of these texts."""
    result = list(_FORMATS)
    for text in texts:
        result = [date_format for date_format in result if _reads(date_format, text)]
    return result


def date_in_format(text: str, date_format: str) -> datetime | None:
    """The date and time of a text in a format of strptime; months also have German names."""
    name = "%B" if "%B" in date_format else "%b" if "%b" in date_format else ""
    if name:
        text = re.sub(r"[^\W\d_]+\.?", lambda match: _month(match[0], name), text)
    try:
        return datetime.strptime(text, date_format)
    except ValueError:
        return None


def _month(word: str, directive: str) -> str:
    """The English name of a month for a directive of strptime; else the word itself."""
    number = MONTH_NUMBERS.get(fold(word.rstrip(".")))
    if number is None:
        return word
    dot = "." if word.endswith(".") and directive == "%b" and len(word) < 6 else ""
    return f"{datetime(2000, number, 1):{directive}}{dot}"


def _reads(date_format: str, text: str) -> bool:
    date = date_in_format(text, date_format)
    return date is not None and 1800 <= date.year <= 2200


def in_words(date_format: str) -> str:
    """A date format in words: `%d.%m.%Y` is day.month.year."""
    return re.sub(r"%[a-zA-Z]", lambda match: _WORDS.get(match[0], match[0]), date_format)
