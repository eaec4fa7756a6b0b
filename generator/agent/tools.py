"""The conservative tools that a model may be given: what each is for, its input, its addresses and
its bounds.

Pure data from the grammar.  The MCP server answers them and agent/tools.json publishes them, for
programs that call the API themselves.  No tool asks for a whole table.  Labels of the registry are
not in here: what a model reads of its tools comes from this file alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from generator.agent.budget import MAX_ANSWER, MAX_CONTEXT
from generator.api.asked import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.api.grammar import MAX_VALUE, Collection, Grammar
from generator.api.listing import MAX_COUNTED
from generator.api.paths import (
    AGENT_CATALOG,
    AGENT_OVERVIEW,
    AGENT_SCHEMA,
    DASHBOARD,
    agent_context,
)
from generator.api.text import MAX_SLUG, SLUG

#: Of one call.
MAX_RECORDS, MAX_FILTERS, MAX_FIELDS = 50, 10, 40
#: Characters of what is asked of one filter, and of a word to find values by.
MAX_CONSTRAINT, MAX_LIKE = 10 * (MAX_VALUE + 1) + 4, 100
#: Filters that one call counts the values of.
MAX_BY = 3
#: Records that are listed where nobody says how many.
USUAL_RECORDS = 10
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
    "description": "The first to show, counted from 1: a row, or a character of a text. Take it "
    "from next.",
}
_LIMIT: Schema = {
    "type": "integer",
    "minimum": 0,
    "maximum": MAX_RECORDS,
    "default": USUAL_RECORDS,
    "description": "How many records to show. 0 says only how many there are.",
}
_FIELDS: Schema = {
    "type": "array",
    "items": {"type": "string", "pattern": "^[a-z]+(?:_[a-z]+)*$", "maxLength": 50},
    "maxItems": MAX_FIELDS,
    "uniqueItems": True,
    "description": "Show only these fields of each record, and its slug; [name, summary] takes a "
    "third of the room. describe_schema has the fields of lists.",
}
_ASKED = (
    "All of them hold. A value; several, where a,b is any of them, all:a,b each and not:a,b none; "
    "or a range of years, months or numbers: 2019..2024, 2020.., ..2010."
)
_SLUG: Schema = {"type": "string", "pattern": f"^{SLUG}$", "maxLength": MAX_SLUG}


class Tool(NamedTuple):
    """One tool.  `input` is a JSON Schema (2020-12).

    `templates` has for each value of `collection`, and under "" for a call without it, the URL
    template (RFC 6570 over the arguments, without the base URL's path) of what is read; `page` in
    it is the page that `start` lies on, and what a template does not name chooses from what is
    read.
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
    shown = {"limit": _LIMIT, "fields": _FIELDS, "start": _START}
    one_filter = _filter_name(grammar)
    files = {name: _optional(c.filter_path("{filter}")) for name, c in every.items()}
    return (
        Tool(
            "dataset_catalog",
            "What the registry holds",
            "Start here. The collections with their number of records, filters, most frequent "
            "filter values and sorts. With collection: that collection's filters with up to 50 "
            "values each and how many records have them. With collection and filter: every value "
            "of that filter.",
            _input(
                {"collection": _one_of(every), "filter": one_filter, "start": _START},
                dependent={"filter": ["collection"], "start": ["filter"]},
            ),
            {"": AGENT_CATALOG, **files},
            {"max_bytes": MAX_ANSWER},
        ),
        Tool(
            "count_records",
            "How many",
            "How many records match, exactly, and with by how many of them have each value of up "
            "to three filters, the greatest first. For every question of how many, which most, or "
            "how they divide; never list records to count them. What is asked of a filter does not "
            "narrow its own counts, so that you see what else could be chosen. With like: only "
            "values that have a word which begins so.",
            _input(
                {
                    "collection": _one_of(every),
                    "filters": _filters(grammar, every.values()),
                    "q": _q(),
                    "by": {
                        "type": "array",
                        "items": one_filter,
                        "minItems": 1,
                        "maxItems": MAX_BY,
                        "uniqueItems": True,
                    },
                    "like": {"type": "string", "minLength": 1, "maxLength": MAX_LIKE},
                },
                required=["collection"],
                dependent={"like": ["by"]},
            ),
            {name: f"{c.root}?mode=count{{&q,filters*,by,like}}" for name, c in every.items()},
            {
                "max_bytes": MAX_ANSWER,
                "max_filters": MAX_FILTERS,
                "max_by": MAX_BY,
                "max_values": MAX_COUNTED,
            },
        ),
        Tool(
            "find_values",
            "Find the value to filter by",
            "The values of a collection's filters that have a word which begins like this one, in "
            "their label or in themselves, with how many records have each: kenya finds the "
            "location ke. Ask before you filter by a tag, a place, a program or an organization "
            "whose value you do not know. With filter: only its values.",
            _input(
                {
                    "collection": _one_of(every),
                    "like": {"type": "string", "minLength": 1, "maxLength": MAX_LIKE},
                    "filter": one_filter,
                },
                required=["collection", "like"],
            ),
            files,
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
            "description, tags, places, programs or organizations; a word of three letters or more "
            "also matches as the beginning of a word. The best matches come first. Filters narrow "
            "further.",
            _input(
                {
                    "collection": _one_of(every),
                    "q": _q(),
                    "filters": _filters(grammar, every.values()),
                    "sort": _sort(every.values(), "relevance"),
                    **shown,
                },
                required=["collection", "q"],
            ),
            {name: f"{c.root}?mode=page{{&q,filters*,sort,page}}" for name, c in every.items()},
            {**record_bounds, "max_words": MAX_QUERY_WORDS},
        ),
        Tool(
            "list_records",
            "List by filters",
            "Projects, programs or organizations that match all of the filters. Values of filters "
            "come from dataset_catalog and find_values. Events: calendar_events.",
            _input(
                {
                    "collection": _one_of(tables),
                    "filters": _filters(grammar, tables.values()),
                    "sort": _sort(tables.values()),
                    **shown,
                },
                required=["collection"],
            ),
            {name: f"{c.root}?mode=page{{&filters*,sort,page}}" for name, c in tables.items()},
            record_bounds,
        ),
        Tool(
            "get_record",
            "One record, whole",
            "Every field of one record, by the slug that a list has. A former slug finds the "
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
                    **shown,
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


def _q() -> Schema:
    return {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_QUERY_CHARACTERS,
        "description": f"1 to {MAX_QUERY_WORDS} words.",
    }


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


def _filter_name(grammar: Grammar) -> Schema:
    """The name of one filter; many tag families are told by their shape alone."""
    names = dict.fromkeys(name for c in grammar.collections.values() for name in c.filters)
    if len(grammar.tag_families) <= MAX_FAMILIES:
        return _one_of(names)
    others = [name for name in names if not name.startswith("tag_")]
    pattern = f"^(?:tag_[a-z][a-z0-9_]*|{'|'.join(others)})$"
    return {"type": "string", "pattern": pattern, "maxLength": 60}


def _filters(grammar: Grammar, of: Iterable[Collection]) -> Schema:
    """An object with a text for each filter that is wanted; what only some of the collections have
    says so.  What a text may say, the grammar knows.
    """
    of = list(of)
    named: Schema = {}
    for c in of:
        for name in c.filters:
            having = [other.name for other in of if name in other.filters]
            named[name] = {"type": "string", "minLength": 1, "maxLength": MAX_CONSTRAINT}
            if len(having) < len(of) and not name.startswith("tag_"):
                named[name]["description"] = "Of " + ", ".join(having)
    for c in of:
        named |= {
            f.name: {**_one_of(["true"]), "description": f"{c.name.capitalize()} {f.label}"}
            for f in c.virtual.values()
        }
    schema: Schema = {
        "type": "object",
        "properties": named,
        "maxProperties": MAX_FILTERS,
        "additionalProperties": False,
        "description": _ASKED,
    }
    tags = [name for name in named if name.startswith("tag_")]
    if len(tags) > MAX_FAMILIES:
        schema["patternProperties"] = {"^tag_[a-z][a-z0-9_]*$": named[tags[0]]}
        schema["properties"] = {name: shape for name, shape in named.items() if name not in tags}
    return schema
