"""`/docs/api/`: the API reference (see generator.features.reference.openapi_pages); and
`/docs/agents/`: documents for agents, and configurations of the MCP server to copy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.features.reference.openapi_pages import (
    EXPLORER,
    LAYER,
    REGISTRY,
    ApiReference,
    Example,
    reference_path,
)
from generator.features.reference.pieces import SITE, Snippet, excerpt, format_json
from generator.features.reference.samples import Sample
from generator.grammar import paths
from generator.grammar.paths import DASHBOARD, SEARCH_SCRIPT, problem_path
from generator.grammar.refusals import PROBLEMS
from generator.site import markdown, rendering
from generator.site.labels import filter_label
from generator.site.links import Link
from generator.site.meta import About, Breadcrumb, below_home, home_breadcrumb
from generator.site.page_context import Site
from generator.site.pages import View
from generator.site.paths import AGENTS, REFERENCE
from generator.text.words import slugify

_DOCUMENTS = (paths.AGENT_CATALOG, paths.AGENT_SCHEMA, paths.AGENT_TOOLS)
#: The default address of `registry mcp --http`.
_HTTP = "http://127.0.0.1:8100/mcp"
#: Tags of rendered Markdown and their replacements: wide tables scroll, and the empty corner of
#: a table is not a heading.
_TAGS = {
    "<th></th>": "<td></td>",
    "<table>": '<div class="scroll" tabindex="0"><table>',
    "</table>": "</table></div>",
}
_FRONTMATTER = re.compile(r"---\n.*?\n---\n", re.S)


def _render_agents(site: Site) -> Iterator[Artifact]:
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
        is_other=site.grammar.contexts != (site.grammar.kinds.series, site.grammar.kinds.owner),
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
        "Codex", f'[mcp_servers.{name}]\ncommand = "registry"\nargs = {json.dumps(words)}'
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


def _render_pages(site: Site) -> Iterator[Artifact]:
    """The pages of collections, of the whole registry and of the agent layer."""
    reference = ApiReference(site)
    for page in map(reference.page, reference.names):
        headings = [*(f"section.{section.name}" for section in page.sections), "shapes"]
        yield _page(site, reference, page.path, "reference_page", headings, page=page)


def _render_explorer(site: Site) -> Iterator[Artifact]:
    """The page with a form for queries; its fields follow from the grammar."""
    reference = ApiReference(site)
    collections = {name: site.grammar.collections[name] for name in site.fit().collections}
    samples = (next(reference.samples.queries(c), None) for c in collections.values())
    queries = [sample.address for sample in samples if sample is not None]
    script_data = {
        "first": queries[0] if queries else DASHBOARD,
        "collections": {
            name: {
                "label": c.label,
                "root": c.root,
                "sorts": c.sorts,
                "filters": [
                    (f.name, filter_label(site, c, f.name), f.listed) for f in c.filters.values()
                ],
            }
            for name, c in collections.items()
        },
    }
    path = reference_path(EXPLORER)
    yield _page(site, reference, path, "explorer", [], told=script_data, queries=queries)


def _page(
    site: Site,
    reference: ApiReference,
    path: str,
    template: str,
    headings: list[str],
    **values: Any,
) -> Artifact:
    """A page of the reference; `headings` are the text keys of its sections."""
    return rendering.render_page(
        site,
        path,
        template,
        about=_about(site, path),
        pages=[(name, reference_path(name)) for name in reference.names],
        here=[(key.rpartition(".")[2], site.theme.texts(f"reference.{key}")) for key in headings],
        base=reference.base,
        known_site=reference.base != SITE,
        **values,
    )


def _about(site: Site, path: str) -> About:
    texts, collections = site.theme.texts, site.grammar.collections
    title, name = texts("reference.title"), path.removeprefix(REFERENCE).strip("/")
    if not name:
        return below_home(site, title, texts("reference.lead"))
    label = collections[name].label if name in collections else texts(f"reference.page.{name}")
    lead = texts("reference.explore.lead" if name == "explorer" else "reference.lead_of")
    trail = (home_breadcrumb(site), Breadcrumb(title, REFERENCE))
    return About(f"{label} – {title}", f"{label}: {lead}", trail)


def _render_overview(site: Site) -> Iterator[Artifact]:
    reference = ApiReference(site)
    samples, lead = reference.samples, reference.grammar.collections[site.fit().lead]
    first = (
        Sample(DASHBOARD, "dashboard", "dashboard"),
        next(samples.queries(lead), None),
        samples.record(lead),
    )
    start = [reference.example(sample) for sample in first if sample is not None]
    browser = None
    query = next((example.address for example in start if "?" in example.address), None)
    if query is not None:
        browser = (
            f'import {{ ask }} from "{reference.base}{SEARCH_SCRIPT}"\n\n'
            f'const answer = await ask("{query}")\nconsole.log(await answer.json())'
        )
    refused, body = reference.samples.refusal()
    link = refused if site.fit().functions else ""
    yield _page(
        site,
        reference,
        REFERENCE,
        "reference",
        ["start", "rules", "asking", *["browser"] * bool(browser), "refusals", "addresses"],
        addresses=[
            (name, reference_path(name), reference.operations(name)) for name in reference.names
        ],
        start=start,
        browser=browser,
        refusal=Example(refused, link, len(body), excerpt(body), []),
        problems=[site.document(problem_path(code)) for code in PROBLEMS],
    )


def links(site: Site) -> Iterator[Link]:
    yield Link("home", 10, REFERENCE, "home.ways.api")
    yield Link("home", 20, AGENTS, "home.ways.agents")
    yield Link("header", 40, REFERENCE, "site.api")
    yield Link("data", 10, REFERENCE, "site.reference")
    yield Link("agents", 10, AGENTS, "site.agents")
    yield Link("sitemap", -80, AGENTS)
    yield Link("sitemap", -70, REFERENCE)
    for name in (REGISTRY, LAYER, EXPLORER):
        yield Link("sitemap", -70, reference_path(name))
    for name in site.fit().collections:
        yield Link(f"sitemap/{name}", 10, reference_path(name))


ADDRESSES = (AGENTS, REFERENCE)
VIEWS = (
    View("reference-overview", _render_overview, (f"{REFERENCE}index.html",)),
    View("reference-explorer", _render_explorer, (reference_path(EXPLORER),)),
    View("reference-pages", _render_pages, (REFERENCE,)),
    View("agents", _render_agents, (AGENTS,)),
)
