"""agent/tools.json: what can be asked, as tools; the MCP server has the same."""

from __future__ import annotations

from collections.abc import Iterator

from generator import query
from generator.artifact import Artifact, document, encode
from generator.kinds.frame import Frame
from generator.tools import tools


def render(frame: Frame) -> Iterator[Artifact]:
    url = frame.grammar.url
    shown = [
        {**tool._asdict(), "templates": {collection: url(template) for collection, template in tool.templates.items()}}
        for tool in tools(frame.grammar)
    ]
    links = {"self": url(query.AGENT_TOOLS), "catalog": url(query.AGENT_CATALOG)}
    yield Artifact(query.AGENT_TOOLS, encode(document("agent_tools", links=links, data={"tools": shown})))
