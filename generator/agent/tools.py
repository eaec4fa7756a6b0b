"""The conservative tools that a model may be given: what each is for, its input, its addresses and
its bounds.

Pure data from the grammar.  The MCP server answers them and agent/tools.json publishes them, for
programs that call the API themselves.  No tool asks for a whole table, and none takes the size of a
page.  Labels of the registry are not in here: what a model reads of its tools comes from this file
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from generator.agent.budget import MAX_ANSWER, MAX_CONTEXT
from generator.api.asked import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.api.grammar import MAX_VALUE, Collection, Grammar
from generator.api.paths import (
    AGENT_CATALOG,
    AGENT_OVERVIEW,
    AGENT_SCHEMA,
    DASHBOARD,
    agent_context,
)
from generator.api.text import MAX_SLUG, SLUG

#: Of one call.
MAX_RECORDS, MAX_FILTERS = 100, 10
#: Tag families that are named one by one; of more, a tool says only what they look like.
MAX_FAMILIES = 12
SECTIONS = (
    "counts",
    "projects_by_year",
    "programs_by_year",
    "statuses",
    "tags",
    "top_organizations",
    "top_programs",
    "top_locations",
    "organization_categories",
    "program_types",
    "upcoming",
)
#: The collections whose records have a context.
CONTEXTS = ("programs", "organizations")

Schema = dict[str, Any]

_START: Schema = {
    "type": "integer",
    "minimum": 1,
    "maximum": 999_999_999,
    "default": 1,
    "description": "Where to go on within what was cut: the number of the first row, or character "
    "of a text. Take it from next.",
}
_PAGE: Schema = {"type": "integer", "minimum": 1, "maximum": 999_999_999, "default": 1}
_SLUG: Schema = {"type": "string", "pattern": f"^{SLUG}$", "maxLength": MAX_SLUG}


class Tool(NamedTuple):
    """One tool.  `input` is a JSON Schema (2020-12).

    `templates` has for each value of `collection`, and under "" for a call without it, the URL
    template (RFC 6570 over the arguments, without the base URL's path) of what is read; `start` and
    what a template does not name choose from it.
    """

    name: str
    title: str
    purpose: str
    input: Schema
    templates: Mapping[str, str]
    bounds: Mapping[str, int]


def tools(grammar: Grammar) -> tuple[Tool, ...]:
    """Every tool, in the order in which they are best used."""
    every = grammar.collections
    tables = {name: c for name, c in every.items() if c is not grammar.events}
    record_bounds = {
        "max_bytes": MAX_ANSWER,
        "max_records": MAX_RECORDS,
        "max_filters": MAX_FILTERS,
    }
    names = list(
        dict.fromkeys(
            name for c in every.values() for name in c.filters if not name.startswith("tag_")
        )
    )
    families = [f"tag_{family}" for family in grammar.tag_families]
    one_filter: Schema = (
        _one_of([*families, *names])
        if len(families) <= MAX_FAMILIES
        else {
            "type": "string",
            "pattern": f"^(?:tag_[a-z][a-z0-9_]*|{'|'.join(names)})$",
            "maxLength": 60,
        }
    )
    return (
        Tool(
            "dataset_catalog",
            "What the registry holds",
            "Start here. The collections with their number of records, filters, most frequent "
            "filter values and sorts. With collection: that collection's filters with up to 50 "
            "values each and how many records have them. With collection and filter: every value "
            "of that filter. Counts are here; never page through records to count.",
            _input(
                {"collection": _one_of(every), "filter": one_filter, "start": _START},
                dependent={"filter": ["collection"], "start": ["filter"]},
            ),
            {
                "": AGENT_CATALOG,
                **{name: _optional(c.filter_path("{filter}")) for name, c in every.items()},
            },
            {"max_bytes": MAX_ANSWER},
        ),
        Tool(
            "describe_schema",
            "What the fields mean",
            "The fields of each kind of record in words, with their types and an example. With "
            "collection: only that kind's.",
            _input({"collection": _one_of(every), "start": _START}),
            dict.fromkeys(("", *every), AGENT_SCHEMA),
            {"max_bytes": MAX_ANSWER},
        ),
        Tool(
            "dashboard",
            "Totals, shares and what is next",
            "Totals and shares of the whole registry: per year, status, tag, place, category and "
            "type, the organizations and programs with most projects, and the next events. Long "
            "lists are shortened; with section one of them is whole.",
            _input(
                {"section": _one_of(SECTIONS), "start": _START}, dependent={"start": ["section"]}
            ),
            {"": DASHBOARD},
            {"max_bytes": MAX_ANSWER},
        ),
        Tool(
            "search_records",
            "Search by words",
            "Records of one collection that have every word of q in their name, summary, "
            "description or tags; a word of three letters or more also matches as the beginning "
            "of a word. The best matches come first. Filters narrow further. Summaries, page by "
            "page.",
            _input(
                {
                    "collection": _one_of(every),
                    "q": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": MAX_QUERY_CHARACTERS,
                        "description": f"1 to {MAX_QUERY_WORDS} words.",
                    },
                    "filters": _filters(grammar, every.values()),
                    "sort": _sort(every.values(), "relevance"),
                    "page": _PAGE,
                    "start": _START,
                },
                required=["collection", "q"],
            ),
            {name: f"{c.root}?mode=page{{&q,filters*,sort,page}}" for name, c in every.items()},
            {**record_bounds, "max_words": MAX_QUERY_WORDS},
        ),
        Tool(
            "list_records",
            "List by filters",
            "Projects, programs or organizations that match all of the filters, as summaries, "
            "page by page. Use filters and read only the pages you need. Values of filters come "
            "from dataset_catalog. Events: calendar_events.",
            _input(
                {
                    "collection": _one_of(tables),
                    "filters": _filters(grammar, tables.values()),
                    "sort": _sort(tables.values()),
                    "page": _PAGE,
                    "start": _START,
                },
                required=["collection"],
            ),
            {name: f"{c.root}?mode=page{{&filters*,sort,page}}" for name, c in tables.items()},
            record_bounds,
        ),
        Tool(
            "get_record",
            "One record, whole",
            "Every field of one record, by the slug that a summary has. A former slug finds the "
            "record too. Long fields are cut and named in cut; with field one of them is whole.",
            _input(
                {
                    "collection": _one_of(every),
                    "slug": _SLUG,
                    "field": {"type": "string", "pattern": "^[a-z]+(?:_[a-z]+)*$", "maxLength": 50},
                    "start": _START,
                },
                required=["collection", "slug"],
                dependent={"start": ["field"]},
            ),
            {name: c.record_path("{slug}") for name, c in every.items()},
            {"max_bytes": MAX_ANSWER, "max_records": 1},
        ),
        Tool(
            "calendar_events",
            "Deadlines, application windows and events",
            "Events by when they start: without filters those that are not over. Combine "
            "upcoming with other filters, or leave it out for past ones too. Times are UTC in "
            "starts_at and ends_at, and as written in starts_local and ends_local.",
            _input(
                {
                    "filters": {
                        **_filters(grammar, [grammar.events]),
                        "default": dict.fromkeys(grammar.events.virtual, "true"),
                    },
                    "page": _PAGE,
                    "start": _START,
                }
            ),
            {"": f"{grammar.events.root}?mode=page{{&filters*,page}}"},
            record_bounds,
        ),
        Tool(
            "build_context",
            "Context to paste",
            f"Facts with their sources in at most {MAX_CONTEXT // 1024} KiB of Markdown: of the "
            "registry, or with collection and slug of one program or organization.",
            _input(
                {"collection": _one_of(CONTEXTS), "slug": _SLUG},
                dependent={"collection": ["slug"], "slug": ["collection"]},
            ),
            {"": AGENT_OVERVIEW, **{name: agent_context(name, "{slug}") for name in CONTEXTS}},
            {"max_bytes": MAX_ANSWER, "max_context_bytes": MAX_CONTEXT},
        ),
    )


def _input(
    properties: Schema,
    required: Iterable[str] = (),
    dependent: Mapping[str, list[str]] | None = None,
) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        **({"dependentRequired": dict(dependent)} if dependent else {}),
        "additionalProperties": False,
    }


def _one_of(words: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(words)}


def _optional(path: str) -> str:
    """`…/filters/{filter}.json` -> `…/filters{/filter}.json`, which is the address of all filters
    where none is given.
    """
    return path.replace("/{filter}", "{/filter}")


def _sort(of: Iterable[Collection], *more: str) -> Schema:
    sorts = dict.fromkeys((*more, *(sort for c in of for sort in c.sorts)))
    return {
        **_one_of(sorts),
        "description": "With - the greatest first. Not every collection has each.",
    }


def _filters(grammar: Grammar, of: Iterable[Collection]) -> Schema:
    """An object with a value for each filter that is wanted; what only some of the collections have
    says so.
    """
    of = list(of)
    named: Schema = {}
    for c in of:
        for name, f in c.filters.items():
            having = [other.name for other in of if name in other.filters]
            named[name] = {"type": "string", "pattern": f"^{f.pattern}$", "maxLength": MAX_VALUE}
            if len(having) < len(of) and not name.startswith("tag_"):
                named[name]["description"] = "Of " + ", ".join(having)
    for c in of:
        named |= {
            f.name: {**_one_of(["true"]), "description": f"{c.name.capitalize()} {f.label}"}
            for f in c.virtual.values()
        }
    found: Schema = {
        "type": "object",
        "properties": named,
        "maxProperties": MAX_FILTERS,
        "additionalProperties": False,
    }
    tags = [name for name in named if name.startswith("tag_")]
    if len(tags) > MAX_FAMILIES:
        found["patternProperties"] = {"^tag_[a-z][a-z0-9_]*$": named[tags[0]]}
        found["properties"] = {name: shape for name, shape in named.items() if name not in tags}
    return found
