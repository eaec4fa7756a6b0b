"""The index: every surface of the API with its description, number of items and size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.contract.addresses import added
from generator.contract.artifact import Artifact, SurfaceSize, document_artifact
from generator.grammar import paths
from generator.grammar.grammar import Slice
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.facets import paged_values
from generator.model.tables.table import Counts

ADDRESSES = (paths.INDEX,)

#: Name, path and description; `{programs}` stands for the registry's word for programs.
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

#: Documents with times or commits: their sizes are left out, since content does not decide them.
_WITHOUT_SIZE = (paths.BUILD, paths.CHANGES, paths.COVERAGE)

Sizes = Mapping[str, SurfaceSize]
_NO_FILES = SurfaceSize(0, 0)
#: The name of a surface, its path or the template of many paths, its description, its number of
#: items and its bytes.
_Surface = tuple[str, str, str, int | None, int | None]


def render(
    settings: Settings, symbols: Symbols, counts: Mapping[str, Counts], sizes: Sizes
) -> Iterator[Artifact]:
    url = symbols.grammar.url
    surfaces = [
        {
            "name": name,
            "href": None if "{" in address else url(address),
            "template": url(address) if "{" in address else None,
            "description": words,
            "count": items,
            "bytes": size,
        }
        for name, address, words, items, size in _surfaces(symbols, counts, sizes)
    ]
    data = {
        "name": settings.name,
        "description": settings.description,
        "license": settings.license,
        "contact": settings.contact_url,
        "surfaces": surfaces,
        "fields": {
            collection: {key: field.to_json() for key, field in fields.items()}
            for collection, fields in symbols.grammar.fields.items()
        },
        "left_out": sorted(symbols.grammar.left_out),
    }
    yield document_artifact(paths.INDEX, "index", links={"self": url(paths.INDEX)}, data=data)


def _surfaces(symbols: Symbols, counts: Mapping[str, Counts], sizes: Sizes) -> Iterator[_Surface]:
    if any(surface.startswith("site/") for surface in sizes):
        # Some of its pages show commits, so it has no size.
        yield "site", "/index.html", "The site for people.", None, None
    nouns = {c.name: c.many for c in symbols.grammar.collections.values()}
    for name, path, words in _DOCUMENTS:
        size = sizes[path].bytes if path in sizes and path not in _WITHOUT_SIZE else None
        yield name, path, words.format_map(nouns), None, size
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
