"""Compares two published states: records, lists, the contract and the guards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.features.diff import contract, records
from generator.features.diff.records import RecordChanges
from generator.grammar.grammar import Grammar
from generator.guard import limits
from generator.guard.finding import Finding
from generator.guard.published import PublishedState
from generator.guard.state import state_of_published
from generator.model.settings.approvals import Approval
from generator.model.settings.registry import Settings


class ListCount(NamedTuple):
    """The number of records with one value of a filter, before and after."""

    collection: str
    filter: str
    value: str
    was: int
    now: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two states; `old` and `new` are their names for people.

    `approved` maps fingerprints of approved findings to their approvals; `spent` are fingerprints
    of approvals that match no finding.
    """

    old: str
    new: str
    records: Mapping[str, RecordChanges]
    lists: list[ListCount]
    contract: list[Finding]
    guards: list[Finding]
    approved: Mapping[str, Approval]
    spent: Sequence[str] = ()

    @property
    def findings(self) -> list[Finding]:
        return [*self.guards, *self.contract]

    @property
    def unapproved(self) -> list[Finding]:
        """The findings that stop a publish."""
        return [finding for finding in self.findings if finding.fingerprint not in self.approved]

    @property
    def same(self) -> bool:
        """Whether there is no difference at all."""
        return not (self.lists or self.findings) and not any(
            records.added or records.removed or records.renamed or records.changed
            for records in self.records.values()
        )


def compare(
    old: PublishedState,
    new: PublishedState,
    settings: Settings,
    approvals: Mapping[str, Approval],
    *,
    released: bool,
    guarded: bool = True,
) -> Comparison:
    """All differences, and the guards of the settings that they trip.

    `released`: the older state was published, so generator and schema version may not go back.
    Without `guarded` the older state was never published: no rule is broken, and nothing is lost.
    """
    collections = Grammar({}).collections
    changes = {name: records.compare(old, new, known) for name, known in collections.items()}
    before = state_of_published(old).kept() if guarded else None
    now = state_of_published(new, before)
    guards = limits.tripped_guards(settings.guards, before, now)
    if settings.allow_loss:
        guards = [finding for finding in guards if finding.rule not in limits.RELATIVE]
    broken = contract.findings(old, new, changes, released=released) if guarded else []
    # The guard reports the same records, with a single fingerprint.
    lost = {f.subject for f in guards if f.rule == "records-lost" and type(f.was) is list}
    broken = [
        f for f in broken if f.rule != "record-gone" or f.subject.partition(" ")[0] not in lost
    ]
    fingerprints = {finding.fingerprint for finding in [*guards, *broken]}
    approved = {key: approval for key, approval in approvals.items() if key in fingerprints}
    spent = [key for key in approvals if key not in fingerprints]
    lists = sorted(_lists(old, new), key=lambda count: (-abs(count.now - count.was), count))
    return Comparison(old.name, new.name, changes, lists, broken, guards, approved, spent)


def _lists(old: PublishedState, new: PublishedState) -> Iterator[ListCount]:
    for name, collection in Grammar({}).collections.items():
        before, after = old.values(collection), new.values(collection)
        for known in {**before, **after}:
            old_values, new_values = before.get(known, {}), after.get(known, {})
            for value in {**old_values, **new_values}:
                was, now = (
                    values[value]["count"].count if value in values else 0
                    for values in (old_values, new_values)
                )
                if was != now:
                    yield ListCount(name, known, value, was, now)
