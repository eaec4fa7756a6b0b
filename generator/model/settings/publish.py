"""What a registry publishes on request, besides the files that every registry has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.kinds.models import Input
from generator.model.settings.keys import with_keys


class Publish(Input):
    """Each key is that of a feature."""

    @property
    def asked(self) -> dict[str, Any]:
        """The keys that ask for files, with their values."""
        return {name: value for name, value in self if value}


if not TYPE_CHECKING:
    Publish = with_keys(Publish)
