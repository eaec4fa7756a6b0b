"""Files joined from encoded parts: list documents (the prepared pages), calendars (RFC 5545), and
sitemaps (https://www.sitemaps.org/protocol.html).

The engine writes its lists with the same bytes (search/js/source/list.mjs).  Calendars are joined
without the package icalendar, which is slow to load.
"""

from __future__ import annotations

import html
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

import orjson

from generator.contract.artifact import Artifact, document
from generator.grammar.grammar import Grammar, Query
from generator.grammar.paths import SITEMAP, sitemap_part

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
    data = b"[\n%s\n]" % ROW_SEPARATOR.join(rows) if rows else b"[]"
    return b'%s,"data":%s}\n' % (orjson.dumps(head)[:-1], data)


#: The records of each collection in the document of a search over all collections.
MAX_BEST = 5


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


#: The last line of an event.
EVENT_END = b"END:VEVENT\r\n"


#: What the description of a calendar says of events that are not in it.
LEFT_OUT = "Left out, because they ended more than a year ago or are always open: :left of :all."


class Head(NamedTuple):
    """The lines of a calendar before its name, its description as a text, the lines after that, and
    the component of a calendar without events.
    """

    opening: str
    description: str
    rest: str
    empty: str


def join_calendar(
    head: Head, name: str, source: str | None, events: Sequence[bytes], total: int
) -> bytes:
    """A calendar of encoded events, out of `total` events.  `source` is its own absolute URL."""
    about = head.description
    if left := total - len(events):
        about += "\n" + LEFT_OUT.replace(":left", str(left)).replace(":all", str(total))
    # NAME and DESCRIPTION are of RFC 7986; older clients read the others.
    named = [text_line(key, name) for key in ("NAME", "X-WR-CALNAME")]
    named += [text_line(key, about) for key in ("DESCRIPTION", "X-WR-CALDESC")]
    own = b"" if source is None else fold_line(b"SOURCE;VALUE=URI:" + source.encode())
    inner = b"".join(events) or head.empty.encode()
    parts = head.opening.encode(), *named, head.rest.encode(), own, inner, b"END:VCALENDAR\r\n"
    return b"".join(parts)


def text_line(key: str, text: str) -> bytes:
    """The folded line of a property with a TEXT value."""
    return fold_line(f"{key}:{escape_text(text)}".encode())


def escape_text(text: str) -> str:
    r"""A TEXT value (RFC 5545 §3.3.11), without loss: `\N` in `C:\New` is no line break."""
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")


def fold_line(line: bytes) -> bytes:
    """One line with CRLF, folded at 75 octets, not in a character or an escape (RFC 5545 §3.1)."""
    if len(line) <= 75:
        return line + b"\r\n"
    parts = []
    start, room = 0, 75
    while len(line) - start > room:
        end = start + room
        while line[end] & 0xC0 == 0x80:  # a continuation byte of UTF-8
            end -= 1
        # Some clients unescape before they unfold, so an escape stays on one line.
        if line[end - 1] == 0x5C:
            backslashes = end - len(line[start:end].rstrip(b"\\")) - start
            end -= backslashes % 2
        parts.append(line[start:end])
        start, room = end, 74
    parts.append(line[start:])
    return b"\r\n ".join(parts) + b"\r\n"


_FEED_IDS = uuid.UUID("6d0a4b0e-3a55-5b0c-9d0b-5c7e7a3c2f11")


def uid(registry: str, name: str) -> str:
    """The UUID of `name`, unique in the registry of this name (RFC 9562 §5.5): it stays the same
    if the registry moves to another address.
    """
    return str(uuid.uuid5(uuid.uuid5(_FEED_IDS, registry), name))
