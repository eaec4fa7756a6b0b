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

    def parse_list(self, path: str, raw: bytes, query: Query) -> dict[str, Any]:
        """The list that answers this query; its page numbers are checked. Raises ClientError."""
        document = self._answer_to(path, raw, query, f"{query.collection.kind}_list")
        page, rows = document["page"], len(document["data"])
        size, total = min(page["size"], MAX_SIZE), min(page["total_items"], MAX_RECORDS)
        expected = {
            "number": query.page,
            "size": size,
            "count": max(0, min(size, total - (query.page - 1) * size)),
            "total_items": total,
            "total_pages": max(1, -(-total // size)),
        }
        if {key: page[key] for key in expected} != expected or rows != expected["count"]:
            raise self._contradiction(path, "its page contradicts itself")
        return document

    def parse_rows(self, raw: bytes, asked: Rows) -> dict[str, Any]:
        """The rows that answer this query; their shape is checked. Raises ClientError."""
        path = f"{asked.collection.root}?{asked.query_string}"
        document = self._answer_to(path, raw, asked, f"{asked.collection.kind}_rows")
        columns, rows = document["columns"], document["rows"]
        if (
            columns != ["slug", *asked.fields]
            or len(rows) != min(asked.limit, document["total_items"])
            or any(len(row) != len(columns) or not isinstance(row[0], str) for row in rows)
        ):
            raise self._contradiction(path, "its rows contradict its query")
        return document

    def parse_count(self, raw: bytes, count: Count) -> dict[str, Any]:
        """The count that answers this query; its numbers are checked. Raises ClientError."""
        path = f"{count.collection.root}?{count.query_string}"
        document = self._answer_to(path, raw, count, f"{count.collection.kind}_count")
        counts = document["counts"]
        if set(counts) != set(count.by) or any(
            len(each["values"]) > min(each["total_values"], MAX_COUNTED) for each in counts.values()
        ):
            raise self._contradiction(path, "its counts contradict themselves")
        return document

    def parse_search(self, raw: bytes, search: Search) -> dict[str, Any]:
        """The search over all collections; its numbers are checked. Raises ClientError."""
        document = self._answer_to(search.url, raw, search, "search")
        found = document["data"]
        if (
            set(found) < set(self.grammar.collections)
            or document["total_items"] != sum(best["total_items"] for best in found.values())
            or any(
                len(best["data"]) > min(best["total_items"], MAX_BEST) for best in found.values()
            )
        ):
            raise self._contradiction(search.url, "its numbers contradict themselves")
        return document

    def _answer_to(
        self, path: str, raw: bytes, query: Query | Rows | Count | Search, kind: str
    ) -> dict[str, Any]:
        """The document of this kind, if its `query` is this query. Raises ClientError."""
        document = self.document(path, raw)
        echo, answered = query.echo(), document.get("query")
        if answered != echo:
            raise self.wrong_answer_error(
                path, f"  asked:    {_describe(echo)}\n  answered: {_describe(answered)}"
            )
        return self.check_identity(path, document, kind)

    def missing_error(self, path: str) -> ClientError:
        return ClientError(
            f"{self.where}{path} is missing, or something else is sent in its place: the registry "
            "is damaged or its host does not have every file. Build and publish it again."
        )

    def _contradiction(self, path: str, problem: str) -> ClientError:
        return ClientError(f"{self.where}{path} is not the document that it should be: {problem}.")

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
