"""agent/tools.json: the queries as tools, the same that the MCP server has, with examples from the
registry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.agent.addresses import address, parameters, with_defaults
from generator.agent.tools import Tool, tools
from generator.contract.artifact import Artifact, document_artifact
from generator.grammar import paths
from generator.model.symbols import Symbols
from generator.model.tables.facets import search_word, top_values, values_by_count
from generator.model.tables.table import Counts, Table

ADDRESSES = (paths.AGENT_TOOLS,)


def render(
    symbols: Symbols, counts: Mapping[str, Counts], tables: Mapping[str, Table]
) -> Iterator[Artifact]:
    url = symbols.grammar.url
    # Collections without records are the last.
    filled_first = sorted(counts.items(), key=lambda item: not item[1].total)
    samples = [_samples(each, tables[name], symbols) for name, each in filled_first]
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
            "example": _example(tool, samples, symbols),
        }
        for tool in tools(symbols.grammar)
    ]
    links = {"self": url(paths.AGENT_TOOLS), "catalog": url(paths.AGENT_CATALOG)}
    yield document_artifact(
        paths.AGENT_TOOLS, "agent_tools", links=links, data={"tools": published_tools}
    )


def _example(tool: Tool, samples: list[dict[str, Any]], symbols: Symbols) -> dict[str, Any] | None:
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
    top, word, slug = top_values(used), search_word(used), next(iter(table.slugs), None)
    empty = symbols.grammar.collections.keys() - symbols.grammar.filled
    sorts = [s for s in c.sorts if s.startswith("-") and s[1:] not in empty]
    found = {
        "filters": dict(top[:1]),
        "by": [name for name, _ in top[1:2]],
        "per": next((name for name, _ in reversed(top[2:])), None),
        "q": word,
        "like": word,
        "slug": slug,
        "names": [slug] if slug else [],
        "sort": sorts[-1] if sorts else c.sorts[0],
        "fields": ["name", sorts[-1][1:]] if sorts else ["name"],
        "limit": 5,
    }
    return {"collection": c.name, **{name: value for name, value in found.items() if value}}
