"""The dashboard: the whole registry in one answer of at most 64 KiB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import orjson

from generator.contract.artifact import Artifact, document, encode_json
from generator.grammar.grammar import Slice
from generator.grammar.paths import DASHBOARD, INDEX
from generator.kinds import KINDS
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.symbols import Symbols
from generator.model.tables.coverage import share_of
from generator.model.tables.facets import values_by_count
from generator.model.tables.programs import largest_programs
from generator.model.tables.table import Counts, Row, Table, upcoming_events

ADDRESSES = (DASHBOARD,)

MAX_BYTES = 64 * 1024
TOP_TAGS, TOP_REFERRED, TOP_COUNTRIES, NEXT_EVENTS = 20, 10, 10, 10
#: How many items an unbounded list may have: the first number whose dashboard fits is used.
_CUTS = (10_000, 200, 50, 20, 10, 5, 2, 1, 0)


def render(
    symbols: Symbols,
    counts: Mapping[str, Counts],
    programs: Table,
    organizations: Table,
    events: Table,
    as_of: date,
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    first = {name: grammar.url(Slice(c).path()) for name, c in grammar.collections.items()}
    links = {
        "self": grammar.url(DASHBOARD),
        "index": grammar.url(INDEX),
        **first,
        "upcoming": grammar.url(grammar.upcoming.path()),
    }
    for cut in _CUTS:
        data = _data(symbols, counts, programs, organizations, events, as_of, cut)
        dashboard = encode_json(
            document("dashboard", as_of=as_of.isoformat(), links=links, data=data)
        )
        if len(dashboard) <= MAX_BYTES:
            break
    yield Artifact(DASHBOARD, dashboard)


def _data(
    symbols: Symbols,
    counts: Mapping[str, Counts],
    programs: Table,
    organizations: Table,
    events: Table,
    as_of: date,
    cut: int,
) -> dict[str, Any]:
    projects = counts["projects"]
    values = values_by_count(projects, symbols)
    bounded = _Bounded(cut)
    next_events = upcoming_events(events, as_of)[:NEXT_EVENTS]
    years = _years(values["year"])
    program_years = _years(values_by_count(counts["programs"], symbols)["year"])
    data = {
        "counts": {name: c.total for name, c in counts.items()},
        "projects_by_year": years,
        "programs_by_year": program_years,
        "without_year": {
            "projects": projects.total - _sum(years),
            "programs": counts["programs"].total - _sum(program_years),
        },
        "statuses": _statuses(values["status"], projects.total),
        "tags": _tags(symbols, values, projects.total, bounded),
        "top_organizations": _ranked(_first(organizations), organizations, projects, symbols),
        "top_programs": _ranked(_first(programs), programs, projects, symbols),
        "top_cohorts": _ranked(
            largest_programs(programs, projects, symbols, TOP_REFERRED), programs, projects, symbols
        ),
        "top_locations": [v for v in values["location"] if v["value"] in COUNTRY_SLUGS][
            :TOP_COUNTRIES
        ],
        "organization_categories": bounded.first(_categories(symbols, counts), 10_000),
        "program_types": bounded.first(_types(symbols, counts["programs"]), 10_000),
        "upcoming": [orjson.Fragment(events.summaries[i]) for i in next_events],
    }
    return data | {"truncated": bounded.truncated}


class _Bounded:
    """Cuts lists to `most` items; `truncated` says whether a list was longer."""

    def __init__(self, most: int):
        self.most, self.truncated = most, False

    def first(self, rows: list[Any], bound: int) -> list[Any]:
        """The first rows: at most `bound`, which counts as no truncation, and at most `most`."""
        self.truncated |= len(rows) > self.most and self.most < bound
        return rows[: min(bound, self.most)]


def _years(rows: list[dict[str, Any]]) -> list[dict[str, int]]:
    years = ({"year": int(v["value"]), "count": v["count"]} for v in rows)
    return sorted(years, key=lambda year: year["year"])


def _sum(years: list[dict[str, int]]) -> int:
    return sum(year["count"] for year in years)


def _statuses(rows: list[dict[str, Any]], total: int) -> list[dict[str, Any]]:
    counts = {v["value"]: v["count"] for v in rows}
    return [
        {
            "value": status,
            "label": label,
            "count": counts.get(status, 0),
            "share": share_of(counts.get(status, 0), total),
        }
        for status, label in KINDS["projects"].fixed_labels["status"].items()
    ]


def _tags(
    symbols: Symbols, values: Mapping[str, list[dict[str, Any]]], total: int, bounded: _Bounded
) -> dict[str, list[dict[str, Any]]]:
    """Family -> its most frequent tags."""
    families: dict[str, list[dict[str, Any]]] = {}
    for family in symbols.tags:
        if bounded.most or len(families) < 100:
            families[family] = [
                {
                    "tag": v["value"],
                    "label": v["label"],
                    "count": v["count"],
                    "share": share_of(v["count"], total),
                }
                for v in bounded.first(values[f"tag_{family}"], TOP_TAGS)
            ]
    return families


def _first(table: Table) -> list[Row]:
    """The records with the most projects."""
    return [table.rows[i] for i in table.orders["-projects"][:TOP_REFERRED]]


def _ranked(
    rows: Sequence[Row], table: Table, projects: Counts, symbols: Symbols
) -> list[dict[str, Any]]:
    """The rows of a table with their numbers of projects; none if there are no projects at all."""
    if not projects.total:
        return []
    collection = table.collection
    return [
        {
            "slug": row.slug,
            "name": row.name,
            "projects": projects.of(collection.kind, row.slug),
            "href": symbols.grammar.url(collection.record_path(row.slug)),
        }
        for row in rows
    ]


def _categories(symbols: Symbols, counts: Mapping[str, Counts]) -> list[dict[str, Any]]:
    categories = [
        {
            "value": category,
            "label": label,
            "organizations": counts["organizations"].of("category", category),
            "projects": counts["projects"].of("organization_category", category),
        }
        for category, label in symbols.categories.items()
    ]
    return sorted(categories, key=lambda c: (-c["organizations"], c["value"]))


def _types(symbols: Symbols, programs: Counts) -> list[dict[str, Any]]:
    types = [
        {"value": name, "label": label, "programs": programs.of("type", name)}
        for name, label in symbols.program_types.items()
    ]
    return sorted(types, key=lambda t: (-t["programs"], t["value"]))
