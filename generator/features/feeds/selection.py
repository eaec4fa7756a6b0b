"""Calendar feeds of selections: the events that match filters, joined from VEVENTs in the index.

The files of feeds have the starts of the large row files and a line for each event: a JSON array of
its VEVENT without the end and the beginning of its alarm, or nothing if no feed has the event.
search/js/source/feeds.mjs does the same in JavaScript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from generator.contract.content_lines import EVENT_END, Head, join_calendar
from generator.grammar.grammar import Grammar, Query
from generator.grammar.paths import SELECTION
from generator.grammar.query_string import parse_parameters
from generator.grammar.refusals import QueryError
from generator.search.columns import sort_key
from generator.search.format import Damaged, filter_key
from generator.search.manifest import FEEDS, Unavailable
from generator.search.matching import Matching
from generator.search.reading import Reading
from generator.search.rows import read_rows, row_file_source

#: The pattern of an alarm, in hours or days; its most hours; the shortest and longest alarm.
ALARM, ALARM_HOURS, ALARM_ENDS = "[1-9][0-9]{0,3}[hd]", 60 * 24, ("1h", "60d")
#: The events of a feed.
MAX_EVENTS = 500
#: Like a filter and its value: the events that feeds have.
CURRENT = "feed", "true"
_ALARM_END = b"\r\nEND:VALARM\r\n"
_is_alarm = re.compile(ALARM, re.ASCII).fullmatch


@dataclass(frozen=True, slots=True)
class Selection:
    """A valid query for the feed of matching events.  `alarm` is the time of an alarm before each
    event, such as `7d`, or "".
    """

    list: Query
    alarm: str = ""

    @property
    def duration(self) -> str:
        """The time of the alarm as a duration of iCalendar: "P7D", "PT12H" or ""."""
        time = "T" * self.alarm.endswith("h")
        return f"P{time}{self.alarm.upper()}" if self.alarm else ""

    @property
    def url(self) -> str:
        """The canonical address, without the prefix."""
        pairs = [*self.list.filters, *([("alarm", self.alarm)] if self.alarm else [])]
        return f"{SELECTION}?{'&'.join(f'{name}={text}' for name, text in pairs)}"


def parse_selection(raw: str, grammar: Grammar) -> Selection:
    """The selection of a raw, still encoded query string.  Raises QueryError as `Grammar.parse`
    does.
    """
    events = grammar.events
    labels = {name: f.label for name, f in events.query_filters.items()}
    values = parse_parameters(raw, {**labels, "alarm": ""}) if raw else {}
    alarm = values.pop("alarm", "")
    if not values:
        message = f"Give a filter of events: {grammar.url(SELECTION)}?kind=deadline"
        raise QueryError("invalid-parameter", message, tuple(labels))
    filters = grammar.read_filters(events, values)
    hours = int(alarm[:-1]) * (24 if alarm[-1] == "d" else 1) if _is_alarm(alarm) else 0
    if alarm and not 0 < hours <= ALARM_HOURS:
        least, most = ALARM_ENDS
        message = f"alarm must be a time from {least} to {most}, such as 12h or 7d."
        raise QueryError("invalid-parameter", message, ALARM_ENDS)
    return Selection(Query(events, filters), alarm)


def render_selection(asked: Selection, reading: Reading, grammar: Grammar) -> bytes:
    """The feed.  Raises Damaged, and as `Reading.files` does, also for too many events."""
    if FEEDS[0] not in reading.index.checks:
        raise Unavailable("This registry was built without feeds of selections.")
    index, match = reading.index, Matching(reading, asked.list, grammar)
    match.read(value_columns=[f.name for f, _ in match.constraints if f.name in index.columns],
               keys=[filter_key(*CURRENT)])  # fmt: skip
    matching = match.matching()
    positions = match.positions(matching & (match.with_value(*CURRENT) or 0))
    if len(positions) > MAX_EVENTS:
        message = f"This selection has {len(positions)} events; the limit is {MAX_EVENTS}. "
        raise QueryError("invalid-parameter", f"{message}Use more filters.")
    levels = range(1, len(index.rows))
    sources = [row_file_source(positions, match, level, FEEDS) for level in levels]
    rows = read_rows(positions, sources, reading)
    events = [_vevent(row, asked.duration.encode()) for row in rows]
    own, origin, *lines = _texts(reading.parts([(FEEDS[0], 0)])[FEEDS[0], 0], 6)
    source = origin + grammar.url(asked.url) if origin else None
    name = " · ".join((*_labels(match), own))
    return join_calendar(Head(*lines), name, source, events, matching.bit_count())


def _vevent(line: bytes, duration: bytes) -> bytes:
    event, alarm = (text.encode() for text in _texts(line, 2))
    parts: list[bytes] = [event, *((alarm, duration, _ALARM_END) if duration else ()), EVENT_END]
    return b"".join(parts)


def _texts(data: bytes, number: int) -> list[str]:
    """A JSON array of so many texts.  Raises Damaged."""
    try:
        texts = orjson.loads(data)
    except ValueError:
        raise Damaged from None
    if not isinstance(texts, list) or [*map(type, texts)] != [str] * number:
        raise Damaged
    return texts


def _labels(match: Matching) -> Iterator[str]:
    """The constraints of the filters in words: `Kenya, Brazil`, `Climate + Health`, `not Remote`.

    A virtual filter has no words.
    """
    for known, asked in match.constraints:
        if known.name not in match.values:
            continue
        values, spec = match.values[known.name], match.index.columns[known.name]
        numbers = {value: values.number_of(sort_key(spec, value)) for value in asked.values}
        labels = [values.labels[n - 1] if n else value for value, n in numbers.items()]
        joined = (" + " if asked.operator == "all" else ", ").join(labels) or asked.text
        yield f"not {joined}" if asked.operator == "not" else joined
