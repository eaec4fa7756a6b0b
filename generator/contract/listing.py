"""List documents from encoded rows: the prepared pages.

The engine writes its lists with the same bytes (search/js/source/list.mjs).
"""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from generator.contract.artifact import document
from generator.grammar.grammar import Grammar, Query

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
