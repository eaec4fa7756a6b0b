"""List documents from encoded rows: the prepared pages.

The engine writes its lists with the same bytes (search/js/source/list.mjs).
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

import orjson

from generator.contract.artifact import Artifact, document
from generator.grammar.grammar import Grammar, Query
from generator.grammar.paths import SITEMAP, sitemap_part

#: The limits of one sitemap: addresses, and uncompressed bytes.
MAX_URLS, MAX_BYTES = 50_000, 50 * 1024 * 1024
_CHUNK = 1000
_NEVER: Mapping[str, str] = {}

_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_RELATIVE = (
    "<!-- Addresses begin at the site's root. Search engines ask for absolute ones: set "
    "base_url in registry.yaml. -->\n"
)


def render_sitemaps(
    paths: Iterable[str], origin: str, prefix: str, modified: Mapping[str, str] = _NEVER
) -> Iterator[Artifact]:
    """One sitemap, or an index and several sitemaps if the paths exceed the limits.  `modified` has
    when the pages at some of the paths were last changed, UTC.
    """
    note = "" if origin else _RELATIVE
    home = html.escape(origin + prefix)

    def entries(tag: str, paths: Iterable[str]) -> Iterator[str]:
        before, after, rest = f"<{tag}><loc>{home}", f"</{tag}>\n", iter(paths)
        # Escapes many paths in one call; no path has a zero byte.
        while chunk := [*islice(rest, _CHUNK)]:
            for path, escaped in zip(chunk, html.escape("\0".join(chunk)).split("\0"), strict=True):
                at = modified.get(path)
                yield f"{before}{escaped}</loc>{f'<lastmod>{at}</lastmod>' if at else ''}{after}"

    urlsets = _urlsets(entries("url", paths), note)
    first, second = next(urlsets), next(urlsets, None)
    if second is None:
        yield Artifact(SITEMAP, first.encode())
        return
    listed = []
    for number, urlset in enumerate(chain((first, second), urlsets), 1):
        listed.append(sitemap_part(number))
        yield Artifact(listed[-1], urlset.encode())
    yield Artifact(SITEMAP, _document("sitemapindex", note, entries("sitemap", listed)).encode())


def _urlsets(entries: Iterable[str], note: str) -> Iterator[str]:
    """Documents within both limits, at least one."""
    room = MAX_BYTES - len(_document("urlset", note, []).encode())
    current: list[str] = []
    size = 0
    for entry in entries:
        length = len(entry) if entry.isascii() else len(entry.encode())
        if current and (len(current) == MAX_URLS or size + length > room):
            yield _document("urlset", note, current)
            current, size = [], 0
        current.append(entry)
        size += length
    yield _document("urlset", note, current)


def _document(root: str, note: str, entries: Iterable[str]) -> str:
    return f'{_XML}{note}<{root} xmlns="{_NAMESPACE}">\n{"".join(entries)}</{root}>\n'


#: Between two rows of a list.  Each record is a line, for `grep` and `git diff`.
ROW_SEPARATOR = b",\n"


def total_pages(count: int, size: int) -> int:
    """The number of pages of a list; an empty list has one page."""
    return max(1, -(-count // size))


def render_list(
    query: Query,
    rows: Sequence[bytes],
    *,
    count: int,
    size: int,
    grammar: Grammar,
    as_of: str | None,
) -> bytes:
    """The page `query.page` with these encoded rows.  `count` is the number of rows of all pages,
    `size` that of a full page.  `as_of` is for events only.
    """
    number, last, prepared = query.page, total_pages(count, size), query.slice
    assert prepared is not None
    folder = grammar.url(prepared.folder)

    def url(page: int) -> str:
        return f"{folder}/page/{page}.json"

    head = document(f"{query.collection.kind}_list")
    if as_of is not None:
        head["as_of"] = as_of
    head["query"] = query.echo()
    head["page"] = {
        "number": number,
        "size": size,
        "count": len(rows),
        "total_items": count,
        "total_pages": last,
    }
    head["links"] = {
        "self": url(number),
        "first": url(1),
        "prev": url(number - 1) if number > 1 else None,
        "next": url(number + 1) if number < last else None,
        "last": url(last),
        "filters": grammar.url(query.collection.filters_path),
    }
    return b'%s,"data":%s}\n' % (orjson.dumps(head)[:-1], _array(rows))


#: The values of a filter in a count document, and of another filter in each of them.
MAX_COUNTED, MAX_PER = 50, 10
#: The records of each collection in the document of a search over all collections.
MAX_BEST = 5


def _array(rows: Sequence[bytes]) -> bytes:
    """A JSON array of encoded rows, each on a line."""
    return b"[\n%s\n]" % ROW_SEPARATOR.join(rows) if rows else b"[]"
