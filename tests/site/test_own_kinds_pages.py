"""Pages of registries that declare kinds: relations, words, orders, and what is of one kind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from support import own_kinds, pages
from support.sites import Publish

#: Words of the first four kinds that a registry without them never shows.
FOREIGN = re.compile(r"\b(project|program|organization|startup|cohort|accelerator)", re.IGNORECASE)
#: The pages whose words are about the API as it is in every registry.
REFERENCE = "/docs/api/"


@pytest.fixture
def investors(publish: Publish) -> Path:
    return publish("investors", own_kinds.INVESTORS)


@pytest.fixture
def tools(publish: Publish) -> Path:
    return publish("papers-alone", own_kinds.TOOLS)


def html_of(out: Path, path: str) -> str:
    return (out / pages.file_of(path)).read_text("utf-8")


def words_of(html: str) -> str:
    """The text that a page shows, without scripts and addresses."""
    shown = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", " ", html)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", shown))


def parts_of(html: str) -> dict[str, str]:
    """The parts of the page of a record: heading -> HTML."""
    found = re.findall(r'(?s)<section class="part".*?<h2[^>]*>(.*?)</h2>(.*?)</section>', html)
    return dict(found)


def test_a_record_has_a_part_for_the_other_side_of_each_relation(investors: Path) -> None:
    parts = parts_of(html_of(investors, "/investors/quay-ventures/"))
    assert [name for name in parts if name in ("Portfolio", "Rounds led", "Rounds")] == [
        "Portfolio", "Rounds led", "Rounds",
    ]  # fmt: skip
    assert 'href="/projects/bloom/"' in parts["Portfolio"]
    assert 'href="/projects/investor/quay-ventures/"' in parts["Portfolio"]
    assert 'href="/rounds/lead/quay-ventures/"' in parts["Rounds led"]
    assert "5,000,000 USD" in parts["Rounds"] and "28 February 2026" in parts["Rounds"]
    assert "Portfolio" not in parts_of(html_of(investors, "/investors/idle-money/"))
    tools = parts_of(html_of(investors, "/organizations/harbour-fund/"))
    assert 'href="/investors/birch-capital/"' in tools["Investment arms"]


def test_a_record_shows_at_most_ten_of_each_relation(publish: Publish) -> None:
    papers = {f"paper-{i:02}": {"name": f"Paper {i:02}", "about": ["mapper"]} for i in range(12)}
    out = publish("many-papers", {**own_kinds.TOOLS, "papers": papers})
    part = parts_of(html_of(out, "/tools/mapper/"))["Papers"]
    shown = re.findall(r'<a class="name" href="/papers/([^/]+)/"', part)
    assert shown == sorted(papers)[:10] and "All 12 papers" in part


def test_fields_of_a_record_are_called_as_registry_yaml_calls_them(investors: Path) -> None:
    round_ = words_of(html_of(investors, "/rounds/bloom-seed/"))
    assert "Lead investor Birch Capital" in round_ and "Amount 400,000 USD" in round_
    assert "Rounds Bloom, seed" in round_ and "_" not in round_
    assert "Backed by Birch Capital" in words_of(html_of(investors, "/projects/bloom/"))
    investor = html_of(investors, "/investors/birch-capital/")
    assert re.search(r'<dd class="badge quiet">(<[^>]*>)*Seed<', investor)


def test_a_registry_without_the_four_has_none_of_their_words(tools: Path) -> None:
    read = pages.read(tools)
    assert not {"/compare/", "/landscape/", "/calendar/"} & read.keys()
    assert [path for path in read if path.startswith("/embed/")] == ["/embed/list/"]
    for path in read:
        if not path.startswith(REFERENCE):
            html = html_of(tools, path)
            meta = " ".join(re.findall(r'<meta [^>]*content="([^"]*)"', html))
            assert not FOREIGN.search(words_of(html) + meta), path


def orders_of(html: str) -> dict[str, str]:
    match = re.search(r'"sorts":(\[\[.*?\]\])', html)
    assert match
    return dict(json.loads(match[1]))


def test_orders_say_what_they_are_by(investors: Path, tools: Path) -> None:
    orders = orders_of(html_of(investors, "/investors/"))
    assert orders["-rounds_lead"] == "Most rounds led" and orders["-projects"] == "Most projects"
    assert orders["-assets"] == "Assets, highest first"
    orders = orders_of(html_of(investors, "/rounds/"))
    assert (orders["-day"], orders["day"]) == (
        "Announced, latest first",
        "Announced, earliest first",
    )
    assert orders_of(html_of(tools, "/tools/"))["-tools_dependency"] == "Most needed by"


def things_of(html: str) -> list[dict[str, Any]]:
    match = re.search(r'(?s)<script type="application/ld\+json">(.*?)</script>', html)
    assert match
    found: list[dict[str, Any]] = json.loads(match[1])["@graph"]
    return found


def test_records_are_of_the_type_that_their_kind_has(investors: Path, tools: Path) -> None:
    thing = things_of(html_of(investors, "/investors/birch-capital/"))[0]
    assert thing["@type"] == "Organization" and "foundingDate" not in thing
    assert thing["location"][0]["address"]["addressLocality"] == "Berlin"
    assert things_of(html_of(tools, "/tools/mapper/")) == [
        {"@type": "Thing", "name": "Mapper", "description": "Draws maps.",
         "url": "https://mapper.example"},
    ]  # fmt: skip


def test_the_landscape_and_the_comparison_are_of_the_kind_that_is_named(publish: Publish) -> None:
    settings = {"landscape": {"of": "tools", "size": "stars"}, "compare": {"of": "papers"}}
    registry = {**own_kinds.TOOLS["registry"], **settings}
    out = publish("papers-set", {**own_kinds.TOOLS, "registry": registry})
    landscape = html_of(out, "/landscape/")
    assert "All tools by Topic" in landscape and 'href="/tools/mapper/"' in landscape
    assert 'href="/compare/?paper=untold#seek"' in html_of(out, "/papers/untold/")
    assert 'href="/compare/?tool=mapper#seek"' in html_of(out, "/tools/mapper/")


@pytest.mark.parametrize(
    ("badge", "shown"),
    [
        ("licence", "GPL 3.0"),
        ("stars", "12"),
        ("rare", "Rare"),
        ("depends_on", ""),
        ("website", ""),
    ],
)
def test_a_badge_is_a_value_or_the_name_of_what_is_true(
    publish: Publish, badge: str, shown: str
) -> None:
    kinds: dict[str, Any] = own_kinds.TOOLS["registry"]["kinds"]
    rare = {"label": "Rare", "type": "boolean", "summary": True}
    fields = {**kinds["tools"]["fields"], "rare": rare}
    tool = {**kinds["tools"], "badge": badge, "fields": fields}
    registry = {**own_kinds.TOOLS["registry"], "kinds": {**kinds, "tools": tool}}
    tools = {**own_kinds.TOOLS["tools"]}
    tools["parse-it"] = {**tools["parse-it"], "rare": True, "depends_on": ["mapper"]}
    content = {**own_kinds.TOOLS, "registry": registry, "tools": tools}
    html = html_of(publish(f"badge-{badge}", content), "/tools/parse-it/")
    badges = re.findall(r'<dd class="badge quiet">(.*?)</dd>', html)
    assert [re.sub("<.*?>", "", one) for one in badges] == [shown] * bool(shown)


def test_what_a_kind_cannot_have_is_no_gap_in_the_data(tools: Path) -> None:
    coverage = json.loads((tools / "api" / "coverage.json").read_text("utf-8"))["data"]
    assert "places" in coverage["venues"]["fields"]
    assert "places" not in coverage["tools"]["fields"]
