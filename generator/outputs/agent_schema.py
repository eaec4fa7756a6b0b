"""agent/schema.json: what every field means, with an example of each kind, for people and models;
the texts are the descriptions of the published schema, and validators use /api/schemas/.
agent/tools.json: the queries as tools, the same that the MCP server has, with examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import orjson

from generator.agent.protocol import instructions
from generator.agent.tools import Tool, address, parameters, tools, with_defaults
from generator.contract.artifact import (
    Artifact,
    document,
    document_artifact,
    encode_json,
    output_of,
)
from generator.contract.lock import locked_schemas, type_name
from generator.grammar import paths
from generator.grammar.grammar import Slice
from generator.grammar.limits import MAX_ANSWER, clip
from generator.grammar.paths import schema_path
from generator.kinds import Kinds
from generator.kinds.declare import Field
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.coverage import without_values
from generator.model.tables.facets import search_word, top_values, values_by_count
from generator.model.tables.table import Counts, Table
from generator.text.words import SLUG

#: (bytes of a text, items of a list or an object in an example, own fields of a kind, whether a
#: kind has fields that are the same in one before it), the most generous first: the first that fits
#: into MAX_ANSWER is used.
_CUTS = (
    (300, 1000, 50, True),
    (300, 10, 50, True),
    (100, 3, 50, True),
    (30, 0, 50, True),
    (30, 0, 20, True),
    (30, 0, 5, True),
    (30, 0, 0, True),
    (30, 0, 5, False),
    (30, 0, 0, False),
)
#: Types of own fields that other fields call otherwise.
_OWN_TYPES = {"text": "string", "url": "URL", "choice": "slug"}
_RECORD = "{slug, name, href}"
#: JSON Schema's `format` -> the type in words.
_FORMATS = {"date": "date", "date-time": "UTC instant", "uri": "URL", "uri-reference": "address"}


def render_agent_schema(symbols: Symbols, tables: Mapping[str, Table]) -> Iterator[Artifact]:
    url = symbols.grammar.url
    definitions = locked_schemas(symbols.grammar.kinds)["$defs"]
    links = {"self": url(paths.AGENT_SCHEMA), "catalog": url(paths.AGENT_CATALOG)}
    for text, items, own_fields, repeats in _CUTS:
        examples = [_example(table, text, items) for table in tables.values()]
        kinds = symbols.grammar.kinds.values()
        left_out = not repeats or any(len(kind.own) > own_fields for kind in kinds)
        truncated = left_out or any(cut for _, cut in examples)
        further = [Slice(table.collection).path() for table in tables.values()]
        described = [
            _kind(table, symbols, example, own_fields)
            for table, (example, _) in zip(tables.values(), examples, strict=True)
        ]
        data = {
            "kinds": _first(described) if not repeats else described,
            # The keys of a list other than its summaries: `query.page` and so on.
            "lists": [
                {
                    "name": f"{part}.{key}",
                    "type": _type(shape, definitions),
                    "words": shape["description"],
                }
                for part, name in (("query", "Query"), ("page", "Page"), ("links", "ListLinks"))
                for key, shape in definitions[name]["properties"].items()
            ],
            "truncated": truncated,
            "next": [url(path) for path in [paths.INDEX] * left_out + further * truncated],
        }
        schema = encode_json(document("agent_schema", links=links, data=data))
        if len(schema) <= MAX_ANSWER:
            break
    yield Artifact(paths.AGENT_SCHEMA, schema)


def _first(kinds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Kinds without the fields that are the same in one before them."""
    known: list[Any] = []
    found = []
    for kind in kinds:
        fields = [field for field in kind["fields"] if field not in known]
        known += fields
        found.append({**kind, "fields": fields})
    return found


def _kind(table: Table, symbols: Symbols, example: Any, own_fields: int) -> dict[str, Any]:
    """A kind with its fields and an example; `own_fields` is how many own fields it may list."""
    c = table.collection
    return {
        "kind": c.kind,
        "dataset": c.name,
        "json_schema": symbols.grammar.url(schema_path(c.kind)),
        "fields": [
            *fields(c.kind, symbols.grammar.kinds),
            *map(_own_field, c.declared.own[:own_fields]),
        ],
        "example": example,
    }


def fields(kind: str, kinds: Kinds) -> list[dict[str, str | None]]:
    """Each field of a kind: name, type in words, type in lists (None if lists leave it out) and
    meaning.
    """
    definitions = locked_schemas(kinds)["$defs"]
    record, summary = (
        definitions[f"{type_name(kind)}{form}"]["properties"] for form in ("Record", "Summary")
    )
    return [
        {
            "name": name,
            "type": _type(shape, definitions),
            "in_lists": _type(summary[name], definitions) if name in summary else None,
            "words": shape["description"],
        }
        for name, shape in ({name: record[name] for name in summary} | record).items()
    ]


def _own_field(field: Field) -> dict[str, str | None]:
    """One of the registry's own fields in the form of `fields`."""

    def several(words: str) -> str:
        return f"list of {words}" if field.many else words + " or null" * (not field.required)

    words = several(_OWN_TYPES.get(field.type, field.type))
    return {
        "name": ".".join(field.path),
        "type": several(_RECORD) if field.refers else words,
        "in_lists": words if field.listed else None,
        "words": field.words.text,
    }


def _type(shape: dict[str, Any], definitions: Mapping[str, Any]) -> str:
    """A JSON Schema in a few words: `string or null`, `list of slug`, `active | acquired | …`."""
    if "$ref" in shape:
        properties = definitions[shape["$ref"].rpartition("/")[2]]["properties"]
        return "{" + ", ".join(properties) + "}"
    if "anyOf" in shape:
        if "enum" in shape["anyOf"][0]:
            return " | ".join([*shape["anyOf"][0]["enum"], "…"])
        return " or ".join(dict.fromkeys(_type(one, definitions) for one in shape["anyOf"]))
    if "const" in shape:
        return str(shape["const"])
    if shape["type"] == "array":
        return f"list of {_type(shape['items'], definitions)}"
    if shape["type"] == "object":
        return f"object of {_type(shape['additionalProperties'], definitions)}"
    if shape.get("format") in _FORMATS:
        return _FORMATS[shape["format"]]
    return "slug" if shape.get("pattern") == f"^{SLUG}$" else str(shape["type"])


def _example(table: Table, text: int, items: int) -> tuple[Any, bool]:
    """The first summary of a collection, None if it is empty, and whether parts were left out."""

    def cut(value: Any) -> Any:
        if isinstance(value, str):
            return value if value.startswith(("/", "http")) else clip(value, text)
        if isinstance(value, dict):
            return dict(list(value.items())[:items])
        return value[:items] if isinstance(value, list) else value

    summary = orjson.loads(table.summaries[0]) if len(table) else {}
    example = {key: cut(value) for key, value in summary.items()}
    return example or None, example != summary


def render_agent_tools(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    tables: Mapping[str, Table],
    as_of: date,
) -> Iterator[Artifact]:
    # Collections without records are the last.
    filled_first = sorted(counts.items(), key=lambda item: not item[1].total)
    samples = [_samples(each, tables[name], symbols) for name, each in filled_first]
    for short in (False, True):
        made = _agent_tools(settings, symbols, samples, as_of, short)
        if len(made.data) <= MAX_ANSWER:
            break
    yield made


def _agent_tools(
    settings: Settings,
    symbols: Symbols,
    samples: list[dict[str, Any]],
    as_of: date,
    short: bool,
) -> Artifact:
    url = symbols.grammar.url
    published_tools = [
        {
            "name": tool.name,
            "title": tool.title,
            "purpose": tool.purpose,
            "input": tool.input,
            "templates": {name: url(path) for name, path in tool.templates.items()},
            "bounds": tool.bounds,
            "method": "GET",
            "parameters": parameters(tool),
            "example": _call(tool, samples, symbols),
        }
        for tool in tools(symbols.grammar, short)
    ]
    links = {"self": url(paths.AGENT_TOOLS), "catalog": url(paths.AGENT_CATALOG)}
    data = {
        "name": settings.name,
        "instructions": instructions(symbols.grammar, settings.name, as_of),
        "tools": published_tools,
    }
    return document_artifact(paths.AGENT_TOOLS, "agent_tools", links=links, data=data)


def _call(tool: Tool, samples: list[dict[str, Any]], symbols: Symbols) -> dict[str, Any] | None:
    """A call about the first collection that has a value for each argument; None without one."""
    names = tool.input["properties"]
    wanted = [n for n in names if n in {*tool.input.get("required", ()), *tool.shown}]
    known = names.get("collection", {}).get("enum")
    for sample in samples:
        if all(name in sample for name in wanted) and sample["collection"] in (
            known or [sample["collection"]]
        ):
            arguments = {name: sample[name] for name in wanted}
            path = address(tool, with_defaults(arguments, tool.input))
            return {"arguments": arguments, "href": symbols.grammar.url(path)}
    return None


def _samples(counts: Counts, table: Table, symbols: Symbols) -> dict[str, Any]:
    """Argument -> a value that finds records of a collection, for the arguments that have one."""
    c = counts.collection
    used = {name: rows for name, rows in values_by_count(counts, symbols).items() if rows}
    top, word, slug = top_values(used), search_word(used, c), next(iter(table.slugs), None)
    absent = without_values(c, table.coverage, symbols.grammar)
    sorts = [s for s in c.sorts if s.startswith("-") and s[1:] not in absent]
    found = {
        "filters": dict(top[:1]),
        "by": [name for name, _ in top[1:2]],
        "per": next((name for name, _ in reversed(top[2:])), None),
        "q": word or (slug.partition("-")[0] if slug and c.declared.is_own else None),
        "like": word,
        "slug": slug,
        "names": [slug] if slug else [],
        "sort": sorts[-1] if sorts else c.sorts[0],
        "fields": ["name", sorts[-1][1:]] if sorts else ["name"],
        "limit": 5,
    }
    return {"collection": c.name, **{name: value for name, value in found.items() if value}}


OUTPUTS = (
    output_of("outputs.agent_schema", render_agent_schema, paths.AGENT_SCHEMA),
    output_of("outputs.agent_tools", render_agent_tools, paths.AGENT_TOOLS),
)
