"""coverage.json: how fresh and how complete the registry is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.api.artifact import Artifact, History, document, encode
from generator.api.paths import CHANGES, COVERAGE
from generator.records.kinds import KINDS
from generator.records.symbols import Symbols
from generator.tables.coverage import ASPECTS, counted


def render(
    symbols: Symbols, coverage: Mapping[str, Mapping[int, int]], history: History
) -> Iterator[Artifact]:
    data = {}
    for name, covers in coverage.items():
        total, counts = sum(covers.values()), counted(covers)
        data[name] = {
            "total": total,
            "fields": {
                aspect: {
                    "label": label,
                    "count": counts[aspect],
                    "share": round(counts[aspect] / total, 4) if total else 0.0,
                }
                for aspect, label in ASPECTS.items()
                if aspect != "year" or "year" in KINDS[name].model.model_fields
            },
        }
    links = {"self": symbols.grammar.url(COVERAGE), "changes": symbols.grammar.url(CHANGES)}
    last = history.changes[0].at if history.changes else None
    yield Artifact(COVERAGE, encode(document("coverage", links=links, last_change=last, data=data)))
