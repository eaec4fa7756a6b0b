"""The pages of lists, one for each prepared page of a slice that people visit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson

from generator.api.artifact import Artifact
from generator.api.grammar import Slice
from generator.api.listing import BETWEEN, rows_in
from generator.site import paths
from generator.site.frame import Site


def render(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Artifact:
    """The page of this number of a list, of the prepared one: its head, and all of its bytes."""
    rows = rows_in(raw)
    return site.page(
        paths.list_page(part, number),
        "list",
        collection=part.collection,
        part=part,
        page=document["page"],
        rows=[_row(row) for row in rows.split(BETWEEN)] if rows else [],
    )


def head(raw: bytes) -> dict[str, Any]:
    """A list document without its rows, or what stands where a list was."""
    opening, between, _ = raw.partition(b'"data":[')
    whole: dict[str, Any] = orjson.loads(opening + between + b"]}" if between else raw)
    return whole


@cache
def _row(encoded: bytes) -> dict[str, Any]:
    """A summary; that of one record is in many lists."""
    row: dict[str, Any] = orjson.loads(encoded)
    return row
