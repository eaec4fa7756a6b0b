"""What organizations compute: counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.model.kind import Counted, Kind
from generator.model.symbols import Target


class Organizations(Kind):
    def target(self, slug: str, record: Any, ancestors: tuple[str, ...]) -> Target:
        return Target(record.name, ancestors, slug, record.category)

    def computed(self, record: Any, counts: Counted) -> Mapping[str, Any]:
        return counts._asdict()
