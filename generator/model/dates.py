"""Guesses the date in a text that is not YYYY-MM-DD, for hints and fixes of invalid dates."""

from __future__ import annotations

import contextlib
import re
from calendar import monthrange
from datetime import date, timedelta
from typing import Any

from generator.dialect.lookalikes import describe_lookalike, plain_letters
from generator.kinds.types import parse_date
from generator.problems.diagnostic import Fix
from generator.problems.faults import Loc, Remedy
from generator.text.words import fold

#: The names of each month in English, German, French, Spanish, Italian, Portuguese and Dutch.
_MONTHS = (
    "january januar janner janvier enero gennaio janeiro januari",
    "february februar feber fevrier febrero febbraio fevereiro februari",
    "march marz mrz mars marzo marco maart",
    "april avril abril aprile",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august aout agosto augustus",
    "september septembre septiembre setiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember decembre diciembre dicembre dezembro",
)
MONTH_NUMBERS = {
    prefix: number
    for number, names in enumerate(_MONTHS, 1)
    for name in names.split()
    for prefix in (name, name[:3], name[:4])
    if prefix != "jui"  # juin or juillet
}
#: The name of a day of the week, and words beside a day and a time of day, in the same languages.
_BESIDE = re.compile(
    r"(?<![\w.:-])(?:(?:mo|tu|we|th|fr|sa|su|di|mi|do|so|lu|ma|me|je|ve|ju|vi)\.?(?:,|(?= \d))"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica"
    r"|(?:am|den|der|um|le|el|il|on|the|of|at|de|del|à|a las|alle)(?= ))\.?,?(?![\w.:-])",
    re.I,
)
_date_or_time = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?", re.A
).fullmatch
_year_first = re.compile(r"(\d{4})([-/. ]?)(\d\d?)\2(\d\d?)").fullmatch
_year_last = re.compile(r"(\d\d?)([-/. ] ?)(\d\d?)\2(\d{4})").fullmatch
_day_word = re.compile(r"(\d\d?)(?:st|nd|rd|th|er|º|\.)?[ -]+(\w+)\.?,?[ -]+(\d{4})").fullmatch
_word_day = re.compile(r"(\w+)\.?[ -]+(\d\d?)(?:st|nd|rd|th)?,?[ -]+(\d{4})").fullmatch
_time_of_day = re.compile(
    r"(.*\d)(?:T|,? +(?:at +)?)(\d\d?)(?:[:.h](\d\d))?(?::(\d\d))? *([ap]\.?m\.?|uhr|h)?", re.I
).fullmatch


def spreadsheet_day(value: Any) -> str | None:
    """The day that a spreadsheet shows for the number of a day, from 1970 to 2200; else None."""
    match = re.fullmatch(r"([0-9]{5,6})([.,][0-9]+)?", str(value).strip())
    if match is None or not 25_569 <= int(match[1]) <= 109_939:
        return None
    # Spreadsheets count days from the end of 1899; some old ones from 1904.
    return str(date(1899, 12, 30) + timedelta(int(match[1])))


def guess_days(text: str) -> list[str]:
    """The days that a text may mean, as YYYY-MM-DD: two if day and month may be swapped."""
    text = " ".join(_BESIDE.sub(" ", plain_letters(text)).split())
    if match := _year_first(text):
        year, separator, *month_day = match.groups()
        if separator or len(text) == 8:
            return _days(year, *month_day) or _days(year, *reversed(month_day))
    if match := _year_last(text):
        first, separator, second, year = match.groups()
        days = _days(year, second, first)
        if separator[0] == "." and days:
            return days
        return sorted({*days, *_days(year, first, second)})
    if match := _day_word(text):
        return _days(match[3], MONTH_NUMBERS.get(fold(match[2]), 0), match[1])
    if match := _word_day(text):
        return _days(match[3], MONTH_NUMBERS.get(fold(match[1]), 0), match[2])
    return []


def explain(text: str) -> str | None:
    """What a text that is no date or time lacks; None if it is nothing like one."""
    if found := _short_year(text):
        day, month, year = (int(part) for part in found.groups())
        if days := _days(str(2000 + year), month, f"{day:02}"):
            return f"write the year in four digits, like {days[0]}"
    if (match := _date_or_time(text)) or (match := _day_last(text)):
        return _explain_impossible(match)
    word, of_year = _without_day(text)
    if of_year:
        month = next((n for name, n in MONTH_NUMBERS.items() if name == fold(word)), 0)
        month = int(word) if word.isdecimal() else month
        return f"write the day, too, like {of_year}-{month if 0 < month < 13 else 1:02}-01"
    if _is_range(text):
        return "these are several days: write the first here, and the last in the field for it"
    if _is_clock(text):
        return f"write the day, too, like 2026-05-31 {text}"
    return None


_short_year = re.compile(r"(\d\d?)\.\s?(\d\d?)\.\s?(\d\d)", re.A).fullmatch
_day_last = re.compile(r"(?P<d>\d\d?)\.\s?(?P<m>\d\d?)\.\s?(?P<y>\d{4})", re.A).fullmatch
_is_range = re.compile(
    r"\d\d?\.?(?: ?[\d.]*) ?(?:[-\u2013/]|bis|to|au|al) ?\d\d?\.? ?\S+ ?\d{4}"
    r"|\d{4}-\d\d-\d\d ?(?:[-\u2013/]|bis|to|until|au|al) ?\d{4}-\d\d-\d\d",
    re.I,
).fullmatch
_is_clock = re.compile(r"\d\d?:\d\d").fullmatch
_month_alone = re.compile(
    r"(\d{4})-(\d\d?)|(\d\d?)[./](\d{4})|(?:([^\W\d_]+)\.? )?(\d{4})"
).fullmatch


def _without_day(text: str) -> tuple[str, str]:
    """The month, or a season, and the year of a text that has no more, or two empty texts."""
    match = _month_alone(text.strip())
    if match is None:
        return "", ""
    return match[2] or match[3] or match[5] or "", match[1] or match[4] or match[6]


def _explain_impossible(match: re.Match[str]) -> str | None:
    """Why a date or time with the right form does not exist; None if that is not its fault."""
    parts = match.groups() if "d" not in match.re.groupindex else (*match.group("y", "m", "d"),)
    year, month, day, hour, minute, second = (int(part or 0) for part in (*parts, 0, 0, 0)[:6])
    if not 1 <= month <= 12:
        return f"there is no month {month}: write year-month-day"
    last = monthrange(max(year, 1), month)[1]
    if not 1 <= day <= last:
        name = _MONTHS[month - 1].partition(" ")[0].capitalize()
        return f"{name} {year} has {last} days"
    if (hour, minute, second) == (24, 0, 0):
        return f"a day ends at 23:59: write {match[0][:10]} 23:59, or 00:00 of the next day"
    if hour > 23 or minute > 59 or second > 59:
        return "write a time of day from 00:00 to 23:59"
    return None


def _days(year: str, month: str | int, day: str) -> list[str]:
    text = f"{year}-{int(month):02}-{int(day):02}"
    with contextlib.suppress(ValueError):
        parse_date(text)
        return [text]
    return []


def guess_times(text: str) -> list[str]:
    """Like `guess_days`, for times of events: `YYYY-MM-DD HH:MM[:SS]` if the text has a time."""
    text = " ".join(_BESIDE.sub(" ", plain_letters(text)).split())
    if days := guess_days(text):
        return days
    match = _time_of_day(text)
    if match is None:
        return []
    day_text, hour_text, minute, second, suffix = match.groups()
    if not minute and not suffix:
        return []
    hour, half = int(hour_text), (suffix or "").lower()[:1]
    if half in ("a", "p"):
        if not 1 <= hour <= 12:
            return []
        hour = hour % 12 + 12 * (half == "p")
    if hour > 23 or int(minute or 0) > 59 or int(second or 0) > 59:
        return []
    clock = f"{hour:02}:{minute or '00'}" + (f":{second}" if second else "")
    return [f"{day} {clock}" for day in guess_days(day_text)]


def correct_date(value: Any, days: list[str], loc: Loc, default_hint: str) -> Remedy:
    """A hint with the days that a value may mean, or `default_hint` if there are none."""
    if not days and (day := spreadsheet_day(value)) is not None:
        return Remedy(f"a spreadsheet counts days like this: write {day} if that is the day")
    if not days:
        return Remedy(default_hint)
    if len(days) == 1:
        reason = describe_lookalike(str(value))
        advice = f"{reason}: write" if reason is not None else "write"
        return Remedy(f"{advice} {days[0]} (year-month-day)", Fix("value", days[0], loc))
    return Remedy(f"write {days[0]} or {days[1]}: the month is unclear")
