"""A published registry as readers see it: its files, its grammar and its engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from generator.contract.files import ReadFiles
from generator.engine.bundles import make_table
from generator.engine.context import Engine, Request, Response
from generator.grammar.grammar import Grammar
from generator.grammar.paths import INDEX, INDEX_FOLDER
from generator.reader.documents import Unreadable, parse_document, published_kinds, published_nouns
from generator.reader.location import FolderReader

_is_prefix = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*").fullmatch
_is_name = re.compile(r"[a-z][a-z0-9_]*").fullmatch
_MAX_NAMES = 1000


def read_grammar(read: ReadFiles) -> Grammar:
    """The grammar that a build was made with. Raises Unreadable."""
    index = parse_document(read([INDEX])[0] or b"", "index")
    kinds = published_kinds(index)
    prefix = index["links"]["self"].removesuffix(INDEX)
    tagged = next((name for name, of in kinds.items() if "tags" in of.common), None)
    collection = Grammar(kinds)[tagged] if tagged else Grammar(kinds).first
    raw = read([collection.filters_path])[0] or b""
    filters = parse_document(raw, "filter_list")["data"]
    families = {
        name.removeprefix("tag_"): document["label"]
        for name, document in filters.items()
        if name.startswith("tag_") and name not in collection.filters
    }
    if not _is_prefix(prefix) or len(families) > _MAX_NAMES or not all(map(_is_name, families)):
        raise Unreadable("its addresses or filters are not those of a registry")
    left_out = map(str, index["data"].get("left_out", ()))
    pages = any(surface["name"] == "site" for surface in index["data"]["surfaces"])
    nouns = published_nouns(index) or {
        # The labels of filters by records have the registry's own words for one of them.
        f.refers: (filters[f.filter]["label"], f.refers)
        for f in collection.declared.filtered
        if kinds.has_noun(f) and not f.is_own
    }
    return Grammar(kinds, families, prefix, nouns, frozenset(left_out), pages=pages)


@dataclass(frozen=True)
class Deployment:
    """A published registry: the grammar it was made with, its files, and the engine that answers
    from them.  `for_queries` reads the files of queries, if not as others are read
    (contract.files.Vouched).
    """

    grammar: Grammar
    files: ReadFiles
    engine: Engine
    for_queries: ReadFiles | None = None

    @classmethod
    def open(cls, out: Path) -> Deployment:
        """The registry in an output folder. Raises Unreadable if it has no complete build."""
        files = FolderReader(out)
        grammar = read_grammar(files)
        return cls(grammar, files, Engine(partial(make_table, grammar)))

    def respond(self, request: Request) -> Response:
        wants_index = f"{INDEX_FOLDER}/" in unquote(request.target)
        files = self.files if wants_index or not self.for_queries else self.for_queries
        return self.engine.respond(request, partial(_read_published, files))

    def read(self, path: str) -> bytes | None:
        """A file; None if it is missing or unpublished."""
        return self.read_files([path])[0]

    def read_files(self, paths: Sequence[str]) -> list[bytes | None]:
        """Files, None for each that is missing or unpublished."""
        return _read_published(self.files, paths)


def _read_published(files: ReadFiles, paths: Sequence[str]) -> list[bytes | None]:
    published = [path for path in paths if _is_published(path)]
    found = dict(zip(published, files(published), strict=True))
    return [found.get(path) for path in paths]


def _is_published(path: str) -> bool:
    """Whether hosts send files with such a path: names with an underscore are their rules."""
    segments = path[1:].split("/")
    hidden = segments[segments[0] == ".well-known" :]
    return not (
        segments[0].startswith("_")
        or "" in segments
        or any(segment.startswith(".") for segment in hidden)
    )
