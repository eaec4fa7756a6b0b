"""The slices of records, and the labels and counts of their values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator.grammar.grammar import Collection, Grammar
from generator.kinds import built_in
from generator.model.tables.facets import values_by_count
from generator.model.tables.table import Registry, Table, upcoming_events
from support import registries
from support.kinds import COMPUTED as KINDS
from support.parsing import Parser
from support.registries import SMALL, content

GRAMMAR = Grammar(built_in(), {"topic": "Topic"})


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return registries.registry(tmp_path_factory.mktemp("small"))


def facets(table: Table, slug: str) -> set[str]:
    (row,) = (row for row in table if row.slug == slug)
    assert len(set(row.facets)) == len(row.facets)
    return {facet.text for facet in row.facets}


def project(tmp_path: Path, **fields: Any) -> set[str]:
    """The slices of a project of the small registry, without its status."""
    made = registries.registry(
        tmp_path, content(SMALL, projects={"acme": {"name": "Acme", **fields}})
    )
    return facets(made.tables["projects"], "acme") - {"status/active"}


LAUNCH = "program/launch organization/north-college organization_category/university"
FUND = "organization/harbour-fund organization_category/investor"


@pytest.mark.parametrize(
    ("fields", "slices"),
    [
        # Its programs, their ancestors and the organizations of those, but not the cohorts.
        (
            {"programs": ["launch-2025"], "organizations": ["harbour-fund"]},
            f"program/launch-2025 {LAUNCH} {FUND}",
        ),
        ({"programs": ["launch"]}, LAUNCH),
        # Places are hierarchical.
        ({"locations": [{"country": "US"}]}, "location/north-america location/us"),
        (
            {"locations": [{"country": "US", "region": "CA"}]},
            "location/north-america location/us location/us-ca",
        ),
        (
            {"locations": [{"country": "US", "region": "CA", "city": "San Francisco"}]},
            "location/north-america location/us location/us-ca location/us-ca-san-francisco",
        ),
        (
            {"locations": [{"country": "NO", "city": "Tromsø"}, {"country": "NO"}]},
            "location/europe location/no location/no-tromso",
        ),
        (
            {"locations": [{"country": "DE"}], "remote": True},
            "location/europe location/de location/remote",
        ),
        ({"locations": [], "remote": True}, "location/remote"),
        ({"remote": False}, ""),
        (
            {"tags": {"topic": ["climate", "health"], "technology": ["heat-pumps"]}, "year": 2024},
            "tag_topic/climate tag_topic/health tag_technology/heat-pumps year/2024",
        ),
        # A value that is named twice counts once.
        (
            {"tags": {"topic": ["climate", "climate"]}, "programs": ["launch", "launch"]},
            f"tag_topic/climate {LAUNCH}",
        ),
    ],
)
def test_the_slices_of_a_project(tmp_path: Path, fields: dict[str, Any], slices: str) -> None:
    assert project(tmp_path, **fields) == set(slices.split())


def test_an_organization_s_parent_does_not_count(tmp_path: Path) -> None:
    records = content(SMALL, projects={"acme": {"name": "Acme", "organizations": ["lab"]}})
    records["organizations"]["lab"] = {
        "name": "Lab",
        "category": "investor",
        "parent": "north-college",
    }
    found = facets(registries.registry(tmp_path, records).tables["projects"], "acme")
    assert {f for f in found if f.startswith("organization")} == {
        "organization/lab",
        "organization_category/investor",
    }


def test_a_cohort_may_belong_to_another_organization_than_its_series(tmp_path: Path) -> None:
    records = content(SMALL, projects={"acme": {"name": "Acme", "programs": ["launch-2025"]}})
    records["programs"]["launch-2025"]["organization"] = "harbour-fund"
    found = facets(registries.registry(tmp_path, records).tables["projects"], "acme")
    assert {"organization/harbour-fund", "organization/north-college"} <= found


def test_a_project_without_a_status_is_active(small: Registry) -> None:
    assert "status/active" in facets(small.tables["projects"], "bloom")
    assert "status/inactive" in facets(small.tables["projects"], "cairn")


def test_every_slice_of_a_record_is_one_of_a_filter(small: Registry) -> None:
    for table in small.tables.values():
        for row in table:
            assert {facet.filter for facet in row.facets} <= table.collection.filters.keys()


# --- values ---------------------------------------------------------------------------------------


def test_a_closed_family_without_tags_is_closed(tmp_path: Path) -> None:
    records = content(
        SMALL, projects={}, registry={"tag_families": {"topic": {"label": "Topic", "tags": {}}}}
    )
    symbols = registries.registry(tmp_path, records).symbols
    assert symbols.closed_families == {"topic"}
    assert symbols.tags == {"topic": {}}


def test_the_order_of_records_does_not_choose_the_spelling_of_a_place(tmp_path: Path) -> None:
    spellings = ["São Paulo", "Sao Paulo", "sao-paulo"]
    for turn in range(3):
        order = spellings[turn:] + spellings[:turn]
        records = {
            f"p{i}": {"name": f"P{i}", "locations": [{"country": "BR", "city": city}]}
            for i, city in enumerate(order)
        }
        made = registries.registry(tmp_path / str(turn), content(SMALL, projects=records))
        assert made.tables["projects"].labels["br-sao-paulo"] == "Sao Paulo, Brazil"


def test_values_come_by_count_and_then_by_value(tmp_path: Path) -> None:
    records = {
        f"p{i}": {"name": f"P{i}", "tags": {"technology": tags}}
        for i, tags in enumerate([["b", "c"], ["c", "a"], ["c", "d-e"], ["d-e"], []])
    }
    made = registries.registry(tmp_path, content(SMALL, projects=records))
    values = values_by_count(made.tables["projects"].counts(), made.symbols)
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
    assert list(values) == list(made.tables["projects"].collection.listed_filters)


def test_tags_of_an_open_family_may_have_labels(tmp_path: Path) -> None:
    registry = SMALL["registry"]
    family = {"label": "Licence", "labels": {"gpl-3-0": "GPL-3.0", "mit": "MIT"}}
    families = {**registry["tag_families"], "technology": family}
    records = {"p": {"name": "P", "tags": {"technology": ["gpl-3-0", "other-one"]}}}
    changed = content(SMALL, registry={**registry, "tag_families": families}, projects=records)
    made = registries.registry(tmp_path, changed)
    values = values_by_count(made.tables["projects"].counts(), made.symbols)
    found = [(value["value"], value["label"]) for value in values["tag_technology"]]
    assert found == [("gpl-3-0", "GPL-3.0"), ("other-one", "other one")]


def test_counts_are_of_the_whole_collection(small: Registry) -> None:
    counts = small.tables["projects"].counts()
    assert (counts.total, counts.of("tag_topic", "climate"), counts.of("tag_topic", "space")) == (
        3,
        2,
        0,
    )
    for table in small.tables.values():
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
    assert [
        made.tables["events"].rows[i].slug for i in upcoming_events(made.tables["events"], as_of)
    ] == [
        "at",
        "after",
    ]


@pytest.mark.parametrize(
    "collection", GRAMMAR.collections.values(), ids=lambda collection: collection.name
)
def test_every_filter_names_one_source_of_its_values(collection: Collection) -> None:
    for name, kind in collection.listed_filters.items():
        known = (
            kind.refers,
            kind.vocabulary,
            name in KINDS[collection.name].declared.fixed_labels,
            kind.form in ("year", "month"),
        )
        assert sum(map(bool, known)) == 1, name
        assert kind.refers in ("", *GRAMMAR.collections)


def test_a_filter_that_depends_on_the_day_also_answers_the_bare_address() -> None:
    [(upcoming, part)] = GRAMMAR["events"].virtual_slices()
    assert (
        upcoming.name in GRAMMAR.parameters(GRAMMAR["events"])
        and upcoming.name not in GRAMMAR["events"].filters
    )
    assert part == GRAMMAR.parse_path(part.path())[0] == GRAMMAR.upcoming
    assert Parser(GRAMMAR).parse(GRAMMAR["events"], "").page == part.path()
    assert not any(c.virtual for c in GRAMMAR.collections.values() if c is not GRAMMAR["events"])
