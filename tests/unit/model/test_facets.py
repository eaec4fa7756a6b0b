"""The slices of records, and the labels and counts of their values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator.grammar.grammar import Collection, Grammar
from generator.model.kinds import KINDS
from generator.model.tables.facets import declared_values, value_label, values_by_count
from generator.model.tables.table import Registry, Table, upcoming_events
from support import registries
from support.registries import SMALL, content

GRAMMAR = Grammar({"topic": "Topic"})


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return registries.registry(tmp_path_factory.mktemp("small"))


def facets(table: Table, slug: str) -> set[str]:
    (row,) = (row for row in table if row.slug == slug)
    assert len(set(row.facets)) == len(row.facets)
    return set(row.facets)


def project(tmp_path: Path, **fields: Any) -> set[str]:
    """The slices of a project of the small registry, without its status."""
    made = registries.registry(
        tmp_path, content(SMALL, projects={"acme": {"name": "Acme", **fields}})
    )
    return facets(made.projects, "acme") - {"status/active"}


# --- membership -----------------------------------------------------------------------------------


def test_a_project_belongs_to_its_programs_their_ancestors_and_the_organizations_of_those(
    tmp_path: Path,
) -> None:
    assert project(tmp_path, programs=["launch-2025"], organizations=["harbour-fund"]) == {
        "program/launch-2025",
        "program/launch",
        "organization/north-college",
        "organization/harbour-fund",
        "organization_category/university",
        "organization_category/investor",
    }


def test_a_project_of_a_series_does_not_belong_to_its_cohorts(tmp_path: Path) -> None:
    assert "program/launch-2025" not in project(tmp_path, programs=["launch"])


def test_an_organization_s_parent_does_not_count(tmp_path: Path) -> None:
    records = content(SMALL, projects={"acme": {"name": "Acme", "organizations": ["lab"]}})
    records["organizations"]["lab"] = {
        "name": "Lab",
        "category": "investor",
        "parent": "north-college",
    }
    found = facets(registries.registry(tmp_path, records).projects, "acme")
    assert {f for f in found if f.startswith("organization")} == {
        "organization/lab",
        "organization_category/investor",
    }


def test_a_cohort_may_belong_to_another_organization_than_its_series(tmp_path: Path) -> None:
    records = content(SMALL, projects={"acme": {"name": "Acme", "programs": ["launch-2025"]}})
    records["programs"]["launch-2025"]["organization"] = "harbour-fund"
    found = facets(registries.registry(tmp_path, records).projects, "acme")
    assert {"organization/harbour-fund", "organization/north-college"} <= found


@pytest.mark.parametrize(
    ("locations", "remote", "found"),
    [
        ([{"country": "US"}], None, ["us"]),
        ([{"country": "US", "region": "CA"}], None, ["us", "us-ca"]),
        (
            [{"country": "US", "region": "CA", "city": "San Francisco"}],
            None,
            ["us", "us-ca", "us-ca-san-francisco"],
        ),
        ([{"country": "NO", "city": "Tromsø"}], None, ["no", "no-tromso"]),
        ([{"country": "BR", "city": "São Paulo"}], False, ["br", "br-sao-paulo"]),
        (
            [{"country": "US", "city": "Austin"}, {"country": "US", "region": "TX"}],
            None,
            ["us", "us-austin", "us-tx"],
        ),
        ([], True, ["remote"]),
        (None, True, ["remote"]),
        ([{"country": "DE"}], True, ["de", "remote"]),
        (None, None, []),
    ],
)
def test_locations_are_hierarchical(
    tmp_path: Path, locations: list[dict[str, str]] | None, remote: bool | None, found: list[str]
) -> None:
    assert project(tmp_path, locations=locations, remote=remote) == {
        f"location/{place}" for place in found
    }


def test_tags_year_and_status_are_slices(tmp_path: Path) -> None:
    tags = {"topic": ["climate", "health"], "technology": ["heat-pumps"]}
    assert project(tmp_path, tags=tags, year=2024, status="public") == {
        "tag_topic/climate",
        "tag_topic/health",
        "tag_technology/heat-pumps",
        "year/2024",
        "status/public",
    }


def test_a_project_without_a_status_is_active(small: Registry) -> None:
    assert "status/active" in facets(small.projects, "bloom")
    assert "status/inactive" in facets(small.projects, "cairn")


def test_a_value_that_is_named_twice_counts_once(tmp_path: Path) -> None:
    assert project(
        tmp_path,
        tags={"topic": ["climate", "climate"]},
        programs=["launch", "launch-2025", "launch"],
    ) >= {
        "tag_topic/climate",
        "program/launch",
    }


def test_programs_organizations_and_events_have_slices_of_their_own(small: Registry) -> None:
    assert facets(small.programs, "launch-2025") == {
        "organization/north-college",
        "organization_category/university",
        "type/accelerator",
        "kind/cohort",
        "year/2025",
    }
    assert facets(small.organizations, "north-college") == {
        "category/university",
        "location/no",
        "location/no-bergen",
    }
    assert facets(small.events, "launch-2027-applications") == {
        "kind/application_window",
        "program/launch",
        "organization/north-college",
        "organization_category/university",
        "month/2027-01",
        "year/2027",
        "status/confirmed",
    }


def test_every_slice_of_a_record_is_one_of_a_filter(small: Registry) -> None:
    for table in small.tables:
        for row in table:
            assert {
                facet.partition("/")[0] for facet in row.facets
            } <= table.collection.filters.keys()


# --- the values there are -------------------------------------------------------------------------


def test_declared_values_have_a_slice_even_without_a_record(small: Registry) -> None:
    programs = {"launch": "Launch", "launch-2025": "Launch 2025"}
    organizations = {"harbour-fund": "Harbour Fund", "north-college": "North College"}
    categories = {"university": "University", "investor": "Investor"}
    topics = {"climate": "Climate", "health": "Health", "space": "Space"}
    assert declared_values(small.projects.collection, small.symbols) == {
        "tag_topic": topics,
        "tag_technology": {},
        "program": programs,
        "organization": organizations,
        "organization_category": categories,
        "location": {},
        "year": {},
        "status": {
            "active": "Active",
            "acquired": "Acquired",
            "public": "Public",
            "inactive": "Inactive",
        },
    }
    assert declared_values(small.programs.collection, small.symbols) == {
        "tag_topic": topics,
        "tag_technology": {},
        "organization": organizations,
        "organization_category": categories,
        "type": {"accelerator": "Accelerator"},
        "kind": {"cohort": "Cohort", "program": "Program"},
        "location": {},
        "year": {},
    }
    assert declared_values(small.organizations.collection, small.symbols) == {
        "tag_topic": topics,
        "tag_technology": {},
        "category": categories,
        "location": {},
    }
    assert declared_values(small.events.collection, small.symbols) == {
        "kind": {
            "application_window": "Application window",
            "deadline": "Deadline",
            "event": "Event",
        },
        "tag_topic": topics,
        "tag_technology": {},
        "program": programs,
        "organization": organizations,
        "organization_category": categories,
        "location": {},
        "status": {
            "confirmed": "Confirmed",
            "tentative": "Tentative",
            "extended": "Extended",
            "cancelled": "Cancelled",
        },
        "stage": {},
        "month": {},
        "year": {},
    }


def test_a_closed_family_without_tags_is_closed(tmp_path: Path) -> None:
    records = content(
        SMALL, projects={}, registry={"tag_families": {"topic": {"label": "Topic", "tags": {}}}}
    )
    symbols = registries.registry(tmp_path, records).symbols
    assert symbols.closed_families == {"topic"}
    assert symbols.tags == {"topic": {}}


# --- labels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("collection", "name", "value", "text"),
    [
        ("projects", "tag_topic", "climate", "Climate"),
        ("projects", "tag_technology", "heat-pumps", "heat pumps"),
        ("projects", "program", "launch-2025", "Launch 2025"),
        ("projects", "organization", "harbour-fund", "Harbour Fund"),
        ("projects", "organization_category", "investor", "Investor"),
        ("projects", "status", "acquired", "Acquired"),
        ("projects", "year", "2025", "2025"),
        ("projects", "location", "us", "United States"),
        ("projects", "location", "us-ca", "CA, United States"),
        ("projects", "location", "us-ca-san-francisco", "San Francisco, CA, United States"),
        ("projects", "location", "remote", "Remote"),
        ("organizations", "location", "no-bergen", "Bergen, Norway"),
        ("programs", "kind", "cohort", "Cohort"),
        ("events", "kind", "application_window", "Application window"),
        ("events", "month", "2027-01", "January 2027"),
        ("events", "month", "2020-12", "December 2020"),
    ],
)
def test_values_have_the_names_that_people_know(
    small: Registry, collection: str, name: str, value: str, text: str
) -> None:
    table: Table = getattr(small, collection)
    assert (
        value_label(table.counts(), name, value, declared_values(table.collection, small.symbols))
        == text
    )


def test_the_order_of_records_does_not_choose_the_spelling_of_a_place(tmp_path: Path) -> None:
    spellings = ["São Paulo", "Sao Paulo", "sao-paulo"]
    for turn in range(3):
        order = spellings[turn:] + spellings[:turn]
        records = {
            f"p{i}": {"name": f"P{i}", "locations": [{"country": "BR", "city": city}]}
            for i, city in enumerate(order)
        }
        made = registries.registry(tmp_path / str(turn), content(SMALL, projects=records))
        assert made.projects.labels["br-sao-paulo"] == "Sao Paulo, Brazil"


# --- counts ---------------------------------------------------------------------------------------


def test_values_come_by_count_and_then_by_value(tmp_path: Path) -> None:
    records = {
        f"p{i}": {"name": f"P{i}", "tags": {"technology": tags}}
        for i, tags in enumerate([["b", "c"], ["c", "a"], ["c", "d-e"], ["d-e"], []])
    }
    made = registries.registry(tmp_path, content(SMALL, projects=records))
    values = values_by_count(made.projects.counts(), made.symbols)
    assert values["tag_technology"] == [
        {
            "value": value,
            "label": text,
            "count": count,
            "href": f"/api/projects/by/tag_technology/{value}/page/1.json",
        }
        for value, text, count in [("c", "c", 3), ("d-e", "d e", 2), ("a", "a", 1), ("b", "b", 1)]
    ]
    # A declared value that no record has is not among the values; every filter is there.
    assert values["tag_topic"] == []
    assert list(values) == list(made.projects.collection.listed_filters)


def test_addresses_of_values_have_the_prefix_of_the_base_url(tmp_path: Path) -> None:
    made = registries.registry(
        tmp_path, content(SMALL, registry={"base_url": "https://x.example/registry/"})
    )
    values = values_by_count(made.events.counts(), made.symbols)
    assert (
        values["kind"][0]["href"]
        == "/registry/api/calendar/events/by/kind/application_window/page/1.json"
    )


def test_counts_are_of_the_whole_collection(small: Registry) -> None:
    counts = small.projects.counts()
    assert (counts.total, counts.of("tag_topic", "climate"), counts.of("tag_topic", "space")) == (
        3,
        2,
        0,
    )
    for table in small.tables:
        for facet, positions in table.members.items():
            assert len(set(positions)) == len(positions) == table.count(facet)
            assert {table.rows[i].slug for i in positions} == {
                row.slug for row in table if facet in row.facets
            }


def test_upcoming_events_are_not_over_at_the_first_instant_of_the_day(tmp_path: Path) -> None:
    as_of = registries.AS_OF  # 2026-11-21
    dues = {
        "before": "2026-11-20 23:59:59",
        "at": "2026-11-21 00:00:00",
        "after": "2026-11-21 00:00:01",
    }
    records = {
        slug: {"name": slug, "kind": "deadline", "due": due, "timezone": "UTC"}
        for slug, due in dues.items()
    }
    made = registries.registry(tmp_path, content(SMALL, events=records))
    assert [made.events.rows[i].slug for i in upcoming_events(made.events, as_of)] == [
        "at",
        "after",
    ]


@pytest.mark.parametrize(
    "collection", GRAMMAR.collections.values(), ids=lambda collection: collection.name
)
def test_every_filter_names_one_source_of_its_values(
    collection: Collection,
) -> None:
    for name, kind in collection.listed_filters.items():
        known = (
            kind.refers,
            kind.vocabulary,
            name in KINDS[collection.name].fixed_labels,
            kind.form in ("year", "month"),
        )
        assert sum(map(bool, known)) == 1, name
        assert kind.refers in ("", *GRAMMAR.collections)


def test_a_filter_that_depends_on_the_day_also_answers_the_bare_address() -> None:
    [(upcoming, part)] = GRAMMAR.events.virtual_slices()
    assert (
        upcoming.name in GRAMMAR.parameters(GRAMMAR.events)
        and upcoming.name not in GRAMMAR.events.filters
    )
    assert (
        GRAMMAR.parse(GRAMMAR.events, "").slice
        == part
        == GRAMMAR.parse_path(part.path())[0]
        == GRAMMAR.upcoming
    )
    assert not any(c.virtual for c in GRAMMAR.collections.values() if c is not GRAMMAR.events)
