"""Timelines: the dated events of one program and round, in the order of time.

A program that repeats has an edition of each timeline every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from generator.model.kinds.event import Event, event_times, local_and_utc

#: A longer gap between two events begins another edition, in days.
MAX_GAP = 400
#: The same stage again after more days than this belongs to another edition too: a conference of
#: every year has no gap of `MAX_GAP`.
_REPEATED = 180


class Step(NamedTuple):
    """An event in a timeline.

    `at` is its end in UTC, or its start if its kind is `event`, and `day` the same day as written;
    `stage` is its stage, else its kind; `round` is 0 if it has none.
    """

    at: str
    slug: str
    round: int
    stage: str
    day: str

    def days_since(self, other: Step) -> int:
        return (date.fromisoformat(self.at[:10]) - date.fromisoformat(other.at[:10])).days


def step_of(event: Mapping[str, Any]) -> Step | None:
    """The step of an event, given as its summary; None if it has no end."""
    if event["ends_at"] is None:
        return None
    end = "starts" if event["kind"] == "event" else "ends"
    at, day = event[f"{end}_at"], event[f"{end}_local"][:10]
    return Step(at, event["slug"], event["round"] or 0, event["stage"] or event["kind"], day)


def step_key(record: Event) -> str:
    """The program of an event and its step as text; "" without a program, without an end, and for
    cancelled events.
    """
    if record.program is None or record.status == "cancelled":
        return ""
    event = {"slug": "", "kind": record.kind, "round": record.round, "stage": record.stage}
    step = step_of(event | local_and_utc(event_times(record)))
    return "\t".join((record.program, *map(str, step))) if step else ""


def read_step_key(slug: str, key: str) -> tuple[str, Step]:
    """The program and the step of a key of `step_key`."""
    program, at, _, in_round, stage, day = key.split("\t")
    return program, Step(at, slug, int(in_round), stage, day)


def editions(steps: Iterable[Step]) -> list[list[Step]]:
    """The steps of one program, or of one round of it, in the order of time and by edition."""
    found: list[list[Step]] = []
    first: dict[tuple[int, str], Step] = {}
    for step in sorted(steps):
        begun = first.get((step.round, step.stage), step)
        if (
            not found
            or step.days_since(found[-1][-1]) > MAX_GAP
            or step.days_since(begun) > _REPEATED
        ):
            found.append([])
            first = {}
        first.setdefault((step.round, step.stage), step)
        found[-1].append(step)
    return found
