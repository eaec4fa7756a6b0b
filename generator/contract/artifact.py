"""Files to publish, and how modules that make them are found.

An output module's `render` yields artifacts and is a pure function of its parameters.  A
parameter's name says what it is, so the signature *is* the declaration of what the output depends
on:

    settings        registry.yaml
    symbols         names, ancestors, words: what records refer to; `symbols.grammar` spells every
                    address
    projects, programs, organizations, events        the tables, where single rows are needed
    counts          how many records each collection and each value of each filter has, by
                    collection
    slugs           every slug of each collection, sorted
    aliases         every former slug, as (collection, alias, slug), sorted
    coverage        what the records of each collection have, by collection (see
                    generator.model.tables.coverage)
    history         what the last commits changed
    removed         the records that were removed for good, by collection and slug
    as_of           the day that "upcoming" is counted from
    info            what build.json tells of this build
    sizes           what the other outputs came to: surface -> (files, bytes)
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from types import ModuleType
from typing import Any, NamedTuple

import orjson

from generator import SCHEMA_VERSION


class Artifact(NamedTuple):
    """One file: its path under the output folder, beginning with a slash, and its bytes."""

    path: str
    data: bytes


class Output(NamedTuple):
    """A module that renders whole documents, and the names of what it needs; `told` is what it
    tells of the sizes of others, where that is less than these sizes.
    """

    name: str
    inputs: tuple[str, ...]
    render: Callable[..., Iterator[Artifact]]
    told: Callable[[Mapping[str, tuple[int, int]]], Any] | None = None


class BuildInfo(NamedTuple):
    """When and from what a build was made.  `revision` is the commit's id, None outside of one."""

    generated_at: str
    as_of: date
    revision: str | None
    content_digest: str


#: Changes that are published.
MAX_CHANGES = 100


class Change(NamedTuple):
    """What a commit did to a record: `at` (UTC) it was `added`, `changed`, `renamed` (`former` is
    its slug before) or `removed`.
    """

    at: str
    change: str
    collection: str
    slug: str
    name: str
    former: str | None = None


class History(NamedTuple):
    """The latest changes of records, the latest first.

    `state` is `known`; `shallow` where the checkout has not all commits; `none` where no commit
    has any of the content.  Only what is known has changes.
    """

    state: str
    changes: tuple[Change, ...] = ()


def modules(package: ModuleType) -> list[str]:
    """The names of a package's modules, sorted; `-` stands for the `_` of a module's own name."""
    return sorted(
        info.name.replace("_", "-")
        for info in pkgutil.iter_modules(package.__path__)
        if info.name[0] != "_"
    )


def module(package: ModuleType, name: str) -> ModuleType:
    """The module that `modules` gives this name."""
    return importlib.import_module(f"{package.__name__}.{name.replace('-', '_')}")


def output(package: ModuleType, name: str) -> Output:
    """The output of one module."""
    one = module(package, name)
    render = getattr(one, "render", _nothing)
    return declared(name, render)._replace(told=getattr(one, "told", None))


def _nothing() -> Iterator[Artifact]:
    """Of a host that reads nothing from what it serves."""
    yield from ()


def declared(name: str, render: Callable[..., Iterator[Artifact]]) -> Output:
    """A function that yields artifacts, with the inputs that its parameters declare."""
    return Output(name, render.__code__.co_varnames[: render.__code__.co_argcount], render)


def document(kind: str, **rest: Any) -> dict[str, Any]:
    """The first keys of every document, then the rest."""
    return {"schema_version": SCHEMA_VERSION, "kind": kind, **rest}


def published(path: str, kind: str, **rest: Any) -> Artifact:
    """The file of a document."""
    return Artifact(path, encode(document(kind, **rest)))


def encode(value: Any) -> bytes:
    """JSON as it is published: compact, UTF-8, one line."""
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
