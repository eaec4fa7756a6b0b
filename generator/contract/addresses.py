"""The addresses of all published documents, by shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from generator.feature import Hook
from generator.grammar import paths
from generator.grammar.grammar import Collection, Grammar, Slice


class Address(NamedTuple):
    """Canonical files of one shape: their path with `{name}` placeholders, the kind of document,
    and a description.  `{value}` is a value of `filter` in `collection`; `parameters` has the words
    and the schema of other placeholders.
    """

    template: str
    kind: str
    description: str
    collection: str = ""
    filter: str = ""
    parameters: Mapping[str, tuple[str, Mapping[str, Any]]] = {}


class Added(NamedTuple):
    """Documents of a feature, for the index, the lock and OpenAPI.

    The index calls them `name`, describes them by `words`, and counts the files of `surface`, if it
    is given.  Without a kind of document in `address` only the index has them, if a build does.
    """

    address: Address
    name: str
    words: str
    surface: str = ""


DOCUMENTS: Hook[Callable[[Grammar], Iterable[Added]]] = Hook("addresses", "documents", "grammar")


def added(grammar: Grammar) -> list[Added]:
    """The documents of features by address: the lock and OpenAPI have one order."""
    found = (each for of in DOCUMENTS.without(grammar.left_out) for each in of(grammar))
    return sorted(found, key=attrgetter("address.template"))


_FIRST = (
    Address(paths.INDEX, "index", "Everything that the API publishes"),
    Address(paths.DASHBOARD, "dashboard", "The whole registry in one answer"),
    Address(paths.BUILD, "build", "When and from what the registry was built"),
    Address(paths.CHANGES, "change_list", "The latest new, changed and removed records"),
    Address(paths.REMOVED, "removed_list", "The records that were removed for good"),
    Address(paths.COVERAGE, "coverage", "How recent and how complete the records are"),
    Address(paths.MANIFEST_ROOT, "manifest_root",
            "The root of the manifest of what is published"),
    Address(paths.MANIFEST_SNAPSHOT, "manifest_snapshot", "The hash of each bin"),
    Address(paths.manifest_part("{number}"), "manifest_snapshot",
            "The hash of each of some bins, if there are very many"),
    Address(paths.manifest_bin("{number}"), "manifest_bin",
            "Path, size and SHA-256 of some files"),
)  # fmt: skip
_LAST = (
    Address(paths.problem_path("{code}"), "problem", "A problem of a query"),
    Address(paths.schema_path("{kind}"), "schema", "The JSON Schema of one kind of document"),
    Address(paths.OPENAPI, "openapi", "The API in OpenAPI 3.1"),
    Address(paths.AGENT_CATALOG, "agent_catalog",
            "What an agent can read, how large it is and in which order"),
    Address(paths.AGENT_SCHEMA, "agent_schema",
            "What every field means, with an example of each kind"),
    Address(paths.AGENT_TOOLS, "agent_tools", "The queries as tools"),
    Address(paths.AGENT_OVERVIEW, "context", "An overview of the registry, to paste into a prompt"),
)  # fmt: skip


def addresses(grammar: Grammar) -> Iterator[Address]:
    """The addresses of all canonical files of the API, without the prefix."""
    yield from _FIRST
    for collection in grammar.collections.values():
        yield from _collection_addresses(collection)
    events = grammar.events
    words = f"The {events.many} as iCalendar, upcoming and of the past year"
    yield Address(Slice(events).feed, "calendar", words, events.name)
    for name in events.feeds:
        words = f"The {events.many} of one {name} as iCalendar, upcoming and of the past year"
        yield Address(Slice(events, name, "{value}").feed, "calendar", words, events.name, name)
    yield from (each.address for each in added(grammar) if each.address.kind)
    yield from _LAST
    for c in map(grammar.collections.__getitem__, grammar.contexts):
        words = f"Facts about one {c.one}, to paste into a prompt"
        yield Address(paths.agent_context(c.name, "{slug}"), "context", words, c.name)


def _collection_addresses(c: Collection) -> Iterator[Address]:
    noun, pages = c.many, f"{c.kind}_list"
    yield Address(Slice(c).path("{page}"), pages, f"All {noun}", c.name)
    for sort in c.prepared_sorts[1:]:
        path = Slice(c, sort=sort).path("{page}")
        yield Address(path, pages, f"All {noun}, sorted by {sort}", c.name)
    for f, virtual_slice in c.virtual_slices():
        yield Address(virtual_slice.path("{page}"), pages, f"{c.label} {f.label}", c.name)
    for f in c.prepared_filters.values():
        path = Slice(c, f.name, "{value}").path("{page}")
        words = f"The {noun} with one value of {f.name} ({f.label})"
        yield Address(path, pages, words, c.name, f.name)
    yield Address(c.record_path("{slug}"), c.kind, f"One whole record of the {noun}", c.name)
    words = f"The filters of {noun}, each with its most frequent values"
    yield Address(c.filters_path, "filter_list", words, c.name)
    for f in c.listed_filters.values():
        words = f"All values of {f.name} ({f.label}) among {noun}"
        yield Address(c.filter_path(f.name), "filter", words, c.name)
