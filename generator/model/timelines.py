"""Timelines: the dated events of one program and round, in the order of time.

A program that repeats has an edition of each timeline every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

#: A longer gap between two events of a round begins another edition, in days.
_MAX_GAP = 400
#: A longer gap before a stage that does not come later than the stage before begins another one.
_MIN_GAP = 90
#: In a timeline without stages, so does the same kind again after more days than this.
_REPEATED = 180


class TimelineStep(NamedTuple):
    """An event in a timeline.

    `at` is its end in UTC, or its start if its kind is `event`, and `day` the same day as written;
    `stage` is its stage, else `_` and its kind; `round` is 0 if it has none.
    """

    at: str
    slug: str
    round: int
    stage: str
    day: str

    def days_since(self, other: TimelineStep) -> int:
        return (date.fromisoformat(self.at[:10]) - date.fromisoformat(other.at[:10])).days


def step_of(event: Mapping[str, Any]) -> TimelineStep | None:
    """The step of an event, given as its summary; None if it has no end."""
    if event["ends_at"] is None:
        return None
    end = "starts" if event["kind"] == "event" else "ends"
    at, day = event[f"{end}_at"], event[f"{end}_local"][:10]
    return TimelineStep(
        at, event["slug"], event["round"] or 0, event["stage"] or f"_{event['kind']}", day
    )


def read_step_key(slug: str, key: str) -> tuple[str, TimelineStep]:
    """The program and the step of a key of `Kind.step_key`."""
    program, at, _, in_round, stage, day = key.split("\t")
    return program, TimelineStep(at, slug, int(in_round), stage, day)


def editions(
    steps: Iterable[TimelineStep], stages: Iterable[str]
) -> list[dict[int, list[TimelineStep]]]:
    """The editions of one program: its timelines by round, each in the order of time.

    `stages` are in their order in time.  An edition begins with a round that the last one has too,
    or more than `_MAX_GAP` days after it.
    """
    rounds: dict[int, list[TimelineStep]] = {}
    for step in sorted(steps):
        rounds.setdefault(step.round, []).append(step)
    order = {stage: number for number, stage in enumerate(stages)}
    found: list[dict[int, list[TimelineStep]]] = []
    for timeline in sorted(one for steps in rounds.values() for one in _timelines(steps, order)):
        first = timeline[0]
        if (
            not found
            or first.round in found[-1]
            or first.days_since(max(step for one in found[-1].values() for step in one)) > _MAX_GAP
        ):
            found.append({})
        found[-1][first.round] = timeline
    return found


def _timelines(steps: Sequence[TimelineStep], order: Mapping[str, int]) -> list[list[TimelineStep]]:
    """The timelines of the sorted steps of one round."""
    found: list[list[TimelineStep]] = [[]]
    has_stages = any(step.stage in order for step in steps)
    for step in steps:
        current = found[-1]
        begin = 0
        if current and step.days_since(current[-1]) > _MAX_GAP:
            begin = len(current)
        elif has_stages:
            begin = _begin_of_next(current, step, order)
        else:
            same = next((other for other in current if other.stage == step.stage), step)
            begin = len(current) if step.days_since(same) > _REPEATED else 0
        if begin:
            found.append(current[begin:])
            del current[begin:]
        found[-1].append(step)
    return found


def _begin_of_next(
    timeline: Sequence[TimelineStep], step: TimelineStep, order: Mapping[str, int]
) -> int:
    """The index in the timeline of the first step of the next one, to which `step` belongs; 0 if
    `step` continues the timeline.

    If its stage does not come later than the last stage, the next timeline begins after the
    longest gap since then.
    """
    if step.stage not in order:
        return 0
    numbers = reversed(range(len(timeline)))
    last = next((number for number in numbers if timeline[number].stage in order), None)
    if last is None or order[step.stage] > order[timeline[last].stage]:
        return 0
    after = pairwise([*timeline[last:], step])
    gap, begin = max((b.days_since(a), number) for number, (a, b) in enumerate(after, last + 1))
    return begin if gap > _MIN_GAP else 0
