"""Warns about the stages of a round that are out of order, and about rounds that are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.model.timelines import TimelineStep, editions, read_step_key
from generator.problems.diagnostic import Position
from generator.problems.faults import Fault

_NO_RECORDS = CollectionRecords((), {}, {}, {})


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    events = collections.get("events", _NO_RECORDS)
    by_program: dict[str, list[TimelineStep]] = {}
    for slug, keys in events.duplicate_keys.items():
        if keys.step:
            program, step = read_step_key(slug, keys.step)
            by_program.setdefault(program, []).append(step)
    for program, steps in sorted(by_program.items()):
        for edition in editions(steps, events.stages):
            yield from (
                RecordFault("events", *found) for found in _missing(program, edition, path_of)
            )
            for _, timeline in sorted(edition.items()):
                for step, later in _too_early(timeline, events.stages):
                    path = path_of("events", later.slug)
                    yield RecordFault("events", step.slug, _order(step, later, path))


def _missing(
    program: str, edition: Mapping[int, list[TimelineStep]], path_of: PathOf
) -> Iterator[tuple[str, Fault]]:
    """The first event after each gap between rounds, with its fault."""
    for before, after in pairwise(sorted(filter(None, edition))):
        if after > before + 1:
            message = (
                f"round: this is round {after} of {program}, and before it is round {before}; "
                f"there is no round {before + 1}"
            )
            hint = (
                "add the missing round, or number the rounds without a gap; if there was none, "
                "write accept: [missing-round]"
            )
            also = (Position(path_of("events", edition[before][0].slug)),)
            fault = Fault("missing-round", message, ("round",), hint, severity="warning", also=also)
            yield edition[after][0].slug, fault


def _too_early(
    timeline: Sequence[TimelineStep], stages: Sequence[str]
) -> Iterator[tuple[TimelineStep, TimelineStep]]:
    """Each event that is before an event of an earlier stage, with the last such event."""
    order = {stage: number for number, stage in enumerate(stages)}
    staged = [step for step in timeline if step.stage in order]
    for number, step in enumerate(staged):
        later = [
            other
            for other in staged[number + 1 :]
            if other.at > step.at and order[other.stage] < order[step.stage]
        ]
        if later:
            yield step, later[-1]


def _order(step: TimelineStep, later: TimelineStep, path: str) -> Fault:
    which = f"round {step.round}" if step.round else "the same program"
    message = (
        f"stage: this {step.stage} ({step.day}) is before the {later.stage} of {which} "
        f"({later.day}, {path})"
    )
    hint = (
        "correct one of the dates; if they are of different rounds, give each its round; if both "
        "are right, write accept: [stage-order]"
    )
    also = (Position(path),)
    return Fault("stage-order", message, ("stage",), hint, severity="warning", also=also)
