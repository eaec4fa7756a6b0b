"""Paths of single files, and functions from a name to the path of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.kinds import Kinds

INDEX = "/api/index.json"
BUILD = "/api/build.json"
DASHBOARD = "/api/dashboard.json"
CHANGES = "/api/changes.json"
REMOVED = "/api/removed.json"
COVERAGE = "/api/coverage.json"
OPENAPI = "/api/openapi.json"
OPENAPI_QUERIES = "/api/openapi-queries.json"
INDEX_FOLDER = "/api/index"
MANIFEST = INDEX_FOLDER + "/{collection}/manifest.json"
SKILL = "/skill.md"
LLMS = "/llms.txt"
ROBOTS = "/robots.txt"
SITEMAP = "/sitemap.xml"
NOT_FOUND = "/404.html"
AGENT_SKILLS = "/.well-known/agent-skills/index.json"
API_CATALOG = "/.well-known/api-catalog"
MANIFEST_ROOT = "/api/manifest/root.json"
MANIFEST_SNAPSHOT = "/api/manifest/snapshot.json"
#: The address that answers searches over all collections; no file has this path.
SEARCH = "/api/search"
#: The address of the MCP server where a function runs; no file has this path.
MCP = "/mcp"
SEARCH_SCRIPT = "/api/search.js"
SEARCH_MORE = "/api/search-more.js"
FOLDING = "/api/folding.txt"
COUNTRIES = "/api/countries.txt"
AGENT_CATALOG = "/api/v1/agent/catalog.json"
AGENT_SCHEMA = "/api/v1/agent/schema.json"
AGENT_TOOLS = "/api/v1/agent/tools.json"
AGENT_OVERVIEW = "/api/v1/agent/context/overview.md"

#: The folder of assets, whose names change with their content.
ASSETS = "/assets"
#: The folder of logos, whose names are digests of their bytes.
MEDIA = "/media"

#: The first segments of paths of files for hosts, which no server publishes.
PRIVATE = (
    "_headers", "_redirects", "_routes.json", "_worker.js", ".assetsignore", ".htaccess",
    ".netlify", ".nojekyll",
)  # fmt: skip

#: Content coding (RFC 9110 section 8.4.1) -> the ending of compressed files, which are beside the
#: original files.
CODINGS = {"gzip": ".gz", "br": ".br"}


def collection_root(name: str, kinds: Kinds) -> str:
    """The beginning of the paths of a collection; one that is not among these kinds is one that a
    registry declares.
    """
    return f"/api/{kinds[name].address if name in kinds else name}"


def manifest_part(number: int | str) -> str:
    """A part of the snapshot, which has parts if there are very many bins."""
    return f"/api/manifest/snapshot/{number}.json"


def manifest_bin(number: int | str) -> str:
    return f"/api/manifest/bins/{number}.json"


def agent_context(collection: str, slug: str) -> str:
    """The context of a program or an organization."""
    return f"/api/v1/agent/context/{collection}/{slug}.md"


def logo_path(name: str) -> str:
    return f"{MEDIA}/{name}"


def agent_skill(name: str) -> str:
    return f"/.well-known/agent-skills/{name}/SKILL.md"


def sitemap_part(number: int) -> str:
    return f"/sitemap-{number}.xml"


def problem_path(code: str) -> str:
    return f"/api/problems/{code}.json"


def schema_path(kind: str) -> str:
    return f"/api/schemas/{kind}.json"
