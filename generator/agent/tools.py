"""The conservative tools that a model may be given: what each is for, its input, its addresses and
its bounds.

Pure data from the grammar.  The MCP server answers them and agent/tools.json publishes them, for
programs that call the API themselves.  No tool asks for a whole table.  Labels of the registry are
not in here: what a model reads of its tools comes from this file alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator.agent import inputs
from generator.agent.budget import MAX_ANSWER, MAX_CONTEXT
from generator.api.asked import MAX_QUERY_WORDS
from generator.api.grammar import MAX_BY, Grammar
from generator.api.listing import MAX_COUNTED
from generator.api.paths import (
    AGENT_CATALOG,
    AGENT_OVERVIEW,
    AGENT_SCHEMA,
    DASHBOARD,
    agent_context,
)

SECTIONS = (
    "counts", "projects_by_year", "programs_by_year", "statuses", "tags", "top_organizations",
    "top_programs", "top_locations", "organization_categories", "program_types", "upcoming",
)  # fmt: skip


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
    input: inputs.Schema
    templates: Mapping[str, str]
    bounds: Mapping[str, int]


#: Name of a tool -> its title and its purpose, in the order in which tools are best used.
_ABOUT = {
    "dataset_catalog": (
        "What the registry holds",
        "Start here. The collections with their number of records, filters, most frequent filter "
        "values and sorts. With collection: that collection's filters with up to 50 values each "
        "and how many records have them. With collection and filter: every value of that filter.",
    ),
    "count_records": (
        "How many",
        "How many records match, exactly, and with by how many of them have each value of up to "
        "three filters, the greatest first. For every question of how many, which most, or how "
        "they divide; never list records to count them. What is asked of a filter does not narrow "
        "its own counts, so that you see what else could be chosen. With like: only values that "
        "have a word which begins so.",
    ),
    "find_values": (
        "Find the value to filter by",
        "The values of a collection's filters that have a word which begins like this one, in "
        "their label or in themselves, with how many records have each: kenya finds the location "
        "ke. Ask before you filter by a tag, a place, a program or an organization whose value you "
        "do not know. With filter: only its values.",
    ),
    "describe_schema": (
        "What the fields mean",
        "The fields of each kind of record in words, with their types and an example. With "
        "collection: only that kind's.",
    ),
    "dashboard": (
        "Totals, shares and what is next",
        "Totals and shares of the whole registry: per year, status, tag, place, category and type, "
        "the organizations and programs with most projects, and the next events. Long lists are "
        "shortened; with section one of them is whole.",
    ),
    "search_records": (
        "Search by words",
        "Records of one collection that have every word of q in their name, summary, description, "
        "tags, places, programs or organizations; a word of three letters or more also matches as "
        "the beginning of a word. The best matches come first. Filters narrow further.",
    ),
    "list_records": (
        "List by filters",
        "Projects, programs or organizations that match all of the filters. Values of filters come "
        "from dataset_catalog and find_values. Events: calendar_events.",
    ),
    "get_record": (
        "One record, whole",
        "Every field of one record, by the slug that a list has. A former slug finds the record "
        "too. Long fields are cut and named in cut; with field one of them is whole.",
    ),
    "calendar_events": (
        "Deadlines, application windows and events",
        "Events by when they start: without filters those that are not over. Combine upcoming with "
        "other filters, or leave it out for past ones too. Times are UTC in starts_at and ends_at, "
        "and as written in starts_local and ends_local.",
    ),
    "build_context": (
        "Context to paste",
        f"Facts with their sources in at most {MAX_CONTEXT // 1024} KiB of Markdown: of the "
        "registry{of_one}.",
    ),
}


def tools(grammar: Grammar) -> tuple[Tool, ...]:
    """Every tool, in the order in which they are best used."""
    of_one = ", or with collection and slug of one program or organization"
    made = {
        name: (schema, templates, bounds)
        for name, schema, templates, bounds in (*_overviews(grammar), *_of_records(grammar))
    }
    return tuple(
        Tool(
            name,
            title,
            purpose.replace("{of_one}", of_one if grammar.contexts else ""),
            made[name][0],
            made[name][1],
            {"max_bytes": MAX_ANSWER, **made[name][2]},
        )
        for name, (title, purpose) in _ABOUT.items()
    )


#: Name, input, templates, and bounds beside the bytes of an answer.
_Made = tuple[str, inputs.Schema, Mapping[str, str], Mapping[str, int]]


def _overviews(grammar: Grammar) -> Iterator[_Made]:
    """What there is, in numbers and in words."""
    every, contexts = grammar.collections, grammar.contexts
    collection = inputs.one_of(every)
    one_filter = inputs.filter_name(grammar)
    like = {"type": "string", "minLength": 1, "maxLength": inputs.MAX_LIKE}
    # `…/filters{/filter}.json` is the address of all filters where none is given.
    files = {
        name: c.filter_path("{filter}").replace("/{filter}", "{/filter}")
        for name, c in every.items()
    }
    schema = inputs.arguments(
        {"collection": collection, "filter": one_filter, "start": inputs.START},
        dependent={"filter": ["collection"], "start": ["filter"]},
    )
    yield "dataset_catalog", schema, {"": AGENT_CATALOG, **files}, {}
    by = {
        "type": "array",
        "items": one_filter,
        "minItems": 1,
        "maxItems": MAX_BY,
        "uniqueItems": True,
    }
    filters = inputs.filters(grammar, every.values())
    schema = inputs.arguments(
        {"collection": collection, "filters": filters, "q": inputs.words(), "by": by, "like": like},
        required=["collection"],
        dependent={"like": ["by"]},
    )
    templates = {name: f"{c.root}?mode=count{{&q,filters*,by,like}}" for name, c in every.items()}
    bounds = {
        "max_filters": inputs.MAX_FILTERS,
        "max_by": MAX_BY,
        "max_values": MAX_COUNTED,
    }
    yield "count_records", schema, templates, bounds
    schema = inputs.arguments(
        {"collection": collection, "like": like, "filter": one_filter},
        required=["collection", "like"],
    )
    yield "find_values", schema, files, {}
    schema = inputs.arguments({"collection": collection, "start": inputs.START})
    yield "describe_schema", schema, dict.fromkeys(("", *every), AGENT_SCHEMA), {}
    schema = inputs.arguments(
        {"section": inputs.one_of(SECTIONS), "start": inputs.START},
        dependent={"start": ["section"]},
    )
    yield "dashboard", schema, {"": DASHBOARD}, {}
    one = {"collection": inputs.one_of(contexts), "slug": inputs.SLUG_OF} if contexts else {}
    schema = inputs.arguments(one, dependent={name: [*({*one} - {name})] for name in one})
    templates = {"": AGENT_OVERVIEW, **{name: agent_context(name, "{slug}") for name in contexts}}
    yield "build_context", schema, templates, {"max_context_bytes": MAX_CONTEXT}


def _of_records(grammar: Grammar) -> Iterator[_Made]:
    """Records, in lists and one by one."""
    every = grammar.collections
    tables = {name: c for name, c in every.items() if c is not grammar.events}
    bounds = {"max_records": inputs.MAX_RECORDS, "max_filters": inputs.MAX_FILTERS}
    shown = {"limit": inputs.LIMIT, "fields": inputs.FIELDS, "start": inputs.START}
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(every),
            "q": inputs.words(),
            "filters": inputs.filters(grammar, every.values()),
            "sort": inputs.sort(every.values(), "relevance"),
            **shown,
        },
        required=["collection", "q"],
    )
    paged = {name: f"{c.root}?mode=page{{&q,filters*,sort,page}}" for name, c in every.items()}
    yield "search_records", schema, paged, {**bounds, "max_words": MAX_QUERY_WORDS}
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(tables),
            "filters": inputs.filters(grammar, tables.values()),
            "sort": inputs.sort(tables.values()),
            **shown,
        },
        required=["collection"],
    )
    paged = {name: f"{c.root}?mode=page{{&filters*,sort,page}}" for name, c in tables.items()}
    yield "list_records", schema, paged, bounds
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(every),
            "slug": inputs.SLUG_OF,
            "field": {"type": "string", "pattern": "^[a-z]+(?:_[a-z]+)*$", "maxLength": 50},
            "start": inputs.START,
        },
        required=["collection", "slug"],
        dependent={"start": ["field"]},
    )
    files = {name: c.record_path("{slug}") for name, c in every.items()}
    yield "get_record", schema, files, {"max_records": 1}
    upcoming = {"default": dict.fromkeys(grammar.events.virtual, "true")}
    filters = inputs.filters(grammar, [grammar.events])
    schema = inputs.arguments({"filters": {**filters, **upcoming}, **shown})
    template = f"{grammar.events.root}?mode=page{{&filters*,page}}"
    yield "calendar_events", schema, {"": template}, bounds
