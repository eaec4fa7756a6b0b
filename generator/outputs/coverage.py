"""coverage.json: how fresh and how complete the registry is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.contract.artifact import Artifact, History, published
from generator.grammar.paths import CHANGES, COVERAGE
from generator.model.symbols import Symbols
from generator.model.tables.coverage import ASPECTS, alike, counted, fields_of, given, total


def render(
    symbols: Symbols, coverage: Mapping[str, Mapping[int, int]], history: History
) -> Iterator[Artifact]:
    data = {}
    for name, masks in coverage.items():
        fields = fields_of(name, symbols.grammar)
        records = total(masks)
        data[name] = {
            "total": records,
            "fields": {
                aspect: {
                    "label": ASPECTS[aspect],
                    "count": count,
                    "share": round(count / records, 4) if records else 0.0,
                }
                for aspect, count in counted(masks, fields).items()
            },
            "given": given(masks, fields),
            "alike": alike(masks, fields),
        }
    links = {"self": symbols.grammar.url(COVERAGE), "changes": symbols.grammar.url(CHANGES)}
    last = history.changes[0].at if history.changes else None
    yield published(COVERAGE, "coverage", links=links, last_change=last, data=data)
