"""What is near to what a registry does not have: values of filters, and slugs of records."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from generator.grammar.grammar import Grammar
from generator.grammar.nearest import near, nearest
from generator.grammar.query import Collection, Query, Slice
from generator.grammar.query_string import MAX_QUERY_WORDS
from generator.grammar.refusals import QueryError
from generator.grammar.text import MAX_SLUG, runs, words
from generator.reader.answers import ClientError
from generator.reader.documents import Unreadable, parsed
from generator.reader.site import present, renamed

#: Queries that are tried for a slug when its words find nothing.
_TRIED = 2
_lone_percent = re.compile(r"%(?![0-9A-Fa-f]{2})")


class UnknownValue(QueryError):
    """A filter has no such value, whatever `error` says of it; `allowed` has near ones."""

    def __init__(self, collection: Collection, name: str, value: str, error: QueryError):
        unknown = error.code == "not-found"
        detail = f'No {collection.kind} has the {name} "{value}".' if unknown else error.detail
        super().__init__(error.code, detail, error.allowed, (name, value))
        self.collection, self.name, self.value = collection, name, _decoded(value)


class NoRecord(QueryError):
    """There is no record of this slug; `allowed` has near ones."""

    def __init__(self, collection: Collection, slug: str, allowed: tuple[str, ...]):
        super().__init__("not-found", f'There is no {collection.kind} "{slug}".', allowed)
        self.collection, self.slug = collection, slug


def having(known: Iterable[Mapping[str, Any]], like: str) -> list[Mapping[str, Any]]:
    """The values of a filter that have, for each word of `like`, a word which begins so, in their
    label or in themselves.
    """
    wanted = words(like)

    def has(value: Mapping[str, Any]) -> bool:
        own = [*words(value["label"]), *words(value["value"])]
        return all(any(word.startswith(one) for word in own) for one in wanted)

    return [value for value in known if wanted and has(value)]


def unknown(
    error: QueryError,
    collection: Collection,
    grammar: Grammar,
    read: Callable[[str], bytes | None],
) -> QueryError:
    """The error, with the present slug or near values where it is about a filter's value; `read`
    gives the bytes of a canonical file.
    """
    if error.about is None:
        return error
    name, value = error.about
    with contextlib.suppress(ClientError, Unreadable):
        now = present(Slice(collection, name, value), grammar, read)
        if now is not None:
            return renamed(name, value, now)
        error = with_near(error, collection, read)
    return UnknownValue(collection, name, value, error)


def with_near(
    error: QueryError, collection: Collection, read: Callable[[str], bytes | None]
) -> QueryError:
    """The error, with the nearest values in `allowed` where it is about one of a filter that has a
    document of its values; `read` gives the bytes of a canonical file.
    """
    name, value = error.about or ("", "")
    if name not in collection.prepared_filters:
        return error
    try:
        listed = parsed(read(collection.filter_path(name)) or b"", "filter")["data"]["values"]
    except Unreadable:
        return error
    allowed = nearest(_decoded(value), ((one["value"], one["label"]) for one in listed))
    return QueryError(error.code, error.detail, allowed, error.about) if allowed else error


def _decoded(value: str) -> str:
    """A value as it was meant, whichever characters of it are percent-encoded."""
    try:
        return unquote_to_bytes(_lone_percent.sub("%25", value.replace("+", " "))).decode()
    except UnicodeDecodeError:
        return value


def near_slugs(
    answer: Callable[[Query], bytes], collection: Collection, slug: str
) -> tuple[str, ...]:
    """The slugs near to one that no record has: of records that have its words, or those that are
    suggested in their place, or else one of them.  `answer` gives the list that answers a query.
    """
    from generator.search.manifest import Unavailable

    asked = runs(slug.replace("-", " "))
    if not 0 < len(asked) <= MAX_QUERY_WORDS or len(slug) > MAX_SLUG:
        return ()

    def listed(q: str) -> dict[str, Any]:
        return parsed(answer(Query(collection, q=q)), f"{collection.kind}_list")

    try:
        first = listed(" ".join(asked))
        rows = first["data"]
        others = [
            *first.get("suggestions", ()),
            *sorted(asked, key=len, reverse=True),
        ]
        for other in others[:_TRIED]:
            rows = rows or listed(other)["data"]
    except (Unreadable, ClientError, Unavailable, QueryError):
        return ()
    return near(slug, ((row["slug"], row["name"]) for row in rows))
