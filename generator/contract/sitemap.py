"""Sitemaps: addresses of pages for search engines (https://www.sitemaps.org/protocol.html)."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from generator.contract.artifact import Artifact
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
