"""What is known of the registry as a whole: index.json, which has every surface of the API with its
description, number of items and size; build.json, changes.json, removed.json, coverage.json.

They are of the core because the home page refers to them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from generator import __version__
from generator.contract.addresses import about_dashboard, added, feeds
from generator.contract.artifact import (
    Alias,
    Artifact,
    BuildInfo,
    History,
    SurfaceSize,
    document_artifact,
    output_of,
)
from generator.grammar import paths
from generator.grammar.grammar import Slice
from generator.kinds.told import tell
from generator.model.settings.list_files import Removed
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.coverage import (
    ASPECTS,
    ages,
    count_aspects,
    count_filled,
    count_same_texts,
    fields_to_count,
    median_age,
    records_counted,
    share_of,
)
from generator.model.tables.facets import paged_values
from generator.model.tables.table import Counts

#: Name, path and description of those after the dashboard and the feed.
_DOCUMENTS = (
    ("build", paths.BUILD, "When and from what this was built."),
    ("manifest", paths.MANIFEST_ROOT,
     "The root of the manifest, which has the size and the SHA-256 of every file."),
    ("changes", paths.CHANGES, "The latest new, changed and removed records, at most 100."),
    ("removed", paths.REMOVED, "The records that were removed for good."),
    ("coverage", paths.COVERAGE, "How recent and how complete the records are: how many have "
     "a website, a source and so on."),
    ("search_script", paths.SEARCH_SCRIPT,
     "A module for browsers and Node that answers any allowed query from these files."),
    ("search_more", paths.SEARCH_MORE, "For that module: what few queries need."),
    ("folding", paths.FOLDING, "For that module: how to search texts beyond ASCII."),
    ("countries", paths.COUNTRIES, "For refused queries: names of continents and countries."),
    ("openapi", paths.OPENAPI, "The API described in OpenAPI 3.1."),
    ("openapi_queries", paths.OPENAPI_QUERIES,
     "The queries alone in OpenAPI 3.1, small enough for the prompt of a model."),
    ("skill", paths.SKILL, "How to read this API, for agents."),
    ("llms", paths.LLMS, "An overview of this API, for language models."),
    ("agent_catalog", paths.AGENT_CATALOG,
     "For agents: what to read, how large it is and in which order."),
    ("agent_schema", paths.AGENT_SCHEMA,
     "For agents: what every field means, with an example of each kind."),
    ("agent_tools", paths.AGENT_TOOLS, "For agents: the queries as tools."),
    ("agent_overview", paths.AGENT_OVERVIEW,
     "For agents: the registry in at most 6 KiB, to paste into a prompt."),
    ("agent_skills", paths.AGENT_SKILLS, "Agent Skills discovery."),
    ("api_catalog", paths.API_CATALOG, "API catalog (RFC 9727)."),
    ("sitemap", paths.SITEMAP, "The pages for search engines: records, and the first page of "
     "every list that has records."),
)  # fmt: skip

#: Documents with times or commits: their sizes are left out, since content does not decide them.
_WITHOUT_SIZE = (paths.BUILD, paths.CHANGES, paths.COVERAGE)

Sizes = Mapping[str, SurfaceSize]
_NO_FILES = SurfaceSize(0, 0)
#: The name of a surface, its path or the template of many paths, its description, its number of
#: items and its bytes.
_Surface = tuple[str, str, str, int | None, int | None]


def render_index(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    sizes: Sizes,
    functions: bool,
) -> Iterator[Artifact]:
    url = symbols.grammar.url
    surfaces = [
        {
            "name": name,
            "href": None if _is_asked(address) else url(address),
            "template": url(address) if _is_asked(address) else None,
            "description": words,
            "count": items,
            "bytes": size,
        }
        for name, address, words, items, size in _surfaces(symbols, counts, sizes, functions)
    ]
    data = {
        "name": settings.name,
        "description": settings.description,
        "license": settings.license,
        "contact": settings.contact_url,
        "surfaces": surfaces,
        "fields": {
            name: {key: {**of, "filter": bool(of["filter"])} for key, of in fields.items()}
            for name, fields in symbols.grammar.kinds.own.items()
        },
        "left_out": sorted(symbols.grammar.left_out),
    }
    kinds, collections = symbols.grammar.kinds, symbols.grammar.collections
    nouns = {name: (c.one, c.many) for name, c in collections.items()}
    told = {"kinds": tell(kinds, nouns)} if kinds.declares else {}
    links = {"self": url(paths.INDEX)}
    yield document_artifact(paths.INDEX, "index", links=links, data=data, **told)


def _is_asked(address: str) -> bool:
    """Whether no file has this address: it has variables, or a program answers there."""
    return "{" in address or address == paths.MCP


def _surfaces(
    symbols: Symbols, counts: Mapping[str, Counts], sizes: Sizes, functions: bool
) -> Iterator[_Surface]:
    if any(surface.startswith("site/") for surface in sizes):
        # Some of its pages show commits, so it has no size.
        yield "site", "/index.html", "The site for people.", None, None
    first = [
        ("dashboard", paths.DASHBOARD, f"{about_dashboard(symbols.grammar)}. Read this first.")
    ]
    first += [
        (f"{address.collection}_feed", address.template, f"{address.description}. Subscribe to it.")
        for address in feeds(symbols.grammar)
        if not address.filter
    ]
    for name, path, words in (*first, *_DOCUMENTS):
        size = sizes[path].bytes if path in sizes and path not in _WITHOUT_SIZE else None
        yield name, path, words, None, size
    if functions:
        yield "mcp", paths.MCP, "The MCP server (streamable HTTP).", None, None
    for each in added(symbols.grammar):
        address = each.address.template
        if "{" in address or address in sizes:
            files, bytes_ = sizes.get(each.surface or address, (None, None))
            yield each.name, address, each.words, files if each.surface else None, bytes_
    size = sizes.get("index", _NO_FILES).bytes
    words = "The search index; its format is private."
    yield "search_index", paths.MANIFEST, words, None, size
    for counted in counts.values():
        yield from _collection_surfaces(counted, symbols, sizes)


def _collection_surfaces(counts: Counts, symbols: Symbols, sizes: Sizes) -> Iterator[_Surface]:
    c, grammar = counts.collection, symbols.grammar
    noun, count = c.many, counts.total

    def surface(name: str, address: str, words: str, items: int | None, key: str) -> _Surface:
        return f"{c.name}{name}", address, words, items, sizes.get(key, _NO_FILES).bytes

    order = "in the order of their start" if c.declared.timed else "by name"
    words = f"All {noun} {order}, in pages."
    yield surface("", Slice(c).path(), words, count, f"{c.name}/list")
    for sort in c.prepared_sorts[1:]:
        key = sort.removeprefix("-")
        most = (
            f"those with most {grammar.collections[key].many}"
            if key in c.declared.counts
            else "the latest"
        )
        words, address = f"All {noun}, {most} first.", Slice(c, sort=sort).path()
        yield surface(f"_sorted_{key}", address, words, count, f"{c.name}/sort/{sort}")
    for f, part in c.virtual_slices():
        words = f"{c.label} {f.label}."
        yield surface(f"_{f.name}", part.path(), words, None, f"{c.name}/{f.name}")
    words = f"The {noun} with one value of a filter, in pages."
    lists = len([*paged_values(counts, symbols)])
    address = Slice(c, "{filter}", "{value}").path("{page}")
    yield surface("_by_filter", address, words, lists, f"{c.name}/by")
    words = f"One whole record of the {noun}."
    yield surface("_record", c.record_path("{slug}"), words, count, f"{c.name}/slug")
    if c.name in grammar.contexts:
        words = f"For agents: one record of the {noun} in at most 6 KiB, to paste into a prompt."
        address = paths.agent_context(c.name, "{slug}")
        yield surface("_context", address, words, count, f"{c.name}/context")
    words = f"The filters of {noun} and their 50 most frequent values."
    yield surface("_filters", c.filters_path, words, len(c.listed_filters), c.filters_path)


def render_about(
    symbols: Symbols, counts: Mapping[str, Counts], info: BuildInfo
) -> Iterator[Artifact]:
    data = {
        "generated_at": info.generated_at,
        "as_of": info.as_of.isoformat(),
        "revision": info.revision,
        "generator": {"name": "registry-generator", "version": __version__},
        "counts": {name: c.total for name, c in counts.items()},
        "content_digest": info.content_digest,
    }
    links = {"self": symbols.grammar.url(paths.BUILD)}
    yield document_artifact(paths.BUILD, "build", links=links, **data)


#: The notice without a known history.
NO_HISTORY = "This build knows no history, so changes cannot be told."


def render_changes(
    symbols: Symbols,
    slugs: Mapping[str, Sequence[str]],
    aliases: Sequence[Alias],
    history: History,
    last_changes: str | None,
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    renamed = {(alias.collection, alias.former): alias.slug for alias in aliases}

    def href(name: str, slug: str) -> str | None:
        slug = renamed.get((name, slug), slug)
        present = slugs.get(name, ())
        position = bisect_left(present, slug)
        if position == len(present) or present[position] != slug:
            return None
        return grammar.url(grammar.collections[name].record_path(slug))

    data = [
        {**change._asdict(), "href": href(change.collection, change.slug)}
        for change in history.changes
    ]
    links = {"self": grammar.url(paths.CHANGES)}
    if last_changes:
        links["last"] = grammar.url(last_changes)
    notice = None if history.state == "known" else NO_HISTORY
    yield document_artifact(
        paths.CHANGES, "change_list", links=links, history=history.state, notice=notice, data=data
    )


def render_removed(symbols: Symbols, removed: Removed) -> Iterator[Artifact]:
    data = [
        {"date": removal.date, "collection": name, "slug": slug, "reason": removal.reason}
        for name, removals in removed.items()
        for slug, removal in removals.items()
    ]
    data.sort(key=lambda row: (str(row["collection"]), str(row["slug"])))
    data.sort(key=lambda row: str(row["date"]), reverse=True)
    links = {"self": symbols.grammar.url(paths.REMOVED)}
    yield document_artifact(paths.REMOVED, "removed_list", links=links, data=data)


_YEAR = 365  # days


def render_coverage(
    symbols: Symbols, coverage: Mapping[str, Mapping[int, int]], history: History, as_of: date
) -> Iterator[Artifact]:
    data = {}
    for name, masks in coverage.items():
        fields = fields_to_count(name, symbols.grammar)
        records = records_counted(masks)
        data[name] = {
            "total": records,
            "fields": {
                aspect: {
                    "label": ASPECTS[aspect],
                    "count": count,
                    "share": share_of(count, records),
                }
                for aspect, count in count_aspects(masks, fields).items()
            },
            "verified": _verified(ages(masks, as_of), records),
            "given": count_filled(masks, fields),
            "alike": count_same_texts(masks, fields),
        }
    links = {
        "self": symbols.grammar.url(paths.COVERAGE),
        "changes": symbols.grammar.url(paths.CHANGES),
    }
    last = history.changes[0].at if history.changes else None
    yield document_artifact(paths.COVERAGE, "coverage", links=links, last_change=last, data=data)


def _verified(ages: Mapping[int, int], records: int) -> dict[str, Any]:
    """How many of `records` were verified within a year; `ages` is days -> number of records."""
    recent = sum(count for age, count in ages.items() if age <= _YEAR)
    return {
        "label": "Verified within a year",
        "count": recent,
        "share": share_of(recent, records),
        "median_age_days": median_age(ages),
    }


OUTPUTS = (
    output_of("outputs.about", render_about, paths.BUILD),
    output_of("outputs.index", render_index, paths.INDEX),
    output_of("outputs.changes", render_changes, paths.CHANGES),
    output_of("outputs.coverage", render_coverage, paths.COVERAGE),
    output_of("outputs.removed", render_removed, paths.REMOVED),
)
