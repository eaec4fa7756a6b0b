"""What a date that is written in another way than YYYY-MM-DD may mean.

Asked only of what is wrong already, so it may take its time.
"""

from __future__ import annotations

import contextlib
import re
from calendar import monthrange

from generator.grammar.text import fold
from generator.model.fields import date_of
from generator.problems.diagnostic import Fix
from generator.problems.faults import Loc, Mend

_MONTHS = (
    "january januar",
    "february februar",
    "march marz mrz",
    "april",
    "may mai",
    "june juni",
    "july juli",
    "august",
    "september",
    "october oktober",
    "november",
    "december dezember",
)
_MONTH = {
    short: number
    for number, names in enumerate(_MONTHS, 1)
    for name in names.split()
    for short in (name, name[:3], name[:4])
}
_written = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?", re.A).fullmatch
_year_first = re.compile(r"(\d{4})([-/. ]?)(\d\d?)\2(\d\d?)").fullmatch
_year_last = re.compile(r"(\d\d?)([-/. ] ?)(\d\d?)\2(\d{4})").fullmatch
_day_word = re.compile(r"(\d\d?)(?:st|nd|rd|th|\.)?[ -]+(?:of +)?(\w+)\.?,?[ -]+(\d{4})").fullmatch
_word_day = re.compile(r"(\w+)\.?[ -]+(\d\d?)(?:st|nd|rd|th)?,?[ -]+(\d{4})").fullmatch
_clock = re.compile(
    r"(.*\d)(?:T|,? +(?:at +)?)(\d\d?)(?:[:.](\d\d))?(?::(\d\d))? *([ap]\.?m\.?|uhr|h)?", re.I
).fullmatch


def meant(text: str) -> list[str]:
    """Every day that a text may mean, as YYYY-MM-DD: two where nothing says which number is the
    month.
    """
    text = " ".join(text.split())
    if match := _year_first(text):
        year, between, *rest = match.groups()
        if between or len(text) == 8:
            return _days(year, *rest) or _days(year, *reversed(rest))
    if match := _year_last(text):
        first, between, second, year = match.groups()
        days = _days(year, second, first)
        return days if between[0] == "." and days else sorted({*days, *_days(year, first, second)})
    if match := _day_word(text):
        return _days(match[3], _MONTH.get(fold(match[2]), 0), match[1])
    if match := _word_day(text):
        return _days(match[3], _MONTH.get(fold(match[1]), 0), match[2])
    return []


def impossible(text: str) -> str | None:
    """Why a date that is written well is no day, or its time of day no time; else None."""
    match = _written(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    if not 1 <= month <= 12:
        return f"there is no month {month}: write year-month-day"
    last = monthrange(max(year, 1), month)[1]
    if not 1 <= day <= last:
        name = _MONTHS[month - 1].partition(" ")[0].capitalize()
        return f"{name} {year} has {last} days"
    if (hour, minute, second) == (24, 0, 0):
        return f"a day ends at 23:59: write {text[:10]} 23:59, or 00:00 of the next day"
    if hour > 23 or minute > 59 or second > 59:
        return "write a time of day from 00:00 to 23:59"
    return None


def _days(year: str, month: str | int, day: str) -> list[str]:
    text = f"{year}-{int(month):02}-{int(day):02}"
    with contextlib.suppress(ValueError):
        date_of(text)
        return [text]
    return []


def times_meant(text: str) -> list[str]:
    """Likewise of a time of an event: with the time of day where the text has one."""
    if days := meant(text):
        return days
    match = _clock(text)
    if match is None or not (match[3] or match[5]):
        return []
    hour, half = int(match[2]), (match[5] or "").lower()[:1]
    if half in ("a", "p"):
        if not 1 <= hour <= 12:
            return []
        hour = hour % 12 + 12 * (half == "p")
    if hour > 23 or int(match[3] or 0) > 59 or int(match[4] or 0) > 59:
        return []
    clock = f" {hour:02}:{match[3] or '00'}" + (f":{match[4]}" if match[4] else "")
    return [day + clock for day in meant(match[1])]


def mend(days: list[str], loc: Loc, usual: str) -> Mend:
    """How to write the days that may be meant; `usual` where none may."""
    if not days:
        return Mend(usual)
    if len(days) == 1:
        return Mend(f"write {days[0]} (year-month-day)", Fix("value", days[0], loc))
    return Mend(f"write {days[0]} or {days[1]}: the month is unclear")
