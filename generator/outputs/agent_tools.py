"""agent/tools.json: what can be asked, as tools; the MCP server has the same."""

from __future__ import annotations

from collections.abc import Iterator

from generator.agent.tools import tools
from generator.contract.artifact import Artifact, published
from generator.grammar import paths
from generator.model.symbols import Symbols


def render(symbols: Symbols) -> Iterator[Artifact]:
    url = symbols.grammar.url
    shown = [
        tool._asdict() | {"templates": {of: url(path) for of, path in tool.templates.items()}}
        for tool in tools(symbols.grammar)
    ]
    links = {"self": url(paths.AGENT_TOOLS), "catalog": url(paths.AGENT_CATALOG)}
    yield published(paths.AGENT_TOOLS, "agent_tools", links=links, data={"tools": shown})
