"""The dashboard: the whole registry in one answer of at most 64 KiB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import orjson

from generator.api.artifact import Artifact, document, encode
from generator.api.grammar import Slice
from generator.api.paths import DASHBOARD, INDEX
from generator.records.fields import COUNTRIES
from generator.records.kinds import KINDS
from generator.records.symbols import Symbols
from generator.tables.facets import values_by_count
from generator.tables.table import Counts, Table, upcoming

MAX_BYTES = 64 * 1024
TOP_TAGS, TOP_REFERRED, TOP_COUNTRIES, NEXT_EVENTS = 20, 10, 10, 10
#: How many items the lists without a bound of their own keep; the first number whose dashboard fits
#: is taken.
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
        whole = encode(document("dashboard", as_of=as_of.isoformat(), links=links, data=data))
        if len(whole) <= MAX_BYTES:
            break
    yield Artifact(DASHBOARD, whole)


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
    values, of_programs = (
        values_by_count(projects, symbols),
        values_by_count(counts["programs"], symbols),
    )
    total = projects.total
    truncated = False

    def most(rows: list[Any], bound: int) -> list[Any]:
        nonlocal truncated
        truncated |= len(rows) > cut and cut < bound
        return rows[: min(bound, cut)]

    def share(count: int) -> float:
        return round(count / total, 4) if total else 0.0

    def years(rows: list[dict[str, Any]]) -> list[dict[str, int]]:
        return sorted(
            ({"year": int(v["value"]), "count": v["count"]} for v in rows), key=lambda y: y["year"]
        )

    def top(table: Table) -> list[dict[str, Any]]:
        rows = [table.rows[i] for i in table.orders["-projects"][:TOP_REFERRED]]
        facet = table.collection.kind
        return [
            {
                "slug": r.slug,
                "name": r.name,
                "projects": projects.of(facet, r.slug),
                "href": symbols.grammar.url(table.collection.record_path(r.slug)),
            }
            for r in rows
        ]

    statuses = {v["value"]: v for v in values["status"]}
    countries = {code.lower() for code in COUNTRIES}
    families: dict[str, list[dict[str, Any]]] = {}
    for family in symbols.tags:
        used = values[f"tag_{family}"]
        if cut or len(families) < 100:
            families[family] = [
                {
                    "tag": v["value"],
                    "label": v["label"],
                    "count": v["count"],
                    "share": share(v["count"]),
                }
                for v in most(used, TOP_TAGS)
            ]
    categories = [
        {
            "value": c,
            "label": name,
            "organizations": counts["organizations"].of("category", c),
            "projects": projects.of("organization_category", c),
        }
        for c, name in symbols.categories.items()
    ]
    types = [
        {"value": t, "label": name, "programs": counts["programs"].of("type", t)}
        for t, name in symbols.program_types.items()
    ]
    ahead = upcoming(events, as_of)[:NEXT_EVENTS]
    data = {
        "counts": {name: c.total for name, c in counts.items()},
        "projects_by_year": years(values["year"]),
        "programs_by_year": years(of_programs["year"]),
        "statuses": [
            {
                "value": s,
                "label": name,
                "count": (n := statuses[s]["count"] if s in statuses else 0),
                "share": share(n),
            }
            for s, name in KINDS["projects"].fixed["status"].items()
        ],
        "tags": families,
        "top_organizations": top(organizations),
        "top_programs": top(programs),
        "top_locations": [v for v in values["location"] if v["value"] in countries][:TOP_COUNTRIES],
        "organization_categories": most(
            sorted(categories, key=lambda c: (-c["organizations"], c["value"])), 10_000
        ),
        "program_types": most(sorted(types, key=lambda t: (-t["programs"], t["value"])), 10_000),
        "upcoming": [orjson.Fragment(events.summaries[i]) for i in ahead],
    }
    return data | {"truncated": truncated}
