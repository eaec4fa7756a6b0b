"""List documents from encoded rows, and documents of rows and of counts.

Prepared pages and answers of the query tier are both made here and have the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import document, encode_json
from generator.grammar.grammar import Count, Grammar, Query, Rows, Search

#: Between two rows of a list.  Each record is a line, for `grep` and `git diff`.
ROW_SEPARATOR = b",\n"


class Alternative(NamedTuple):
    """A query that finds `total` records, in place of one that finds nothing."""

    query: Query
    total: int


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
    suggestions: Sequence[str] = (),
    alternatives: Sequence[Alternative] = (),
) -> bytes:
    """The page `query.page` with these encoded rows.  `count` is the number of rows of all pages,
    `size` that of a full page.  `as_of` is for events only, `suggestions` for queries with `q`,
    `alternatives` for queries without prepared pages.

    Links lead to prepared pages if the query has them, otherwise they are query URLs.
    """
    number, last, prepared = query.page, total_pages(count, size), query.slice
    folder = grammar.url(prepared.folder) if prepared is not None else ""

    def url(page: int) -> str:
        if folder:
            return f"{folder}/page/{page}.json"
        return grammar.query_url(replace(query, page=page))

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
    if query.q is not None:
        head["suggestions"] = list(suggestions)
    if prepared is None:
        head["alternatives"] = _alternatives(alternatives, grammar)
    return b'%s,"data":%s}\n' % (orjson.dumps(head)[:-1], _array(rows))


def render_rows(
    asked: Rows,
    total: int,
    rows: Iterable[Sequence[Any]],
    grammar: Grammar,
    as_of: str | None = None,
    alternatives: Sequence[Alternative] = (),
) -> bytes:
    """The document of rows, each the values of the columns of one of the first of `total` records;
    `as_of` is for events only.
    """
    head = _head("rows", asked, total, grammar, as_of, alternatives)
    head["columns"] = [*asked.columns]
    encoded = [orjson.dumps(row) for row in rows]
    return b'%s,"rows":%s}\n' % (orjson.dumps(head)[:-1], _array(encoded))


def _head(
    kind: str,
    asked: Rows | Count,
    total: int,
    grammar: Grammar,
    as_of: str | None,
    alternatives: Sequence[Alternative],
) -> dict[str, Any]:
    """What rows and counts begin with; `as_of` is for events only."""
    head = document(f"{asked.collection.kind}_{kind}")
    if as_of is not None:
        head["as_of"] = as_of
    head["query"] = asked.echo()
    head["total_items"] = total
    head["links"] = {
        "self": grammar.query_url(asked),
        "list": _list_url(asked.list, grammar),
    }
    head["alternatives"] = _alternatives(alternatives, grammar)
    return head


#: The values of a filter in a count document, and of another filter in each of them.
MAX_COUNTED, MAX_PER = 50, 10
#: The records of each collection in the document of a search over all collections.
MAX_BEST = 5


class ValueCount(NamedTuple):
    """A value of a filter, its label, and the number of the records that have it.  If the query
    asks `per` another filter, `per` has that filter's values among these records, at most MAX_PER.
    """

    value: str
    label: str
    records: int
    per: Sequence[ValueCount] | None = None


class FilterCounts(NamedTuple):
    """The values of one filter, sorted by descending count and by value: at most MAX_COUNTED of
    `total_values`.  `selected` are the values that the query asks for.
    """

    label: str
    total_values: int
    values: Sequence[ValueCount]
    selected: Sequence[ValueCount] = ()


def render_count(
    count: Count,
    total: int,
    counts: Mapping[str, FilterCounts],
    grammar: Grammar,
    as_of: str | None = None,
    alternatives: Sequence[Alternative] = (),
) -> bytes:
    """The count document: `total` records match, and `counts` has the values of each filter in
    `count.by`; `as_of` is for events only.
    """
    head = _head("count", count, total, grammar, as_of, alternatives)
    head["counts"] = {
        name: {
            "label": counts[name].label,
            "total_values": counts[name].total_values,
            "truncated": counts[name].total_values > len(counts[name].values),
            "values": _value_counts(counts[name].values),
            "selected": _value_counts(counts[name].selected),
        }
        for name in count.by
    }
    return encode_json(head)


def _value_counts(values: Sequence[ValueCount]) -> list[dict[str, Any]]:
    return [
        {"value": each.value, "label": each.label, "count": each.records}
        | ({} if each.per is None else {"per": _value_counts(each.per)})
        for each in values
    ]


def _alternatives(alternatives: Sequence[Alternative], grammar: Grammar) -> list[dict[str, Any]]:
    return [
        {
            "q": query.q,
            "filters": dict(query.filters),
            "total_items": total,
            "href": _list_url(query, grammar),
        }
        for query, total in alternatives
    ]


def _list_url(query: Query, grammar: Grammar) -> str:
    """The address of a list: the prepared page if there is one, otherwise the query URL."""
    prepared = query.slice
    return grammar.url(prepared.path(query.page)) if prepared else grammar.query_url(query)


class Best(NamedTuple):
    """The best records for the words of a search in one collection: `total` match, and `rows` has
    their first encoded rows.
    """

    query: Query
    total: int
    rows: Sequence[bytes]


def render_search(
    search: Search, found: Sequence[Best], suggestions: Sequence[str], grammar: Grammar
) -> bytes:
    """The document of a search over all collections, with the best records of each."""
    head = document("search")
    head["query"] = search.echo()
    head["links"] = {"self": grammar.url(search.url)}
    head["total_items"] = sum(best.total for best in found)
    data = [
        b'"%s":%s,"data":%s}'
        % (
            best.query.collection.name.encode(),
            orjson.dumps(
                {"total_items": best.total, "links": {"list": grammar.query_url(best.query)}}
            )[:-1],
            _array(best.rows),
        )
        for best in found
    ]
    return b'%s,"data":{%s},"suggestions":%s}\n' % (
        orjson.dumps(head)[:-1],
        b",".join(data),
        orjson.dumps(list(suggestions)),
    )


def _array(rows: Sequence[bytes]) -> bytes:
    """A JSON array of encoded rows, each on a line."""
    return b"[\n%s\n]" % ROW_SEPARATOR.join(rows) if rows else b"[]"


def rows_in(page: bytes) -> bytes:
    """The encoded rows of a list document, joined by ROW_SEPARATOR: the bytes between its first and
    its last but one line break.
    """
    start = page.find(b"\n") + 1
    return page[start : max(start, page.rfind(b"\n", 0, max(0, len(page) - 1)))]
