"""Lines for a person to paste into a file, in the browser, to mend what a comparison found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator.dialect.folder import APPROVALS_FILE, REMOVED_FILE
from generator.dialect.values import flow
from generator.features.diff.comparison import Comparison
from generator.guard.finding import Finding
from generator.kinds import COLLECTION_OF, KIND_OF

_MANY = 50  # records of one finding


class ContentFiles(NamedTuple):
    """The files of the newer state: the paths of records by (collection, slug), below `folder`, and
    how an entry begins in removed.yaml and approvals.yaml, if they have any.  `day` is the day of
    new entries.
    """

    folder: str = "content"
    day: str = ""
    records: Mapping[tuple[str, str], str] = {}
    dashes: Mapping[str, str] = {}

    @property
    def date(self) -> dict[str, str]:
        """The field of new entries for the day."""
        return {"date": self.day} if self.day else {}

    def path(self, file: str) -> str:
        return file if self.folder in ("", ".") else f"{self.folder.rstrip('/')}/{file}"

    def record(self, collection: str, slug: str) -> str:
        """The path of a record's file."""
        return self.path(self.records.get((collection, slug), f"{collection}/{slug}.yaml"))

    def entries(self, file: str, entries: list[dict[str, str]]) -> str:
        """The lines of new entries of a file of one list; all lines of the file if it has none."""
        dash = self.dashes.get(file)
        head = f"{file.removesuffix('.yaml')}:\n" if dash is None else ""
        return head + "\n".join(f"{dash or '  - '}{flow(entry)}" for entry in entries)


class Paste(NamedTuple):
    """Lines for a file, and when they are right."""

    words: str
    file: str
    lines: str


def pastes(finding: Finding, done: Comparison, files: ContentFiles) -> Iterator[Paste]:
    """The ways to mend a finding, the likeliest first."""
    gone = _gone(finding)
    for name, slugs in gone.items():
        records = done.records[name]
        twins = {slug: records.twins[slug] for slug in slugs if slug in records.twins}
        for slug, twin in [*twins.items()][:_MANY]:
            now, before = records.former[1], records.former[0]
            aliases = [alias for alias, owner in now.items() if owner == twin]
            aliases += [alias for alias, owner in before.items() if owner == slug]
            lines = f"aliases: {flow([*dict.fromkeys([*aliases, slug])])}"
            words = "It is the same record under another slug? Then write in"
            yield Paste(words, files.record(name, twin), lines)
        left = [slug for slug in slugs if slug not in twins][:_MANY]
        if left and finding.rule == "record-gone":
            kind = KIND_OF[name]
            entries = [{"kind": kind, "slug": slug, **files.date} for slug in left]
            lines = files.entries(REMOVED_FILE, entries)
            yield Paste("Removed for good? Then add to", files.path(REMOVED_FILE), lines)
    approval = {"fingerprint": finding.fingerprint, **files.date}
    lines = files.entries(APPROVALS_FILE, [approval])
    words = "Or approve it as it is: add to" if gone else "On purpose? Then add to"
    yield Paste(words, files.path(APPROVALS_FILE), lines)


def _gone(finding: Finding) -> dict[str, list[str]]:
    """Collection -> the slugs of the removed records that a finding is about."""
    name, _, slug = finding.subject.partition(" ")
    if finding.rule not in ("record-gone", "records-lost") or name not in COLLECTION_OF.values():
        return {}
    if slug:
        return {name: [slug]}
    return {name: list(finding.was) if isinstance(finding.was, list) else []}
