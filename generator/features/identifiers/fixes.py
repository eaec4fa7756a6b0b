"""`registry fix --identifiers`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.edit.changes import Plan

NAME = "identifiers"
HELP = "Only move links that are identifiers, like those of Wikidata."


def plan(content: str, paths: Sequence[str], tell: Callable[[str], None]) -> Plan:
    """Move links that are identifiers, in all files or in those with these paths."""
    from generator.dialect.folder import scan
    from generator.features.identifiers.moves import plan_moves
    from generator.published.reading.load import read_header

    found = scan(content)
    changes, moves = plan_moves(found, read_header(found)[0].settings, paths)
    for path, known in moves:
        tell(f"{path}: links.{known.link} → identifiers.{known.scheme}: {known.id}")
    return changes
