"""The Atom feeds of a site are valid by RFC 4287; without feeds, pages say why; what is new."""

from __future__ import annotations

import json
import re
import subprocess
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support import registries
from support.commands import TODAY, build, differing, environment, files
from support.git import commit

ATOM = "{http://www.w3.org/2005/Atom}"
#: RFC 3339, as restricted by RFC 4287 §3.3.
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ").fullmatch
URN = re.compile(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch


def text(element: ElementTree.Element, name: str) -> str:
    """The text of the only child with this name, without surrounding spaces."""
    (child,) = element.findall(ATOM + name)
    assert child.text is not None and child.text.strip()
    return child.text.strip()


def links(element: ElementTree.Element) -> dict[str, str]:
    return {link.attrib["rel"]: link.attrib["href"] for link in element.findall(f"{ATOM}link")}


def read(out: Path, path: str, origin: str) -> list[ElementTree.Element]:
    """The entries of a feed, after asserting that it is valid and every link is a page of the
    build."""
    feed = ElementTree.fromstring((out / path).read_bytes())
    assert feed.tag == f"{ATOM}feed"
    assert URN(text(feed, "id")) and DATE(text(feed, "updated")) and text(feed, "title")
    assert text(feed.findall(f"{ATOM}author")[0], "name")
    assert links(feed)["self"] == f"{origin}/{path}"
    entries = feed.findall(f"{ATOM}entry")
    ids = [text(entry, "id") for entry in entries]
    assert len(set(ids)) == len(ids) and all(map(URN, ids))
    for entry in (feed, *entries):
        assert DATE(text(entry, "updated")) and text(entry, "title")
        assert text(entry, "updated") <= text(feed, "updated")  # RFC 4287 §4.2.15
        datetime.fromisoformat(text(entry, "updated"))
        page = links(entry)["alternate"]
        assert page.startswith(f"{origin}/")
        assert (out / page.removeprefix(f"{origin}/") / "index.html").is_file()
    assert all(text(entry, "summary") for entry in entries)
    return entries


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return registries.write(tmp_path / "checkout" / "content")


def test_upcoming_dates(content: Path, tmp_path: Path) -> None:
    (content / "events" / "odd.yaml").write_text(
        "name: 'A <b>&amp; B]]> 🚀'\nsummary: \"x\\uFFFEy\"\n"
        "kind: deadline\ndue: 2026-12-31\nstatus: extended\n"
        "locations: [{country: NO, city: Bergen}, {country: DE}]\nonline: true\n"
        "tags: {topic: [climate]}\n"
    )
    out = build(content, tmp_path / "out", "--as-of", TODAY, site=True)
    entries = read(out, "calendar/upcoming.atom", "")
    listed = json.loads((out / "api/calendar/events/upcoming/page/1.json").read_bytes())["data"]
    assert [text(entry, "title") for entry in entries] == [event["name"] for event in listed]
    assert {text(entry, "updated") for entry in entries} == {"1970-01-01T00:00:00Z"}  # not known
    odd = next(entry for entry in entries if text(entry, "title") == "A <b>&amp; B]]> 🚀")
    assert text(odd, "summary") == (
        "Deadline: 31 December 2026 UTC−12 (AoE) (Extended) · Bergen, Norway · Germany · Online · "
        "Climate. xy"
    )


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Left out: 5 of 15. All of them:"), ("de", "Nicht enthalten: 5 von 15. Alle:")],
)
def test_a_feed_says_how_many_dates_it_leaves_out(language: str, told: str, tmp_path: Path) -> None:
    events = {f"e-{n}": {"name": f"E {n}", "kind": "deadline", "due": "2026-12-31"}
              for n in range(14)}  # fmt: skip
    events["open"] = {"name": "Open", "kind": "application_window", "rolling": True}
    settings = {"page_size": 10, "language": language}
    made = registries.content(events=events, registry=settings)
    content = registries.write(tmp_path / "content", made)
    out = build(content, tmp_path / "out", "--as-of", TODAY, site=True)
    feed = ElementTree.fromstring((out / "calendar/upcoming.atom").read_bytes())
    assert len(read(out, "calendar/upcoming.atom", "")) == 10
    assert text(feed, "subtitle") == f"{told} /calendar/"


def stamps(out: Path) -> list[str]:
    """The times of changes of the event One in the calendar feed."""
    feed = (out / "api/calendar/events.ics").read_text().replace("\n ", "")
    (mine,) = (part for part in feed.split("BEGIN:VEVENT") if "SUMMARY:One" in part)
    return [line for line in mine.split("\n") if line.startswith(("DTSTAMP", "LAST-MOD"))]


def test_an_event_was_changed_by_its_latest_commit(content: Path, tmp_path: Path) -> None:
    event = content / "events" / "one.yaml"
    event.write_text("name: One\nkind: deadline\ndue: 2027-05-10\n")
    commit(content.parent, GIT_COMMITTER_DATE="2026-11-01T10:00:00Z")
    found = stamps(build(content, tmp_path / "out", "--as-of", TODAY))
    assert found == ["DTSTAMP:20261101T100000Z", "LAST-MODIFIED:20261101T100000Z"]


@pytest.mark.slow
def test_a_corrected_date_is_a_later_change(content: Path, tmp_path: Path) -> None:
    """Commits give the times of entries in both kinds of feeds, in a second build too."""
    out, event = tmp_path / "out", content / "events" / "one.yaml"
    link = {"path": "calendar/upcoming.atom", "origin": ""}

    def times() -> tuple[list[str], str]:
        build(content, out, "--as-of", TODAY, site=True)
        whole = files(build(content, tmp_path / "whole", "--as-of", TODAY, site=True))
        assert differing(files(out), whole) == []
        (entry,) = (e for e in read(out, **link) if text(e, "title") == "One")
        return stamps(out), text(entry, "updated")

    event.write_text("name: One\nkind: deadline\ndue: 2027-05-10\n")
    commit(content.parent, GIT_COMMITTER_DATE="2026-11-01T10:00:00Z")
    first = ["DTSTAMP:20261101T100000Z", "LAST-MODIFIED:20261101T100000Z"]
    assert times() == (first, "2026-11-01T10:00:00Z")
    event.write_text("name: One\nkind: deadline\ndue: 2027-05-03\n")
    assert times() == (first, "2026-11-01T10:00:00Z")  # not yet committed
    commit(content.parent, GIT_COMMITTER_DATE="2026-11-25T10:00:00Z")
    later = ["DTSTAMP:20261125T100000Z", "LAST-MODIFIED:20261125T100000Z"]
    assert times() == (later, "2026-11-25T10:00:00Z")
    event.write_text("name: One\nkind: deadline\ndue: 2027-05-01\n")
    commit(content.parent, GIT_COMMITTER_DATE="2026-11-20T10:00:00Z")  # by a clock that is slow
    assert times() == (later, "2026-11-25T10:00:00Z")


def test_changes(content: Path, tmp_path: Path) -> None:
    registry = content / "registry.yaml"
    registry.write_text(
        registry.read_text().replace("{", '{"base_url": "https://example.org/registry/",', 1)
    )
    commit(content.parent)
    (content / "projects" / "cairn.yaml").rename(content / "projects" / "cairn-labs.yaml")
    renamed = content / "projects" / "cairn-labs.yaml"
    renamed.write_text(renamed.read_text().replace("{", '{"aliases": ["cairn"],', 1))
    (content / "events" / "gone.yaml").write_text("name: Gone\nkind: deadline\ndue: 2026-12-31\n")
    commit(content.parent)
    (content / "events" / "gone.yaml").unlink()
    commit(content.parent)
    out = build(content, tmp_path / "out", "--as-of", TODAY, "--allow-loss", site=True)
    origin = "https://example.org/registry"
    summaries = {
        text(entry, "title"): links(entry)["alternate"].removeprefix(origin)
        for entry in read(out, "changes.atom", origin)
    }
    assert summaries["Removed: Gone"] == "/changes/"
    assert summaries["Renamed: Cairn"] == "/projects/cairn-labs/"
    page = (out / "changes" / "index.html").read_text()
    assert 'href="/registry/projects/cairn-labs/"' in page and "before: cairn" in page


def test_without_commits_a_page_explains_the_missing_feed(content: Path, tmp_path: Path) -> None:
    out = build(content, tmp_path / "out", site=True)
    assert "changes.atom" not in files(out)
    assert "in no git commit" in (out / "changes" / "index.html").read_text()
    commit(content.parent)
    (content / "events" / "more.yaml").write_text("name: More\nkind: deadline\ndue: 2026-12-31\n")
    commit(content.parent)
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{content.parent}", "clone"],
        cwd=tmp_path,
        env=environment(),
        check=True,
    )
    out = build(tmp_path / "clone" / "content", tmp_path / "shallow", site=True)
    assert "changes.atom" not in files(out)
    assert "shallow clone" in (out / "changes" / "index.html").read_text()
    assert "changes.atom" not in (out / "changes" / "index.html").read_text()


def test_the_home_page_has_the_records_that_were_added_last(content: Path, tmp_path: Path) -> None:
    out, checkout = tmp_path / "out", content.parent

    def newest() -> list[str]:
        build(content, out, site=True)
        page = (out / "index.html").read_text()
        part = page.partition('id="newest"')[2].partition("</section>")[0]
        return [
            re.split("[<]", part[1:])[0],
            *re.findall('class="name" href="/projects/(.*?)/', part),
        ]

    for number in range(60):  # the page of fewer has all of them
        (content / "projects" / f"older-{number}.yaml").write_text(f"name: Older {number}\n")
    commit(checkout, GIT_COMMITTER_DATE="2026-11-01T10:00:00Z")
    assert newest()[0] == "Newest projects"  # the first import tells nothing
    for day, slug in (("02", "dune"), ("03", "ember")):
        (content / "projects" / f"{slug}.yaml").write_text(f"name: {slug.title()}\n")
        commit(checkout, GIT_COMMITTER_DATE=f"2026-11-{day}T10:00:00Z")
    heading, first, second, *_ = newest()
    assert (heading, first, second) == ("Recently added projects", "ember", "dune")
    whole = build(content, tmp_path / "whole", site=True)
    assert differing(files(out), files(whole)) == []
