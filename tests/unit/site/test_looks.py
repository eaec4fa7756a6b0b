"""Every page: landmarks, a language, the registry's own words, and no style in its HTML."""

from __future__ import annotations

import itertools
import re
from datetime import date
from typing import Any, ClassVar

import orjson
import pytest

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Grammar
from generator.grammar.paths import CHANGES, COVERAGE, DASHBOARD
from generator.model.settings.registry import Settings
from generator.site.fit import Fit
from generator.site.page_context import Site
from generator.site.theme import Theme
from generator.site.views import home, missing
from support.commands import ROOT
from support.drawings import HOSTILE

NOUNS = {
    "projects": {"one": "startup", "many": "startups"},
    "events": {"one": "date", "many": "dates"},
}
EMPTY: dict[str, Any] = {
    "counts": {"projects": 0, "programs": 0, "organizations": 0, "events": 0},
    "projects_by_year": [],
    "programs_by_year": [],
    "statuses": [{"value": "active", "label": "Active", "count": 0, "share": 0.0}],
    "tags": {},
    "top_organizations": [],
    "top_programs": [],
    "top_locations": [],
    "organization_categories": [],
    "program_types": [],
    "upcoming": [],
}
EVENT: dict[str, Any] = {
    "slug": "demo-day",
    "name": "Demo day",
    "summary": None,
    "href": "/api/calendar/events/slug/demo-day.json",
    "kind": "deadline",
    "status": "tentative",
    "program": None,
    "organization": None,
    "timezone": "AoE",
    "all_day": False,
    "starts_at": "2026-03-02T12:00:00Z",
    "ends_at": "2026-03-02T12:00:00Z",
    "starts_local": "2026-03-02T00:00",
    "ends_local": "2026-03-02T00:00",
    "tags": {},
    "locations": [],
    "online": False,
    "stage": None,
    "round": None,
    "rolling": False,
    "website": None,
    "fields": {},
}
CHANGE = {
    "at": "2026-01-04T10:00:00Z",
    "change": "removed",
    "collection": "projects",
    "slug": "gone",
    "name": HOSTILE,
    "former": None,
    "href": None,
}


def _value(value: str, count: int, label: str = "") -> dict[str, Any]:
    return {"value": value, "label": label or value, "count": count}


FULL = EMPTY | {
    "changes": [CHANGE, CHANGE | {"slug": "here", "change": "added", "href": "/api/x/here.json"}],
    "counts": {"projects": 1234, "programs": 1, "organizations": 0, "events": 1},
    "filters": {
        "year": [_value("2020", 1000), _value("2021", 234)],
        "tag_topic": [_value("a", 7, HOSTILE), _value("b", 3)],
    },
    "upcoming": [EVENT | {"name": HOSTILE}],
}


def site(
    dashboard: dict[str, Any] = EMPTY,
    language: str = "en",
    own: dict[str, bytes] | None = None,
    **given: object,
) -> Site:
    settings = Settings.model_validate(
        {
            "name": "Register",
            "description": "What there is.",
            "nouns": NOUNS,
            "license": "CC0-1.0",
            "tag_families": {"topic": {"label": "Topic"}},
            **given,
        }
    )

    filled = [name for name, count in dashboard["counts"].items() if count]

    class Symbols:
        grammar = settings.grammar(filled)
        logos: ClassVar[dict[str, str]] = {}

        @staticmethod
        def vocabulary(name: str) -> dict[str, str]:
            return {}

        @staticmethod
        def targets(collection: str) -> dict[str, Any]:
            return {}

    documents: dict[str, Any] = {
        DASHBOARD: {"as_of": "2026-01-05", "data": dashboard},
        CHANGES: {"data": dashboard.get("changes", [])},
        COVERAGE: {"last_change": "2026-01-04T10:00:00Z", "data": {}},
        Symbols.grammar.upcoming.path(): {"data": dashboard["upcoming"]},
        **_filter_documents(Symbols.grammar, dashboard.get("filters", {})),
    }
    symbols: Any = Symbols
    theme = Theme(language, own, name=settings.name)
    read = {path: orjson.dumps(document) for path, document in documents.items()}
    fit = Fit(tuple(filled), ("projects",) if filled else (), ("program",) if filled else ())
    return Site(settings, symbols, date(2026, 1, 5), theme, read.__getitem__, fit=lambda: fit)


def _filter_documents(grammar: Grammar, values: dict[str, Any]) -> dict[str, Any]:
    """The documents of filters, where only projects have values."""
    documents: dict[str, Any] = {}
    for name, collection in grammar.collections.items():
        counts = {
            key: {"values": values.get(key, []) if name == "projects" else []}
            for key in collection.prepared_filters
        }
        documents[collection.filters_path] = {"data": counts}
        documents |= {collection.filter_path(key): {"data": of} for key, of in counts.items()}
    return documents


def home_page(where: Site) -> str:
    (page,) = home.render(where)
    assert isinstance(page, Artifact)
    return page.data.decode()


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def test_a_page_has_its_language_its_landmarks_and_one_heading() -> None:
    html = home_page(site(FULL))
    assert '<html lang="en">' in html
    for landmark in ("<header", "<nav", "<main", "<footer", "<h1"):
        assert html.count(f"{landmark} ") + html.count(f"{landmark}>") >= 1, landmark
    assert len(re.findall(r"<h1[ >]", html)) == len(re.findall(r"<main[ >]", html)) == 1
    assert html.index('<a class="skip" href="#main">') < html.index("<header")
    levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", html)]
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels)), levels


@pytest.mark.parametrize("dashboard", [EMPTY, FULL])
def test_the_policy_allows_all_that_a_page_has(dashboard: dict[str, Any]) -> None:
    html = home_page(site(dashboard, name='</title><script>alert(1)</script>" onload="x'))
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|javascript:", words_of_tags(html))
    scripts = re.findall(r"<script([^>]*)>", html)
    assert all("src=" in given or "application/" in given for given in scripts), scripts


def words_of_tags(html: str) -> str:
    return " ".join(re.findall("<[^>]*>", html))


def test_navigation_speaks_in_the_words_of_the_registry() -> None:
    html = home_page(site(FULL))
    nav = html[html.index("<nav") : html.index("</nav>")]
    assert words(nav) == "Startups Programs Dates Map Compare API"
    assert [line for line in words(html).split(" ") if line == "1,234"], "counts have their marks"
    assert "1 program " in words(html)
    assert "startups by year" in words(html).lower()


def test_the_current_page_is_marked_in_the_navigation() -> None:
    html = home_page(site())
    assert re.search(r'class="brand" href="/" aria-current="page"', html)
    assert html.count("aria-current") == 1


def test_a_registry_without_records_has_a_page_without_empty_parts() -> None:
    html = home_page(site())
    assert "chart" not in html.replace("charts", "")
    assert 'class="entries"' not in html
    assert "0 startups" not in words(html)


def test_german_is_german() -> None:
    html = home_page(site(FULL, "de"))
    assert '<html lang="de">' in html
    assert "Stand: 5. Januar 2026" in words(html)
    assert "1.234" in words(html)
    assert "Vorläufig" in words(html)


def test_a_registrys_own_text_is_on_its_home_page() -> None:
    html = home_page(site(own={"home.md": b"# Why\n\nBecause of *this* <b>x</b>."}))
    assert "<h2>Why</h2>" in html
    assert "<em>this</em> &lt;b&gt;" in html


def test_the_latest_changes_link_to_existing_records() -> None:
    html = home_page(site(FULL))
    part = html[html.index('aria-labelledby="changes"') :]
    assert 'href="/projects/here/"' in part
    assert "/projects/gone/" not in html
    assert 'href="/changes.atom"' in html
    assert "changes.atom" not in home_page(site())


def test_the_icon_is_the_registrys_letter_or_its_own() -> None:
    where = site(name="écluse")
    drawn = where.theme.assets["favicon.svg"]
    assert ">É</text>" in drawn.data.decode()
    assert f'href="{drawn.path}"' in home_page(where)
    own = site(own={"favicon.svg": b"<svg/>"})
    assert own.theme.assets["favicon.svg"].data == b"<svg/>"
    named = site(name="<b>").theme.assets["favicon.svg"].data.decode()
    assert "&lt;</text>" in named


def test_printed_pages_have_neither_navigation_nor_dark_colours() -> None:
    css = site().theme.assets["site.css"].data.decode()
    printed = css[css.index("@media print") :]
    assert ".masthead nav" in printed
    assert css.count("{") == css.count("}")
    for dark in re.findall(r"@media ([^{]*prefers-color-scheme: ?dark[^{]*)\{", css):
        assert dark.startswith("screen and"), dark


def test_the_style_sheet_names_no_colour_of_its_own_and_no_other_host() -> None:
    css = Theme("en").file("assets/site.css").decode()
    assert "url(" not in css
    assert "@import" not in css
    unknown = set(re.findall(r"var\(--([a-z0-9-]+)\)", css)) - set(
        re.findall(r"--([a-z0-9-]+) ?:", site().theme.assets["site.css"].data.decode())
    )
    assert not unknown


def test_both_languages_have_the_same_texts() -> None:
    def keys(known: dict[str, Any], at: str = "") -> set[str]:
        return {
            key
            for name, text in known.items()
            for key in (keys(text, f"{at}{name}.") if isinstance(text, dict) else {at + name})
        }

    theme = Theme("en")
    english, german = (
        orjson.loads(theme.file(f"texts/{language}.json")) for language in ("en", "de")
    )
    assert keys(english) == keys(german)


def test_the_404_page_works_at_any_depth() -> None:
    (page,) = missing.render(site(FULL, base_url="https://registry.example/data/"))
    html = page.data.decode()
    assert page.path == "/404.html"
    links = re.findall(r' (?:href|action|src)="([^"]*)"', html)
    assert {"/data/", "/data/projects/", "/data/calendar/"} < set(links)
    assert "/data/organizations/" not in links
    assert not [to for to in links if not to.startswith(("/data/", "#", "https://spdx.org/"))]
    assert '<meta name="robots" content="noindex">' in html
    assert 'rel="canonical"' not in html
    assert "All startups" in words(html)


def test_custom_css_comes_after_ours() -> None:
    where = site(own={"assets/own.css": b":root{--radius:0}"})
    sheets = re.findall(r'<link rel="stylesheet" href="([^"]*)"', home_page(where))
    assert sheets == [where.asset("site.css"), where.asset("own.css")]
    assert "own.css" not in home_page(site())


def test_the_manual_has_every_custom_property() -> None:
    manual = (ROOT / "docs" / "site.md").read_text()
    table = manual[manual.index("| custom properties |") : manual.index("```css")]
    names = set(re.findall(r"`--([a-z0-9-]+)`", table))
    names |= {f"s{i}" for i in range(1, 9)} | {f"step-{i}" for i in range(1, 6)}
    names |= {f"{tone}-tint" for tone in ("good", "warn", "bad")}
    css = site().theme.assets["site.css"].data.decode()
    roots = "".join(re.findall(r":root ?{([^}]*)}", css))
    assert names == set(re.findall(r"--([a-z0-9-]+) ?:", roots))
