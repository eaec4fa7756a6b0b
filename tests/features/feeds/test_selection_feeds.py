"""Feeds of selections have the events of the list of the same filters, as in other feeds."""

from __future__ import annotations

import functools
import json
import random
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from zlib import crc32

import icalendar
import pytest

from generator.contract.listing import uid
from generator.contract.vevents import year_before
from generator.engine.table import MAX_READS
from generator.features.feeds import SELECTION
from generator.reader.client import Client
from generator.reader.deployment import Deployment
from generator.search.format import with_seal
from generator.search.manifest import packed_checks
from generator.serve.answer import answer
from support import commands, recorded, registries
from support.answers import differing, function, javascript, served

EVENTS = "/api/calendar/events"
HOST = {"base_url": "https://registry.example/data"}
OLDEST = f"{year_before(registries.AS_OF).isoformat()}T00:00:00Z"
FEEDS = Path(__file__).with_name("feeds.txt")
NAME = "Räg; is, try \\ " * 5 + "end"


def drawn_events(number: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Events from two years before the day of the build to two years after it."""
    rng = random.Random(seed)
    for n in range(number):
        day = registries.AS_OF + timedelta(days=rng.randint(-730, 730))
        event: dict[str, Any] = {
            "name": f"Call {n}: ü🚀\\N, {'long; ' * rng.choice((0, 0, 30))}end"
        }
        match rng.choice(("event", "deadline", "window", "at once", "open", "rolling")):
            case "event":
                event |= {"kind": "event", "starts": str(day)}
            case "deadline":
                event |= {"kind": "deadline", "due": str(day)}
            case "window":
                opens = day - timedelta(days=rng.randint(1, 90))
                event |= {"kind": "application_window", "opens": str(opens), "closes": str(day)}
            case "at once":
                at = {"opens": f"{day} 10:00", "closes": f"{day} 10:00", "timezone": "UTC"}
                event |= {"kind": "application_window", **at}
            case "open":
                event |= {"kind": "application_window", "closes": str(day)}
            case _:
                event |= {"kind": "application_window", "rolling": True}
        if rng.random() < 0.5:
            event["program"] = rng.choice(("launch", "launch-2025"))
        if rng.random() < 0.5:
            event["tags"] = {"topic": rng.sample(("climate", "health", "space"), rng.randint(1, 2))}
        if rng.random() < 0.3:
            event["locations"] = [{"country": rng.choice(("NO", "US"))}]
        if rng.random() < 0.2:
            event["status"] = rng.choice(("cancelled", "tentative"))
        if rng.random() < 0.1:
            event["aliases"] = [f"once-{n}", f"twice-{n}"]
        yield f"call-{n}", event


def build(folder: Path, events: dict[str, Any], **settings: Any) -> Path:
    content = registries.content(events=events, registry=settings)
    made = registries.write(folder / "content", content)
    return commands.build(made, folder / "build", "--as-of", str(registries.AS_OF))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(
        tmp_path_factory.mktemp("feeds"), dict(drawn_events(400, 1)), name=NAME,
        base_url="https://registry.example/some/where/", feeds=["tag_topic", "location"],
    )  # fmt: skip


def both(out: Path, *queries: str) -> list[tuple[int, bytes]]:
    """The answers of the server, which the function of a host gives too, within the bounds."""
    targets = [f"{SELECTION}{query}" for query in queries]
    answers, found = served(out, *targets), function(out, *targets)
    assert differing(targets, [(a.status, a.body) for a in found], answers) == []
    assert max(len(a.reads) for a in found) <= MAX_READS
    for each in found:
        wanted = "text/calendar" if each.status == 200 else "application/problem+json"
        assert each.headers["content-type"].partition(";")[0] == wanted
    return answers


def feed(out: Path, query: str) -> bytes:
    ((status, body),) = both(out, query)
    assert status == 200, body
    return body


def vevents(raw: bytes) -> list[bytes]:
    """The VEVENTs of a feed, without alarms."""
    begin, end, alarm = b"BEGIN:VEVENT\r\n", b"END:VEVENT\r\n", b"BEGIN:VALARM\r\n"
    return [part.partition(end)[0].partition(alarm)[0] for part in raw.split(begin)[1:]]


def uids(raw: bytes) -> list[str]:
    unfolded = raw.replace(b"\r\n ", b"").decode()
    return [line[4:] for line in unfolded.split("\r\n") if line.startswith("UID:")]


def expected(out: Path, filters: dict[str, str]) -> list[str]:
    """The UIDs of the events of a list that feeds have."""
    client = client_of(out)
    pages = client.pages(client.collections["events"], filters.items())
    rows = [row for page in pages for row in page["data"]]
    current = (r["slug"] for r in rows if not r["rolling"] and r["ends_at"] >= OLDEST)
    return [uid_of(out, slug) for slug in current]


@functools.cache
def client_of(out: Path) -> Client:
    return Client.open(str(out))


@functools.cache
def uid_of(out: Path, slug: str) -> str:
    client = client_of(out)
    record = client.record(client.collections["events"], slug)[1]["data"]
    return uid(NAME, (*record["aliases"], record["slug"])[0])


def test_feeds_and_refusals_are_as_recorded(out: Path, regenerate: bool) -> None:
    targets = recorded.targets(FEEDS)
    answers = both(out, *(target.removeprefix(SELECTION) for target in targets))
    recorded.assert_recorded(FEEDS, dict(zip(targets, answers, strict=True)), regenerate)
    for _, raw in answers:
        if raw.startswith(b"BEGIN"):
            physical = raw.removesuffix(b"\r\n").split(b"\r\n")
            assert all(len(line) <= 75 and line.decode().isprintable() for line in physical)


def test_a_feed_has_the_events_of_the_list(out: Path) -> None:
    sizes = []
    for target in recorded.targets(FEEDS)[:60:5]:
        pairs = dict(parse_qsl(target.partition("?")[2]))
        raw = feed(out, f"?{target.partition('?')[2]}")
        pairs.pop("alarm", None)
        assert uids(raw) == expected(out, pairs)
        read = icalendar.Calendar.from_ical(raw).walk("VEVENT")
        assert [str(event["UID"]) for event in read] == uids(raw)
        sizes.append(len(read))
    assert min(sizes) == 0 and max(sizes) > 50


def test_an_event_is_the_same_in_every_feed(out: Path) -> None:
    whole = vevents((out / f"{EVENTS[1:]}.ics").read_bytes())
    prepared = [*(out / EVENTS[1:] / "by").rglob("*.ics")]
    filters = {path.parent.name for path in prepared}
    assert filters == {"kind", "program", "tag_topic", "location"}
    queries = [f"?{path.parent.name}={path.stem}" for path in prepared]
    for path, (_, raw) in zip(prepared, both(out, *queries), strict=True):
        assert vevents(raw) == vevents(path.read_bytes()) and set(vevents(raw)) <= set(whole)
        if path == prepared[0]:  # this parser takes long
            ours, theirs = map(icalendar.Calendar.from_ical, (raw, path.read_bytes()))
            for name in ("NAME", "X-WR-CALNAME", "DESCRIPTION", "REFRESH-INTERVAL"):
                assert ours[name].to_ical() == theirs[name].to_ical()


def test_another_reader_finds_the_same_in_them(out: Path, tmp_path: Path) -> None:
    """ical.js, which is in Thunderbird, finds the events, days and alarms that icalendar finds."""
    queries = ("?upcoming=true&alarm=7d", "?tag_topic=climate", "?location=no&alarm=36h")
    paths, ours = [], []
    for n, (_, raw) in enumerate(both(out, *queries)):
        paths.append(tmp_path / f"{n}.ics")
        paths[-1].write_bytes(raw)
        ours.append([facts(event) for event in icalendar.Calendar.from_ical(raw).walk("VEVENT")])
    command = ["node", str(Path(__file__).with_name("ical.mjs"))]
    asked = json.dumps([str(path) for path in paths]).encode()
    theirs = subprocess.run(command, input=asked, check=True, capture_output=True).stdout
    assert min(map(len, ours)) > 10 and json.loads(theirs) == ours


def facts(event: Any) -> list[Any]:
    """The UID, the start, the name and the seconds of the alarms of an event."""
    start = event["DTSTART"].dt
    instant = hasattr(start, "hour")
    alarms = [int(alarm["TRIGGER"].dt.total_seconds()) for alarm in event.walk("VALARM")]
    begins = f"{start:%Y-%m-%dT%H:%M:%SZ}" if instant else start.isoformat()
    return [str(event["UID"]), begins, str(event["SUMMARY"]), *alarms]


def test_the_name_and_the_address_say_what_was_asked(out: Path) -> None:
    query = "?kind=not:event&location=no&tag_topic=all:space,climate&month=2026-01..&alarm=2d"
    found = icalendar.Calendar.from_ical(feed(out, query))
    name = f"Climate + Space · not Event · Norway · 2026-01.. · {NAME}"
    assert found["NAME"].to_ical() == icalendar.vText(name).to_ical()
    canonical = "?tag_topic=all:climate,space&kind=not:event&location=no&month=2026-01..&alarm=2d"
    assert found["SOURCE"] == f"https://registry.example/some/where{SELECTION}{canonical}"


def test_an_alarm_is_before_the_end_of_a_window_else_before_the_start(tmp_path: Path) -> None:
    opened = {"kind": "application_window", "closes": "2027-01-31"}
    out = build(tmp_path, {
        "window": {"name": "A, b", **opened, "opens": "2027-01-01"},
        "closing": {"name": "C", **opened},
        "deadline": {"name": "D", "kind": "deadline", "due": "2027-01-31"},
        "event": {"name": "E", "kind": "event", "starts": "2027-01-01", "ends": "2027-01-03"},
    })  # fmt: skip
    for alarm, wanted in (("12h", timedelta(hours=12)), ("60d", timedelta(days=60))):
        found = icalendar.Calendar.from_ical(feed(out, f"?upcoming=true&alarm={alarm}"))
        related = {}
        for event in found.walk("VEVENT"):
            (one,) = event.walk("VALARM")
            assert one["ACTION"] == "DISPLAY" and one["DESCRIPTION"] == event["SUMMARY"]
            assert one["TRIGGER"].dt == -wanted
            related[str(event["SUMMARY"])] = one["TRIGGER"].params.get("RELATED")
        assert related == {"A, b": "END", "C": None, "D": None, "E": None}
    plain = feed(out, "?upcoming=true")
    assert b"VALARM" not in plain and b"SOURCE" not in plain  # there is no base URL


def test_search_js_refuses_feeds_as_hosts_of_files_do(out: Path) -> None:
    (refused,) = javascript(out, f"{SELECTION}?kind=event")
    assert (refused.status, json.loads(refused.body)["code"]) == (404, "not-found")


def test_a_feed_has_at_most_500_events(tmp_path: Path) -> None:
    def due(day: str, topic: str) -> dict[str, Any]:
        return {"name": "A", "kind": "deadline", "due": day, "tags": {"topic": [topic]}}

    events = {f"old-{n}": due("2024-01-01", "space") for n in range(300)}
    events |= {f"new-{n}": due(f"2027-01-{n % 28 + 1:02}", "space") for n in range(500)}
    events["more"] = due("2027-01-01", "health")
    out = build(tmp_path, events)
    whole = feed(out, "?tag_topic=space")
    assert len(vevents(whole)) == 500
    described = icalendar.Calendar.from_ical(whole)["DESCRIPTION"]
    assert described.endswith("\nLeft out, because they ended more than a year ago or are always "
                              "open: 300 of 800.")  # fmt: skip
    ((status, body),) = both(out, "?kind=deadline")
    assert status == 400
    assert json.loads(body)["detail"] == (
        "This selection has 501 events; the limit is 500. Use more filters."
    )


def test_without_events_every_value_is_unknown(tmp_path: Path) -> None:
    out = build(tmp_path, {})
    ((status, _),) = both(out, "?kind=event")
    assert status == 404
    assert icalendar.Calendar.from_ical(feed(out, "?upcoming=true")).walk("VEVENT") == []


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        *(("feeds/1", line) for line in (b"", b"{}", b'["a"]', b'["a",1]', b'["","",""]', b"\xff")),
        *(("feeds/0", line) for line in (b"[]", b"{}", b'["","","","",1]', b'["","","",""]')),
    ],
)
def test_a_forged_file_is_refused(kind: str, line: bytes, tmp_path: Path) -> None:
    out = build(tmp_path, {"one": {"name": "A", "kind": "deadline", "due": "2027-01-01"}})
    folder = out / "api/index/events"
    (file,) = (folder / kind).iterdir()
    file.unlink()
    data = line + b"\n"
    (folder / f"{kind}/0-{crc32(data):08x}.txt").write_bytes(data)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    del manifest["check"]
    manifest["files"][kind] = packed_checks([crc32(data)])
    raw = json.dumps(manifest, separators=(",", ":"), ensure_ascii=False)
    (folder / "manifest.json").write_bytes(with_seal(raw.encode()))
    ((status, body),) = both(out, "?kind=deadline")
    assert status == 503 and b"one of its files has an unexpected form" in body


def test_a_client_that_has_the_feed_gets_304(out: Path) -> None:
    site = Deployment.open(out)
    first = answer("GET", f"{SELECTION}?kind=event", site)
    assert first.headers["Access-Control-Allow-Origin"] == "*"
    given = {"If-None-Match": first.headers["ETag"]}
    again = answer("GET", f"{SELECTION}?kind=event", site, given=given)
    assert (again.status, again.body) == (304, b"")


def test_feeds_names_filters_of_events(tmp_path: Path) -> None:
    content = registries.content(registry={"feeds": ["tag_topic", "locaton"]})
    made = registries.write(tmp_path / "content", content)
    done = commands.run_forked("check", "--content", made)
    assert done.status == 1
    assert 'feeds[1]: events have no filter "locaton"' in done.out + done.err
    assert 'did you mean "location"?' in done.out + done.err


def test_pages_offer_alarms_only_where_functions_answer(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", registries.content(registry=HOST))
    for host, offered in (("netlify", True), ("github-pages", False)):
        out = commands.build(
            content, tmp_path / host, "--as-of", commands.TODAY, "--host", host, site=True
        )
        page = (out / "calendar/index.html").read_text()
        assert ('<select id="alarm"' in page, SELECTION in page) == (offered, offered)
        assert 'href="webcal://registry.example/data/api/calendar/events.ics"' in page
