"""What somebody published, as it is compared: documents at canonical paths, records, values."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from generator.grammar.grammar import Collection, Grammar, Slice
from generator.grammar.paths import INDEX
from generator.grammar.text import is_slug
from generator.guard.node import Node
from generator.reader.documents import MAX_DOCUMENT, MAX_READ

Read = Callable[[Sequence[str]], list[bytes | None]]

#: Files that are asked for at once.
_TOGETHER = 128
_MAX_PAGES = 1 << 20
_is_url = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match
_is_filter = re.compile(r"[a-z][a-z0-9_]*").fullmatch


class NotPublished(Exception):
    """There is no registry where one was said to be; the text says so, and what would do."""


class Damaged(Exception):
    """There is a registry, and what is compared of it cannot be read; the text says what and why,
    and what would do.
    """

    def __init__(self, where: str, path: str, why: str):
        super().__init__(
            f"{where} is a registry, but its {path[1:]} cannot be read: {why}. Publish the whole "
            "build again. If that is impossible, or an older generator did not write this file, "
            "publish once without comparing: run publish.yml by hand with `first`, on GitLab with "
            "FIRST=true, or build without --against"
        )


class Published:
    """One published state.  `name` is what people call it; `read` gives the files at canonical
    paths, None where there is none.
    """

    #: Where records and lists lie is the same in every registry.
    grammar = Grammar({})

    def __init__(self, name: str, read: Read):
        self.name, self._read, self.has_site = name, read, False
        self._kept: dict[str, Node] = {}
        self._slugs: dict[str, dict[str, None]] = {}

    @classmethod
    def open(cls, where: str, *, timeout: float = 10, retries: int = 3) -> Published:
        """`where` is a build's folder or a base URL.  Raises NotPublished where there is surely
        no index, Damaged where it cannot be read, and ClientError where a host cannot be asked.
        """
        if _is_url(where):
            from generator.reader.location import base_url, host

            base = base_url(where)
            state = cls(base, host(base, timeout, retries, definite=(INDEX,)))
        else:
            state = cls(where, _of_folder(where))
        why = state.unreadable(INDEX)
        if why is not None:
            if state.file(INDEX) is not None or (not _is_url(where) and _is_there(where + INDEX)):
                raise Damaged(where, INDEX, why)
            raise NotPublished(
                f"There is no registry at {where}: give the folder of a build, or a base URL"
            )
        return state

    @classmethod
    def named(cls, name: str, folder: str, *, has_site: bool) -> Published:
        """A build of the API alone in a folder that people do not know, under the name of what it
        is of; `has_site` says that there would be pages for people.
        """
        state = cls(name, _of_folder(folder))
        state.has_site = has_site
        return state

    def document(self, path: str) -> Node:
        """The JSON document at a path; nothing where there is none, or it is no JSON."""
        if path not in self._kept:
            raw = self._read([path])[0]
            self._kept[path] = _parsed(path, raw)
        return self._kept[path]

    def unreadable(self, path: str) -> str | None:
        """Why there is no JSON document at a path; None where there is one."""
        if self.document(path):
            return None
        raw = self.file(path)
        if raw is None:
            return "it is missing or unreadable"
        if len(raw) > MAX_DOCUMENT:
            return f"it has more than {MAX_DOCUMENT >> 20} MiB"
        return "it is not a JSON object"

    def file(self, path: str) -> bytes | None:
        """A file that is no JSON."""
        return self._read([path])[0]

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Files with their paths, some at a time."""
        for start in range(0, len(paths), _TOGETHER):
            some = paths[start : start + _TOGETHER]
            yield from zip(some, self._read(some), strict=True)

    @property
    def prefix(self) -> str:
        """The path of the base URL, with which the addresses in documents begin."""
        return self.document(INDEX).at("links", "self").text.removesuffix(INDEX)

    def path_of(self, href: str) -> str:
        """The canonical path of an address in a document."""
        return href.removeprefix(self.prefix) if href.startswith(f"{self.prefix}/") else href

    def slugs(self, collection: Collection) -> dict[str, None]:
        """The slugs of a collection, in the order of its list; read once."""
        if collection.name not in self._slugs:
            self._slugs[collection.name] = dict.fromkeys(self._listed(collection))
        return self._slugs[collection.name]

    def _listed(self, collection: Collection) -> Iterator[str]:
        first, whole = Slice(collection), 1
        page = 1
        while page <= min(whole, _MAX_PAGES):
            paths = [first.path(n) for n in range(page, min(page + _TOGETHER, whole + 1))]
            for path, raw in self.read(paths):
                listed = _parsed(path, raw)
                pages = listed.at("page", "total_pages").plain
                whole = max(whole, pages) if type(pages) is int else whole
                rows = listed["data"].plain
                for row in rows if isinstance(rows, list) else ():
                    slug = row.get("slug") if isinstance(row, dict) else None
                    if isinstance(slug, str) and is_slug(slug):
                        yield slug
            page += len(paths)

    def records(self, collection: Collection) -> dict[str, bytes]:
        """slug -> the file of each record, whole; the order is that of the list."""
        files = {collection.record_path(slug): slug for slug in self.slugs(collection)}
        return {files[path]: raw or b"" for path, raw in self.read([*files])}

    def replaced(self, collection: Collection, slugs: Sequence[str]) -> dict[str, str]:
        """slug -> the one that a record has now, of those that are former slugs."""
        paths = {collection.record_path(slug): slug for slug in slugs}
        now = {}
        for path, raw in self.read([*paths]):
            document = _parsed(path, raw)
            slug = document.at("data", "replaced_by").text
            if document["kind"].text == "moved" and is_slug(slug):
                now[paths[path]] = slug
        return now

    def values(self, collection: Collection) -> dict[str, dict[str, Node]]:
        """filter -> value -> `{value, label, count, href}`, of the values that any record has."""
        filters = self.document(collection.filters_path)["data"].members
        known = {}
        for name, listed in filters.items():
            if listed["truncated"].plain is not False and _is_filter(name):
                listed = self.document(collection.filter_path(name))["data"]
            known[name] = listed["values"].named("value")
        return known


def _parsed(path: str, raw: bytes | None) -> Node:
    if raw is None or len(raw) > MAX_DOCUMENT:
        return Node(path)
    try:
        value = orjson.loads(raw)
    except ValueError:
        return Node(path)
    return Node(path, value) if isinstance(value, dict) else Node(path)


def _is_there(path: str) -> bool:
    """Whether a file is there, or it cannot be told."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _of_folder(where: str) -> Read:
    from generator.reader.site import Site

    site = Site(Path(where), Published.grammar, {})
    return lambda paths: [site.read(path, MAX_READ) for path in paths]
