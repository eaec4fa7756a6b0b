"""What leads to the API and describes it: the catalog, problems, schemas, the search script, and
for programs that read sites llms.txt, robots.txt, the sitemap and 404.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.contract import templates
from generator.contract.artifact import Artifact, encode_json, output_of
from generator.contract.listing import render_sitemaps
from generator.contract.lock import definitions, document_schema, locked_schemas
from generator.engine import scripts
from generator.grammar import paths
from generator.grammar.grammar import Grammar, Query, Slice
from generator.grammar.refusals import PROBLEMS
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts
from generator.text.folding import TABLE_FILE


def render_catalog(settings: Settings, symbols: Symbols, functions: bool) -> Iterator[Artifact]:
    def target(path: str, media_type: str, title: str) -> dict[str, str]:
        return {
            "href": settings.origin + symbols.grammar.url(path),
            "type": media_type,
            "title": title,
        }

    index = target(paths.INDEX, "application/json", "Index of everything published")
    items = [index]
    if functions:
        items.append(target(paths.MCP, "application/json", "MCP server (streamable HTTP)"))
    # Relations of RFC 8631.  The anchor of the API is its index, because a host without rules has
    # no file at a shorter address.
    api = {
        "anchor": index["href"],
        "service-desc": [
            target(paths.OPENAPI, "application/json", "OpenAPI 3.1"),
            target(paths.OPENAPI_QUERIES, "application/json", "The queries in OpenAPI 3.1"),
            target(
                paths.AGENT_CATALOG,
                "application/json",
                "What an agent can read, and how large it is",
            ),
            target(paths.AGENT_TOOLS, "application/json", "The queries as tools"),
        ],
        "service-doc": [
            target(paths.SKILL, "text/markdown", "How to read this API, for agents"),
            target(paths.LLMS, "text/plain", "Overview for language models"),
        ],
        "service-meta": [
            index,
            target(paths.AGENT_SKILLS, "application/json", "Agent Skills discovery"),
        ],
        "status": [target(paths.BUILD, "application/json", "When and from what this was built")],
    }
    catalog = {"anchor": settings.origin + symbols.grammar.url(paths.API_CATALOG), "item": items}
    yield Artifact(paths.API_CATALOG, encode_json({"linkset": [catalog, api]}))


def render_problems(symbols: Symbols) -> Iterator[Artifact]:
    for code, (status, title, detail) in PROBLEMS.items():
        path = paths.problem_path(code)
        # `code`, `allowed`, `try` and `help` are extension members (RFC 9457 section 3.2).
        problem = {
            "type": symbols.grammar.url(path),
            "title": title,
            "status": status,
            "detail": detail,
            "code": code,
            "allowed": None,
            "try": None,
            "help": symbols.grammar.url(paths.INDEX),
        }
        yield Artifact(path, encode_json(problem))


def render_countries() -> Iterator[Artifact]:
    """A line for each continent and country: value, tab, label, tab, names."""
    from generator.model.country_names import spellings_of_places

    lines = [
        f"{value}\t{label}\t{' '.join(names)}\n" for value, label, names in spellings_of_places()
    ]
    yield Artifact(paths.COUNTRIES, "".join(lines).encode())


def render_schemas(settings: Settings, symbols: Symbols) -> Iterator[Artifact]:
    locked = locked_schemas(symbols.grammar.kinds)
    locked = {**locked, "$defs": definitions(symbols.grammar.kinds)}
    for kind in locked["documents"]:
        path = paths.schema_path(kind)
        # $id should be absolute (JSON Schema 2020-12 core, 8.2.1).  It is if there is a base URL.
        identifier = settings.origin + symbols.grammar.url(path)
        yield Artifact(path, encode_json(document_schema(locked, kind, identifier)))


# The browser revalidates its copies of lists and of the manifest of the index.  Other files of the
# index come from its cache, because the manifest says what each of them must contain.
_ADAPTER = """\
const site = new URL('%s', import.meta.url)
const isKept = (path, again) => again === false && !path.endsWith('/manifest.json')
const cacheOf = (path, again) => again ? 'reload' : isKept(path, again) ? 'force-cache' : 'no-cache'
const asked = (target) => new Request(new URL(target, 'https://registry.invalid'))
export const fetchBeside = (path, init, again) =>
  fetch(new URL(`.${path}`, site), { cache: cacheOf(path, again) })
export async function ask(target, fetchFile = fetchBeside, part = undefined) {
  return edge.respond(asked(target), fetchFile, table, part)
}
export async function prepare(target, fetchFile = fetchBeside) {
  return edge.prepare(asked(target), fetchFile, table)
}
"""


def render_script(symbols: Symbols) -> Iterator[Artifact]:
    root = "../" * (paths.SEARCH_SCRIPT.count("/") - 1)
    yield Artifact(paths.SEARCH_SCRIPT, scripts.browsers(symbols.grammar, _ADAPTER % root))
    yield Artifact(paths.SEARCH_MORE, scripts.second())
    yield Artifact(paths.FOLDING, TABLE_FILE.read_bytes())


def render_site(
    settings: Settings, symbols: Symbols, counts: Mapping[str, Counts], functions: bool
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    values = {"settings": settings, "paths": paths, "site": settings.origin + grammar.prefix}
    filled = [counted for counted in counts.values() if counted.total]
    dated = next((c for c, *_ in filled if c.declared.timed), None)
    lists = [
        {"of": c, "count": total, "first": Slice(c).path(), "filters": c.filters_path}
        for c, total, *_ in filled
    ]
    llms = templates.render_template(
        "llms.txt",
        **values,
        grammar=grammar,
        functions=functions,
        lists=lists,
        about=templates.joined([c.many for c, *_ in filled]),
        upcoming=grammar.upcoming.path() if dated else None,
        feed=Slice(dated).feed if dated else None,
        schemas=[(c.one, paths.schema_path(c.kind)) for c, *_ in filled],
    )
    yield Artifact(paths.LLMS, llms)
    yield Artifact(paths.ROBOTS, templates.render_template("robots.txt", **values))


def render_sitemap(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    slugs: Mapping[str, Sequence[str]],
) -> Iterator[Artifact]:
    return render_sitemaps(
        _sitemap_paths(symbols.grammar, counts, slugs), settings.origin, symbols.grammar.prefix
    )


def _sitemap_paths(
    grammar: Grammar, counts: Mapping[str, Counts], slugs: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The paths of the descriptions, of the first page of every list with records, and of every
    record.
    """
    yield from (paths.INDEX, paths.DASHBOARD, paths.SKILL, paths.LLMS)
    for c in grammar.collections.values():
        yield from (part.path() for part in counts[c.name].slices())
        yield from map(c.record_path, slugs[c.name])


def render_missing(settings: Settings, symbols: Symbols) -> Iterator[Artifact]:
    """Its links begin at the root, because hosts serve it for addresses of any depth."""
    grammar = symbols.grammar
    filled = [c for c in grammar.collections.values() if c.name in grammar.filled]
    lists = [{"of": c, "first": Slice(c).path(), "filters": c.filters_path} for c in filled]
    query = grammar.query_url(Query(next(iter(filled), grammar.first)))
    page = templates.render_template(
        "404.html", settings=settings, paths=paths, grammar=grammar, lists=lists, asked=query
    )
    yield Artifact(paths.NOT_FOUND, page)


OUTPUTS = (
    output_of("outputs.catalog", render_catalog, paths.API_CATALOG),
    output_of("outputs.countries", render_countries, paths.COUNTRIES),
    output_of("outputs.missing", render_missing, paths.NOT_FOUND),
    output_of("outputs.problems", render_problems, paths.problem_path("@").partition("@")[0]),
    output_of("outputs.schemas", render_schemas, paths.schema_path("@").partition("@")[0]),
    output_of(
        "outputs.script", render_script, paths.SEARCH_SCRIPT, paths.SEARCH_MORE, paths.FOLDING
    ),
    output_of("outputs.site", render_site, paths.LLMS, paths.ROBOTS),
    output_of("outputs.sitemap", render_sitemap, "/sitemap"),
)
