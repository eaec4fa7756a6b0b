"""The dashboard: the whole registry in one answer of at most 64 KiB."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

import orjson

from generator.contract.artifact import Artifact, document, encode_json
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.paths import DASHBOARD, INDEX
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.symbols import Symbols
from generator.model.tables.coverage import share_of
from generator.model.tables.facets import values_by_count
from generator.model.tables.programs import largest, most_referred
from generator.model.tables.table import Counts, Row, Table, upcoming_events

ADDRESSES = (DASHBOARD,)

MAX_BYTES = 64 * 1024
TOP_TAGS, TOP_REFERRED, TOP_COUNTRIES, NEXT_EVENTS = 20, 10, 10, 10
#: How many items an unbounded list may have: the first number whose dashboard fits is used.
_CUTS = (10_000, 200, 50, 20, 10, 5, 2, 1, 0)


def render(
    symbols: Symbols,
    counts: Mapping[str, Counts],
    tables: Mapping[str, Table],
    as_of: date,
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    links = {"self": grammar.url(DASHBOARD), "index": grammar.url(INDEX)}
    links |= {name: grammar.url(Slice(c).path()) for name, c in grammar.collections.items()}
    if grammar.kinds.timed:
        links["upcoming"] = grammar.url(grammar.upcoming.path())
    for cut in _CUTS:
        data = _data(symbols, counts, tables, as_of, cut)
        dashboard = encode_json(
            document("dashboard", as_of=as_of.isoformat(), links=links, data=data)
        )
        if len(dashboard) <= MAX_BYTES:
            break
    yield Artifact(DASHBOARD, dashboard)


def _data(
    symbols: Symbols,
    counts: Mapping[str, Counts],
    tables: Mapping[str, Table],
    as_of: date,
    cut: int,
) -> dict[str, Any]:
    """The data: empty where they are about a kind that the registry does not have."""
    grammar, kinds, bounded = symbols.grammar, symbols.grammar.kinds, _Bounded(cut)
    roles, empty = (kinds.counted, kinds.series, kinds.owner), Counts(grammar.first, 0, {}, {})
    projects, programs, organizations = (counts.get(name, empty) for name in roles)
    values = defaultdict(list, values_by_count(projects, symbols) if kinds.counted else {})
    years = _years(values["year"])
    of_series = values_by_count(programs, symbols) if kinds.series else {}
    program_years = _years(of_series.get("year", []))
    labels = kinds[kinds.counted].fixed_labels.get("status", {}) if kinds.counted else {}
    next_events = upcoming_events(tables[kinds.timed], as_of) if kinds.timed else ()
    rankings = {
        "top_organizations": (kinds.owner, largest(kinds.owner, tables, symbols)),
        "top_programs": (kinds.series, largest(kinds.series, tables, symbols)),
        "top_cohorts": (kinds.series, largest(kinds.series, tables, symbols, cohorts=True)),
    }
    tops = {
        key: _ranked(ranking[:TOP_REFERRED], "projects", name, grammar)
        for key, (name, ranking) in rankings.items()
    }
    countries = [v for v in values["location"] if v["value"] in COUNTRY_SLUGS]
    tags = _tags(symbols, values, projects.total, bounded) if kinds.counted else {}
    data = {
        "counts": {name: c.total for name, c in counts.items()},
        "projects_by_year": years,
        "programs_by_year": program_years,
        "without_year": {
            "projects": projects.total - _sum(years),
            "programs": programs.total - _sum(program_years),
        },
        "statuses": _statuses(labels, values["status"], projects.total),
        "tags": tags,
        **tops,
        "top_locations": countries[:TOP_COUNTRIES],
        "organization_categories": bounded.first(
            _categories(symbols, organizations, projects) if kinds.owner else [], 10_000
        ),
        "program_types": bounded.first(_types(symbols, programs) if kinds.series else [], 10_000),
        "upcoming": [
            orjson.Fragment(tables[kinds.timed].summaries[i]) for i in next_events[:NEXT_EVENTS]
        ],
        "totals": {
            "tags": {family: len(values[f"tag_{family}"]) for family in tags},
            **{key: len(ranking) for key, (_, ranking) in rankings.items()},
            "top_locations": len(countries),
            "upcoming": len(next_events),
        },
    }
    if kinds.declares:
        data["kinds"] = {
            name: {"count": len(tables[name]), "top": _top(tables[name], symbols, bounded)}
            for name in kinds.own_kinds
        }
    return data | {"truncated": bounded.truncated}


def _top(table: Table, symbols: Symbols, bounded: _Bounded) -> dict[str, list[dict[str, Any]]]:
    """Key of a relation -> the records that most others refer to."""
    grammar, found = symbols.grammar, dict[str, list[dict[str, Any]]]()
    for f in table.collection.declared.counters:
        rows = most_referred(table, f.path[-1])
        shown = bounded.first(rows, TOP_REFERRED)
        found[f.path[-1]] = _ranked(shown, "count", table.collection.name, grammar)
    return found


def _ranked(
    rows: Iterable[tuple[Row, int]], counted: str, collection: str, grammar: Grammar
) -> list[dict[str, Any]]:
    """Records of a collection with their numbers."""
    return [
        {
            "slug": row.slug,
            "name": row.name,
            counted: number,
            "href": grammar.url(grammar[collection].record_path(row.slug)),
        }
        for row, number in rows
    ]


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


def _statuses(
    labels: Mapping[str, str], rows: list[dict[str, Any]], total: int
) -> list[dict[str, Any]]:
    counts = {v["value"]: v["count"] for v in rows}
    return [
        {
            "value": status,
            "label": label,
            "count": counts.get(status, 0),
            "share": share_of(counts.get(status, 0), total),
        }
        for status, label in labels.items()
    ]


def _tags(
    symbols: Symbols, values: Mapping[str, list[dict[str, Any]]], total: int, bounded: _Bounded
) -> dict[str, list[dict[str, Any]]]:
    """Family -> its most frequent tags; no family where there is room for no tag."""
    families = {family: bounded.first(values[f"tag_{family}"], TOP_TAGS) for family in symbols.tags}
    if not bounded.most:
        return {}
    return {
        family: [
            {
                "tag": v["value"],
                "label": v["label"],
                "count": v["count"],
                "share": share_of(v["count"], total),
            }
            for v in found
        ]
        for family, found in families.items()
    }


def _categories(symbols: Symbols, organizations: Counts, projects: Counts) -> list[dict[str, Any]]:
    categories = [
        {
            "value": category,
            "label": label,
            "organizations": organizations.of("category", category),
            "projects": projects.of("organization_category", category),
        }
        for category, label in symbols.vocabulary("categories").items()
    ]
    return sorted(categories, key=lambda c: (-c["organizations"], c["value"]))


def _types(symbols: Symbols, programs: Counts) -> list[dict[str, Any]]:
    types = [
        {"value": name, "label": label, "programs": programs.of("type", name)}
        for name, label in symbols.vocabulary("program_types").items()
    ]
    return sorted(types, key=lambda t: (-t["programs"], t["value"]))
