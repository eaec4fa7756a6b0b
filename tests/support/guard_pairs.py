"""A state, and for each guard the settings and the state that trip it and no other."""

from __future__ import annotations

from typing import Any

from generator.guard.state import State

COUNTS = {"projects": 100, "programs": 20, "organizations": 10, "events": 5}
FILLED = {"projects": {"website": 90, "text": 100}, "programs": {"website": 10}}
VALUES = {"projects": {"location/us": 60, "location/no": 19, "tag_topic/climate": 40}}
BEFORE = State(COUNTS, FILLED, VALUES)

#: Guard -> the settings, and the state that trips it and no other.
GUARD_PAIRS: dict[str, tuple[dict[str, Any], State]] = {
    "records-lost": ({}, State(COUNTS | {"projects": 79}, FILLED, VALUES)),
    "records-few": ({"least": {"projects": 101}}, BEFORE),
    "filled-lost": ({}, State(COUNTS, {"projects": {"website": 69, "text": 100},
                                       "programs": {"website": 10}}, VALUES)),
    "filled-few": ({"filled": {"projects": {"website": 0.91}}}, BEFORE),
    "values-lost": ({}, State(COUNTS, FILLED, {"projects": {**VALUES["projects"],
                                                            "tag_topic/climate": 19}})),
    "values-few": ({"countries": {"projects": {"no": {"least": 20}}}}, BEFORE),
    "values-many": ({"tags": {"projects": {"topic": {"climate": {"most": 39}}}}}, BEFORE),
}  # fmt: skip
