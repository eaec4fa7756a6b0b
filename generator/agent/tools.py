"""The conservative tools that a model may be given: what each is for, its input, its addresses and
its bounds.

Pure data from the grammar.  The MCP server answers them and agent/tools.json publishes them, for
programs that call the API themselves.  No tool asks for a whole table.  Labels of the registry are
not in here: what a model reads of its tools comes from this file alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from generator.agent import inputs
from generator.agent.budget import MAX_ANSWER, MAX_CONTEXT
from generator.api.asked import MAX_QUERY_WORDS
from generator.api.grammar import Grammar
from generator.api.listing import MAX_COUNTED
from generator.api.paths import (
    AGENT_CATALOG,
    AGENT_OVERVIEW,
    AGENT_SCHEMA,
    DASHBOARD,
    agent_context,
)

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


def tools(grammar: Grammar) -> tuple[Tool, ...]:
    """Every tool, in the order in which they are best used."""
    every, contexts = grammar.collections, grammar.contexts
    of_one = ", or with collection and slug of one program or organization" if contexts else ""
    one = {"collection": inputs.one_of(contexts), "slug": inputs.SLUG_OF} if contexts else {}
    tables = {name: c for name, c in every.items() if c is not grammar.events}
    record_bounds = {
        "max_bytes": MAX_ANSWER,
        "max_records": inputs.MAX_RECORDS,
        "max_filters": inputs.MAX_FILTERS,
    }
    shown = {"limit": inputs.LIMIT, "fields": inputs.FIELDS, "start": inputs.START}
    one_filter = inputs.filter_name(grammar)
    files = {name: _optional(c.filter_path("{filter}")) for name, c in every.items()}
    return (
        Tool(
            "dataset_catalog",
            "What the registry holds",
            "Start here. The collections with their number of records, filters, most frequent "
            "filter values and sorts. With collection: that collection's filters with up to 50 "
            "values each and how many records have them. With collection and filter: every value "
            "of that filter.",
            inputs.arguments(
                {"collection": inputs.one_of(every), "filter": one_filter, "start": inputs.START},
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
            inputs.arguments(
                {
                    "collection": inputs.one_of(every),
                    "filters": inputs.filters(grammar, every.values()),
                    "q": inputs.words(),
                    "by": {
                        "type": "array",
                        "items": one_filter,
                        "minItems": 1,
                        "maxItems": inputs.MAX_BY,
                        "uniqueItems": True,
                    },
                    "like": {"type": "string", "minLength": 1, "maxLength": inputs.MAX_LIKE},
                },
                required=["collection"],
                dependent={"like": ["by"]},
            ),
            {name: f"{c.root}?mode=count{{&q,filters*,by,like}}" for name, c in every.items()},
            {
                "max_bytes": MAX_ANSWER,
                "max_filters": inputs.MAX_FILTERS,
                "max_by": inputs.MAX_BY,
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
            inputs.arguments(
                {
                    "collection": inputs.one_of(every),
                    "like": {"type": "string", "minLength": 1, "maxLength": inputs.MAX_LIKE},
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
            inputs.arguments({"collection": inputs.one_of(every), "start": inputs.START}),
            dict.fromkeys(("", *every), AGENT_SCHEMA),
            {"max_bytes": MAX_ANSWER},
        ),
        Tool(
            "dashboard",
            "Totals, shares and what is next",
            "Totals and shares of the whole registry: per year, status, tag, place, category and "
            "type, the organizations and programs with most projects, and the next events. Long "
            "lists are shortened; with section one of them is whole.",
            inputs.arguments(
                {"section": inputs.one_of(SECTIONS), "start": inputs.START},
                dependent={"start": ["section"]},
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
            inputs.arguments(
                {
                    "collection": inputs.one_of(every),
                    "q": inputs.words(),
                    "filters": inputs.filters(grammar, every.values()),
                    "sort": inputs.sort(every.values(), "relevance"),
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
            inputs.arguments(
                {
                    "collection": inputs.one_of(tables),
                    "filters": inputs.filters(grammar, tables.values()),
                    "sort": inputs.sort(tables.values()),
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
            inputs.arguments(
                {
                    "collection": inputs.one_of(every),
                    "slug": inputs.SLUG_OF,
                    "field": {"type": "string", "pattern": "^[a-z]+(?:_[a-z]+)*$", "maxLength": 50},
                    "start": inputs.START,
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
            inputs.arguments(
                {
                    "filters": {
                        **inputs.filters(grammar, [grammar.events]),
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
            f"registry{of_one}.",
            inputs.arguments(one, dependent={name: [*({*one} - {name})] for name in one}),
            {"": AGENT_OVERVIEW, **{name: agent_context(name, "{slug}") for name in contexts}},
            {"max_bytes": MAX_ANSWER, "max_context_bytes": MAX_CONTEXT},
        ),
    )


def _optional(path: str) -> str:
    """`…/filters/{filter}.json` -> `…/filters{/filter}.json`, which is the address of all filters
    where none is given.
    """
    return path.replace("/{filter}", "{/filter}")
