"""No page of the site grows without bound: months, programs and cohorts have several pages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from generator.site import calendar, cohorts, finder
from support import commands, registries

EVENTS, COHORTS = calendar.MAX_ROWS + 1, cohorts.MAX_ROWS + 1
#: The rows of lists and tables.
ROW = re.compile(r'<a class="name"|<tr><th scope="row">|<li class="[^"]*" data-kind=')


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with many cohorts, and with many deadlines on two days of one month."""
    program = registries.SMALL["programs"]["launch"]
    cohort = {**program, "kind": "cohort", "parent": "launch"}
    day = {"kind": "deadline", "program": "launch"}
    records = registries.content(
        programs={"launch": program}
        | {f"c-{n}": cohort | {"name": f"Cohort {n:03}", "year": 2000} for n in range(COHORTS)},
        events={
            f"call-{n:03}": day | {"name": f"Call {n:03}", "due": f"2026-12-{10 + n // 500:02}"}
            for n in range(EVENTS)
        },
        projects={"kite": {"name": "Kite", "programs": ["c-1"]}},
    )
    folder = tmp_path_factory.mktemp("large")
    content = registries.write(folder / "content", records)
    return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)


def html(out: Path, path: str) -> str:
    return (out / path / "index.html").read_text("utf-8")


def test_no_page_has_more_than_500_rows(out: Path) -> None:
    rows = {file: len(ROW.findall(file.read_text("utf-8"))) for file in out.rglob("*.html")}
    assert 0 < max(rows.values()) <= 500


def test_a_month_with_many_dates_has_pages_and_counts_in_place_of_names(out: Path) -> None:
    month = "calendar/month/2026-12"
    first, second = html(out, month), html(out, f"{month}/page/2")
    names = [
        re.findall(r'<a class="name" href="/calendar/([^/]*)/', page) for page in (first, second)
    ]
    assert [len(page) for page in names] == [500, 1]
    assert [*names[0], *names[1]] == [f"call-{n:03}" for n in range(EVENTS)]
    for page in (first, second):
        counts = re.findall(r'<a class="many" href="([^"]*)" aria-label="([^"]*)"', page)
        assert counts == [(f"/{month}/", "500 dates"), (f"/{month}/page/2/", "One date")]
        assert 'class="bars"' not in page
    assert '<h1 dir="auto">December 2026 – Page 2</h1>' in second
    assert not (out / month / "page" / "3").exists()


def test_the_cohorts_of_a_program_have_pages(out: Path) -> None:
    first, second = html(out, "programs/launch"), html(out, "programs/launch/cohorts/2")
    rows = [
        re.findall(r'<th scope="row"><a href="/programs/c-(\d+)/', page) for page in (first, second)
    ]
    assert [len(page) for page in rows] == [cohorts.MAX_ROWS, 1]
    assert list(map(int, [*rows[0], *rows[1]])) == [*range(COHORTS)]
    assert 'rel="next" href="/programs/launch/cohorts/2/"' in first
    assert 'rel="prev" href="/programs/launch/"' in second
    assert f'<p class="note-line">{COHORTS}</p>' in first


def test_a_program_shows_its_next_dates_and_leads_to_the_others(out: Path) -> None:
    page = html(out, "programs/launch")
    steps = page[page.index('<ol class="moments steps">') :]
    assert steps[: steps.index("</ol>")].count("<li ") == cohorts.MAX_DATES
    rest = (
        f'<a href="/calendar/program/launch/">{EVENTS - cohorts.MAX_DATES} more are not listed.</a>'
    )
    assert rest in page


def test_the_choices_of_a_list_of_dates_are_the_most_frequent_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calendar, "MAX_CHOICES", 2)
    program = registries.SMALL["programs"]["launch"]
    due = {"name": "Call", "kind": "deadline", "due": "2026-12-01"}
    events = {f"a-{n}": due | {"program": f"p-{n}"} for n in range(3)}
    records = registries.content(
        programs={f"p-{n}": program | {"name": f"P {n}"} for n in range(3)},
        events=events | {"b": due | {"program": "p-2"}},
        projects={},
    )
    page = registries.published(tmp_path, records)["/calendar/index.html"].decode()
    group = page.partition('id="filter-program" data-total="3"')[2].partition("</details>")[0]
    assert re.findall(r'<li data-value="(p-\d)"', group) == ["p-2", "p-0"]


def test_the_search_box_is_told_the_most_frequent_values_of_a_filter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finder, "MAX_VALUES", 2)
    tags = {"one": 1, "two": 2, "three": 3}
    projects = {
        f"{tag}-{n}": {"name": f"{tag} {n}", "tags": {"technology": [tag]}}
        for tag, number in tags.items()
        for n in range(number)
    }
    out = registries.published(tmp_path, registries.content(projects=projects))
    groups = json.loads(out["/projects/values.json"])["groups"]
    (technology,) = (values for name, _, values in groups if name == "tag_technology")
    assert technology == [["three", "three", 3], ["two", "two", 2]]
