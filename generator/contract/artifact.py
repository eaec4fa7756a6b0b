"""Files to publish, and the outputs that render them.

A module has a function `render`, or several in `OUTPUTS`, which yields artifacts and depends on its
parameters alone.  The names of the parameters declare these inputs:

    settings        registry.yaml
    symbols         what references resolve to; `symbols.grammar` spells addresses
    tables          collection -> its table
    <collection>    its table by its name, such as `projects`, for outputs that need single rows
    counts          collection -> the number of its records and of those with each filter value
    slugs           collection -> its slugs, sorted
    aliases         former slugs, sorted
    coverage        collection -> how complete its records are (generator.model.tables.coverage)
    history         the changes of the last commits
    last_changes    the address of the last page of all changes; None if they are not published
    modified        slug of an event -> when it was last changed, if the history is known
    removed         the records that were removed for good, by collection and slug
    as_of           the day from which events are upcoming
    info            the facts about this build in build.json
    functions       whether a host that the registry names runs functions
    site            what pages are rendered from, for outputs of a registry with a site
    size_of         the function from the address of another file to its number of bytes, None if
                    there is no such file; no two outputs may ask for each other's
    sizes           surface -> the files and bytes of all other files, for the index only
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from types import ModuleType
from typing import Any, NamedTuple

import orjson

from generator import SCHEMA_VERSION
from generator.grammar.grammar import Grammar


class Artifact(NamedTuple):
    """One file: its path in the output folder, beginning with a slash, and its bytes."""

    path: str
    data: bytes


class Output(NamedTuple):
    """A function that renders files, and the names of its inputs.  `surface` is that of all its
    files; without it each file is its own.  All its addresses begin with one of `addresses`, if it
    has some.
    """

    name: str
    inputs: tuple[str, ...]
    render: Callable[..., Iterator[Artifact]]
    surface: str = ""
    addresses: tuple[str, ...] = ()


class BuildInfo(NamedTuple):
    """When and from what a build was made.  `revision` is the id of the commit, or None."""

    generated_at: str
    as_of: date
    revision: str | None
    content_digest: str


class SurfaceSize(NamedTuple):
    """The number of files of a surface, and their bytes."""

    files: int
    bytes: int


class Alias(NamedTuple):
    """The former slug of a record that has `slug` now."""

    collection: str
    former: str
    slug: str


#: The number of published changes.
MAX_CHANGES = 100


class Change(NamedTuple):
    """A change of a record by a commit at the time `at` (UTC): "added", "changed", "removed" or
    "renamed" (`former` is the slug before).
    """

    at: str
    change: str
    collection: str
    slug: str
    name: str
    former: str | None = None


class History(NamedTuple):
    """The latest changes of records, the latest first.

    `state` is "known", "shallow" (the checkout lacks commits) or "none" (no commit has any of the
    content).  Only a known history has changes.
    """

    state: str
    changes: tuple[Change, ...] = ()


class Difference(NamedTuple):
    """A field of a record with its values before and after a change, such as `tags.topic`."""

    field: str
    old: tuple[str, ...]
    new: tuple[str, ...]


class DetailedChange(NamedTuple):
    """A change with the fields that differ; None if the record is new, gone or unreadable."""

    change: Change
    fields: tuple[Difference, ...] | None


class ChangeTotal(NamedTuple):
    """The number of the changes of one kind, of records of a collection, in a commit."""

    at: str
    change: str
    collection: str
    number: int


class Details(NamedTuple):
    """The history as the site tells it: of many changes of one kind in a commit only the first."""

    changes: tuple[DetailedChange, ...] = ()
    totals: tuple[ChangeTotal, ...] = ()


def module_names(package: ModuleType) -> list[str]:
    """The names of a package's public modules, sorted, with `-` for `_`."""
    return sorted(
        info.name.replace("_", "-")
        for info in pkgutil.iter_modules(package.__path__)
        if info.name[0] != "_"
    )


def load_module(package: ModuleType, name: str) -> ModuleType:
    return importlib.import_module(f"{package.__name__}.{name.replace('-', '_')}")


def outputs_of(name: str, module: ModuleType) -> Sequence[Output]:
    """The outputs of a module: `OUTPUTS`, or `render` with `ADDRESSES`.  A host without files of
    its own has none.
    """
    listed: list[Output] = [*getattr(module, "OUTPUTS", ())]
    if hasattr(module, "render"):
        own = output_of(name, module.render, *getattr(module, "ADDRESSES", ()))
        listed.append(own._replace(surface=getattr(module, "SURFACE", "")))
    return listed


def output_of(name: str, render: Callable[..., Iterator[Artifact]], *addresses: str) -> Output:
    """An output with the parameters of `render` as its inputs."""
    inputs = render.__code__.co_varnames[: render.__code__.co_argcount]
    return Output(name, inputs, render, "", addresses)


def beginnings(addresses: Iterable[str], grammar: Grammar) -> tuple[str, ...]:
    """Beginnings of addresses, with `{root}` and `{pages}` replaced by the paths of the lists and
    of the pages of each collection.
    """
    collections = grammar.collections.values()
    filled = (a.format(root=c.root, pages=c.pages) for a in addresses for c in collections)
    return tuple(dict.fromkeys(filled))


def document(kind: str, **rest: Any) -> dict[str, Any]:
    """A document: the keys that all documents have, then the rest."""
    return {"schema_version": SCHEMA_VERSION, "kind": kind, **rest}


def document_artifact(path: str, kind: str, **rest: Any) -> Artifact:
    return Artifact(path, encode_json(document(kind, **rest)))


def encode_json(value: Any) -> bytes:
    """A value as published JSON: compact, UTF-8, one line."""
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
