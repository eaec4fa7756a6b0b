"""Reads a published state for comparison: documents at canonical paths, records and values."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import orjson

from generator import UserError
from generator.contract.files import ReadFiles
from generator.grammar.grammar import Collection, Grammar, Slice
from generator.grammar.paths import INDEX
from generator.guard.finding import Node
from generator.reader.documents import MAX_DOCUMENT, Unreadable, published_kinds
from generator.reader.location import FolderReader, base_url, host_reader, is_url
from generator.text.words import is_slug

#: Files that one read requests.
_FILES_PER_READ = 128
_MAX_PAGES = 1 << 20
_is_filter = re.compile(r"[a-z][a-z0-9_]*").fullmatch


class NotPublished(UserError):
    """There is no registry at the given place; the message says what to give."""


class Damaged(UserError):
    """A file of a registry that is needed to compare cannot be read."""

    def __init__(self, where: str, path: str, why: str):
        super().__init__(
            f"{where} is a registry, but its {path[1:]} cannot be read: {why}. Publish the whole "
            "build again. If that is impossible, or an older generator did not write this file, "
            "publish once without comparing: run publish.yml by hand with `first`, on GitLab with "
            "FIRST=true, or build without --against"
        )


class PublishedState:
    """One published state.  `name` is its name for people; `read` returns the files at canonical
    paths, None for missing files.  `has_site` says whether a build of the API alone would have
    pages for people.
    """

    def __init__(self, name: str, read: ReadFiles, *, has_site: bool = False):
        self.name, self._read, self.has_site = name, read, has_site
        self._documents: dict[str, Node] = {}
        self._slugs: dict[str, dict[str, None]] = {}

    @classmethod
    def open(cls, where: str, *, timeout: float = 10, retries: int = 3) -> PublishedState:
        """The state in an output folder or at a base URL.  Raises NotPublished if there is
        certainly no index, Damaged if it cannot be read, and ClientError if a host does not answer.
        """
        if is_url(where):
            base = base_url(where)
            state = cls(base, host_reader(base, timeout, retries, definite=(INDEX,)))
        else:
            state = cls(where, FolderReader(Path(where)))
        why = state.unreadable(INDEX)
        if why is None:
            try:
                _ = state.grammar
            except Unreadable as error:
                raise Damaged(where, INDEX, str(error)) from error
        else:
            if state.file(INDEX) is not None or (not is_url(where) and _is_there(where + INDEX)):
                raise Damaged(where, INDEX, why)
            raise NotPublished(
                f"There is no registry at {where}: give the folder of a build, or a base URL"
            )
        return state

    @cached_property
    def grammar(self) -> Grammar:
        """The paths of records and lists, which depend on the kinds of the registry only."""
        return Grammar(published_kinds(self.document(INDEX).plain))

    def document(self, path: str) -> Node:
        """The JSON object at a path; a missing value if there is none."""
        if path not in self._documents:
            self._documents[path] = _parsed(path, self.file(path))
        return self._documents[path]

    def unreadable(self, path: str) -> str | None:
        """Why there is no JSON object at a path; None if there is."""
        if self.document(path):
            return None
        raw = self.file(path)
        if raw is None:
            return "it is missing or unreadable"
        if len(raw) > MAX_DOCUMENT:
            return f"it has more than {MAX_DOCUMENT >> 20} MiB"
        return "it is not a JSON object"

    def file(self, path: str) -> bytes | None:
        return self._read([path])[0]

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Paths and files, read in batches."""
        for start in range(0, len(paths), _FILES_PER_READ):
            batch = paths[start : start + _FILES_PER_READ]
            yield from zip(batch, self._read(batch), strict=True)

    @property
    def prefix(self) -> str:
        """The path of the base URL, which begins the addresses in documents."""
        return self.document(INDEX).at("links", "self").text.removesuffix(INDEX)

    def path_of(self, href: str) -> str:
        """The canonical path of an address in a document."""
        return href.removeprefix(self.prefix) if href.startswith(f"{self.prefix}/") else href

    def slugs(self, collection: Collection) -> dict[str, None]:
        """The slugs of a collection, in the order of its list."""
        if collection.name not in self._slugs:
            self._slugs[collection.name] = dict.fromkeys(self._listed(collection))
        return self._slugs[collection.name]

    def _listed(self, collection: Collection) -> Iterator[str]:
        records, page, last = Slice(collection), 1, 1
        while page <= min(last, _MAX_PAGES):
            paths = [records.path(n) for n in range(page, min(page + _FILES_PER_READ, last + 1))]
            for path, raw in self.read(paths):
                document = _parsed(path, raw)
                pages = document.at("page", "total_pages").plain
                last = max(last, pages) if type(pages) is int else last
                rows = document["data"].plain
                for row in rows if isinstance(rows, list) else ():
                    slug = row.get("slug") if isinstance(row, dict) else None
                    if isinstance(slug, str) and is_slug(slug):
                        yield slug
            page += len(paths)

    def records(self, collection: Collection) -> dict[str, bytes]:
        """slug -> file of each record, in the order of the list."""
        files = {collection.record_path(slug): slug for slug in self.slugs(collection)}
        return {files[path]: raw or b"" for path, raw in self.read([*files])}

    def replaced(self, collection: Collection, slugs: Sequence[str]) -> dict[str, str]:
        """alias -> present slug, for those of the slugs that are aliases."""
        paths = {collection.record_path(slug): slug for slug in slugs}
        present = {}
        for path, raw in self.read([*paths]):
            document = _parsed(path, raw)
            slug = document.at("data", "replaced_by").text
            if document["kind"].text == "moved" and is_slug(slug):
                present[paths[path]] = slug
        return present

    def values(self, collection: Collection) -> dict[str, dict[str, Node]]:
        """filter -> value -> `{value, label, count, href}`, for the values that records have."""
        filters = self.document(collection.filters_path)["data"].members
        values = {}
        for name, document in filters.items():
            if document["truncated"].plain is not False and _is_filter(name):
                document = self.document(collection.filter_path(name))["data"]
            values[name] = document["values"].named("value")
        return values


def _parsed(path: str, raw: bytes | None) -> Node:
    if raw is None or len(raw) > MAX_DOCUMENT:
        return Node(path)
    try:
        value = orjson.loads(raw)
    except ValueError:
        return Node(path)
    return Node(path, value) if isinstance(value, dict) else Node(path)


def _is_there(path: str) -> bool:
    """Whether a file exists; True if that is unknown."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
