"""For each guard, settings and a state that trip that guard only."""

from __future__ import annotations

from typing import Any

from generator.guard.state import State

COUNTS = {"projects": 100, "programs": 20, "organizations": 10, "events": 5}
FILLED = {"projects": {"website": 90, "text": 100}, "programs": {"website": 10}}
VALUES = {"projects": {"location/us": 60, "location/no": 19, "tag_topic/climate": 40}}
ALIKE = {"projects": {"text": 8}}
SLUGS = {"programs": " ".join(f"p{number:02}" for number in range(20))}
BEFORE = State(COUNTS, FILLED, VALUES, ALIKE, SLUGS)

#: Guard -> settings, and a state that trips that guard only.
GUARD_PAIRS: dict[str, tuple[dict[str, Any], State]] = {
    "records-lost": ({}, BEFORE._replace(counts=COUNTS | {"projects": 79})),
    "records-few": ({"least": {"projects": 101}}, BEFORE),
    "filled-lost": ({}, BEFORE._replace(filled={"projects": {"website": 69, "text": 100},
                                                "programs": {"website": 10}})),
    "filled-few": ({"filled": {"projects": {"website": 0.91}}}, BEFORE),
    "texts-alike": ({}, BEFORE._replace(alike={"projects": {"text": 29}})),
    "values-lost": ({}, BEFORE._replace(values={"projects": {**VALUES["projects"],
                                                             "tag_topic/climate": 19}})),
    "values-few": ({"countries": {"projects": {"no": {"least": 20}}}}, BEFORE),
    "values-many": ({"tags": {"projects": {"topic": {"climate": {"most": 39}}}}}, BEFORE),
}  # fmt: skip
