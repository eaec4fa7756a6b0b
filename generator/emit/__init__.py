"""What a build publishes, one output a module.

A module's `render` yields artifacts and is a pure function of its parameters.  A parameter's name says what it is, so
the signature *is* the declaration of what the output depends on:

    settings        registry.yaml
    frame           names, ancestors, words: what records refer to; `frame.grammar` spells every address
    projects, programs, organizations, events        the tables
    as_of           the day that "upcoming" is counted from
    info            what `build.json` tells of this build
    sizes           what all other outputs came to, by surface

`records` and `pages` are the two large outputs; the pipeline calls them part by part.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import orjson

from generator import SCHEMA_VERSION


class Artifact(NamedTuple):
    """One file: its path under the output folder, beginning with a slash, and its bytes."""

    path: str
    data: bytes


class Output(NamedTuple):
    """A module of this package that renders whole documents."""

    name: str
    inputs: tuple[str, ...]
    render: Callable[..., Iterator[Artifact]]


LARGE = ("pages", "records")


def outputs() -> list[Output]:
    """Every output but the two large ones, by name."""
    found = []
    for info in pkgutil.iter_modules(__path__):
        if info.name not in LARGE:
            render = importlib.import_module(f"{__name__}.{info.name}").render
            found.append(Output(info.name, render.__code__.co_varnames[: render.__code__.co_argcount], render))
    return found


def document(kind: str, **rest: Any) -> dict[str, Any]:
    """The first keys of every document, then the rest."""
    return {"schema_version": SCHEMA_VERSION, "kind": kind, **rest}


def encode(value: Any) -> bytes:
    """JSON as it is published: compact, UTF-8, one line."""
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
