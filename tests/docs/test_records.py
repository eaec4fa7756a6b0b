"""The rules of CONTRIBUTING.md for the records in `content/`, if they can be counted."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pycountry
import pytest
import yaml
from answers import ROOT

from support.commands import run_forked

CONTENT = ROOT / "content"
COLLECTIONS = ("projects", "programs", "organizations", "events")
ENCYCLOPEDIAS = ("wikipedia.org", "wikidata.org")
WITH_REGIONS = ("AU", "BR", "CA", "IN", "NG", "US")
RESERVED = ("example", "invalid", "localhost", "test", "example.com", "example.net", "example.org")


@cache
def records(collection: str) -> dict[str, dict[str, Any]]:
    return {
        path.stem: yaml.safe_load(path.read_text("utf-8"))
        for path in sorted((CONTENT / collection).rglob("*.yaml"))
    }


def everything() -> dict[str, dict[str, Any]]:
    return {
        f"{name}/{slug}": record for name in COLLECTIONS for slug, record in records(name).items()
    }


def places() -> list[tuple[str, dict[str, str]]]:
    return [
        (name, place)
        for name, record in everything().items()
        for place in record.get("locations", ())
    ]


def under(url: str, domains: tuple[str, ...]) -> bool:
    host = urlsplit(url).hostname or ""
    return any(host == domain or host.endswith("." + domain) for domain in domains)


def has_more_than_an_encyclopedia(record: dict[str, Any]) -> bool:
    return any(not under(source, ENCYCLOPEDIAS) for source in record.get("sources", ()))


def plain(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def urls(value: Any) -> list[str]:
    if isinstance(value, dict | list):
        return [
            url
            for part in (value.values() if isinstance(value, dict) else value)
            for url in urls(part)
        ]
    return [value] if isinstance(value, str) and "://" in value else []


def test_every_record_names_a_source() -> None:
    assert [name for name, record in everything().items() if not record.get("sources")] == []


def test_half_of_the_records_have_more_than_an_encyclopedia() -> None:
    found = everything()
    assert sum(map(has_more_than_an_encyclopedia, found.values())) >= len(found) / 2


def test_every_event_has_more_than_an_encyclopedia() -> None:
    assert [
        slug
        for slug, event in records("events").items()
        if not has_more_than_an_encyclopedia(event)
    ] == []


def test_the_year_of_a_program_is_that_of_its_start() -> None:
    programs = records("programs").items()
    assert [
        slug for slug, program in programs if program["kind"] == "cohort" and "year" not in program
    ] == []
    assert [
        slug
        for slug, program in programs
        if "starts" in program and program["year"] != program["starts"].year
    ] == []


def test_acquired_and_inactive_records_have_no_team() -> None:
    over = {
        slug: project
        for slug, project in records("projects").items()
        if project.get("status") in ("acquired", "inactive")
    }
    assert over
    assert [slug for slug, project in over.items() if "team_size" in project] == []


@pytest.mark.parametrize("country", WITH_REGIONS)
def test_a_region_is_a_name_of_iso_3166_2(country: str) -> None:
    names = {
        plain(division.name)
        for division in pycountry.subdivisions
        if division.country_code == country
    }
    inside = [(name, place) for name, place in places() if place["country"] == country]
    assert inside
    assert [
        (name, place) for name, place in inside if "city" in place and "region" not in place
    ] == []
    assert [
        (name, place)
        for name, place in inside
        if "region" in place and plain(place["region"]) not in names
    ] == []


def test_other_countries_have_no_regions() -> None:
    assert [
        (name, place)
        for name, place in places()
        if "region" in place and place["country"] not in WITH_REGIONS
    ] == []


def test_a_city_is_always_in_the_same_region() -> None:
    regions: dict[tuple[str, str], set[str | None]] = {}
    for _, place in places():
        if "city" in place:
            regions.setdefault((place["country"], place["city"]), set()).add(place.get("region"))
    assert {city: found for city, found in regions.items() if len(found) > 1} == {}


def test_no_address_is_a_placeholder() -> None:
    settings = yaml.safe_load((CONTENT / "registry.yaml").read_text("utf-8"))
    addresses = [
        *urls(settings),
        *(url for record in everything().values() for url in urls(record)),
    ]
    assert [url for url in addresses if under(url, RESERVED)] == []
    assert not str(settings.get("contact", "")).endswith(RESERVED)


def test_records_have_the_standard_layout() -> None:
    done = run_forked("fmt", "--content", CONTENT, "--check")
    assert done.status == 0, done.err
