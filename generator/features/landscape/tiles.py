"""The file of all tiles of a page, which its script reads to show more of them, or only some."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from generator.contract.artifact import Artifact
from generator.features.landscape.boxes import Box, TileSizes
from generator.grammar.filters import Facet
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.tables.table import Table
from generator.site.theme import asset_path

#: The most projects of a landscape with a file, of some 50 bytes each.
MAX_LOADED = 20_000


def countries_of(table: Table) -> list[str]:
    """The countries that occur."""
    return [code for code in COUNTRY_SLUGS if table.members.get(Facet("location", code))]


def tiles_file(
    path: str,
    table: Table,
    sizes: TileSizes,
    statuses: Sequence[int],
    boxes: Sequence[Box],
    words: Sequence[Sequence[str]],
) -> Artifact | None:
    """The tiles of the page `path`, the largest first, each as name, slug, size, status, countries,
    logo and the numbers of its groups; None if there are too many.

    `words` has each status, with the class and the label that its tiles show.
    """
    total = len(table)
    if total > MAX_LOADED:
        return None
    groups: list[list[int]] = [[] for _ in range(total)]
    places: list[list[str]] = [[] for _ in range(total)]
    for number, group in enumerate(group for box in boxes for group in box.groups):
        for position in group.positions:
            groups[position].append(number)
    for code in sorted(countries_of(table)):
        for position in table.members[Facet("location", code)]:
            places[position].append(code)
    tiles = [
        (
            *(table.rows[n].name, table.slugs[n], sizes.levels[n], statuses[n]),
            " ".join(places[n]),
            orjson.loads(table.summaries[n]).get("logo"),
            groups[n],
        )
        for n in sizes.group("", range(total)).positions
        if groups[n]
    ]
    raw = orjson.dumps({"statuses": words, "tiles": tiles})
    return Artifact(path + asset_path("tiles.json", raw).rpartition("/")[2], raw)
