"""The index: every surface of the API, what it is, how many items it has and how many bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator.contract.artifact import Artifact, published
from generator.grammar import paths
from generator.grammar.grammar import Slice
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared
from generator.model.tables.table import Counts

#: Name, path, and what it is, where `{programs}` is the registry's word for them.
_DOCUMENTS = (
    ("dashboard", paths.DASHBOARD, "Totals, shares, the largest {programs} and {organizations}, "
     "next dates. Read this first."),
    ("events_feed", paths.FEED,
     "The {events} as iCalendar, upcoming and of the past year. Subscribe to it."),
    ("build", paths.BUILD, "When and from what this was built."),
    ("manifest", paths.MANIFEST_ROOT,
     "The root of the manifest, which has the size and the SHA-256 of every file."),
    ("changes", paths.CHANGES, "The latest new, changed and removed records, at most 100."),
    ("removed", paths.REMOVED, "The records that were removed for good."),
    ("coverage", paths.COVERAGE, "How recent and how complete the records are: how many have "
     "a website, a source and so on."),
    ("search_script", paths.SEARCH_SCRIPT,
     "A module for browsers and Node that answers any allowed query from these files."),
    ("folding", paths.FOLDING, "For that module: how to search texts beyond ASCII."),
    ("openapi", paths.OPENAPI, "The API described in OpenAPI 3.1."),
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

#: What tells of times and of commits: its size is no matter of the content.
_OF_COMMITS = (paths.BUILD, paths.CHANGES, paths.COVERAGE)

Sizes = Mapping[str, tuple[int, int]]


class _Surface(NamedTuple):
    """One address, or a template of many, with what it is, how many items it has and bytes."""

    name: str
    address: str
    description: str
    items: int | None = None
    size: int | None = None


def render(
    settings: Settings, symbols: Symbols, counts: Mapping[str, Counts], sizes: Sizes
) -> Iterator[Artifact]:
    url = symbols.grammar.url
    surfaces = [
        {
            "name": shown.name,
            "href": None if "{" in shown.address else url(shown.address),
            "template": url(shown.address) if "{" in shown.address else None,
            "description": shown.description,
            "count": shown.items,
            "bytes": shown.size,
        }
        for shown in _surfaces(symbols, counts, sizes)
    ]
    data = {
        "name": settings.name,
        "description": settings.description,
        "license": settings.license,
        "contact": settings.contact_url,
        "surfaces": surfaces,
        "fields": {
            collection: {key: known.published() for key, known in own.items()}
            for collection, own in symbols.grammar.fields.items()
        },
        "left_out": sorted(symbols.grammar.left_out),
    }
    yield published(paths.INDEX, "index", links={"self": url(paths.INDEX)}, data=data)


def _surfaces(symbols: Symbols, counts: Mapping[str, Counts], sizes: Sizes) -> Iterator[_Surface]:
    if any(surface.startswith("site/") for surface in sizes):
        # Some of its pages tell of commits.
        yield _Surface("site", "/index.html", "The site for people.")
    nouns = {c.name: c.many for c in symbols.grammar.collections.values()}
    for name, path, what in _DOCUMENTS:
        size = sizes[path][1] if path in sizes and path not in _OF_COMMITS else None
        yield _Surface(name, path, what.format_map(nouns), size=size)
    index = sizes.get("index", (0, 0))[1]
    yield _Surface(
        "search_index", paths.MANIFEST, "The search index; its format is private.", size=index
    )
    for of in counts.values():
        yield from _of_collection(of, symbols, sizes)


def _of_collection(of: Counts, symbols: Symbols, sizes: Sizes) -> Iterator[_Surface]:
    c, grammar = of.collection, symbols.grammar
    noun, count = c.many, of.total

    def total(surface: str) -> int:
        return sizes.get(f"{c.name}/{surface}", (0, 0))[1]

    order = "in the order of their start" if c is grammar.events else "by name"
    yield _Surface(c.name, Slice(c).path(), f"All {noun} {order}, in pages.", count, total("list"))
    for sort in c.prepared_sorts[1:]:
        by = sort.removeprefix("-")
        first = "the latest" if by == "year" else f"those with most {grammar.collections[by].many}"
        yield _Surface(
            f"{c.name}_sorted_{by}",
            Slice(c, sort=sort).path(),
            f"All {noun}, {first} first.",
            count,
            total(f"sort/{sort}"),
        )
    for f, part in c.virtual_slices():
        what = f"{c.label} {f.label}."
        yield _Surface(f"{c.name}_{f.name}", part.path(), what, size=total(f.name))
    values = (len({*known, *of.values[name]}) for name, known in declared(c, symbols).items())
    yield _Surface(
        f"{c.name}_by_filter",
        Slice(c, "{filter}", "{value}").path("{page}"),
        f"The {noun} with one value of a filter, in pages.",
        sum(values),
        total("by"),
    )
    record = c.record_path("{slug}")
    yield _Surface(
        f"{c.name}_record", record, f"One whole record of the {noun}.", count, total("slug")
    )
    if c.name in grammar.contexts:
        yield _Surface(
            f"{c.name}_context",
            paths.agent_context(c.name, "{slug}"),
            f"For agents: one record of the {noun} in at most 6 KiB, to paste into a prompt.",
            count,
            total("context"),
        )
    yield _Surface(
        f"{c.name}_filters",
        c.filters_path,
        f"The filters of {noun} and their 50 most frequent values.",
        len(c.prepared_filters),
        sizes.get(c.filters_path, (0, 0))[1],
    )
