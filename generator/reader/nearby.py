"""What is near to what a registry does not have: values of filters, and slugs of records."""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from generator.api.problems import QueryError
from generator.api.query import Collection, Count, Query, Slice
from generator.api.text import slugify, words
from generator.reader.documents import Unreadable, parsed
from generator.reader.held import ClientError
from generator.reader.site import is_moved, present, renamed

if TYPE_CHECKING:
    from generator.reader.client import Client
    from generator.search.engine import Engine

#: How many near names are told, and how many of the most frequent values when none is near.
_NEAR, _FEW = 5, 20
#: Values of a query that are looked for.
_TRIED = 20


class UnknownValue(QueryError):
    """A filter has no such value, whatever `error` says of it; `allowed` has near ones."""

    def __init__(
        self,
        collection: Collection,
        name: str,
        value: str,
        error: QueryError,
        allowed: tuple[str, ...],
    ):
        unknown = error.code == "not-found"
        detail = f'No {collection.kind} has the {name} "{value}".' if unknown else error.detail
        super().__init__(error.code, detail, allowed)
        self.collection, self.name, self.value = collection, name, value


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


def malformed(
    client: Client, collection: Collection, filters: Iterable[tuple[str, str]], error: QueryError
) -> QueryError:
    """The error, with near values where it is that a filter's value has not the form of one."""
    if error.code == "invalid-parameter" and not error.allowed:
        for name, text in filters:
            known = collection.filters.get(name)
            if known is not None and not re.fullmatch(known.constraint_pattern, text, re.ASCII):
                return _near(client, collection, name, text, error)
    return error


def unknown(client: Client, asked: Query | Count, error: QueryError) -> QueryError:
    """The error, with near values where it is that no record has a filter's value."""
    collection = asked.collection
    values = [
        (known.name, value)
        for known, constraint in asked.constraints
        if known.name in collection.prepared_filters
        for value in constraint.values
    ][:_TRIED]
    lists = client.read([Slice(collection, *one).path() for one in values])
    for (name, value), first in zip(values, lists, strict=True):
        if first is None or is_moved(first):
            with contextlib.suppress(Unreadable):
                part = Slice(collection, name, value)
                now = present(part, client.grammar, lambda path: client.read([path])[0])
                if now is not None:
                    return renamed(name, value, now)
            return _near(client, collection, name, value, error)
    return error


def _near(
    client: Client, collection: Collection, name: str, text: str, error: QueryError
) -> QueryError:
    """The error, with the values of a filter that are near."""
    if name not in collection.prepared_filters:
        return error
    try:
        known = client.document(collection.filter_path(name))["data"]["values"]
    except ClientError:
        known = []
    return UnknownValue(collection, name, text, error, near_values(known, text))


def near_values(known: list[Mapping[str, Any]], text: str) -> tuple[str, ...]:
    """The values of a filter that are near to a text by their spelling or by their label; the most
    frequent where none is.
    """
    values = [str(value["value"]) for value in known]
    slug = slugify(text)
    near = [
        *(str(value["value"]) for value in known if slug and slugify(value["label"]) == slug),
        *difflib.get_close_matches(slug, values, _NEAR, 0.6),
        *(value for value in values if slug and slug in value),
    ]
    return tuple(dict.fromkeys(near))[:_NEAR] or tuple(values[:_FEW])


def near_slugs(engine: Engine, collection: Collection, slug: str) -> tuple[str, ...]:
    """Slugs near to this one, of records whose names have words like its words."""
    from generator.search.nearby import alike, near

    try:
        listed = near(engine, collection, slug.replace("-", " ")) or b""
        rows = parsed(listed, f"{collection.kind}_list")["data"]
    except (Unreadable, ClientError):
        return ()
    slugs = [row["slug"] for row in rows]
    return tuple(one for _, one in alike(slugify(slug), slugs, _NEAR, 0.5))
