"""The count document and its links."""

from __future__ import annotations

import json

import pytest

from generator.contract.listing import MAX_COUNTED, FilterCounts, ValueCount, render_count
from generator.grammar.grammar import Count, Grammar

GRAMMAR = Grammar({"topic": "Topic"}, "/registry")
STATUS = FilterCounts(
    "Status", 2, [ValueCount("active", "Active", 3), ValueCount("public", "Public", 1)]
)


def document(
    raw: str, counts: dict[str, FilterCounts], as_of: str | None = None
) -> dict[str, object]:
    name = "events" if as_of else "projects"
    count = GRAMMAR.parse(GRAMMAR.collections[name], raw)
    assert isinstance(count, Count)
    body = render_count(count, 4, counts, GRAMMAR, as_of)
    assert body.endswith(b"}\n") and body.count(b"\n") == 1
    found: dict[str, object] = json.loads(body)
    return found


def test_a_count_has_the_keys_of_the_contract_in_their_order() -> None:
    year = FilterCounts(
        "Year", 60, [ValueCount(str(1950 + n), str(1950 + n), 1) for n in range(MAX_COUNTED)]
    )
    found = document("mode=count&program=w22&by=status,year", {"year": year, "status": STATUS})
    assert list(found) == [
        "schema_version", "kind", "query", "total_items", "links", "alternatives", "counts",
    ]  # fmt: skip
    assert (found["kind"], found["total_items"]) == ("project_count", 4)
    counts = found["counts"]
    assert isinstance(counts, dict) and list(counts) == ["status", "year"]
    assert counts["status"] == {
        "label": "Status",
        "total_values": 2,
        "truncated": False,
        "values": [
            {"value": "active", "label": "Active", "count": 3},
            {"value": "public", "label": "Public", "count": 1},
        ],
        "selected": [],
    }
    assert counts["year"]["truncated"] and len(counts["year"]["values"]) == MAX_COUNTED


@pytest.mark.parametrize(
    ("raw", "listed"),
    [
        ("mode=count", "/registry/api/projects/page/1.json"),
        ("mode=count&status=active", "/registry/api/projects/by/status/active/page/1.json"),
        ("mode=count&status=all:active", "/registry/api/projects/by/status/active/page/1.json"),
        ("mode=count&team_size=5..", "/registry/api/projects?mode=page&team_size=5.."),
        ("mode=count&status=not:active", "/registry/api/projects?mode=page&status=not:active"),
        (
            "mode=count&q=heat+pump&status=active",
            "/registry/api/projects?mode=page&q=heat%20pump&status=active",
        ),
    ],
)
def test_a_count_links_to_its_records(raw: str, listed: str) -> None:
    found = document(f"{raw}&by=status", {"status": STATUS})
    links = found["links"]
    assert isinstance(links, dict) and links["list"] == listed
    assert links["self"].startswith("/registry/api/projects?mode=count")


def test_a_count_of_events_names_its_day() -> None:
    found = document("mode=count&upcoming=true", {}, "2027-01-01")
    assert list(found)[:3] == ["schema_version", "kind", "as_of"]
    assert found["counts"] == {}
