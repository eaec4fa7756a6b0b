"""What visitors other than API clients ask for: llms.txt, robots.txt, the sitemap and the page for
what is not there.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence

from generator.api import paths, templates
from generator.api.artifact import Artifact
from generator.api.grammar import Grammar, Query, Slice
from generator.api.paths import (
    DASHBOARD,
    INDEX,
    LLMS,
    NOT_FOUND,
    ROBOTS,
    SITEMAP,
    SKILL,
    schema_path,
    sitemap_part,
)
from generator.records.settings import Settings
from generator.records.symbols import Symbols
from generator.tables.table import Counts

#: Bounds of one sitemap (https://www.sitemaps.org/protocol.html): addresses, and bytes
#: uncompressed.
MAX_URLS, MAX_BYTES = 50_000, 50 * 1024 * 1024

_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_RELATIVE = (
    "<!-- Addresses begin at the site's root. Search engines ask for absolute ones: set "
    "base_url in registry.yaml. -->\n"
)


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    slugs: Mapping[str, Sequence[str]],
) -> Iterator[Artifact]:
    values = {
        "settings": settings,
        "paths": paths,
        "site": settings.origin + symbols.grammar.prefix,
    }
    lists = [
        {"of": c, "count": total, "first": Slice(c).path(), "filters": c.filters_path}
        for c, total, *_ in counts.values()
    ]
    upcoming = symbols.grammar.upcoming.path()
    schemas = [(c.one, schema_path(c.kind)) for c in symbols.grammar.collections.values()]
    yield Artifact(
        LLMS,
        templates.render(
            "llms.txt",
            **values,
            grammar=symbols.grammar,
            lists=lists,
            upcoming=upcoming,
            schemas=schemas,
        ),
    )
    yield Artifact(ROBOTS, templates.render("robots.txt", **values))
    asked = symbols.grammar.query_url(Query(symbols.grammar.projects))
    # The page is served for addresses of any depth, so its links begin at the root; they stay on
    # the host that serves it.
    yield Artifact(
        NOT_FOUND,
        templates.render("404.html", **values, grammar=symbols.grammar, lists=lists, asked=asked),
    )
    yield from sitemap(
        addresses(symbols.grammar, counts, slugs), settings.origin, symbols.grammar.prefix
    )


def addresses(
    grammar: Grammar, counts: Mapping[str, Counts], slugs: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The paths worth visiting: descriptions, the first page of every list that has records, and
    the records.
    """
    yield from (INDEX, DASHBOARD, SKILL, LLMS)
    for c in grammar.collections.values():
        for sort in c.prepared_sorts:
            yield Slice(c, sort=sort).path()
        yield from (part.path() for _, part in c.virtual_slices())
        for name, values in counts[c.name].values.items():
            for value in sorted(values):
                yield Slice(c, name, value).path()
        for slug in slugs[c.name]:
            yield c.record_path(slug)


def sitemap(paths: Iterable[str], origin: str, prefix: str) -> Iterator[Artifact]:
    """One sitemap, or an index of as many as the paths need."""
    note = "" if origin else _RELATIVE

    def entry(tag: str, path: str) -> str:
        return f"<{tag}><loc>{html.escape(origin + prefix + path)}</loc></{tag}>\n"

    parts = [urlset.encode() for urlset in _urlsets((entry("url", path) for path in paths), note)]
    if len(parts) == 1:
        yield Artifact(SITEMAP, parts[0])
        return
    listed = [sitemap_part(number) for number in range(1, len(parts) + 1)]
    for path, part in zip(listed, parts, strict=True):
        yield Artifact(path, part)
    yield Artifact(
        SITEMAP,
        _document("sitemapindex", note, [entry("sitemap", path) for path in listed]).encode(),
    )


def _urlsets(entries: Iterable[str], note: str) -> Iterator[str]:
    """Documents within both bounds; there is at least one."""
    room = MAX_BYTES - len(_document("urlset", note, []).encode())
    held: list[str] = []
    size = 0
    for entry in entries:
        length = len(entry.encode())
        if held and (len(held) == MAX_URLS or size + length > room):
            yield _document("urlset", note, held)
            held, size = [], 0
        held.append(entry)
        size += length
    yield _document("urlset", note, held)


def _document(root: str, note: str, entries: list[str]) -> str:
    return f'{_XML}{note}<{root} xmlns="{_NAMESPACE}">\n{"".join(entries)}</{root}>\n'
