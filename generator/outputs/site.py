"""llms.txt and robots.txt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.contract import templates
from generator.contract.artifact import Artifact
from generator.grammar import paths
from generator.grammar.grammar import Slice
from generator.grammar.paths import LLMS, ROBOTS, schema_path
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts

ADDRESSES = (LLMS, ROBOTS)


def render(
    settings: Settings, symbols: Symbols, counts: Mapping[str, Counts]
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    values = {"settings": settings, "paths": paths, "site": settings.origin + grammar.prefix}
    filled = [counted for counted in counts.values() if counted.total]
    lists = [
        {"of": c, "count": total, "first": Slice(c).path(), "filters": c.filters_path}
        for c, total, *_ in filled
    ]
    llms = templates.render_template(
        "llms.txt",
        **values,
        grammar=grammar,
        lists=lists,
        about=templates.joined([c.many for c, *_ in filled]),
        upcoming=grammar.upcoming.path() if counts["events"].total else None,
        schemas=[(c.one, schema_path(c.kind)) for c, *_ in filled],
    )
    yield Artifact(LLMS, llms)
    yield Artifact(ROBOTS, templates.render_template("robots.txt", **values))
