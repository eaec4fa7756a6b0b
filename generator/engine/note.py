"""The table of a registry (table.py) as JSON, and its note.

A build writes the table beside its other notes, so that a command that asks a local build need not
make the grammar.  This module imports nothing that makes it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from generator.contract.files import ReadFiles
from generator.disk.output_state import read_state_file
from generator.engine.bundles import bundle
from generator.grammar.paths import INDEX, PROJECT_FILTERS

if TYPE_CHECKING:
    from generator.grammar.grammar import Grammar

#: The name of the note, and the files of a build that its grammar follows from.
NOTE = "table"
_SOURCES = INDEX, PROJECT_FILTERS


def make_table(grammar: Grammar) -> str:
    """The table of any registry with this grammar."""
    from generator.engine.table import table

    return json.dumps(table(grammar), separators=(",", ":"))


def note_of(grammar: Grammar, read: Callable[[str], bytes | None]) -> bytes:
    """The table of a build after a line with its check."""
    table = make_table(grammar)
    return f"{_check(table, [read(path) for path in _SOURCES])}\n{table}".encode()


def local_table(out: Path, files: ReadFiles) -> str:
    """The table that was noted of the build in a folder; "" if there is none of these files."""
    noted = read_state_file(out, NOTE)
    check, _, table = (noted or b"").decode(errors="replace").partition("\n")
    return table if table and check == _check(table, files(_SOURCES)) else ""


def _check(table: str, sources: Sequence[bytes | None]) -> str:
    """A check of a table, of the files that it follows from, and of the script that reads it."""
    check = zlib.crc32(bundle().encode(), zlib.crc32(table.encode()))
    for data in sources:
        check = zlib.crc32(data or b"", check)
    return f"{check:08x}"
