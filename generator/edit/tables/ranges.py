"""Reads texts of several days: "January 20 - 27, 2026", "Jan 30 – Feb 2, 2026", "March 2026"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from generator.edit.spreadsheet import date_in_format
from generator.model.dates import MONTH_NUMBERS
from generator.text.words import fold

_split = re.compile(r"\s+(?:-|to|until|till|through|bis|au|al|a)\s+|\s*[–—→~]\s*", re.I).split
_days = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII).findall
_month = re.compile(r"(\d{4})-(\d\d?)", re.ASCII).fullmatch
_words = re.compile(r"\d+|[^\W\d_]+").findall
_little = {"st", "nd", "rd", "th", "of", "the", "de", "von", "from", "on"}
_is_weekday = re.compile(
    r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|mo|di|mi|do|fr|sa|so"
).fullmatch


class _Parts(NamedTuple):
    """The parts of a day that a text names."""

    year: int = 0
    month: int = 0
    day: int = 0


def read_range(text: str, formats: Sequence[str] = ()) -> tuple[date, date] | None:
    """The first and the last day that a text names; None if it names none.

    Numbers alone are days by `formats`, those of strptime, or as YYYY-MM-DD and YYYY-MM.
    """
    text = " ".join(text.split())
    if 1 <= len(found := _days(text)) <= 2:
        try:
            return date.fromisoformat(found[0]), date.fromisoformat(found[-1])
        except ValueError:
            return None
    halves = _halves(text)
    for each in formats:
        days = [date_in_format(half, each) for half in halves]
        if all(days):
            return days[0].date(), days[-1].date()  # type: ignore[union-attr]
    parts = [_parts(half) for half in halves]
    if None in parts:
        return None
    first, last = parts[0] or _Parts(), parts[-1] or _Parts()
    month = first.month or last.month
    last = _Parts(last.year or first.year, last.month or month, last.day)
    first = _Parts(first.year or last.year, month, first.day)
    if (first.day == 0) != (last.day == 0) or not first.year:
        return None
    if (first.month, first.day) > (last.month, last.day) and first.year == last.year:
        first = first._replace(year=first.year - 1)  # Dec 30 - Jan 2, 2026
    end_month = last.month or 12
    try:
        end_day = last.day or monthrange(last.year, end_month)[1]
        return date(first.year, first.month or 1, first.day or 1), date(
            last.year, end_month, end_day
        )
    except ValueError:
        return None


def _halves(text: str) -> list[str]:
    """The begin and the end of a range; one text if there is only one."""
    halves = _split(text)
    if len(halves) == 1:  # January 20-27, 2026, but not 2026-01
        halves = re.split(r"(?<=\d)-(?=\d{1,2}\b)|(?<=[^\W\d])-(?=[^\W\d])", text)
        halves = [text] if _month(text) else halves
    return halves if len(halves) <= 2 else [text]


def _parts(text: str) -> _Parts | None:
    if match := _month(text):
        return _Parts(int(match[1]), int(match[2]))
    year = month = day = 0
    for word in _words(text):
        number = int(word) if word.isdigit() else 0
        name = fold(word)
        if len(word) == 4 and number and not year:
            year = number
        elif 1 <= number <= 31 and not day:
            day = number
        elif name in MONTH_NUMBERS and not month:
            month = MONTH_NUMBERS[name]
        elif name not in _little and not _is_weekday(name):
            return None
    return _Parts(year, month, day) if year or month or day else None
