"""The bundles of the engine's JavaScript, which `make bundle` writes, and what features add; the
table of a registry (table.py) as JSON, and its note.

A build writes the table beside its other notes, so that a command that asks a local build need not
make the grammar.  This module imports nothing that makes it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from generator import PACKAGE
from generator.contract.files import ReadFiles
from generator.feature import Feature, features
from generator.grammar.paths import INDEX

if TYPE_CHECKING:
    from generator.grammar.grammar import Grammar


@cache
def bundle(name: str = "edge") -> str:
    """A script of the engine: edge, browser, more or cloudfront.  That of functions and of this
    program has what features add to it (docs/extending.md).
    """
    added = additions() if name == "edge" else ()
    return "".join((own_bundle(name), *(script for _, script in added)))


def own_bundle(name: str) -> str:
    """A script without what features add."""
    return (PACKAGE / f"search/js/{name}.js").read_text("utf-8")


@cache
def additions() -> tuple[tuple[Feature, str], ...]:
    """The features that add a script to the engine, with this script."""
    paths = [(feature, feature.folder / "edge.js") for feature in features()]
    return tuple(
        (feature, _addition(feature, path.read_text("utf-8")))
        for feature, path in paths
        if path.exists()
    )


def _addition(feature: Feature, script: str) -> str:
    named = f"{feature.name} ({feature.origin})" if feature.origin else feature.name
    return f"edge.feature={json.dumps(named)};\n{{\n{script}\n}}\n"


#: The name of the note.
NOTE = "table"


def make_table(grammar: Grammar) -> str:
    """The table of any registry with this grammar."""
    from generator.engine.table import table

    return json.dumps(table(grammar), separators=(",", ":"))


def note_of(grammar: Grammar, read: Callable[[str], bytes | None]) -> bytes:
    """The table of a build after a line with its check, and the file that its grammar follows from
    beside the index.
    """
    table, path = make_table(grammar), grammar.first.filters_path
    return f"{_check(table, [read(INDEX), read(path)])} {path}\n{table}".encode()


def noted_table(noted: bytes | None, files: ReadFiles) -> str:
    """The table in a note of a build; "" if it is not of these files."""
    first, _, table = (noted or b"").decode(errors="replace").partition("\n")
    check, _, path = first.partition(" ")
    return table if path and check == _check(table, files((INDEX, path))) else ""


def _check(table: str, sources: Sequence[bytes | None]) -> str:
    """A check of a table, of the files that it follows from, and of the script that reads it."""
    check = zlib.crc32(bundle().encode(), zlib.crc32(table.encode()))
    for data in sources:
        check = zlib.crc32(data or b"", check)
    return f"{check:08x}"
