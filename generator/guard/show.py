"""A comparison as text for a terminal, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from generator.guard.comparison import Comparison
from generator.guard.finding import Finding
from generator.guard.records import Field
from generator.guard.rules import rules, tiers
from generator.problems.diagnostic import printable

#: Of one value, and of the rows of one kind, that a terminal shows.
_WIDE, _MANY = 120, 50
_NAMED = 3  # fingerprints of approvals that are spent


def value(raw: Any, most: int = _WIDE) -> str:
    """A value on one line, cut."""
    if raw is None:
        return "nothing"
    text = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)
    text = printable(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def changed(field: Field, most: int = _WIDE) -> str:
    """A field that changed, in words; of a list, what came and what went."""
    if isinstance(field.was, list | None) and isinstance(field.now, list | None):
        was, now = field.was or [], field.now or []
        parts = [f"+ {value(one, most)}" for one in now if one not in was]
        parts += [f"− {value(one, most)}" for one in was if one not in now]
        return f"{printable(field.name)}: {', '.join(parts) or 'new order'}"
    return f"{printable(field.name)}: {value(field.was, most)} → {value(field.now, most)}"


def verdict(done: Comparison) -> str:
    """What comes of it, in one line."""
    stops = done.unapproved
    approved = len(done.findings) - len(stops)
    also = f" {approved:,} more {'is' if approved == 1 else 'are'} approved." if approved else ""
    if done.spent:
        one = len(done.spent) == 1
        which = ", ".join(done.spent[:_NAMED]) + ", …" * (len(done.spent) > _NAMED)
        also += (
            f" {len(done.spent):,} {'approval matches' if one else 'approvals match'} no change, "
            f"and can be deleted from approvals.yaml: {which}."
        )
    if stops:
        trips = sum(one in done.guards for one in stops)
        breaks = len(stops) - trips
        parts = [
            f"{breaks:,} {'change breaks' if breaks == 1 else 'changes break'} the contract"
        ] * bool(breaks)
        parts += [f"{trips:,} {'change trips' if trips == 1 else 'changes trip'} a guard"] * bool(
            trips
        )
        return f"Do not publish this yet: {', '.join(parts)}.{also}"
    if done.same:
        return f"Nothing published has changed.{also}"
    return f"Nothing breaks.{also}"


def state_of(one: Finding, done: Comparison) -> str:
    """Whether a finding is approved, or how it is."""
    approval = done.approved.get(one.fingerprint)
    if approval is None:
        return f"registry approve {one.fingerprint}"
    return f"approved{f': {printable(approval.reason)}' if approval.reason else ''}"


def as_text(done: Comparison) -> str:
    """For a terminal: what stops a publish last, where it is seen."""
    return "".join(f"{line}\n" for line in _lines(done))


def _lines(done: Comparison) -> Iterator[str]:
    yield f"{printable(done.old)} → {printable(done.new)}"
    for name, some in done.records.items():
        parts = [f"{len(some.added):,} added", f"{len(some.removed):,} removed",
                 f"{len(some.renamed):,} renamed", f"{len(some.changed):,} changed"]  # fmt: skip
        yield f"  {name:<14}{some.was:>8,} → {some.now:<8,} {', '.join(parts)}"
    for name, some in done.records.items():
        yield from _few(f"{name} added", _named(some.added))
        yield from _few(f"{name} removed", _named(some.removed))
        yield from _few(
            f"{name} renamed",
            (
                f"{one.slug} → {one.now}  {value(one.name)}{'  (merged)' * one.merged}"
                for one in some.renamed
            ),
        )
        yield from _few(
            f"{name} changed",
            (
                "\n".join(
                    [f"{one.slug}  {value(one.name)}"]
                    + [f"      {changed(field)}" for field in one.fields]
                )
                for one in some.changed
            ),
        )
    lists = (
        f"{one.collection} {value(one.filter)} {value(one.value)}: {one.was:,} → {one.now:,}"
        for one in done.lists
    )
    yield from _few("lists with more or fewer records", lists)
    known = rules()
    titles = {tier: of.title for of in tiers() for tier in {r.tier for r in of.rules.values()}}
    last = ""
    for one in done.findings:
        title = titles[known[one.rule].tier]
        if title != last:
            yield f"\n{title}"
            last = title
        yield f"  {one.rule}  {value(one.subject)}: {value(one.words, 400)}"
        yield f"      {printable(str(one.old))}"
        if one.new[:2] != one.old[:2]:
            yield f"      {printable(str(one.new))}"
        yield f"      {state_of(one, done)}"
    yield ""
    yield verdict(done)


def _named(records: dict[str, str]) -> Iterable[str]:
    return (f"{slug}  {value(name)}" for slug, name in records.items())


def _few(title: str, rows: Iterable[str]) -> Iterator[str]:
    rows = list(rows)
    if rows:
        yield f"\n{title}"
    yield from (f"  {row}" for row in rows[:_MANY])
    if len(rows) > _MANY:
        yield f"  … and {len(rows) - _MANY:,} more: --format json has all"


def as_json(done: Comparison) -> str:
    """For programs: everything, and nothing cut."""
    return json.dumps(_plain(done), ensure_ascii=False, indent=1) + "\n"


def _plain(done: Comparison) -> dict[str, Any]:
    return {
        "old": done.old,
        "new": done.new,
        "compatible": not done.unapproved,
        "verdict": verdict(done),
        "records": {
            name: {
                "was": some.was,
                "now": some.now,
                "added": [{"slug": slug, "name": called} for slug, called in some.added.items()],
                "removed": [
                    {"slug": slug, "name": called} for slug, called in some.removed.items()
                ],
                "renamed": [one._asdict() for one in some.renamed],
                "changed": [
                    one._asdict() | {"fields": [field._asdict() for field in one.fields]}
                    for one in some.changed
                ],
            }
            for name, some in done.records.items()
        },
        "lists": [one._asdict() for one in done.lists],
        "guards": [_finding(one, done) for one in done.guards],
        "contract": [_finding(one, done) for one in done.contract],
    }


def _finding(one: Finding, done: Comparison) -> dict[str, Any]:
    rule = rules()[one.rule]
    approval = done.approved.get(one.fingerprint)
    return {
        "rule": one.rule,
        "tier": rule.tier,
        "title": rule.title,
        "subject": one.subject,
        "words": one.words,
        "old": one.old._asdict(),
        "new": one.new._asdict(),
        "was": one.was,
        "now": one.now,
        "fingerprint": one.fingerprint,
        "approved": approval is not None,
        "reason": approval.reason if approval is not None else None,
    }
