"""agent/context/: the registry, and each program and organization, as Markdown to paste into a
prompt.

A context holds texts that people wrote among words that a model may obey.  So every fact is one
line that begins with `- `, no text is at the beginning of a line, nothing in one can end its line
or open a link, and the first lines say what they are.  A context of a record is made from its file
and from the summaries of its events, and knows no day: it is rendered again when one of those is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any

import orjson

from generator.agent import contexts
from generator.agent.budget import MAX_CONTEXT, clipped
from generator.api import paths, templates
from generator.api.artifact import Artifact
from generator.api.grammar import Slice
from generator.api.names import KIND_OF
from generator.api.own import OwnField
from generator.records.fields import COUNTRIES
from generator.records.kinds import KINDS
from generator.records.settings import Settings
from generator.records.symbols import Symbols
from generator.tables.facets import values_by_count
from generator.tables.table import Counts, Table, upcoming

#: Of the overview; and dates of one record.
TOP, YEARS, FAMILIES, EVENTS, NEWEST, LATEST = 10, 10, 12, 10, 5, 8
MOST = 8  # values of each filter in a breakdown, of years the latest
_MAX_ABOUT = 600  # bytes
#: Where an escape was cut, its backslash would escape what follows.
_UNFINISHED = re.compile(r"((?:^|[^\\])(?:\\\\)*)\\…$")


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    programs: Table,
    organizations: Table,
    events: Table,
    as_of: date,
) -> Iterator[Artifact]:
    """The overview."""
    site = settings.origin + symbols.grammar.prefix
    values = values_by_count(counts["projects"], symbols)
    countries = {code.lower() for code in COUNTRIES}
    labels = symbols.grammar.tag_families
    shown = contexts.Overview(
        about=clipped(templates.line(settings.description), _MAX_ABOUT),
        as_of=as_of.isoformat(),
        lists=[
            (of.collection.label, of.total, Slice(of.collection).path()) for of in counts.values()
        ],
        statuses=values["status"],
        years=sorted(values["year"], key=lambda v: str(v["value"]), reverse=True)[:YEARS],
        countries=[v for v in values["location"] if v["value"] in countries][:TOP],
        families=[
            (labels[family], values[f"tag_{family}"][:TOP])
            for family in list(symbols.tags)[:FAMILIES]
        ],
        largest=[
            (table.collection.many, list(_largest(table))) for table in (programs, organizations)
        ],
        newest=_newest(programs),
        upcoming=[orjson.loads(events.summaries[i]) for i in upcoming(events, as_of)[:EVENTS]],
    )
    text = contexts.overview(
        shown, settings.name, settings.license, symbols.grammar, settings.origin
    )
    yield Artifact(paths.AGENT_OVERVIEW, fitted(text, site + paths.DASHBOARD))


def _largest(table: Table) -> Iterator[tuple[str, int, str]]:
    """Name, number of projects and path of the records with most projects, those without any left
    out.
    """
    which = table.collection.sorts.index("-projects") - 1
    for row in (table.rows[i] for i in table.orders["-projects"][:TOP]):
        if projects := row.numbers[which]:
            yield row.name, projects, table.collection.record_path(row.slug)


def _newest(programs: Table) -> list[dict[str, Any]]:
    """The summaries of the newest cohorts: by year, within it by their start, else by name."""
    newest: list[dict[str, Any]] = []
    latest_first = (orjson.loads(programs.summaries[i]) for i in programs.orders["-year"])
    for year, group in groupby(latest_first, key=lambda summary: summary["year"]):
        if year is None or len(newest) >= NEWEST:
            break
        cohorts = [summary for summary in group if summary["kind"] == "cohort"]
        newest += sorted(cohorts, key=lambda s: (s["starts"] or "", s["name"]), reverse=True)
    return newest[:NEWEST]


def latest(events: Table, kind: str, slug: str) -> Sequence[int]:
    """The last events of a program or an organization, by their positions."""
    return events.positions(Slice(events.collection, kind, slug))[-LATEST:]


def of_record(
    record: Artifact, name: str, settings: Settings, symbols: Symbols, events: Table
) -> Artifact:
    """The context of the program or organization whose file this is."""
    document = orjson.loads(record.data)
    data: dict[str, Any] = document["data"]
    if name == "programs":
        sorts = [symbols.program_types[data["type"]], KINDS[name].fixed["kind"][data["kind"]]]
    else:
        sorts = [symbols.categories[data["category"]]]
    labels = symbols.grammar.tag_families
    shown = latest(events, KIND_OF[name], data["slug"])
    words = contexts.Words(
        sorts=sorts,
        places=[
            ", ".join(filter(None, (p["city"], p["region"], COUNTRIES[p["country"]])))
            for p in data["locations"]
        ],
        breakdown=_breakdown(data["breakdown"], symbols),
        own=_own(data["fields"], symbols.grammar.fields.get(name, {})),
        tags=[
            (labels[family], [symbols.tag_label(family, tag) for tag in tags])
            for family, tags in data["tags"].items()
            if tags
        ],
        events=[orjson.loads(events.summaries[i]) for i in reversed(shown)],
    )
    of = symbols.grammar.collections[name]
    text = contexts.record(document, words, of, settings.name, symbols.grammar, settings.origin)
    return Artifact(
        paths.agent_context(name, data["slug"]), fitted(text, settings.origin + data["href"])
    )


def _breakdown(breakdown: Mapping[str, Any], symbols: Symbols) -> Iterator[tuple[str, list[Any]]]:
    """The label of each filter with its most frequent values, of years the latest."""
    for name, values in breakdown.items():
        if values:
            shown = values[: -MOST - 1 : -1] if name == "year" else values[:MOST]
            yield symbols.grammar.projects.filters[name].label, shown


def _own(given: Mapping[str, Any], own: Mapping[str, OwnField]) -> Iterator[tuple[str, str]]:
    """The label of each own field that the record gives, with what it gives in words."""
    for key, known in own.items():
        values = given[key] if isinstance(given[key], list) else [given[key]]
        words = [known.spelled(value) for value in values if value is not None]
        if words:
            yield known.label, ", ".join(words)


def fitted(lines: Iterable[str], whole: str) -> bytes:
    """At most MAX_CONTEXT bytes: the lines that fit, a description as far as it does, and where the
    whole is.
    """
    every = list(lines)
    data = ("\n".join(every) + "\n").encode()
    if len(data) <= MAX_CONTEXT:
        return data
    note = f"\nThis was cut to {MAX_CONTEXT // 1024} KiB. All of it: {whole}\n"
    room, kept = MAX_CONTEXT - len(note.encode()), []
    for line in every:
        if (
            len(line.encode()) >= room
            and line.startswith(contexts.DESCRIPTION)
            and room > len(contexts.DESCRIPTION) + 40
        ):
            line = _UNFINISHED.sub(r"\1…", clipped(line, room - 1))
        if len(line.encode()) < room:
            kept.append(line + "\n")
            room -= len(line.encode()) + 1
    return ("".join(kept) + note).encode()
