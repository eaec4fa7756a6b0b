"""What a registry publishes on request, besides the files that every registry has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from generator.kinds.marks import Limits
from generator.kinds.models import Input
from generator.kinds.types import MAX_ITEMS, Scheme
from generator.model.settings.keys import with_keys


class Publish(Input):
    """`by_id` has the schemes of identifiers whose documents are published."""

    by_id: Annotated[list[Scheme], Limits(max_length=MAX_ITEMS)] | None = None

    @property
    def asked(self) -> dict[str, Any]:
        """The keys that ask for files, with their values."""
        return {name: value for name, value in self if value}


if not TYPE_CHECKING:
    Publish = with_keys(Publish)
