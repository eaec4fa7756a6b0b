"""A published registry as readers see it: its files, its grammar and its engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from generator.contract.files import ReadFiles
from generator.engine.context import Engine, Request, Response
from generator.engine.note import make_table
from generator.grammar.grammar import Grammar
from generator.grammar.paths import INDEX, INDEX_FOLDER
from generator.kinds.declare import OWN_TYPES, own_field
from generator.reader.documents import Unreadable, parse_document
from generator.reader.location import FolderReader

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
    left_out = map(str, index["data"].get("left_out", ()))
    # The labels of filters have the registry's own words for one program and one organization.
    nouns = {
        f"{name}s": (filters[name]["label"], f"{name}s") for name in ("program", "organization")
    }
    pages = any(surface["name"] == "site" for surface in index["data"]["surfaces"])
    return Grammar(families, prefix, nouns, fields, left_out, pages=pages)


def _settings(field: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `own_field` in the document of a field; later versions may add others."""
    return {name: value for name, value in field.items() if name in _SETTINGS}


class BuildNotFound(Exception):
    """A folder has no complete build."""


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
        """The registry in an output folder. Raises BuildNotFound."""
        files = FolderReader(out)

        def load(path: str, kind: str) -> Mapping[str, Any]:
            return parse_document(files([path])[0] or b"", kind)

        try:
            grammar = read_grammar(load)
        except (OSError, Unreadable) as error:
            raise BuildNotFound(f"{out} holds no whole build") from error
        return cls(grammar, files, Engine(partial(make_table, grammar)))

    def respond(self, request: Request) -> Response:
        """The answer of the engine."""
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
