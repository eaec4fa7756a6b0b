"""Compares two published states: records, lists, the contract and the guards; and a comparison as
text for a terminal, and as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from generator.features.diff import contract
from generator.features.diff import records as record_changes
from generator.features.diff.contract import rules, tiers
from generator.features.diff.kinds import KindChanges
from generator.features.diff.records import FieldChange, RecordChanges
from generator.grammar.grammar import Collection
from generator.guard import limits
from generator.guard.finding import Finding
from generator.guard.published import PublishedState
from generator.guard.state import state_of_published
from generator.model.settings.list_files import Approval
from generator.model.settings.registry import Settings
from generator.problems.diagnostic import printable


class ListCount(NamedTuple):
    """The number of records with one value of a filter, before and after."""

    collection: str
    filter: str
    value: str
    was: int
    now: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two states; `old` and `new` are their names for people,
    `kinds` has the kind of each collection.

    `approved` maps fingerprints of approved findings to their approvals; `spent` are fingerprints
    of approvals that match no finding.
    """

    old: str
    new: str
    kinds: Mapping[str, str]
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
    collections = {**old.grammar.collections, **new.grammar.collections}
    changes = {name: record_changes.compare(old, new, known) for name, known in collections.items()}
    before = state_of_published(old).kept() if guarded else None
    now = state_of_published(new, before)
    guards = limits.tripped_guards(settings.guards, before, now)
    if settings.allow_loss:
        guards = [finding for finding in guards if finding.rule not in limits.RELATIVE]
    announced = KindChanges(old, new).announced
    guards = [finding for finding in guards if finding.subject.partition(" ")[0] not in announced]
    broken = contract.findings(old, new, changes, released=released) if guarded else []
    # The guard reports the same records, with a single fingerprint.
    lost = {f.subject for f in guards if f.rule == "records-lost" and type(f.was) is list}
    broken = [
        f for f in broken if f.rule != "record-gone" or f.subject.partition(" ")[0] not in lost
    ]
    fingerprints = {finding.fingerprint for finding in [*guards, *broken]}
    approved = {key: approval for key, approval in approvals.items() if key in fingerprints}
    spent = [key for key in approvals if key not in fingerprints]
    lists = sorted(
        _lists(old, new, collections), key=lambda count: (-abs(count.now - count.was), count)
    )
    kinds = {name: collection.kind for name, collection in collections.items()}
    return Comparison(old.name, new.name, kinds, changes, lists, broken, guards, approved, spent)


def _lists(
    old: PublishedState, new: PublishedState, collections: Mapping[str, Collection]
) -> Iterator[ListCount]:
    for name, collection in collections.items():
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


#: For a terminal: characters of a value, and rows of a list.
_WIDE, _MANY = 120, 50
_NAMED = 3  # fingerprints of spent approvals


def one_line(raw: Any, most: int = _WIDE) -> str:
    """A value on one line, cut to `most` characters."""
    if raw is None:
        return "nothing"
    text = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)
    text = printable(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def describe_change(field: FieldChange, most: int = _WIDE) -> str:
    """A changed field in words; for a list, its added and removed items."""
    if isinstance(field.was, list | None) and isinstance(field.now, list | None):
        was, now = field.was or [], field.now or []
        parts = [f"+ {one_line(item, most)}" for item in now if item not in was]
        parts += [f"− {one_line(item, most)}" for item in was if item not in now]
        return f"{printable(field.name)}: {', '.join(parts) or 'new order'}"
    return f"{printable(field.name)}: {one_line(field.was, most)} → {one_line(field.now, most)}"


def verdict(done: Comparison) -> str:
    stops = done.unapproved
    approved = len(done.findings) - len(stops)
    also = f" {approved:,} more {'is' if approved == 1 else 'are'} approved." if approved else ""
    if done.spent:
        matches = "approval matches" if len(done.spent) == 1 else "approvals match"
        fingerprints = ", ".join(done.spent[:_NAMED]) + ", …" * (len(done.spent) > _NAMED)
        also += (
            f" {len(done.spent):,} {matches} no change, "
            f"and can be deleted from approvals.yaml: {fingerprints}."
        )
    if stops:
        trips = sum(finding in done.guards for finding in stops)
        breaks = len(stops) - trips
        parts = []
        if breaks:
            change = "change breaks" if breaks == 1 else "changes break"
            parts.append(f"{breaks:,} {change} the contract")
        if trips:
            parts.append(f"{trips:,} {'change trips' if trips == 1 else 'changes trip'} a guard")
        return f"Do not publish this yet: {', '.join(parts)}.{also}"
    if done.same:
        return f"Nothing published has changed.{also}"
    return f"Nothing breaks.{also}"


def approval_state(one: Finding, done: Comparison) -> str:
    """The approval of a finding, or the command that approves it."""
    approval = done.approved.get(one.fingerprint)
    if approval is None:
        return f"registry approve {one.fingerprint}"
    return f"approved{f': {printable(approval.reason)}' if approval.reason else ''}"


def as_text(done: Comparison) -> str:
    """A comparison for a terminal, with the findings at the end."""
    return "".join(f"{line}\n" for line in _lines(done))


def _lines(done: Comparison) -> Iterator[str]:
    yield f"{printable(done.old)} → {printable(done.new)}"
    for name, records in done.records.items():
        parts = [f"{len(records.added):,} added", f"{len(records.removed):,} removed",
                 f"{len(records.renamed):,} renamed",
                 f"{len(records.changed):,} changed"]  # fmt: skip
        yield f"  {name:<14}{records.was:>8,} → {records.now:<8,} {', '.join(parts)}"
    for name, records in done.records.items():
        yield from _rows(f"{name} added", _names(records.added))
        yield from _rows(f"{name} removed", _names(records.removed))
        renamed = [
            f"{record.slug} → {record.now}  {one_line(record.name)}{'  (merged)' * record.merged}"
            for record in records.renamed
        ]
        yield from _rows(f"{name} renamed", renamed)
        with_fields = [
            "\n      ".join(
                [f"{record.slug}  {one_line(record.name)}", *map(describe_change, record.fields)]
            )
            for record in records.changed
        ]
        yield from _rows(f"{name} changed", with_fields)
    lists = [
        f"{count.collection} {one_line(count.filter)} {one_line(count.value)}: "
        f"{count.was:,} → {count.now:,}"
        for count in done.lists
    ]
    yield from _rows("lists with more or fewer records", lists)
    titles = {name: tier.title for tier in tiers() for name in tier.rules}
    last = ""
    for finding in done.findings:
        title = titles[finding.rule]
        if title != last:
            yield f"\n{title}"
            last = title
        yield f"  {finding.rule}  {one_line(finding.subject)}: {one_line(finding.words, 400)}"
        yield f"      {printable(str(finding.old))}"
        if finding.new[:2] != finding.old[:2]:
            yield f"      {printable(str(finding.new))}"
        yield f"      {approval_state(finding, done)}"
    yield ""
    yield verdict(done)


def _names(records: dict[str, str]) -> list[str]:
    return [f"{slug}  {one_line(name)}" for slug, name in records.items()]


def _rows(title: str, rows: list[str]) -> Iterator[str]:
    """The first rows under their title; nothing without rows."""
    if rows:
        yield f"\n{title}"
    yield from (f"  {row}" for row in rows[:_MANY])
    if len(rows) > _MANY:
        yield f"  … and {len(rows) - _MANY:,} more: --format json has all"


def as_json(done: Comparison) -> str:
    return json.dumps(_plain(done), ensure_ascii=False, indent=1) + "\n"


def _plain(done: Comparison) -> dict[str, Any]:
    return {
        "old": done.old,
        "new": done.new,
        "compatible": not done.unapproved,
        "verdict": verdict(done),
        "records": {
            name: {
                "was": records.was,
                "now": records.now,
                "added": [{"slug": slug, "name": title} for slug, title in records.added.items()],
                "removed": [
                    {"slug": slug, "name": title} for slug, title in records.removed.items()
                ],
                "renamed": [record._asdict() for record in records.renamed],
                "changed": [
                    record._asdict() | {"fields": [field._asdict() for field in record.fields]}
                    for record in records.changed
                ],
            }
            for name, records in done.records.items()
        },
        "lists": [count._asdict() for count in done.lists],
        "guards": [_finding(finding, done) for finding in done.guards],
        "contract": [_finding(finding, done) for finding in done.contract],
    }


def _finding(finding: Finding, done: Comparison) -> dict[str, Any]:
    rule = rules()[finding.rule]
    approval = done.approved.get(finding.fingerprint)
    return {
        "rule": finding.rule,
        "tier": rule.tier,
        "title": rule.title,
        **finding._asdict(),
        "old": finding.old._asdict(),
        "new": finding.new._asdict(),
        "fingerprint": finding.fingerprint,
        "approved": approval is not None,
        "reason": approval.reason if approval is not None else None,
    }
