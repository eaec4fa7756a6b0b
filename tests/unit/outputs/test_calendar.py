"""The feeds, read back by the library `ics` (they are written with `icalendar`) and in part as raw
lines.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import ics
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.contract import ical
from generator.contract.content_lines import fold_line
from generator.grammar.paths import FEED
from generator.model.tables.table import Registry
from support import registries

DEADLINE = {"name": "A deadline", "kind": "deadline", "due": "2026-12-01"}
HOST = {"base_url": "https://registry.example/data"}


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


# --- times ----------------------------------------------------------------------------------------

WINDOW, EVENT, DUE = {"kind": "application_window"}, {"kind": "event"}, {"kind": "deadline"}


@pytest.mark.parametrize(
    ("event", "start", "end"),
    [
        # Whole days: DTEND is the day after the last, over the ends of months, years and leap days.
        ({**EVENT, "starts": "2026-05-30", "ends": "2026-05-31"}, ";VALUE=DATE:20260530",
         ";VALUE=DATE:20260601"),
        ({**EVENT, "starts": "2026-12-31"}, ";VALUE=DATE:20261231", ";VALUE=DATE:20270101"),
        ({**EVENT, "starts": "2028-02-28", "ends": "2028-02-28"}, ";VALUE=DATE:20280228",
         ";VALUE=DATE:20280229"),
        ({**EVENT, "starts": "2027-02-28"}, ";VALUE=DATE:20270228", ";VALUE=DATE:20270301"),
        # Whole days are the same days in every zone.
        ({**EVENT, "starts": "2026-05-30", "timezone": "Pacific/Auckland"}, ";VALUE=DATE:20260530",
         ";VALUE=DATE:20260531"),
        ({**EVENT, "starts": "2200-12-31"}, ";VALUE=DATE:22001231", ";VALUE=DATE:22010101"),
        # Times of day become UTC; Oslo is an hour ahead in winter and two hours in summer.
        ({**EVENT, "starts": "2026-01-15 09:00", "ends": "2026-01-15T17:30:15",
          "timezone": "Europe/Oslo"},
         ":20260115T080000Z", ":20260115T163015Z"),
        ({**EVENT, "starts": "2026-03-28 12:00", "ends": "2026-03-29 12:00",
          "timezone": "Europe/Oslo"},
         ":20260328T110000Z", ":20260329T100000Z"),
        ({**EVENT, "starts": "2026-10-24 12:00", "ends": "2026-10-25 12:00",
          "timezone": "Europe/Oslo"},
         ":20261024T100000Z", ":20261025T110000Z"),
        ({**EVENT, "starts": "2026-07-01 00:30", "ends": "2026-07-01 01:00",
          "timezone": "Asia/Kathmandu"},
         ":20260630T184500Z", ":20260630T191500Z"),
        # A day and a time of day are both instants.
        ({**EVENT, "starts": "2026-07-01", "ends": "2026-07-02 12:00", "timezone": "AoE"},
         ":20260701T120000Z", ":20260703T000000Z"),
        ({**EVENT, "starts": "2026-07-01 12:00", "ends": "2026-07-02", "timezone": "AoE"},
         ":20260702T000000Z", ":20260703T115959Z"),
        # An instant has no end.
        ({**EVENT, "starts": "2026-07-01 12:00", "timezone": "UTC"}, ":20260701T120000Z", None),
        ({**DUE, "due": "2026-12-31"}, ":20270101T115959Z", None),
        ({**DUE, "due": "2026-12-31", "timezone": "Asia/Tokyo"}, ":20261231T145959Z", None),
        ({**DUE, "due": "2026-12-31 23:59", "timezone": "AoE"}, ":20270101T115900Z", None),
        ({**WINDOW, "closes": "2026-06-30 17:00", "timezone": "America/New_York"},
         ":20260630T210000Z", None),
        ({**WINDOW, "closes": "2026-06-30"}, ":20260701T115959Z", None),
        ({**WINDOW, "opens": "2026-06-30 17:00", "closes": "2026-06-30 17:00", "timezone": "UTC"},
         ":20260630T170000Z", None),
        # A window of bare dates is instants, not whole days: it closes at the end of its day in its
        # own zone.
        ({**WINDOW, "opens": "2026-03-01", "closes": "2026-03-31"}, ":20260301T120000Z",
         ":20260401T115959Z"),
        ({**WINDOW, "opens": "2026-03-01", "closes": "2026-03-31", "timezone": "Europe/Oslo"},
         ":20260228T230000Z", ":20260331T215959Z"),
    ],
)  # fmt: skip
def test_times(tmp_path: Path, event: dict[str, Any], start: str, end: str | None) -> None:
    feed = feed_of(tmp_path, event)
    assert values(feed, "DTSTART") == [start]
    assert values(feed, "DTEND") == ([end] if end else [])


def test_another_reader_sees_the_days_of_an_all_day_event(tmp_path: Path) -> None:
    (event,) = ics.Calendar(
        feed_of(tmp_path, {**EVENT, "starts": "2026-05-30", "ends": "2026-05-31"}).decode()
    ).events
    assert event.all_day
    assert (event.begin.date(), event.end.date()) == (date(2026, 5, 30), date(2026, 6, 1))


def test_another_reader_sees_the_instant_of_a_deadline(tmp_path: Path) -> None:
    (event,) = ics.Calendar(feed_of(tmp_path, {**DUE, "due": "2026-12-31"}).decode()).events
    assert (event.begin.isoformat(), event.end, event.all_day) == (
        "2027-01-01T11:59:59+00:00",
        event.begin,
        False,
    )


# --- texts ----------------------------------------------------------------------------------------

TEXTS = [
    "Comma, semicolon; colon: \"quotes\" 'and' <signs> & %41",
    r"C:\New\notes, a \, and a \; and a \\",
    "BEGIN:VEVENT END:VCALENDAR",
    "Zürich Straße – 東京スタートアップ – 🚀🚀🚀 – наука",
    "é" * 150,
    "x" + "🚀" * 70,
    "\\" * 140,
    "a," * 100,
    "e\u0301" * 80,
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_reads_back_as_it_was_written(tmp_path: Path, text: str) -> None:
    organizations = {"owner": {"name": text, "category": "investor"}}
    event = {**DEADLINE, "name": text, "summary": text, "organization": "owner"}
    changed = registries.content(events={"one": event}, organizations=organizations, programs={},
                                 projects={},
                                 registry={"name": text,
                                           "description": f"{text}\nand on."})  # fmt: skip
    made = feeds(registries.registry(tmp_path, changed))
    feed = made["/api/calendar/events/by/organization/owner.ics"]
    assert [unescape(v[1:]) for v in values(feed, "SUMMARY")] == [text]
    about, described = (unescape(v[1:]) for v in values(feed, "DESCRIPTION"))
    assert about == f"{text}\nand on."
    assert described.split("\n")[:3] == [text, "", f"Organization: {text}"]
    assert [unescape(v[1:]) for v in values(feed, "X-WR-CALNAME")] == [f"{text} · {text}"]
    assert lines(feed).count("BEGIN:VEVENT") == lines(feed).count("END:VCALENDAR") == 1


# The reader takes an escaped backslash before an "n" for a line break, so these are texts
# without one.
@pytest.mark.parametrize("text", [text for text in TEXTS if "\\" not in text])
def test_another_reader_sees_the_texts(tmp_path: Path, text: str) -> None:
    organizations = {"owner": {"name": text, "category": "investor"}}
    event = {
        **DEADLINE,
        "name": text,
        "summary": text,
        "organization": "owner",
        "website": "https://x.example/a,b;c?d=e",
    }
    changed = registries.content(
        events={"one": event}, organizations=organizations, programs={}, projects={}
    )
    (read,) = ics.Calendar(feeds(registries.registry(tmp_path, changed))[FEED].decode()).events
    assert (read.name, read.url) == (text, "https://x.example/a,b;c?d=e")
    assert read.description.startswith(
        f"{text}\n\nOrganization: {text}\nDue: 2026-12-01, end of day\n"
    )
    assert "Deadline" in read.categories


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=400))
@settings(deadline=None)
def test_folding_and_escaping_lose_nothing(text: str) -> None:
    made = ical.component("X", [("SUMMARY", ical.Text(text))])
    assert unescape(values(made, "SUMMARY")[0][1:]) == text.replace("\r\n", "\n").replace(
        "\r", "\n"
    )


@pytest.mark.parametrize("length", range(70, 80))
@pytest.mark.parametrize("character", ["a", "é", "€", "🚀", ","])
def test_folds_are_between_characters(length: int, character: str) -> None:
    text = "a" * (length - len("SUMMARY:")) + character * 100
    made = ical.component("X", [("SUMMARY", ical.Text(text))])
    assert unescape(values(made, "SUMMARY")[0][1:]) == text
    assert not any(line.endswith(b"\\") for line in made.split(b"\r\n"))


def test_a_line_of_75_octets_is_not_folded() -> None:
    assert fold_line(b"x" * 75) == b"x" * 75 + b"\r\n"
    assert fold_line(b"x" * 76) == b"x" * 75 + b"\r\n x\r\n"


# --- what an event says ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "written"),
    [
        (None, "CONFIRMED"),
        ("confirmed", "CONFIRMED"),
        ("extended", "CONFIRMED"),
        ("tentative", "TENTATIVE"),
        ("cancelled", "CANCELLED"),
    ],
)
def test_status(tmp_path: Path, status: str | None, written: str) -> None:
    feed = feed_of(tmp_path, {**DEADLINE, "status": status})
    assert values(feed, "STATUS") == [f":{written}"]
    in_description = f"\\nStatus: {status}" in "\n".join(values(feed, "DESCRIPTION"))
    assert in_description == (status in ("extended", "tentative", "cancelled"))


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({**DUE, "due": "2026-12-01"}, ["Due: 2026-12-01, end of day",
                                        "Time zone: AoE (anywhere on earth, UTC-12)"]),
        ({**DUE, "due": "2026-12-01T17:00", "timezone": "Europe/Oslo"},
         ["Due: 2026-12-01 17:00", "Time zone: Europe/Oslo"]),
        ({**WINDOW, "opens": "2026-12-01", "closes": "2026-12-01", "timezone": "UTC"},
         ["Opens: 2026-12-01, start of day", "Closes: 2026-12-01, end of day", "Time zone: UTC"]),
        ({**WINDOW, "closes": "2026-12-01", "timezone": "UTC"},
         ["Closes: 2026-12-01, end of day", "Time zone: UTC"]),
        ({**EVENT, "starts": "2026-12-01"}, ["Starts: 2026-12-01"]),
        ({**EVENT, "starts": "2026-12-01", "ends": "2026-12-02"},
         ["Starts: 2026-12-01", "Ends: 2026-12-02"]),
        ({**EVENT, "starts": "2026-12-01", "ends": "2026-12-02 12:00", "timezone": "UTC"},
         ["Starts: 2026-12-01, start of day", "Ends: 2026-12-02 12:00", "Time zone: UTC"]),
        ({**EVENT, "starts": "2026-12-01", "program": "launch", "organization": "north-college",
          "website": "https://x.example/"},
         ["Program: Launch", "Organization: North College", "Starts: 2026-12-01", "Website: https://x.example/"]),
    ],
)  # fmt: skip
def test_the_description_has_times_as_written(
    tmp_path: Path, event: dict[str, Any], expected: list[str]
) -> None:
    described = values(feed_of(tmp_path, event), "DESCRIPTION")[1]
    assert unescape(described[1:]).split("\n") == expected


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


NORWAY = {"country": "NO", "city": "Bergen"}
MAINE = {"country": "US", "region": "Maine", "city": "Portland"}


@pytest.mark.parametrize(
    ("event", "location"),
    [
        ({}, None),
        ({"locations": [NORWAY]}, "Bergen, Norway"),
        ({"locations": [MAINE, NORWAY, {"country": "DE"}], "online": True},
         "Portland, Maine, United States; Bergen, Norway; Germany; Online"),
        ({"online": True}, "Online"),
        # The program's places, as in the filters of lists.
        ({"program": "fair"}, "Portland, Maine, United States; Germany"),
        ({"program": "fair", "locations": [NORWAY]}, "Bergen, Norway"),
        ({"program": "fair", "online": True}, "Online"),
    ],
)  # fmt: skip
def test_the_location_is_the_places_of_the_event_or_its_program(
    tmp_path: Path, event: dict[str, Any], location: str | None
) -> None:
    fair = {**registries.SMALL["programs"]["launch"], "name": "Fair",
            "locations": [MAINE, {"country": "DE"}]}  # fmt: skip
    records = registries.content(
        events={"one": DEADLINE | event}, programs={**registries.SMALL["programs"], "fair": fair}
    )
    feed = feeds(registries.registry(tmp_path, records))[FEED]
    assert [unescape(v[1:]) for v in values(feed, "LOCATION")] == ([location] if location else [])
    (read,) = ics.Calendar(feed.decode()).events
    assert read.location == location


def test_the_description_has_tags_and_the_own_fields_of_lists(tmp_path: Path) -> None:
    own = {
        "fee": {"label": "Fee", "type": "number", "unit": "EUR", "summary": True},
        "visa": {"label": "Visa letters", "type": "boolean", "summary": True},
        "note": {"label": "Note", "type": "text"},
    }
    event = {
        **DEADLINE,
        "organization": "north-college",
        "tags": {"topic": ["health", "climate"], "technology": ["heat-pumps"]},
        "fields": {"fee": 20, "visa": False, "note": "hidden"},
    }
    feed = feed_of(tmp_path, event, fields={"events": own})
    described = unescape(values(feed, "DESCRIPTION")[1][1:]).split("\n")
    assert described[3:] == ["Topic: Health, Climate", "Technology: heat pumps", "Fee: 20 EUR",
                             "Visa letters: no"]  # fmt: skip
    assert values(feed, "CATEGORIES") == [":Deadline,North College,Health,Climate,heat pumps"]


def test_events_do_not_block_time(tmp_path: Path) -> None:
    assert values(feed_of(tmp_path, DEADLINE), "TRANSP") == [":TRANSPARENT"]


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


def test_two_registries_do_not_share_uids(tmp_path: Path) -> None:
    mine = feeds(build(tmp_path / "a", {"one": DEADLINE}))[FEED]
    other = feeds(build(tmp_path / "b", {"one": DEADLINE}, name="Another"))[FEED]
    assert values(mine, "UID") != values(other, "UID")


def test_an_event_has_the_same_bytes_whenever_it_is_built(tmp_path: Path) -> None:
    content = {"one": DEADLINE}
    assert feeds(build(tmp_path / "a", content, date(2026, 1, 1))) == feeds(
        build(tmp_path / "b", content, date(2026, 12, 1))
    )


def test_without_a_history_the_stamp_never_goes_back(tmp_path: Path) -> None:
    later = feed_of(tmp_path / "a", {**DEADLINE, "due": "2026-12-15"})
    corrected = feed_of(tmp_path / "b", DEADLINE)
    assert values(later, "DTSTAMP") == values(corrected, "DTSTAMP") == [":19700101T000000Z"]
    assert not values(later, "LAST-MODIFIED")


# --- feeds ----------------------------------------------------------------------------------------


def test_there_is_a_feed_for_each_program_organization_and_kind_that_has_events(
    tmp_path: Path,
) -> None:
    root = "/api/calendar/events"
    made = feeds(registries.registry(tmp_path))
    assert {
        path: sorted(v[1:] for v in values(feed, "SUMMARY")) for path, feed in made.items()
    } == {
        f"{root}.ics": ["Launch 2026 demo day", "Launch 2027 applications"],
        f"{root}/by/program/launch.ics": ["Launch 2026 demo day", "Launch 2027 applications"],
        f"{root}/by/organization/north-college.ics": ["Launch 2027 applications"],
        f"{root}/by/organization/harbour-fund.ics": [],
        f"{root}/by/kind/application_window.ics": ["Launch 2027 applications"],
        f"{root}/by/kind/event.ics": ["Launch 2026 demo day"],
        f"{root}/by/kind/deadline.ics": [],
    }
    names = {path: unescape(values(feed, "X-WR-CALNAME")[0][1:]) for path, feed in made.items()}
    assert names[f"{root}.ics"] == "Small Registry"
    assert names[f"{root}/by/program/launch.ics"] == "Launch · Small Registry"
    assert names[f"{root}/by/kind/application_window.ics"] == "Application window · Small Registry"


@pytest.mark.parametrize(
    ("as_of", "due", "included"),
    [
        (date(2026, 11, 21), "2025-11-21 00:00:00", True),
        (date(2026, 11, 21), "2025-11-20 23:59:59", False),
        (date(2026, 11, 21), "2190-01-01 00:00", True),
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


def test_a_feed_has_a_name_and_a_description(tmp_path: Path) -> None:
    feed = feeds(build(tmp_path, {"one": DEADLINE}, **HOST))[FEED]
    properties = lines(feed)
    assert properties[0] == "BEGIN:VCALENDAR" and properties[-1] == "END:VCALENDAR"
    for line in ("VERSION:2.0", f"PRODID:{ical.PRODID}", "NAME:Small Registry",
                 "X-WR-CALNAME:Small Registry",
                 "REFRESH-INTERVAL;VALUE=DURATION:PT12H", "X-PUBLISHED-TTL:PT12H",
                 f"SOURCE;VALUE=URI:https://registry.example/data{FEED}"):  # fmt: skip
        assert properties.count(line) == 1, line
    assert not values(feed, "METHOD")
    assert not values(feeds(build(tmp_path / "b", {"one": DEADLINE}))[FEED], "SOURCE")


def test_a_feed_says_how_many_events_it_leaves_out(tmp_path: Path) -> None:
    old, always = {**DEADLINE, "due": "1990-01-01"}, {**WINDOW, "rolling": True}
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


def test_an_event_has_the_same_bytes_in_every_feed(tmp_path: Path) -> None:
    made = feeds(registries.registry(tmp_path))
    entry = (
        made["/api/calendar/events/by/kind/event.ics"]
        .partition(b"BEGIN:VEVENT")[2]
        .partition(b"END:VEVENT")[0]
    )
    root = "/api/calendar/events"
    assert {path for path, feed in made.items() if entry in feed} == {
        FEED,
        f"{root}/by/kind/event.ics",
        f"{root}/by/program/launch.ics",
    }


def test_events_are_in_the_order_of_their_start(tmp_path: Path) -> None:
    dues = {"a": "2026-12-03", "b": "2026-12-01", "c": "2026-12-02", "d": "2026-12-01"}
    registry = build(
        tmp_path, {slug: {**DEADLINE, "name": slug, "due": due} for slug, due in dues.items()}
    )
    assert [values(feed, "SUMMARY") for feed in feeds(registry).values()] == [
        [":b", ":d", ":c", ":a"]
    ] * 2
