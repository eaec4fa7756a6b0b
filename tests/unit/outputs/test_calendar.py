"""The feeds: compared with a recorded feed of events of every form, and read back by the library
`ics` (they are written with `icalendar`).
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import ics
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.contract import ical
from generator.contract.listing import fold_line
from generator.model.tables.table import Registry
from support import registries

FEED = "/api/calendar/events.ics"
DEADLINE = {"name": "A deadline", "kind": "deadline", "due": "2026-12-01"}
HOST = {"base_url": "https://registry.example/data"}
RECORDS, RECORDED = (Path(__file__).with_name(f"calendar.{ending}") for ending in ("yaml", "ics"))


def build(
    folder: Path, events: dict[str, Any], as_of: date = registries.AS_OF, **settings: Any
) -> Registry:
    return registries.registry(folder, registries.content(events=events, registry=settings), as_of)


def feeds(registry: Registry) -> dict[str, bytes]:
    return registries.rendered("calendar", registry)


def lines(feed: bytes) -> list[str]:
    """The unfolded content lines of a feed; fails if the ends or folds of lines break RFC 5545
    §3.1.
    """
    assert feed.endswith(b"\r\n")
    physical = feed[:-2].split(b"\r\n")
    assert all(len(line) <= 75 and b"\r" not in line and b"\n" not in line for line in physical)
    for line in physical:
        line.decode()  # no fold inside a UTF-8 sequence
    return feed[:-2].replace(b"\r\n ", b"").decode().split("\r\n")


def values(feed: bytes, name: str) -> list[str]:
    """The parameters and the value of each property with that name."""
    return [line[len(name) :] for line in lines(feed) if line.startswith((f"{name}:", f"{name};"))]


def unescape(text: str) -> str:
    """TEXT read character by character (RFC 5545 §3.3.11)."""
    out, rest = [], iter(text)
    for character in rest:
        out.append(
            {"n": "\n", "N": "\n"}.get(escaped := next(rest), escaped)
            if character == "\\"
            else character
        )
    return "".join(out)


def feed_of(folder: Path, event: dict[str, Any], **settings: Any) -> bytes:
    """The main feed of a registry with only this event, long before the event ends."""
    return feeds(build(folder, {"one": {"name": "One", **event}}, date(2000, 1, 1), **settings))[
        FEED
    ]


# --- events of every form -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def every_form(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The feeds of the events in calendar.yaml, long before they end."""
    records: dict[str, dict[str, str]] = {}
    for text in re.split(r"^# at: ", RECORDS.read_text("utf-8"), flags=re.M)[1:]:
        path, _, record = text.partition("\n")
        collection, _, slug = path.removesuffix(".yaml").partition("/")
        records |= {collection: records.get(collection, {}) | {slug: record}}
    settings = records.pop("registry")[""]
    folder = tmp_path_factory.mktemp("every")
    (folder / "registry.yaml").write_text(settings, "utf-8")
    return feeds(registries.registry(folder, records, date(2000, 1, 1)))


def test_a_feed_has_the_recorded_bytes(every_form: dict[str, bytes], regenerate: bool) -> None:
    """Among them: days, times over changes of summer time, instants, windows, states, places of
    events and of their programs, tags and own fields.
    """
    if regenerate:
        RECORDED.write_bytes(every_form[FEED])
    assert lines(every_form[FEED]) == lines(RECORDED.read_bytes())
    assert every_form[FEED] == RECORDED.read_bytes()


def test_another_reader_sees_the_same_events(every_form: dict[str, bytes]) -> None:
    read = {event.name: event for event in ics.Calendar(every_form[FEED].decode()).events}
    assert read.keys() == {unescape(v[1:]) for v in values(every_form[FEED], "SUMMARY")}
    days, due = read["Time 1"], read["Time 14"]
    assert days.all_day
    assert (days.begin.date(), days.end.date()) == (date(2026, 5, 30), date(2026, 6, 1))
    assert (due.begin.isoformat(), due.end, due.all_day) == (
        "2027-01-01T11:59:59+00:00",
        due.begin,
        False,
    )
    places = "Portland, Maine, United States; Bergen, Norway; Germany; Online"
    assert read["Place 3"].location == places


# --- texts ----------------------------------------------------------------------------------------

TEXTS = [
    "Comma, semicolon; colon: \"quotes\" 'and' <signs> & %41",
    r"C:\New\notes, a \, and a \; and a \\",
    "BEGIN:VEVENT END:VCALENDAR",
    "x" + "🚀" * 70,
    "\\" * 140,
    "e\u0301" * 80,
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_reads_back_as_it_was_written(tmp_path: Path, text: str) -> None:
    organizations = {"owner": {"name": text, "category": "investor"}}
    event = {**DEADLINE, "name": text, "summary": text, "organization": "owner"}
    settings = {"name": text, "description": f"{text}\nand on."}
    changed = registries.content(
        events={"one": event},
        organizations=organizations,
        programs={},
        projects={},
        registry=settings,
    )
    made = feeds(registries.registry(tmp_path, changed))
    feed = made["/api/calendar/events/by/organization/owner.ics"]
    assert [unescape(v[1:]) for v in values(feed, "SUMMARY")] == [text]
    about, described = (unescape(v[1:]) for v in values(feed, "DESCRIPTION"))
    assert about == f"{text}\nand on."
    assert described.split("\n")[:3] == [text, "", f"Organization: {text}"]
    assert [unescape(v[1:]) for v in values(feed, "X-WR-CALNAME")] == [f"{text} · {text}"]
    assert lines(feed).count("BEGIN:VEVENT") == lines(feed).count("END:VCALENDAR") == 1


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=400))
def test_folding_and_escaping_lose_nothing(text: str) -> None:
    made = ical.component("X", [("SUMMARY", ical.CalendarText(text))])
    assert unescape(values(made, "SUMMARY")[0][1:]) == text.replace("\r\n", "\n").replace(
        "\r", "\n"
    )


def test_a_line_of_75_octets_is_not_folded() -> None:
    assert fold_line(b"x" * 75) == b"x" * 75 + b"\r\n"
    assert fold_line(b"x" * 76) == b"x" * 75 + b"\r\n x\r\n"
    assert fold_line(b"x" * 74 + "é".encode()) == b"x" * 74 + b"\r\n \xc3\xa9\r\n"
    assert not fold_line(b"x" * 74 + b"\\,").split(b"\r\n")[0].endswith(b"\\")


# --- addresses ------------------------------------------------------------------------------------


def test_the_url_is_the_page_for_people(tmp_path: Path) -> None:
    page = "https://registry.example/data/calendar/one/"
    feed = feed_of(tmp_path, {**DEADLINE, "website": "https://x.example/"}, **HOST)
    assert values(feed, "URL") == [f":{page}"]
    described = unescape(values(feed, "DESCRIPTION")[1][1:]).split("\n")
    assert described[-2:] == ["Website: https://x.example/", f"Record: {page}"]
    assert values(feed_of(tmp_path, DEADLINE, **HOST), "URL") == [f":{page}"]
    assert values(feed_of(tmp_path, DEADLINE), "URL") == []


@pytest.mark.parametrize("without", [{"site": False}, {"leave_out": ["event_pages"]}])
def test_without_a_page_the_url_is_the_website_or_the_file(
    tmp_path: Path, without: dict[str, Any]
) -> None:
    record = "https://registry.example/data/api/calendar/events/slug/one.json"
    settings = HOST | without
    with_website = feed_of(tmp_path, {**DEADLINE, "website": "https://x.example/"}, **settings)
    assert values(with_website, "URL") == [":https://x.example/"]
    assert f"\\nRecord: {record}" in values(with_website, "DESCRIPTION")[1]
    assert values(feed_of(tmp_path, DEADLINE, **settings), "URL") == [f":{record}"]


# --- identity -------------------------------------------------------------------------------------


def test_uids_are_unique_and_outlive_a_move_and_a_rename(tmp_path: Path) -> None:
    before = build(tmp_path / "a", {"one": DEADLINE, "two": DEADLINE})
    moved = build(tmp_path / "b", {"one": DEADLINE, "two": DEADLINE}, **HOST)
    renamed = build(
        tmp_path / "c", {"other": {**DEADLINE, "aliases": ["one", "later-name"]}, "two": DEADLINE}
    )
    first, second, third = (sorted(values(feeds(r)[FEED], "UID")) for r in (before, moved, renamed))
    assert len(set(first)) == 2
    assert first == second == third


def test_an_event_has_the_same_bytes_whenever_it_is_built(tmp_path: Path) -> None:
    content = {"one": DEADLINE}
    assert feeds(build(tmp_path / "a", content, date(2026, 1, 1))) == feeds(
        build(tmp_path / "b", content, date(2026, 12, 1))
    )


# --- feeds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("as_of", "due", "included"),
    [
        (date(2026, 11, 21), "2025-11-21 00:00:00", True),
        (date(2026, 11, 21), "2025-11-20 23:59:59", False),
        (date(2028, 2, 29), "2027-02-28 00:00", True),
        (date(2028, 2, 29), "2027-02-27 23:59:59", False),
        (date(1, 1, 1), "1800-01-01 00:00", True),
    ],
)
def test_a_feed_has_current_events_and_those_of_the_past_year(
    tmp_path: Path, as_of: date, due: str, included: bool
) -> None:
    registry = build(tmp_path, {"one": {**DEADLINE, "due": due, "timezone": "UTC"}}, as_of)
    assert len(values(feeds(registry)[FEED], "UID")) == included


@pytest.mark.parametrize("events", [{}, {"old": {**DEADLINE, "due": "1990-01-01"}}])
def test_a_feed_without_events_is_a_valid_calendar(tmp_path: Path, events: dict[str, Any]) -> None:
    feed = feeds(build(tmp_path, events))[FEED]
    assert "BEGIN:VEVENT" not in lines(feed)
    # RFC 5545 §3.6: at least one component
    assert lines(feed).count("BEGIN:VTIMEZONE") == 1
    assert not ics.Calendar(feed.decode()).events


def test_a_feed_says_how_many_events_it_leaves_out(tmp_path: Path) -> None:
    old, always = {**DEADLINE, "due": "1990-01-01"}, {"kind": "application_window", "rolling": True}
    events = {"old": old, "open": {"name": "Open", **always}, "new": DEADLINE}
    made = feeds(build(tmp_path, events))
    described = {
        path: unescape(values(feed, "DESCRIPTION")[0][1:]).split("\n")[1:]
        for path, feed in made.items()
    }
    start = "Left out, because they ended more than a year ago or are always open:"
    by_kind = "/api/calendar/events/by/kind"
    assert described[FEED] == [f"{start} 2 of 3."]
    assert described[f"{by_kind}/deadline.ics"] == [f"{start} 1 of 2."]
    assert values(made[FEED], "X-WR-CALDESC") == values(made[FEED], "DESCRIPTION")[:1]
