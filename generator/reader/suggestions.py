"""Suggestions for filter values and record slugs that a registry does not have."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from generator.grammar.grammar import Grammar, describe_unknown_values
from generator.grammar.nearest import near_values, near_values_of_each
from generator.grammar.query import Collection, Query, Slice
from generator.grammar.query_string import MAX_QUERY_WORDS
from generator.grammar.refusals import QueryError
from generator.reader.answers import ClientError
from generator.reader.deployment import current_slice, former_slug_error
from generator.reader.documents import Unreadable, parse_document
from generator.text.words import MAX_SLUG, split_runs, split_words

#: Further queries for a slug if its words find nothing.
_MAX_QUERIES = 2
_lone_percent = re.compile(r"%(?![0-9A-Fa-f]{2})")


class UnknownValue(QueryError):
    """A filter has no such values; `allowed` has near values. `error` is the grammar's refusal."""

    def __init__(
        self, collection: Collection, name: str, values: tuple[str, ...], error: QueryError
    ):
        detail = error.detail
        if error.code == "not-found":
            detail = f"{describe_unknown_values(collection, name, values)}."
        super().__init__(error.code, detail, error.allowed, (name, values))
        self.collection, self.name, self.value = collection, name, _decoded(values[0])


class RecordNotFound(QueryError):
    """There is no record with this slug; `allowed` has near slugs."""

    def __init__(self, collection: Collection, slug: str, allowed: tuple[str, ...]):
        super().__init__("not-found", f'There is no {collection.kind} "{slug}".', allowed)
        self.collection, self.slug = collection, slug


def matching_values(values: Iterable[Mapping[str, Any]], like: str) -> list[Mapping[str, Any]]:
    """The values that have, for each word of `like`, a word that begins with it."""
    prefixes = split_words(like)

    def matches(value: Mapping[str, Any]) -> bool:
        value_words = [*split_words(value["label"]), *split_words(value["value"])]
        return all(any(word.startswith(prefix) for word in value_words) for prefix in prefixes)

    return [value for value in values if prefixes and matches(value)]


def explain_unknown_value(
    error: QueryError,
    collection: Collection,
    grammar: Grammar,
    read: Callable[[str], bytes | None],
) -> QueryError:
    """The error; if it is about a filter value, with the current slug or near values."""
    if error.about is None:
        return error
    name, values = error.about
    with contextlib.suppress(ClientError, Unreadable):
        if len(values) == 1:
            current = current_slice(Slice(collection, name, values[0]), grammar, read)
            if current is not None:
                return former_slug_error(name, values[0], current)
        error = add_near_values(error, collection, read)
    return UnknownValue(collection, name, values, error)


def add_near_values(
    error: QueryError, collection: Collection, read: Callable[[str], bytes | None]
) -> QueryError:
    """The error; if it is about values of a prepared filter, with near values."""
    name, unknown = error.about or ("", ())
    known = collection.query_filters.get(name)
    listed = [of for of in known.sources if of in collection.listed_filters] if known else []
    if not listed:
        return error
    values = list[dict[str, Any]]()
    try:
        for of in listed:
            document = parse_document(read(collection.filter_path(of)) or b"", "filter")
            values += document["data"]["values"]
    except Unreadable:
        return error
    allowed = near_values_of_each(
        map(_decoded, unknown), ((each["value"], each["label"]) for each in values)
    )
    return QueryError(error.code, error.detail, allowed, error.about) if allowed else error


def _decoded(value: str) -> str:
    """A value after percent-decoding, whichever of its characters are encoded."""
    try:
        return unquote_to_bytes(_lone_percent.sub("%25", value.replace("+", " "))).decode()
    except UnicodeDecodeError:
        return value


def find_near_slugs(
    answer: Callable[[Query], bytes], collection: Collection, slug: str
) -> tuple[str, ...]:
    """The slugs near to an unknown slug: of records that contain its words, else of records that
    contain a suggested word or one of its words. `answer` returns the list for a query.
    """
    from generator.search.manifest import Unavailable

    slug_words = split_runs(slug.replace("-", " "))
    if not 0 < len(slug_words) <= MAX_QUERY_WORDS or len(slug) > MAX_SLUG:
        return ()

    def search(q: str) -> dict[str, Any]:
        return parse_document(answer(Query(collection, q=q)), f"{collection.kind}_list")

    try:
        document = search(" ".join(slug_words))
        rows = document["data"]
        other_queries = [
            *document.get("suggestions", ()),
            *sorted(slug_words, key=len, reverse=True),
        ]
        for q in other_queries[:_MAX_QUERIES]:
            rows = rows or search(q)["data"]
    except (Unreadable, ClientError, Unavailable, QueryError):
        return ()
    return near_values(slug, ((row["slug"], row["name"]) for row in rows))
