"""The addresses in records, the day on which records were verified, and new such days."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from generator.dialect.folder import Content
from generator.dialect.text_edits import Text
from generator.dialect.tree import SyntaxTree, Unchangeable
from generator.dialect.values import fields_at
from generator.edit.changes import FileChange, Plan, Skipped
from generator.edit.similar import ExistingRecord, existing_records
from generator.features.links.lychee import LinkAnswer
from generator.kinds.types import find_urls
from generator.problems.faults import Loc, describe_field

_FIELDS = ("website", "links", "sources", "fields")


class LinkPlace(NamedTuple):
    """An address in a record: the path of its file, the line, and the field."""

    path: str
    line: int
    field: str


class LinkedRecords:
    """The records of a content folder with their addresses; with `only`, those of these files.

    `unread` has the paths of files that cannot be read: `registry check` says why.
    """

    def __init__(self, content: Content, only: Collection[str] = ()):
        self._path, self._kinds = content.display_path, content.kinds
        self._records: list[tuple[ExistingRecord, list[tuple[Loc, str]]]] = []
        self.unread: list[str] = []
        for collection in content.sources:
            for record in existing_records(content, collection):
                if only and record.source.path not in only:
                    continue
                if not record.raw:
                    self.unread.append(self._path(record.source.path))
                    continue
                names = (*_FIELDS, *content.kinds[collection].own_keys)
                fields = {name: record.data.get(name) for name in names}
                self._records.append((record, list(find_urls((), fields))))

    def urls(self) -> list[str]:
        return list(dict.fromkeys(url for _, addresses in self._records for _, url in addresses))

    def places(self, urls: Iterable[str]) -> dict[str, list[LinkPlace]]:
        places: dict[str, list[LinkPlace]] = {url: [] for url in urls}
        for record, addresses in self._records:
            wanted = [(loc, url) for loc, url in addresses if url in places]
            if wanted:
                tree, path = SyntaxTree(record.raw), self._path(record.source.path)
            for loc, url in wanted:
                places[url].append(LinkPlace(path, tree.place(loc)[0], describe_field(loc)))
        return places

    def stalest(self, most: int) -> list[tuple[str, str]]:
        """(day, path) of the records that were verified longest ago, first those without a day."""
        return sorted((_day(r), self._path(r.source.path)) for r, _ in self._records)[:most]

    def plan_verified(self, answers: Mapping[str, LinkAnswer]) -> Plan:
        """Write the oldest day of the answers into records whose addresses all answered."""
        plan = Plan([], [])
        days = {
            url: answer.asked_at[:10] for url, answer in answers.items() if answer.verdict == "ok"
        }
        for record, addresses in self._records:
            # "" without addresses, or if one did not answer: no day is earlier.
            day = min((days.get(url, "") for _, url in addresses), default="")
            if _day(record) >= day:
                continue
            try:
                path = record.source.path
                text = Text(record.raw, fields_at(path, self._kinds))
                text.put((), "verified", day)
                plan.changes.append(FileChange(path, record.raw, text.changed()))
            except Unchangeable as error:
                plan.skipped.append(Skipped(record.source.path, str(error)))
        return plan


def _day(record: ExistingRecord) -> str:
    return str(record.data.get("verified") or "")
