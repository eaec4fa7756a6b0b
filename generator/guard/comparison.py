"""Two published states, held against each other: records, lists, the contract and the guards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.grammar.grammar import Grammar
from generator.guard import contract, limits, records
from generator.guard.finding import Finding
from generator.guard.published import Published
from generator.guard.records import Records
from generator.guard.state import of_published
from generator.model.settings.approvals import Approval
from generator.model.settings.registry import Settings


class ListCount(NamedTuple):
    """A list of one value of a filter, and how many records it had and has."""

    collection: str
    filter: str
    value: str
    was: int
    now: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two states, which people call `old` and `new`.

    `approved` maps the fingerprints of the findings that are approved to what was said then;
    `spent` are approvals of what is no change here.
    """

    old: str
    new: str
    records: Mapping[str, Records]
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
        """What stops a publish."""
        return [one for one in self.findings if one.fingerprint not in self.approved]

    @property
    def same(self) -> bool:
        """Whether nothing differs at all."""
        quiet = not any(
            some.added or some.removed or some.renamed or some.changed
            for some in self.records.values()
        )
        return quiet and not self.lists and not self.findings


def compare(
    old: Published,
    new: Published,
    settings: Settings,
    approvals: Mapping[str, Approval],
    *,
    released: bool,
    guarded: bool = True,
) -> Comparison:
    """Everything that differs, and which guards of the settings it trips; with `released`, the
    older state is one that was published.  If not `guarded`, the older state was never published:
    no rule is broken, and nothing is lost.
    """
    collections = Grammar({}).collections
    changes = {name: records.compare(old, new, of) for name, of in collections.items()}
    before = of_published(old).kept() if guarded else None
    now = of_published(new, before)
    guards = [
        one
        for one in limits.tripped(settings.guards, before, now)
        if not (settings.allow_loss and one.rule in limits.RELATIVE)
    ]
    lost = {one.subject for one in guards if one.rule == "records-lost" and type(one.was) is list}
    broken = [
        one
        for one in (contract.findings(old, new, changes, released=released) if guarded else ())
        # The guard reports the same records, with one fingerprint.
        if not (one.rule == "record-gone" and one.subject.partition(" ")[0] in lost)
    ]
    approved = {
        one.fingerprint: approvals[one.fingerprint]
        for one in [*guards, *broken]
        if one.fingerprint in approvals
    }
    lists = sorted(_lists(old, new), key=lambda one: (-abs(one.now - one.was), one))
    spent = [fingerprint for fingerprint in approvals if fingerprint not in approved]
    return Comparison(old.name, new.name, changes, lists, broken, guards, approved, spent)


def _lists(old: Published, new: Published) -> Iterator[ListCount]:
    for name, collection in Grammar({}).collections.items():
        before, after = old.values(collection), new.values(collection)
        for known in {**before, **after}:
            values = before.get(known, {}), after.get(known, {})
            for value in {**values[0], **values[1]}:
                was, now = (_count(some[value]["count"].plain) if value in some else 0
                            for some in values)  # fmt: skip
                if was != now:
                    yield ListCount(name, known, value, was, now)


def _count(value: object) -> int:
    return value if type(value) is int else 0
