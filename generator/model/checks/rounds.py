"""Warns about the stages of a round that are out of order, and about rounds that are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.model.timelines import TimelineStep, editions, read_step_key
from generator.problems.diagnostic import Position
from generator.problems.faults import Fault


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    events = next((records for records in collections.values() if records.declared.timed), None)
    if events is None:
        return
    name = events.declared.name
    by_program: dict[str, list[TimelineStep]] = {}
    for slug, keys in events.duplicate_keys.items():
        if keys.step:
            program, step = read_step_key(slug, keys.step)
            by_program.setdefault(program, []).append(step)
    for program, steps in sorted(by_program.items()):
        for edition in editions(steps, events.stages):
            found = [*_missing(program, edition, partial(path_of, name))]
            for timeline in edition.values():
                found += _order(timeline, events.stages, partial(path_of, name))
            yield from (RecordFault(name, slug, fault) for slug, fault in found)


def _missing(
    program: str, edition: Mapping[int, list[TimelineStep]], path_of: Callable[[str], str]
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
            also = (Position(path_of(edition[before][0].slug)),)
            fault = Fault("missing-round", message, ("round",), hint, severity="warning", also=also)
            yield edition[after][0].slug, fault


def _order(
    timeline: Sequence[TimelineStep], stages: Sequence[str], path_of: Callable[[str], str]
) -> Iterator[tuple[str, Fault]]:
    """Each event that is before an event of an earlier stage, with its fault."""
    order = {stage: number for number, stage in enumerate(stages)}
    staged = [step for step in timeline if step.stage in order]
    for number, step in enumerate(staged):
        earlier = [
            s for s in staged[number:] if s.at > step.at and order[s.stage] < order[step.stage]
        ]
        if earlier:
            last = earlier[-1]
            path = path_of(last.slug)
            which = f"round {step.round}" if step.round else "the same program"
            message = (
                f"stage: this {step.stage} ({step.day}) is before the {last.stage} of {which} "
                f"({last.day}, {path})"
            )
            hint = (
                "correct one of the dates; if they are of different rounds, give each its round; "
                "if both are right, write accept: [stage-order]"
            )
            also = (Position(path),)
            fault = Fault("stage-order", message, ("stage",), hint, severity="warning", also=also)
            yield step.slug, fault
