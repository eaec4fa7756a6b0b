"""Check answers of a registry against the query.

An answer is accepted only if its kind, its address and its `query` are those of the request: hosts
may send one file for several addresses, and caches may send outdated files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.contract.listing import MAX_BEST, MAX_COUNTED
from generator.grammar.grammar import Grammar
from generator.grammar.limits import clip
from generator.grammar.query import Count, Query, Rows, Search
from generator.problems.diagnostic import printable
from generator.reader.documents import Unreadable, parse_document
from generator.search.manifest import MAX_RECORDS, MAX_SIZE

#: The ends of the kinds of documents that answer queries.
_ENDINGS = {Query: "list", Rows: "rows", Count: "count"}


class ClientError(Exception):
    """No answer: unreachable host, no registry, wrong answer or timeout. For users."""


@dataclass(frozen=True)
class Answers:
    """Checks answers of the registry at `where`, a folder or a base URL."""

    where: str
    grammar: Grammar

    def parse(self, path: str, raw: bytes, *kinds: str) -> dict[str, Any]:
        """The document at this path, of one of these kinds. Raises ClientError."""
        return self.check_identity(path, self.document(path, raw), *kinds)

    def document(self, path: str, raw: bytes) -> dict[str, Any]:
        """A document of any kind. Raises ClientError."""
        try:
            return parse_document(raw)
        except Unreadable as error:
            raise ClientError(
                f"{self.where}{path} is not the JSON that it should be: {error}."
            ) from error

    def check_identity(self, path: str, document: dict[str, Any], *kinds: str) -> dict[str, Any]:
        """The document, if its kind and its own link fit the path. Raises ClientError."""
        url, kind = document.get("links", {}).get("self"), document.get("kind")
        if kind not in kinds or url not in (None, self.grammar.url(path)):
            raise self.wrong_answer_error(path, f"  it says that it is {_short(str(url or kind))}")
        return document

    def parse_answer(self, raw: bytes, query: Query | Rows | Count | Search) -> dict[str, Any]:
        """The document that answers this query; its numbers are checked. Raises ClientError."""
        if isinstance(query, Search):
            path, kind = query.url, "search"
        else:
            path = f"{query.collection.root}?{query.query_string}"
            kind = f"{query.collection.kind}_{_ENDINGS[type(query)]}"
        if isinstance(query, Query) and query.slice is not None:
            path = query.slice.path(query.page)
        document = self.document(path, raw)
        echo, answered = query.echo(), document.get("query")
        if answered != echo:
            raise self.wrong_answer_error(
                path, f"  asked:    {_describe(echo)}\n  answered: {_describe(answered)}"
            )
        self.check_identity(path, document, kind)
        problem = self._contradiction(query, document)
        if problem is not None:
            raise ClientError(
                f"{self.where}{path} is not the document that it should be: {problem}."
            )
        return document

    def _contradiction(
        self, query: Query | Rows | Count | Search, document: dict[str, Any]
    ) -> str | None:
        """Why a document cannot answer the query; None if it can."""
        match query:
            case Query():
                page = document["page"]
                size, total = min(page["size"], MAX_SIZE), min(page["total_items"], MAX_RECORDS)
                expected = {
                    "number": query.page,
                    "size": size,
                    "count": max(0, min(size, total - (query.page - 1) * size)),
                    "total_items": total,
                    "total_pages": max(1, -(-total // size)),
                }
                is_valid = {key: page[key] for key in expected} == expected
                if not is_valid or len(document["data"]) != expected["count"]:
                    return "its page contradicts itself"
            case Rows():
                columns, rows = document["columns"], document["rows"]
                if (
                    columns != [*query.columns]
                    or len(rows) != min(query.limit, document["total_items"])
                    or any(len(row) != len(columns) or not isinstance(row[0], str) for row in rows)
                ):
                    return "its rows contradict its query"
            case Count():
                counts = document["counts"]
                if set(counts) != set(query.by) or any(
                    len(each["values"]) > min(each["total_values"], MAX_COUNTED)
                    for each in counts.values()
                ):
                    return "its counts contradict themselves"
            case Search():
                found = document["data"]
                totals = {name: best["total_items"] for name, best in found.items()}
                if (
                    set(found) < set(self.grammar.collections)
                    or document["total_items"] != sum(totals.values())
                    or any(len(found[n]["data"]) > min(totals[n], MAX_BEST) for n in found)
                ):
                    return "its numbers contradict themselves"
        return None

    def missing_error(self, path: str) -> ClientError:
        return ClientError(
            f"{self.where}{path} is missing, or something else is sent in its place: the registry "
            "is damaged or its host does not have every file. Build and publish it again."
        )

    def wrong_answer_error(self, path: str, details: str) -> ClientError:
        return ClientError(
            f"{self.where}{path} does not answer the request, so its answer was rejected.\n"
            f"{details}\n"
            "Either a rule of the host sends one file for several addresses, or a cache holds a "
            "file of another address or another time.\n"
            "Try again in a few minutes, and without a cache of your own; if it stays so, tell "
            "who runs the host."
        )


def _describe(echo: Any) -> str:
    """The `query` of a list or a count in words."""
    if not isinstance(echo, Mapping):
        return _short(str(echo))
    parts = []
    if echo.get("mode") == "count":
        parts = [f"counted by {echo.get('by')}", f"like {echo.get('like')}"]
    elif echo.get("mode") == "rows":
        parts = [
            f"{echo.get('limit')} rows of {echo.get('fields')}",
            f"sorted by {echo.get('sort')}",
        ]
    elif "mode" in echo:
        parts = [f"page {echo.get('page')}", f"sorted by {echo.get('sort')}"]
    if echo.get("q") is not None:
        parts.append(f"q={echo['q']}")
    filters = echo.get("filters")
    if isinstance(filters, Mapping):
        parts += [f"{name}={value}" for name, value in filters.items()]
    return _short(", ".join(parts))


def _short(text: str) -> str:
    return clip(printable(text), 500)
