"""agent/tools.json: the queries as tools, the same that the MCP server has."""

from __future__ import annotations

from collections.abc import Iterator

from generator.agent.tools import tools
from generator.contract.artifact import Artifact, document_artifact
from generator.grammar import paths
from generator.model.symbols import Symbols

ADDRESSES = (paths.AGENT_TOOLS,)


def render(symbols: Symbols) -> Iterator[Artifact]:
    url = symbols.grammar.url
    published_tools = [
        tool._asdict() | {"templates": {name: url(path) for name, path in tool.templates.items()}}
        for tool in tools(symbols.grammar)
    ]
    links = {"self": url(paths.AGENT_TOOLS), "catalog": url(paths.AGENT_CATALOG)}
    yield document_artifact(
        paths.AGENT_TOOLS, "agent_tools", links=links, data={"tools": published_tools}
    )
