"""What a registry publishes on request, besides the files that every registry has."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.marks import Limits
from generator.kinds.models import Input
from generator.kinds.types import MAX_ITEMS, Scheme


class Publish(Input):
    """`by_id` has the schemes of identifiers whose documents are published; `changes` says whether
    every change of the history is.
    """

    by_id: Annotated[list[Scheme], Limits(max_length=MAX_ITEMS)] | None = None
    changes: bool = False
