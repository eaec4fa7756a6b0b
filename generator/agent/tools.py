"""The tools for language models: their purposes, inputs, URL templates and bounds.

Built from the grammar alone. The MCP server answers calls, and agent/tools.json publishes the tools
for programs that call the API themselves. No tool returns a whole table. Labels of the registry are
not part of a tool: its texts come from this file alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator.agent import inputs
from generator.contract.listing import MAX_BEST, MAX_COUNTED
from generator.grammar.grammar import MAX_BY, Grammar
from generator.grammar.limits import MAX_ANSWER, MAX_CONTEXT
from generator.grammar.paths import (
    AGENT_CATALOG,
    AGENT_OVERVIEW,
    AGENT_SCHEMA,
    DASHBOARD,
    RECONCILE,
    SEARCH,
    agent_context,
)
from generator.grammar.query_string import MAX_QUERY_WORDS
from generator.search.names import MAX_NAME
from generator.search.questions import MAX_BATCH

SECTIONS = (
    "counts", "projects_by_year", "programs_by_year", "statuses", "tags", "top_organizations",
    "top_programs", "top_locations", "organization_categories", "program_types", "upcoming",
)  # fmt: skip


class Tool(NamedTuple):
    """One tool. `input` is a JSON Schema (2020-12).

    `templates` maps each value of `collection`, and "" for a call without it, to a URL template:
    RFC 6570 over the arguments, without the path of the base URL. Its variable `page` is the page
    that has row `start`. Arguments that are missing from the template select parts of the document.
    """

    name: str
    title: str
    purpose: str
    input: inputs.Schema
    templates: Mapping[str, str]
    bounds: Mapping[str, int]


#: Name of a tool -> its title and purpose, in the recommended order of use.
_ABOUT = {
    "dataset_catalog": (
        "What the registry has",
        "Start here. The collections with their number of records, filters, most frequent filter "
        "values and sorts. With collection: the filters of that collection, each with up to 50 "
        "values and their counts. With collection and filter: every value of that filter.",
    ),
    "count_records": (
        "How many",
        "The exact number of matching records. With by: also the number for each value of up to "
        "three filters, highest first. Use it for every question of how many, which has most, or "
        "what share; never list records to count them. The value of a filter does not narrow the "
        "counts of that filter, so you see the alternatives. With like: only values with a word "
        "that begins with it.",
    ),
    "find_values": (
        "Find the value to filter by",
        "The filter values of a collection whose slug or label has a word that begins with like, "
        "with their counts: kenya finds the location ke. Use it before you filter by a tag, a "
        "place, a program or an organization whose value you do not know. With filter: only values "
        "of that filter.",
    ),
    "describe_schema": (
        "What the fields mean",
        "The meaning and type of each field of each kind of record, with an example. With "
        "collection: only the fields of its records.",
    ),
    "dashboard": (
        "Totals, shares and next dates",
        "Totals and shares of the whole registry: per year, status, tag, place, category and type, "
        "the organizations and programs with most projects, and the next events. Long lists are "
        "shortened. With section: one of them in full.",
    ),
    "search_records": (
        "Search by words",
        "Records with every word of q in their name, summary, description, tags, places, "
        "countries, status, programs or organizations. A word of three letters or more also "
        "matches the beginning of a word. The best matches come first. Without collection: the "
        f"number of records in every collection, and the best {MAX_BEST} of each. With collection: "
        "filters narrow the result.",
    ),
    "list_records": (
        "List by filters",
        "Projects, programs or organizations that match all filters. Get values of filters from "
        "dataset_catalog or find_values. For events, use calendar_events.",
    ),
    "match_names": (
        "Which records names mean",
        f"For up to {MAX_BATCH} names, websites or slugs: the records that each may mean, with "
        "scores up to 100 and reasons. Sure only where match is true; otherwise ask. Finds former "
        "names, typing errors and legal forms. With place: a country or city that all are in.",
    ),
    "get_record": (
        "One whole record",
        "Every field of one record, by its slug from a list. A former slug also finds the record. "
        "Long fields are shortened and named in cut. With field: one of them in full.",
    ),
    "calendar_events": (
        "Deadlines, application windows and events",
        "Events, sorted by start. Without filters: only upcoming events. With other filters, add "
        "upcoming to leave out past events. starts_at and ends_at are in UTC, starts_local and "
        "ends_local as announced.",
    ),
    "build_context": (
        "Facts to paste into a prompt",
        f"Facts with their sources in at most {MAX_CONTEXT // 1024} KiB of Markdown, about the "
        "whole registry{of_one}.",
    ),
}


def tools(grammar: Grammar) -> tuple[Tool, ...]:
    """All tools, in the recommended order of use."""
    of_one = ", or with collection and slug about one program or organization"
    parts = {
        tool[0]: tool[1:]
        for tool in (*_overview_tools(grammar), *_record_tools(grammar), *_match_tool(grammar))
    }
    made = []
    for name, (title, purpose) in _ABOUT.items():
        schema, templates, bounds = parts[name]
        purpose = purpose.replace("{of_one}", of_one if grammar.contexts else "")
        bounds = {"max_bytes": MAX_ANSWER, **bounds}
        made.append(Tool(name, title, purpose, schema, templates, bounds))
    return tuple(made)


#: Name, input, templates, and bounds other than max_bytes.
_Parts = tuple[str, inputs.Schema, Mapping[str, str], Mapping[str, int]]


def _overview_tools(grammar: Grammar) -> Iterator[_Parts]:
    """The tools for totals, filters, fields and contexts."""
    collections, contexts = grammar.collections, grammar.contexts
    collection = inputs.one_of(collections)
    one_filter = inputs.filter_name(grammar)
    like = {"type": "string", "minLength": 1, "maxLength": inputs.MAX_LIKE}
    # Without `filter`, `…/filters{/filter}.json` is the document of all filters.
    files = {
        name: c.filter_path("{filter}").replace("/{filter}", "{/filter}")
        for name, c in collections.items()
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
    filters = inputs.filters(grammar, collections.values())
    schema = inputs.arguments(
        {"collection": collection, "filters": filters, "q": inputs.words(), "by": by, "like": like},
        required=["collection"],
        dependent={"like": ["by"]},
    )
    templates = {
        name: f"{c.root}?mode=count{{&q,filters*,by,like}}" for name, c in collections.items()
    }
    bounds = {"max_filters": inputs.MAX_FILTERS, "max_by": MAX_BY, "max_values": MAX_COUNTED}
    yield "count_records", schema, templates, bounds
    schema = inputs.arguments(
        {"collection": collection, "like": like, "filter": one_filter},
        required=["collection", "like"],
    )
    yield "find_values", schema, files, {}
    schema = inputs.arguments({"collection": collection, "start": inputs.START})
    yield "describe_schema", schema, dict.fromkeys(("", *collections), AGENT_SCHEMA), {}
    schema = inputs.arguments(
        {"section": inputs.one_of(SECTIONS), "start": inputs.START},
        dependent={"start": ["section"]},
    )
    yield "dashboard", schema, {"": DASHBOARD}, {}
    properties = {"collection": inputs.one_of(contexts), "slug": inputs.SLUG_OF} if contexts else {}
    schema = inputs.arguments(
        properties, dependent={name: [*({*properties} - {name})] for name in properties}
    )
    templates = {"": AGENT_OVERVIEW, **{name: agent_context(name, "{slug}") for name in contexts}}
    yield "build_context", schema, templates, {"max_context_bytes": MAX_CONTEXT}


def _record_tools(grammar: Grammar) -> Iterator[_Parts]:
    """The tools for lists of records and single records."""
    collections = grammar.collections
    tables = {name: c for name, c in collections.items() if c is not grammar.events}
    bounds = {"max_records": inputs.MAX_RECORDS, "max_filters": inputs.MAX_FILTERS}
    list_arguments = {"limit": inputs.LIMIT, "fields": inputs.FIELDS, "start": inputs.START}
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(collections),
            "q": inputs.words(),
            "filters": inputs.filters(grammar, collections.values()),
            "sort": inputs.sort(collections.values(), "relevance"),
            **list_arguments,
        },
        required=["q"],
        dependent={name: ["collection"] for name in ("filters", "sort", "start")},
    )
    templates = {"": f"{SEARCH}{{?q}}"} | {
        name: f"{c.root}?mode=page{{&q,filters*,sort,page}}" for name, c in collections.items()
    }
    yield "search_records", schema, templates, {**bounds, "max_words": MAX_QUERY_WORDS}
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(tables),
            "filters": inputs.filters(grammar, tables.values()),
            "sort": inputs.sort(tables.values()),
            **list_arguments,
        },
        required=["collection"],
    )
    templates = {name: f"{c.root}?mode=page{{&filters*,sort,page}}" for name, c in tables.items()}
    yield "list_records", schema, templates, bounds
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(collections),
            "slug": inputs.SLUG_OF,
            "field": {"type": "string", "pattern": "^[a-z]+(?:_[a-z]+)*$", "maxLength": 50},
            "start": inputs.START,
        },
        required=["collection", "slug"],
        dependent={"start": ["field"]},
    )
    files = {name: c.record_path("{slug}") for name, c in collections.items()}
    yield "get_record", schema, files, {"max_records": 1}
    upcoming = {"default": dict.fromkeys(grammar.events.virtual, "true")}
    filters = inputs.filters(grammar, [grammar.events])
    schema = inputs.arguments({"filters": {**filters, **upcoming}, **list_arguments})
    template = f"{grammar.events.root}?mode=page{{&filters*,page}}"
    yield "calendar_events", schema, {"": template}, bounds


def _match_tool(grammar: Grammar) -> Iterator[_Parts]:
    """The tool that says which records names mean."""
    collections = grammar.collections
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(collections),
            "names": {
                "type": "array",
                "items": {"type": "string", "minLength": 1, "maxLength": MAX_NAME},
                "minItems": 1,
                "maxItems": MAX_BATCH,
            },
            "place": {"type": "string", "minLength": 1, "maxLength": inputs.MAX_LIKE},
        },
        required=["collection", "names"],
    )
    services = {name: f"{RECONCILE}/{name}" for name in collections}
    yield "match_names", schema, services, {"max_names": MAX_BATCH}
