"""coverage.json: how fresh and how complete the registry is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from generator.contract.artifact import Artifact, History, document_artifact
from generator.grammar.paths import CHANGES, COVERAGE
from generator.model.symbols import Symbols
from generator.model.tables.coverage import (
    ASPECTS,
    ages,
    count_aspects,
    count_filled,
    count_records,
    count_same_texts,
    fields_to_count,
    median_age,
    share_of,
)

ADDRESSES = (COVERAGE,)

_YEAR = 365  # days


def render(
    symbols: Symbols, coverage: Mapping[str, Mapping[int, int]], history: History, as_of: date
) -> Iterator[Artifact]:
    data = {}
    for name, masks in coverage.items():
        fields = fields_to_count(name, symbols.grammar)
        records = count_records(masks)
        data[name] = {
            "total": records,
            "fields": {
                aspect: {
                    "label": ASPECTS[aspect],
                    "count": count,
                    "share": share_of(count, records),
                }
                for aspect, count in count_aspects(masks, fields).items()
            },
            "verified": _verified(ages(masks, as_of), records),
            "given": count_filled(masks, fields),
            "alike": count_same_texts(masks, fields),
        }
    links = {"self": symbols.grammar.url(COVERAGE), "changes": symbols.grammar.url(CHANGES)}
    last = history.changes[0].at if history.changes else None
    yield document_artifact(COVERAGE, "coverage", links=links, last_change=last, data=data)


def _verified(ages: Mapping[int, int], records: int) -> dict[str, Any]:
    """How many of `records` were verified within a year; `ages` is days -> number of records."""
    recent = sum(count for age, count in ages.items() if age <= _YEAR)
    return {
        "label": "Verified within a year",
        "count": recent,
        "share": share_of(recent, records),
        "median_age_days": median_age(ages),
    }
