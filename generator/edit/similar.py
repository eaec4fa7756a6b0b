"""Records with the name or the website of another record: possible duplicates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from generator.dialect.folder import Content, Source
from generator.dialect.tree import Unchangeable, parse_or_raise
from generator.kinds.declare import Declared
from generator.model.checks import DuplicateKeys
from generator.model.checks.duplicates import CODE, duplicate_keys
from generator.model.kinds import kind_for
from generator.problems.diagnostic import Diagnostic, accepted_by


def _accepts(data: Mapping[str, Any]) -> bool:
    return CODE in accepted_by(data.get("accept"))


class ExistingRecord(NamedTuple):
    """A record of the registry: its file, the bytes of the file, and their data.  A record that
    cannot be read has no bytes.
    """

    source: Source
    raw: bytes
    data: dict[str, Any]


def existing_records(content: Content, collection: str) -> Iterator[ExistingRecord]:
    """The records of a collection."""
    for source in content.sources[collection]:
        taken = content.read_content(source.path)
        raw = b"" if isinstance(taken, Diagnostic) else taken
        try:
            yield ExistingRecord(source, raw, parse_or_raise(raw))
        except Unchangeable:
            yield ExistingRecord(source, b"", {})


class DuplicateIndex:
    """The records of a collection by slug, and their slugs by ("name" or "website", key)."""

    def __init__(self, declared: Declared):
        self.declared = declared
        self.records: dict[str, Mapping[str, Any]] = {}
        self.keys_by_slug: dict[str, DuplicateKeys] = {}
        self.sharing: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)

    def add(self, slug: str, data: Mapping[str, Any]) -> None:
        """Add a record, or update it."""
        for shared in _shared(self.keys_by_slug.get(slug, DuplicateKeys())):
            self.sharing[shared].pop(slug)
        self.records[slug] = data
        self.keys_by_slug[slug] = keys = duplicate_keys(self.declared, data)
        for shared in _shared(keys):
            self.sharing[shared][slug] = None

    def find_duplicates(self, slug: str, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """("name" or "website", slug) of records that share a new duplicate key of this record.

        Records with the same name are no duplicates if both have a website, or if one is the parent
        of the other, or accepts the warning.
        """
        before = _shared(self.keys_by_slug.get(slug, DuplicateKeys()))
        now = duplicate_keys(self.declared, data)
        for field, key in [] if _accepts(data) else _shared(now):
            for other in self.sharing[field, key] if (field, key) not in before else ():
                record, website = self.records[other], self.keys_by_slug[other].website
                both_have_website = field == "name" and website and now.website
                related = record.get("parent") == slug or data.get("parent") == other
                if other == slug or both_have_website or related or _accepts(record):
                    continue
                yield field, other


def _shared(keys: DuplicateKeys) -> list[tuple[str, str]]:
    """The keys that two records may share, each with its field."""
    pairs = (("name", keys.name), ("website", keys.website))
    return [(field, key) for field, key in pairs if key]


class SimilarRecord(NamedTuple):
    """A record like a new record: its slug, its file, and the names of the fields they share."""

    slug: str
    file: str
    fields: str


def similar_records(
    content: Content, collection: str, slug: str, data: Mapping[str, Any], taken: str = ""
) -> list[SimilarRecord]:
    """Records like a new record.  `taken` is the slug of its name, which another may have."""
    declared = content.kinds[collection]
    marks = DuplicateIndex(declared)
    files = {}
    for record in existing_records(content, collection):
        source, fields = record.source, record.data
        files[source.slug] = content.display_path(source.path)
        if source.slug == taken:
            fields = {**fields, "name": data.get("name")}
        marks.add(source.slug, fields)
    keys = duplicate_keys(declared, data)
    beside = kind_for(declared).beside_name
    named = f"name and {beside}" if beside else "name"
    result = []
    for other in dict.fromkeys(other for _, other in marks.find_duplicates(slug, data)):
        others = marks.keys_by_slug[other]
        same = [named] * (keys.name == others.name != "")
        same += ["website"] * (keys.website == others.website != "")
        result.append(SimilarRecord(other, files[other], " and ".join(same)))
    return result
