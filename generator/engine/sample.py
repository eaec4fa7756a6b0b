"""An index of a few made-up records, which a script searches when it starts: engines compile a
function when it is first called, and a first query would pay for all of them.
"""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import date
from functools import cache
from types import SimpleNamespace
from typing import Any

from generator.engine.context import Context, Request
from generator.engine.table import table
from generator.grammar.filters import Facet
from generator.grammar.grammar import Grammar
from generator.model.symbols import Symbols
from generator.model.tables.table import Row, tabulate
from generator.search.additions import added_terms
from generator.search.index import CollectionIndex
from generator.search.terms import Terms, terms_from_model

#: Queries that call nearly all functions of an engine: words, filters, pages and sorts.
QUERIES = ("mode=page&q=solar+pump&year=2020&sort=-year", "mode=page&q=solar&year=2020")
_NAMES = ("Solar pump", "Solar roof", "Wind pump")


def sample() -> dict[str, Any]:
    """What a script answers when it starts (search/js/source/warm.mjs)."""
    grammar, files = sample_index()
    settings, projects = table(grammar), grammar.projects
    labels = {projects.name: settings["index"]["labels"][projects.name]}
    lists = [each for each in settings["lists"] if each["name"] == projects.name]
    return {
        "root": projects.root, "lists": lists, "labels": labels,
        "queries": QUERIES, "files": files,
    }  # fmt: skip


@cache
def sample_index() -> tuple[Grammar, dict[str, str]]:
    """The grammar of the sample, and the files that its queries read, Base64 by path."""
    grammar = Grammar({})
    symbols = Symbols(grammar, {}, frozenset(), {}, {}, {})
    rows = [_row(number, name) for number, name in enumerate(_NAMES)]
    table = tabulate(grammar.projects, rows)
    terms = {row.slug: _terms(row, symbols) for row in rows}
    settings: Any = SimpleNamespace(page_size=10, language="en")
    registry: Any = SimpleNamespace(settings=settings, symbols=symbols, as_of=date(2020, 1, 1))
    index = CollectionIndex(table, terms, registry)
    return grammar, _read_by(grammar, index)


def _terms(row: Row, symbols: Symbols) -> Terms:
    fields = ("summary", "description", "website", "locations", "aliases")
    record: dict[str, Any] = {"name": row.name, "tags": {}, **dict.fromkeys(fields)}
    words = terms_from_model("projects", SimpleNamespace(**record), symbols)
    return Terms(words, added_terms(row.slug, record))


def _row(number: int, name: str) -> Row:
    slug = name.lower().replace(" ", "-")
    summary = f'{{"slug":"{slug}","name":"{name}"}}'.encode()
    numbers = (2020, number)
    return Row(slug, name, slug, numbers, "", (Facet("year", "2020"),), (), (), {}, (), summary)


def _read_by(grammar: Grammar, index: CollectionIndex) -> dict[str, str]:
    files, checks, wanted = dict[str, bytes](), {}, dict[str, str]()
    for part in index.parts():
        artifacts, checks[part] = index.render(part)
        files |= {artifact.path: artifact.data for artifact in artifacts}
    manifest = index.manifest(checks)
    files[manifest.path] = manifest.data

    def read(paths: Any) -> list[bytes | None]:
        found = [files.get(path) for path in paths]
        wanted.update(
            {
                path: b64encode(data).decode()
                for path, data in zip(paths, found, strict=True)
                if data
            }
        )
        return found

    engine = Context(json.dumps(table(grammar)))
    for query in QUERIES:
        engine.respond(Request(f"{grammar.projects.root}?{query}"), read)
    return wanted
