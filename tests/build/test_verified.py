"""`verified`, from a record's file to its page, its row in a table and the warning about it."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path

import pytest

from generator.site.paths import record_page
from support import registries
from support.commands import build, differing, files, run_forked
from support.lanes import fast_first

DAY = datetime.date(2026, 5, 31)
RECORDS = ["projects/aurora", "programs/launch", "organizations/acme", "events/launch-day"]


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A record of each kind that was verified on DAY."""
    stated = {"verified": str(DAY)}
    records = {
        "organizations": {"acme": {"name": "Acme", "category": "investor", **stated}},
        "programs": {
            "launch": {"name": "Launch", "kind": "program", "type": "accelerator",
                       "organization": "acme", **stated},
        },
        "projects": {"aurora": {"name": "Aurora", **stated}, "borea": {"name": "Borea"}},
        "events": {
            "launch-day": {"name": "Day", "kind": "event", "starts": "2026-06-01", **stated},
        },
    }  # fmt: skip
    settings = {
        "language": "de", "base_url": "https://registry.example",
        "organization_categories": {"investor": "Investor"},
        "program_types": {"accelerator": "Accelerator"},
    }  # fmt: skip
    return registries.write(tmp_path / "content", registries.content(registry=settings, **records))


def test_every_kind_publishes_the_day(content: Path, tmp_path: Path) -> None:
    out = build(content, tmp_path / "out", "--as-of", str(DAY), site=True)
    for path in RECORDS:
        collection, slug = path.split("/")
        (file,) = (out / "api").rglob(f"{collection}/slug/{slug}.json")
        assert json.loads(file.read_bytes())["data"]["verified"] == str(DAY)
        page = (out / _page(path)).read_text("utf-8")
        assert "Zuletzt geprüft" in page and f'datetime="{DAY}"' in page and "31. Mai 2026" in page
        assert re.search(rf'"@type":"WebPage","@id":"[^"]+","lastReviewed":"{DAY}"', page)
    never = (out / _page("projects/borea")).read_text("utf-8")
    assert "Zuletzt geprüft" not in never and "lastReviewed" not in never


def _page(path: str) -> str:
    return f"{record_page(*path.split('/'))[1:]}index.html"


@pytest.mark.parametrize(
    ("days", "is_warned"), fast_first(2, [(-1, False), (-2, True), (0, False)])
)
def test_a_day_in_the_future_is_warned_about_from_the_second_day_on(
    content: Path, tmp_path: Path, days: int, is_warned: bool
) -> None:
    """A second build with its cache says the same as a first one."""
    out = tmp_path / "out"
    run_forked("build", "--content", content, "--out", out, "--as-of", str(DAY))
    day = str(DAY + datetime.timedelta(days))
    again = run_forked("build", "--content", content, "--out", out, "--as-of", day)
    first = run_forked("build", "--content", content, "--out", tmp_path / "b", "--as-of", day)
    message = f"verified: {DAY} is in the future"
    for ran in (again, first):
        assert ran.err.count(message) == (len(RECORDS) if is_warned else 0), ran.err
    assert differing(files(out), files(tmp_path / "b")) == []
    coverage = json.loads((out / "api/coverage.json").read_bytes())["data"]["projects"]["verified"]
    assert (coverage["count"], coverage["share"], coverage["median_age_days"]) == (1, 0.5, 0)


@pytest.mark.parametrize("form", fast_first(1, ["csv", "json", "ndjson"]))
def test_an_export_has_the_day_and_an_import_sets_it(
    content: Path, tmp_path: Path, form: str
) -> None:
    table = tmp_path / f"projects.{form}"
    assert run_forked("export", "project", "--content", content, "--out", table).status == 0
    text = table.read_text("utf-8")
    assert str(DAY) in text
    table.write_text(text.replace(str(DAY), "2026-07-01"), "utf-8")
    done = run_forked("import", table, "--kind", "project", "--content", content, "--write")
    assert done.status == 0, done.err
    assert "2026-07-01" in (content / "projects/aurora.yaml").read_text("utf-8")
