"""/docs/agents/: documents for agents, and configurations of the MCP server to copy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.features.reference.excerpt import format_json
from generator.features.reference.openapi_pages import ApiReference, reference_path
from generator.features.reference.snippets import SITE, Snippet
from generator.grammar import paths
from generator.site import rendering
from generator.site.meta import below_home
from generator.site.page_context import Site
from generator.site.paths import AGENTS
from generator.site.templating import markdown
from generator.text.words import slugify

_DOCUMENTS = (paths.AGENT_CATALOG, paths.AGENT_SCHEMA, paths.AGENT_TOOLS)
#: The default address of `registry mcp --http`.
_HTTP = "http://127.0.0.1:8100/mcp"
#: Tags of rendered Markdown and their replacements: wide elements scroll, and the empty corner of
#: a table is not a heading.
_TAGS = {
    "<th></th>": "<td></td>",
    "<table>": '<div class="scroll" tabindex="0"><table>',
    "</table>": "</table></div>",
    "<pre>": '<pre tabindex="0">',
}
_FRONTMATTER = re.compile(r"---\n.*?\n---\n", re.S)


def render(site: Site) -> Iterator[Artifact]:
    reference, texts = ApiReference(site), site.theme.texts
    skill = site.read(paths.SKILL)
    name = slugify(site.settings.name)[:40].strip("-") or "registry"
    yield rendering.render_page(
        site,
        AGENTS,
        "agents",
        about=below_home(site, texts("agents.title"), texts("agents.lead")),
        pages=[(page, reference_path(page)) for page in reference.names],
        base=reference.base,
        known_site=reference.base != SITE,
        size=len(skill),
        skill=_readable(skill.decode()),
        stdio=[*_stdio(name, reference.base)],
        http=[*_http(name, reference.base)],
        tools=[*map(_tool, site.document(paths.AGENT_TOOLS)["data"]["tools"])],
        documents=[(path, len(site.read(path))) for path in _DOCUMENTS],
        contexts=[*_contexts(site)],
        overview=(paths.AGENT_OVERVIEW, len(site.read(paths.AGENT_OVERVIEW))),
    )


def _readable(skill: str) -> Markup:
    """skill.md as HTML; wide elements can be scrolled with the keyboard."""
    text = str(markdown.html(_FRONTMATTER.sub("", skill, count=1)))
    for tag, replacement in _TAGS.items():
        text = text.replace(tag, replacement)
    return Markup(text)


def _stdio(name: str, base: str) -> Iterator[Snippet]:
    """Configurations for clients that start the server."""
    words = ["mcp", "--from", base]
    server = {"command": "registry", "args": words}
    yield Snippet("Claude Desktop, Cursor", format_json({"mcpServers": {name: server}}))
    yield Snippet("VS Code", format_json({"servers": {name: {"type": "stdio", **server}}}))
    yield Snippet("Claude Code", f"claude mcp add {name} -- registry {' '.join(words)}")
    yield Snippet(
        "Codex",
        f'[mcp_servers.{name}]\ncommand = "registry"\nargs = {json.dumps(words)}',
    )


def _http(name: str, base: str) -> Iterator[Snippet]:
    """The command that starts the server, and configurations for clients that connect to it."""
    yield Snippet("registry", f"registry mcp --from {base} --http")
    yield Snippet("Cursor", format_json({"mcpServers": {name: {"url": _HTTP}}}))
    yield Snippet("VS Code", format_json({"servers": {name: {"type": "http", "url": _HTTP}}}))
    yield Snippet("Claude Code", f"claude mcp add --transport http {name} {_HTTP}")


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    """A tool with its arguments as (name, required), first the required arguments."""
    schema = tool["input"]
    required = schema.get("required", ())
    optional = (name for name in schema["properties"] if name not in required)
    names = [*required, *optional]
    return {**tool, "arguments": [(name, name in required) for name in names]}


def _contexts(site: Site) -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """(label, (name, path) of each, collection) of the contexts of the largest records."""
    largest = site.kept_document(paths.DASHBOARD)["data"]
    for name in filter(site.fit().collections.__contains__, site.grammar.contexts):
        contexts = [
            (record["name"], paths.agent_context(name, record["slug"]))
            for record in largest.get(f"top_{name}", ())
        ]
        yield site.grammar.collections[name].label, contexts, name
