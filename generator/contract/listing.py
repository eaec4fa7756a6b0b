"""The list document: rows that are encoded already, and around them which query they answer, which
page, and the way on; and the count document.

A prepared page and an answer of the query tier are made here, so that they have the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import orjson

from generator.contract.artifact import document, encode
from generator.grammar.grammar import Count, Grammar, Query

#: Between two rows of a list, so that a line of a page is a record: `grep` and `diff` work on
#: pages.
BETWEEN = b",\n"


def total_pages(count: int, size: int) -> int:
    """An empty list has one page."""
    return max(1, -(-count // size))


def list_bytes(
    query: Query,
    rows: Sequence[bytes],
    count: int,
    size: int,
    grammar: Grammar,
    as_of: str | None,
    suggestions: Sequence[str] = (),
) -> bytes:
    """The page of `query.page`, with its rows; `count` is of all pages, `as_of` is given for events
    only.  What is answered for words has suggestions.

    Links are canonical files where the query has some, else query URLs.
    """
    number, last, part = query.page, total_pages(count, size), query.slice
    folder = grammar.url(part.folder) if part is not None else ""

    def at(page: int) -> str:
        return (
            f"{folder}/page/{page}.json" if folder else grammar.query_url(replace(query, page=page))
        )

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
        "self": at(number),
        "first": at(1),
        "prev": at(number - 1) if number > 1 else None,
        "next": at(number + 1) if number < last else None,
        "last": at(last),
        "filters": grammar.url(query.collection.filters_path),
    }
    if query.q is not None:
        head["suggestions"] = list(suggestions)
    opening, closing = (b',"data":[\n', b"\n]}\n") if rows else (b',"data":[', b"]}\n")
    return b"".join((orjson.dumps(head)[:-1], opening, BETWEEN.join(rows), closing))


#: Values of a filter that a count tells.
MAX_COUNTED = 50


class FilterCounts(NamedTuple):
    """The values of one filter as (value, label, count), the greatest count first, then by value:
    at most MAX_COUNTED of `total_values`.
    """

    label: str
    total_values: int
    values: Sequence[tuple[str, str, int]]


def count_bytes(
    count: Count,
    total: int,
    counts: Mapping[str, FilterCounts],
    grammar: Grammar,
    as_of: str | None = None,
) -> bytes:
    """The count document: `total` records match, and `counts` has the values of each filter of
    `count.by`; `as_of` is given for events only.
    """
    head = document(f"{count.collection.kind}_count")
    if as_of is not None:
        head["as_of"] = as_of
    head["query"] = count.echo()
    head["total_items"] = total
    part = count.list.slice
    head["links"] = {
        "self": grammar.query_url(count),
        "list": grammar.url(part.path()) if part else grammar.query_url(count.list),
    }
    head["counts"] = {
        name: {
            "label": one.label,
            "total_values": one.total_values,
            "truncated": one.total_values > len(one.values),
            "values": [
                dict(zip(("value", "label", "count"), row, strict=True)) for row in one.values
            ],
        }
        for name, one in ((name, counts[name]) for name in count.by)
    }
    return encode(head)


def rows_in(page: bytes) -> bytes:
    """What is between the first line break of a list document and the last but one: its rows, with
    BETWEEN between them.
    """
    start = page.find(b"\n") + 1
    return page[start : max(start, page.rfind(b"\n", 0, max(0, len(page) - 1)))]
