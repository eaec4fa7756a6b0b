"""The rules of CONTRIBUTING.md for the records in `content/`, if they can be counted."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pycountry
import pytest
import yaml
from answers import ROOT

from support.commands import run_forked

CONTENT = ROOT / "content"
ENCYCLOPEDIAS = ("wikipedia.org", "wikidata.org")
WITH_REGIONS = ("AU", "BR", "CA", "IN", "NG", "US")
RESERVED = ("example", "invalid", "localhost", "test", "example.com", "example.net", "example.org")
Data = dict[str, Any]


@cache
def records() -> dict[str, Data]:
    """Collection and slug -> record; `registry` -> the settings."""
    return {
        str(path.relative_to(CONTENT)).removesuffix(".yaml"): yaml.safe_load(path.read_bytes())
        for path in sorted(CONTENT.rglob("*.yaml"))
        if path.name != "removed.yaml"
    }


def under(url: str, domains: tuple[str, ...]) -> bool:
    host = urlsplit(url).hostname or ""
    return any(host == domain or host.endswith("." + domain) for domain in domains)


def urls(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from urls(part)
    elif isinstance(value, str) and "://" in value:
        yield value


def has_more_than_an_encyclopedia(record: Data) -> bool:
    return any(not under(source, ENCYCLOPEDIAS) for source in record.get("sources", ()))


def plain(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


@cache
def regions(country: str) -> set[str]:
    """The English names of ISO 3166-2."""
    return {plain(d.name) for d in pycountry.subdivisions if d.country_code == country}


def has_regions_of_iso_3166_2(record: Data) -> bool:
    """A city in a country with regions has one; other countries have none."""
    for place in record.get("locations", ()):
        region, country = place.get("region"), place["country"]
        known = country in WITH_REGIONS and plain(region or "") in regions(country)
        if region is None and "city" in place and country in WITH_REGIONS:
            return False
        if region is not None and not known:
            return False
    return True


#: Rule -> the collection that it is for, and whether a record follows it.
RULES: dict[str, tuple[str, Callable[[Data], bool]]] = {
    "every record names a source": ("", lambda r: bool(r.get("sources"))),
    "every event has more than an encyclopedia": ("events", has_more_than_an_encyclopedia),
    "a cohort has a year": ("programs", lambda r: r["kind"] != "cohort" or "year" in r),
    "the year of a program is that of its start": (
        "programs", lambda r: "starts" not in r or r["year"] == r["starts"].year),
    "acquired and inactive records have no team": (
        "projects", lambda r: r.get("status") not in ("acquired", "inactive")
        or "team_size" not in r),
    "a region is a name of ISO 3166-2": ("", has_regions_of_iso_3166_2),
    "no address is a placeholder": ("", lambda r: not any(under(u, RESERVED) for u in urls(r))),
}  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_records_follow_the_rules(rule: str) -> None:
    collection, follows = RULES[rule]
    chosen = {n: r for n, r in records().items() if "/" in n and n.startswith(collection)}
    assert chosen
    assert [name for name, record in chosen.items() if not follows(record)] == []


def test_half_of_the_records_have_more_than_an_encyclopedia() -> None:
    found = [has_more_than_an_encyclopedia(r) for name, r in records().items() if "/" in name]
    assert sum(found) >= len(found) / 2


def test_a_city_is_always_in_the_same_region() -> None:
    places = [place for record in records().values() for place in record.get("locations", ())]
    known = {(p["country"], p["city"], p.get("region")) for p in places if "city" in p}
    assert len(known) == len({(country, city) for country, city, _ in known})


def test_the_settings_have_no_placeholder() -> None:
    settings = records()["registry"]
    assert [url for url in urls(settings) if under(url, RESERVED)] == []
    assert not str(settings.get("contact", "")).endswith(RESERVED)


def test_records_have_the_standard_layout() -> None:
    done = run_forked("fmt", "--content", CONTENT, "--check")
    assert done.status == 0, done.err
