"""What organizations compute: counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.model.kind import Counted, Kind


class Organizations(Kind):
    def computed(self, record: Any, counts: Counted) -> Mapping[str, Any]:
        return counts._asdict()
