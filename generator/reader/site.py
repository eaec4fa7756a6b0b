"""A build in a folder, as its readers see it: its files, its grammar, and what is said of what it
does not have.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from generator.disk.safe_paths import read as read_below
from generator.grammar.grammar import (
    LEAVE_OUT,
    Collection,
    Count,
    Grammar,
    Query,
    Slice,
    past_the_end,
    unknown_value,
)
from generator.grammar.own_fields import TYPES, OwnField
from generator.grammar.paths import INDEX, problem_path
from generator.grammar.refusals import PROBLEMS, QueryError
from generator.grammar.routes import routes
from generator.grammar.text import is_slug
from generator.reader.documents import MAX_DOCUMENT, Unreadable, parsed
from generator.search.engine import Engine

_is_prefix = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*").fullmatch
_is_family = re.compile(r"[a-z][a-z0-9_]*").fullmatch
_MAX_NAMES = 1000


def grammar_of(load: Callable[[str, str], Mapping[str, Any]]) -> Grammar:
    """The grammar that a build was made with, read back from it; `load` gives the document at a
    path, of a kind.

    Raises Unreadable where what they say is nothing that a grammar has.
    """
    index = load(INDEX, "index")
    prefix = index["links"]["self"].removesuffix(INDEX)
    listed = load(Grammar({}).projects.filters_path, "filter_list")["data"]
    families = {
        name[len("tag_") :]: shown["label"]
        for name, shown in listed.items()
        if name.startswith("tag_")
    }
    fields = {
        collection: {key: OwnField.read(shown) for key, shown in own.items()}
        for collection, own in index["data"]["fields"].items()
    }
    names = [*families, *(key for own in fields.values() for key in own)]
    if (
        not _is_prefix(prefix)
        or len(names) > _MAX_NAMES
        or not all(map(_is_family, names))
        or any(known.type not in TYPES for own in fields.values() for known in own.values())
    ):
        raise Unreadable("its addresses or filters are not those of a registry")
    left_out = set(index["data"].get("left_out", ())).intersection(LEAVE_OUT)
    return Grammar(families, prefix, fields=fields, left_out=left_out)


class NoSite(Exception):
    """A folder holds no whole build."""


@dataclass(frozen=True)
class Site:
    """One build: its folder, the grammar it was made with, and its problem documents."""

    out: Path
    grammar: Grammar
    problems: Mapping[str, Mapping[str, Any]]

    @classmethod
    def open(cls, out: Path) -> Site:
        """The site in an output folder.  Raises NoSite."""

        files = cls(out, Grammar({}), {})

        def load(path: str, kind: str) -> Mapping[str, Any]:
            return parsed(files.read(path, MAX_DOCUMENT) or b"", kind)

        try:
            return cls(
                out,
                grammar_of(load),
                {code: load(problem_path(code), "problem") for code in PROBLEMS},
            )
        except (OSError, Unreadable) as error:
            raise NoSite(f"{out} holds no whole build") from error

    def query_tier(self, asked: Query | Count) -> bytes:
        """The list that no prepared page is, or the count.  Raises QueryError and Unavailable."""
        return self._engine.answer(asked) if isinstance(asked, Query) else self._engine.count(asked)

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self.grammar, lambda paths: [self.read(path) for path in paths])

    @cached_property
    def lists(self) -> dict[str, Collection]:
        """Bare address -> the collection that is asked there."""
        return {c.root: c for c in self.grammar.collections.values()}

    @cached_property
    def single(self) -> dict[str, str]:
        """Bare address of one document -> its file; `:slug` stands for a slug at the end."""
        return {
            route.path: route.target
            for route in routes(self.grammar)
            if route.path not in self.lists
        }

    def read(self, path: str, most: int = -1) -> bytes | None:
        """A file of the output; None where there is none, none that a host would send, or one of
        more than `most` bytes.
        """
        segments = path[1:].split("/")
        # Rules and workers that hosts read and do not send begin with an underscore.
        if segments[0].startswith("_") or "" in segments:
            return None
        if any(segment.startswith(".") for segment in segments[segments[0] == ".well-known" :]):
            return None
        while True:
            try:
                root = os.open(self.out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError:
                return None
            try:
                data = read_below(root, segments, most)
                # A build that takes this one's place removes its files, maybe under our hands.
                if data is not None or os.fstat(root).st_ino == os.stat(self.out).st_ino:
                    return data
            except OSError:
                return None
            finally:
                os.close(root)


def is_moved(body: bytes) -> bool:
    """Whether a document says that what was asked is elsewhere; its first keys tell."""
    return b'"kind":"moved"' in body[:99]


def absent(
    part: Slice, page: int, grammar: Grammar, read: Callable[[str], bytes | None]
) -> QueryError | None:
    """Why a page of a list is not there; None where it should be.  Raises Unreadable."""
    first = read(part.path())
    if first is None or is_moved(first):
        now = present(part, grammar, read)
        if now is not None:
            return renamed(str(part.filter), str(part.value), now)
    if first is not None:
        pages = parsed(first, f"{part.collection.kind}_list")["page"]["total_pages"]
        return past_the_end(page, pages) if page > pages else None
    if part.filter not in part.collection.filters:
        return None
    listed = read(part.collection.filter_path(str(part.filter)))
    if listed is not None and any(
        known["value"] == part.value for known in parsed(listed, "filter")["data"]["values"]
    ):
        return None
    return unknown_value(part.collection, str(part.filter), str(part.value), grammar)


def present(part: Slice, grammar: Grammar, read: Callable[[str], bytes | None]) -> Slice | None:
    """The list of the slug that a record has now, where `part` is that of one that it had.  Raises
    Unreadable.
    """
    owner = grammar.collections.get(part.refers)
    raw = (
        read(owner.record_path(part.value))
        if owner is not None and part.value is not None and is_slug(part.value)
        else None
    )
    now = parsed(raw, "moved")["data"]["replaced_by"] if raw is not None and is_moved(raw) else None
    return replace(part, value=now) if isinstance(now, str) and is_slug(now) else None


def renamed(name: str, value: str, now: Slice) -> QueryError:
    """That a filter's value is a former slug."""
    return QueryError(
        "not-found", f'The {name} "{value}" is now called "{now.value}".', (str(now.value),)
    )
