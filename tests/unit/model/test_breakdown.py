"""Breakdowns of the projects of programs and organizations, compared with a simple count."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.grammar.filters import Facet
from generator.model.tables.breakdown import MAX_VALUES, count_breakdowns
from generator.model.tables.table import Registry
from support import registries

PLACES = ["DE", "FR", "NO", "US", *(f"{a}{b}" for a in "BCK" for b in "GHIMNRYZ")]


def projects(seed: int, number: int = 200) -> dict[str, dict[str, Any]]:
    chance = random.Random(seed)
    known = [code for code in PLACES if code.lower() not in ("bb", "cb", "kb")]
    return {
        f"p-{n}": {
            "name": f"P {n}",
            "status": chance.choice(["active", "acquired", "inactive"]),
            "programs": chance.choice([[], ["launch"], ["launch-2025"], ["launch", "launch-2025"]]),
            "organizations": chance.choice([[], ["harbour-fund"]]),
            "remote": chance.random() < 0.2,
            "tags": {"technology": sorted({f"t-{chance.randrange(30)}" for _ in range(3)})},
            **({"year": chance.randrange(1990, 2030)} if chance.random() < 0.8 else {}),
            "locations": [
                {"country": code, "city": "Somewhere"}
                for code in chance.sample(known, chance.randrange(3))
            ],
        }
        for n in range(number)
    }


def one_by_one(registry: Registry, facet: Facet) -> dict[str, list[tuple[str, int]]]:
    table = registry.tables["projects"]
    rows = zip(table, table.summaries, strict=True)
    summaries = [orjson.loads(summary) for row, summary in rows if facet in row.facets]
    found = {
        "status": Counter(summary["status"] for summary in summaries),
        "year": Counter(str(summary["year"]) for summary in summaries if summary["year"]),
        "location": Counter(
            country
            for summary in summaries
            for country in {place["country"].lower() for place in summary["locations"]}
        ),
        **{
            f"tag_{family}": Counter(
                tag for summary in summaries for tag in summary["tags"][family]
            )
            for family in ("topic", "technology")
        },
    }
    most = {name: None if name in ("status", "year") else MAX_VALUES for name in found}
    ordered = {
        name: sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[: most[name]]
        for name, counts in found.items()
    }
    return ordered | {"year": sorted(ordered["year"])}


@pytest.mark.parametrize("seed", range(2))
def test_a_breakdown_matches_a_simple_count(seed: int, tmp_path: Path) -> None:
    registry = registries.registry(tmp_path, registries.content(projects=projects(seed)))
    facets = [
        Facet("program", "launch"),
        Facet("program", "launch-2025"),
        Facet("organization", "north-college"),
        Facet("organization", "harbour-fund"),
        Facet("organization", "nobody"),
    ]
    parts = count_breakdowns(registry.tables["projects"], registry.symbols, facets)
    assert list(parts) == facets
    for facet, part in parts.items():
        counted = {n: [(v["value"], v["count"]) for v in values] for n, values in part.items()}
        assert counted == one_by_one(registry, facet)
    assert count_breakdowns(registry.tables["projects"], registry.symbols, facets[:1]) == {
        facets[0]: parts[facets[0]]
    }
