"""coverage.json: how fresh and how complete the registry is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.contract.artifact import Artifact, History, document_artifact
from generator.grammar.paths import CHANGES, COVERAGE
from generator.model.symbols import Symbols
from generator.model.tables.coverage import (
    ASPECTS,
    count_aspects,
    count_filled,
    count_records,
    count_same_texts,
    fields_to_count,
)


def render(
    symbols: Symbols, coverage: Mapping[str, Mapping[int, int]], history: History
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
                    "share": round(count / records, 4) if records else 0.0,
                }
                for aspect, count in count_aspects(masks, fields).items()
            },
            "given": count_filled(masks, fields),
            "alike": count_same_texts(masks, fields),
        }
    links = {"self": symbols.grammar.url(COVERAGE), "changes": symbols.grammar.url(CHANGES)}
    last = history.changes[0].at if history.changes else None
    yield document_artifact(COVERAGE, "coverage", links=links, last_change=last, data=data)
