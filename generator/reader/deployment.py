"""A published registry as readers see it: its files, its grammar, and errors for missing pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from generator.contract.files import ReadFiles
from generator.grammar.grammar import (
    OPTIONAL_FILES,
    Collection,
    Count,
    Grammar,
    Query,
    Rows,
    Search,
    Slice,
    no_such_page,
    unknown_values,
)
from generator.grammar.paths import INDEX, problem_path
from generator.grammar.refusals import PROBLEMS, QueryError
from generator.grammar.routes import routes
from generator.kinds.declare import OWN_TYPES, own_field
from generator.reader.documents import Unreadable, parse_document
from generator.reader.location import FolderReader
from generator.search.engine import Engine, FindManifest
from generator.text.words import is_slug

_is_prefix = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*").fullmatch
_is_name = re.compile(r"[a-z][a-z0-9_]*").fullmatch
_MAX_NAMES = 1000
#: The keys of an own field in index.json.
_SETTINGS = own_field("", "", "text").to_json().keys()


def read_grammar(load: Callable[[str, str], Mapping[str, Any]]) -> Grammar:
    """The grammar that a build was made with. `load` returns the document at a path, of a kind.

    Raises Unreadable if the documents have values that no grammar has.
    """
    index = load(INDEX, "index")
    prefix = index["links"]["self"].removesuffix(INDEX)
    filters = load(Grammar({}).projects.filters_path, "filter_list")["data"]
    families = {
        name.removeprefix("tag_"): document["label"]
        for name, document in filters.items()
        if name.startswith("tag_")
    }
    fields = {
        collection: {key: own_field(key, **_settings(document)) for key, document in own.items()}
        for collection, own in index["data"]["fields"].items()
    }
    names = [*families, *(key for own in fields.values() for key in own)]
    if (
        not _is_prefix(prefix)
        or len(names) > _MAX_NAMES
        or not all(map(_is_name, names))
        or any(field.type not in OWN_TYPES for own in fields.values() for field in own.values())
    ):
        raise Unreadable("its addresses or filters are not those of a registry")
    left_out = set(index["data"].get("left_out", ())).intersection(OPTIONAL_FILES)
    # The labels of filters have the registry's own words for one program and one organization.
    nouns = {
        f"{name}s": (filters[name]["label"], f"{name}s") for name in ("program", "organization")
    }
    pages = any(surface["name"] == "site" for surface in index["data"]["surfaces"])
    return Grammar(families, prefix, nouns, fields, left_out, pages=pages)


def _settings(field: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `own_field` in the document of a field; later versions may add others."""
    return {name: value for name, value in field.items() if name in _SETTINGS}


def read_problems(
    load: Callable[[str, str], Mapping[str, Any]],
) -> dict[str, Mapping[str, Any]]:
    """Code -> the problem document. `load` is that of `read_grammar`."""
    return {code: load(problem_path(code), "problem") for code in PROBLEMS}


class BuildNotFound(Exception):
    """A folder has no complete build."""


@dataclass(frozen=True)
class Deployment:
    """A published registry: the grammar it was made with, its problem documents and its files.

    `find_manifest` is that of `Engine`.
    """

    grammar: Grammar
    problems: Mapping[str, Mapping[str, Any]]
    files: ReadFiles
    find_manifest: FindManifest | None = None

    @classmethod
    def open(cls, out: Path) -> Deployment:
        """The registry in an output folder. Raises BuildNotFound."""
        files = FolderReader(out)

        def load(path: str, kind: str) -> Mapping[str, Any]:
            return parse_document(files([path])[0] or b"", kind)

        try:
            return cls(read_grammar(load), read_problems(load), files)
        except (OSError, Unreadable) as error:
            raise BuildNotFound(f"{out} holds no whole build") from error

    def answer_query(self, query: Query | Rows | Count | Search) -> bytes:
        """The answer to a query without a prepared page. Raises QueryError and Unavailable."""
        return self.engine.answer(query)

    @cached_property
    def engine(self) -> Engine:
        return Engine(self.grammar, self.read_files, self.find_manifest)

    @cached_property
    def lists(self) -> dict[str, Collection]:
        """Bare address -> the collection that is queried there."""
        return {c.root: c for c in self.grammar.collections.values()}

    @cached_property
    def single(self) -> dict[str, str]:
        """Bare address of one document -> its file; `:slug` stands for a slug at the end."""
        return {
            route.path: route.target
            for route in routes(self.grammar)
            if route.path not in self.lists
        }

    def read(self, path: str) -> bytes | None:
        """A file; None if it is missing or unpublished."""
        return self.read_files([path])[0]

    def read_files(self, paths: Sequence[str]) -> list[bytes | None]:
        """Files, None for each that is missing or unpublished."""
        published = [path for path in paths if _is_published(path)]
        files = dict(zip(published, self.files(published), strict=True))
        return [files.get(path) for path in paths]


def _is_published(path: str) -> bool:
    """Whether hosts send files with such a path: names with an underscore are their rules."""
    segments = path[1:].split("/")
    hidden = segments[segments[0] == ".well-known" :]
    return not (
        segments[0].startswith("_")
        or "" in segments
        or any(segment.startswith(".") for segment in hidden)
    )


def is_moved(body: bytes) -> bool:
    """Whether a document says that a record moved. Looks only at its first keys."""
    return b'"kind":"moved"' in body[:99]


def missing_page_error(
    part: Slice, page: int, grammar: Grammar, read: Callable[[str], bytes | None]
) -> QueryError | None:
    """Why a page of a list is missing; None if it should exist. Raises Unreadable."""
    first = read(part.path())
    if first is None or is_moved(first):
        current = current_slice(part, grammar, read)
        if current is not None:
            return former_slug_error(str(part.filter), str(part.value), current)
    if first is not None:
        pages = parse_document(first, f"{part.collection.kind}_list")["page"]["total_pages"]
        return no_such_page(page, pages) if page > pages else None
    if part.filter not in part.collection.filters:
        return None
    values_document = read(part.collection.filter_path(str(part.filter)))
    if values_document is not None and any(
        listed_value["value"] == part.value
        for listed_value in parse_document(values_document, "filter")["data"]["values"]
    ):
        return None
    return unknown_values(part.collection, str(part.filter), [str(part.value)], grammar)


def current_slice(
    part: Slice, grammar: Grammar, read: Callable[[str], bytes | None]
) -> Slice | None:
    """The list for the current slug if `part` has a former slug; None if there is no such list,
    because its collection is empty. Raises Unreadable.
    """
    owner = grammar.collections.get(part.refers)
    if owner is None or part.value is None or not is_slug(part.value):
        return None
    raw = read(owner.record_path(part.value))
    if raw is None or not is_moved(raw):
        return None
    slug = parse_document(raw, "moved")["data"]["replaced_by"]
    if not isinstance(slug, str) or not is_slug(slug):
        return None
    current = replace(part, value=slug)
    return current if read(current.path()) is not None else None


def former_slug_error(name: str, value: str, current: Slice) -> QueryError:
    """The error for a filter value that is a former slug."""
    return QueryError(
        "not-found", f'The {name} "{value}" is now called "{current.value}".', (str(current.value),)
    )
