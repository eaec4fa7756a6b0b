"""The addresses in records, the day on which records were verified, and new such days."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from generator.dialect.folder import COLLECTIONS, Content, Source
from generator.dialect.text_edits import Text
from generator.dialect.tree import Tree, Unchangeable
from generator.edit.changes import Change, Plan
from generator.edit.links.asking import Answer
from generator.edit.similar import ExistingRecord, existing_records
from generator.model.fields import is_url
from generator.problems.faults import Loc, describe_field

_FIELDS = ("website", "links", "sources", "fields")


class Place(NamedTuple):
    """An address in a record: the path of its file, the line, and the field."""

    path: str
    line: int
    field: str


class Records:
    """The records of a content folder; with `only`, those of these files.

    `unread` has the paths of files that cannot be read: `registry check` says why.
    """

    def __init__(self, content: Content, only: Collection[str] = ()):
        self._content = content
        self.records: list[ExistingRecord] = []
        self.unread: list[str] = []
        for collection in COLLECTIONS:
            for found in existing_records(content, collection):
                source = found if isinstance(found, Source) else found.source
                if only and source.path not in only:
                    continue
                if isinstance(found, Source):
                    self.unread.append(content.display_path(source.path))
                else:
                    self.records.append(found)

    def urls(self) -> list[str]:
        """All addresses, each once."""
        return list(dict.fromkeys(url for r in self.records for _, url in _addresses(r.data)))

    def places(self, urls: Collection[str]) -> dict[str, list[Place]]:
        """Where these addresses are."""
        found: dict[str, list[Place]] = {}
        for record in self.records:
            locs = [(loc, url) for loc, url in _addresses(record.data) if url in urls]
            tree = Tree(record.raw) if locs else None
            for loc, url in locs:
                line = tree.place(loc)[0] if tree else 1
                path = self._content.display_path(record.source.path)
                found.setdefault(url, []).append(Place(path, line, describe_field(loc)))
        return found

    def stalest(self, most: int) -> list[tuple[str, str | None]]:
        """(path, day) of the records that were verified longest ago, never verified ones first."""
        days = [(_day(r.data), self._content.display_path(r.source.path)) for r in self.records]
        return [(path, day or None) for day, path in sorted(days)[:most]]

    def plan_verified(self, answers: Mapping[str, Answer]) -> Plan:
        """The changes that write `verified` into the records all of whose addresses answered: the
        day, in UTC, of the oldest of these answers.  No record gets an earlier day than it has.
        """
        plan = Plan([], [])
        for record in self.records:
            found = [answers.get(url) for _, url in _addresses(record.data)]
            times = [a.asked_at for a in found if a is not None and a.verdict == "ok"]
            if not found or len(times) < len(found):
                continue
            day = datetime.fromtimestamp(min(times), UTC).date().isoformat()
            if _day(record.data) >= day:
                continue
            try:
                text = Text(record.raw)
                text.put((), "verified", day)
                plan.changes.append(Change(record.source.path, record.raw, text.changed()))
            except Unchangeable as error:
                plan.skipped.append((record.source.path, str(error)))
        return plan


def _day(data: Mapping[str, Any]) -> str:
    day = data.get("verified")
    return day if isinstance(day, str) else ""


def _addresses(data: Mapping[str, Any]) -> Iterator[tuple[Loc, str]]:
    for name in _FIELDS:
        yield from _leaves((name,), data.get(name))


def _leaves(loc: Loc, value: Any) -> Iterator[tuple[Loc, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves((*loc, key), inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves((*loc, number), inner)
    elif isinstance(value, str) and is_url(value):
        yield loc, value
