"""The programs that are part of another program: its cohorts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from generator.model.symbols import Target
from generator.model.tables.programs import beginning
from generator.model.tables.table import Table


def parents_of(programs: Mapping[str, Target]) -> dict[str, str]:
    """Slug -> parent, for the programs that have one."""
    return {
        slug: program.ancestors[1]
        for slug, program in programs.items()
        if len(program.ancestors) > 1
    }


def cohorts_of(table: Table, parents: Mapping[str, str]) -> dict[str, Sequence[bytes]]:
    """Slug -> the summaries of the program's cohorts as JSON, newest first (by year, then start or
    season), then by name.
    """
    found: dict[str, list[bytes]] = {}
    for position in table.orders[table.collection.sorts[0]]:
        parent = parents.get(table.slugs[position])
        if parent is not None:
            found.setdefault(parent, []).append(table.summaries[position])
    return {
        parent: sorted(rows, key=lambda row: beginning(orjson.loads(row)), reverse=True)
        for parent, rows in found.items()
    }
