"""Answers of a registry held against what was asked.

A document is what it says only where its kind, its address and the query it answers are those that
were asked for: hosts send one file for several addresses, and caches one of another time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.contract.listing import MAX_COUNTED
from generator.grammar.grammar import Grammar
from generator.grammar.limits import clipped
from generator.grammar.query import Count, Query
from generator.problems.diagnostic import printable
from generator.reader.documents import Unreadable, parsed
from generator.search.manifest import MAX_RECORDS, MAX_SIZE


class ClientError(Exception):
    """Nothing can be answered, said to a person: cannot be reached, no registry there, answer of
    another query, timed out.
    """


@dataclass(frozen=True)
class Answers:
    """What is asked of the registry at `where`, a folder or a base URL."""

    where: str
    grammar: Grammar

    def parse(self, path: str, raw: bytes, *kinds: str) -> dict[str, Any]:
        """A document of one of these kinds that says that it is the one at this path.  Raises
        ClientError.
        """
        return self.itself(path, self.document(path, raw), *kinds)

    def document(self, path: str, raw: bytes) -> dict[str, Any]:
        """A document of any kind.  Raises ClientError."""
        try:
            return parsed(raw)
        except Unreadable as error:
            raise ClientError(
                f"{self.where}{path} is not the JSON that it should be: {error}."
            ) from error

    def itself(self, path: str, document: dict[str, Any], *kinds: str) -> dict[str, Any]:
        itself = document.get("links", {}).get("self")
        if document.get("kind") not in kinds or itself not in (None, self.grammar.url(path)):
            raise self.refusal(
                path, f"  it says that it is {_short(str(itself or document.get('kind')))}"
            )
        return document

    def listed(self, path: str, raw: bytes, query: Query) -> dict[str, Any]:
        """A list that is the answer to this query, and a page as its numbers tell.  Raises
        ClientError.
        """
        document = self._answer(path, raw, query, "list")
        page, rows = document["page"], len(document["data"])
        size, total = min(page["size"], MAX_SIZE), min(page["total_items"], MAX_RECORDS)
        number = query.page
        told = {
            "number": number,
            "size": size,
            "count": rows,
            "total_items": total,
            "total_pages": max(1, -(-total // size)),
        }
        if {key: page[key] for key in told} != told or rows != max(
            0, min(size, total - (number - 1) * size)
        ):
            raise ClientError(
                f"{self.where}{path} is not the document that it should be: its page contradicts "
                "itself."
            )
        return document

    def counted(self, raw: bytes, count: Count) -> dict[str, Any]:
        """A count that is the answer to this one, and whose numbers agree.  Raises ClientError."""
        path = f"{count.collection.root}?{count.string}"
        document = self._answer(path, raw, count, "count")
        counts = document["counts"]
        if set(counts) != set(count.by) or any(
            len(one["values"]) > min(one["total_values"], MAX_COUNTED) for one in counts.values()
        ):
            raise ClientError(
                f"{self.where}{path} is not the document that it should be: its counts contradict "
                "themselves."
            )
        return document

    def _answer(self, path: str, raw: bytes, asked: Query | Count, form: str) -> dict[str, Any]:
        """The document that says that it answers this and nothing else.  Raises ClientError."""
        document = self.document(path, raw)
        echo, answered = asked.echo(), document.get("query")
        if answered != echo:
            raise self.refusal(path, f"  asked:    {_told(echo)}\n  answered: {_told(answered)}")
        return self.itself(path, document, f"{asked.collection.kind}_{form}")

    def missing(self, path: str) -> ClientError:
        return ClientError(
            f"{self.where}{path} is missing, or something else is sent in its place: the registry "
            "is damaged or its host does not have every file. Build and publish it again."
        )

    def refusal(self, path: str, said: str) -> ClientError:
        return ClientError(
            f"{self.where}{path} answers something else than was asked, and is not taken for the "
            "answer.\n"
            f"{said}\n"
            "Either a rule of the host sends one file for several addresses, or a cache holds a "
            "file of another address or another time.\n"
            "Try again in a few minutes, and without a cache of your own; if it stays so, tell "
            "who runs the host."
        )


def _told(echo: Any) -> str:
    """The `query` of a list or a count in words."""
    if not isinstance(echo, Mapping):
        return _short(str(echo))
    counts = echo.get("mode") == "count"
    parts = (
        [f"counted by {echo.get('by')}", f"like {echo.get('like')}"]
        if counts
        else [f"page {echo.get('page')}", f"sorted by {echo.get('sort')}"]
    )
    parts += [f"q={echo['q']}"] if echo.get("q") is not None else []
    filters = echo.get("filters")
    parts += (
        [f"{name}={value}" for name, value in filters.items()]
        if isinstance(filters, Mapping)
        else []
    )
    return _short(", ".join(parts))


def _short(text: str) -> str:
    return clipped(printable(text), 500)
