"""Check files of a registry against the question that they answer.

A file is accepted only if its kind, its address and its `query` are those of the request: hosts may
send one file for several addresses, and caches may send outdated files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator import UserError
from generator.grammar.limits import clip
from generator.problems.diagnostic import printable
from generator.reader.documents import Unreadable, parse_document

#: The most records of a collection, and of a page.
_MAX_RECORDS, _MAX_SIZE = 1 << 20, 100


class ClientError(UserError):
    """No answer: unreachable host, no registry, wrong answer or timeout. For users."""


def parse(where: str, path: str, raw: bytes, kinds: Sequence[str], prefix: str) -> dict[str, Any]:
    """The document at a path of the registry at `where`, of one of these kinds.  `prefix` is the
    path of the base URL.  Raises ClientError.
    """
    try:
        document = parse_document(raw)
    except Unreadable as error:
        raise ClientError(f"{where}{path} is not the JSON that it should be: {error}.") from error
    url, kind = document.get("links", {}).get("self"), document.get("kind")
    if kind not in kinds or url not in (None, prefix + path):
        raise wrong_answer(where, path, f"  it says that it is {_short(str(url or kind))}")
    return document


def check_page(
    where: str, path: str, document: Mapping[str, Any], wanted: Mapping[str, Any]
) -> None:
    """Raises ClientError unless a page of a list has the `query` that is wanted, and its numbers
    agree.
    """
    answered, page = document["query"], document["page"]
    if answered != wanted:
        raise wrong_answer(
            where, path, f"  asked:    {_describe(wanted)}\n  answered: {_describe(answered)}"
        )
    number, size = wanted["page"], min(page["size"], _MAX_SIZE)
    total = min(page["total_items"], _MAX_RECORDS)
    expected = {
        "number": number,
        "size": size,
        "count": max(0, min(size, total - (number - 1) * size)),
        "total_items": total,
        "total_pages": max(1, -(-total // size)),
    }
    is_valid = {key: page[key] for key in expected} == expected
    if not is_valid or len(document["data"]) != expected["count"]:
        raise ClientError(
            f"{where}{path} is not the document that it should be: its page contradicts itself."
        )


def wrong_answer(where: str, path: str, details: str) -> ClientError:
    return ClientError(
        f"{where}{path} does not answer the request, so its answer was rejected.\n"
        f"{details}\n"
        "Either a rule of the host sends one file for several addresses, or a cache holds a "
        "file of another address or another time.\n"
        "Try again in a few minutes, and without a cache of your own; if it stays so, tell "
        "who runs the host."
    )


def _describe(echo: Any) -> str:
    """The `query` of a list in words."""
    if not isinstance(echo, Mapping):
        return _short(str(echo))
    parts = [f"page {echo.get('page')}", f"sorted by {echo.get('sort')}"]
    if echo.get("q") is not None:
        parts.append(f"q={echo['q']}")
    filters = echo.get("filters")
    if isinstance(filters, Mapping):
        parts += [f"{name}={value}" for name, value in filters.items()]
    return _short(", ".join(parts))


def _short(text: str) -> str:
    return clip(printable(text), 500)
