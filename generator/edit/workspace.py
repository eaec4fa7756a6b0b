"""A registry as new records need it, and the check of changes before they are made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from generator.dialect.folder import REGISTRY_FILE, Content, scan
from generator.edit.changes import FileChange, Refused
from generator.edit.similar import existing_records
from generator.edit.words import used_slugs
from generator.kinds.types import COUNTRIES
from generator.model.kinds.event_times import zone_places
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Faulty, is_error
from generator.published.check import check
from generator.published.content.load import read_and_link
from generator.published.content.read import read_header
from generator.published.report import Report
from generator.text.words import fold, slugify


@dataclass(frozen=True)
class OpenRegistry:
    """A registry as new records need it: its files, its settings and its symbols."""

    content: Content
    settings: Settings
    symbols: Symbols

    @cached_property
    def _records(self) -> list[dict[str, Any]]:
        return [
            each.data
            for name in self.content.sources
            for each in existing_records(self.content, name)
        ]

    def has_tag(self, family: str, tag: str) -> bool:
        """Whether a record has a tag."""
        return tag in used_slugs(self._records, "tags", family)

    def places_of(self, city: str) -> list[str]:
        """The places "City, Region, Country" of a city that records name, or a time zone."""
        if found := self._places.get(fold(city)):
            return sorted(found)
        slug = slugify(city)
        codes = {code for code, known, _ in zone_places() if known == slug}
        return sorted(f"{city}, {COUNTRIES[code.upper()]}" for code in codes)

    @cached_property
    def _places(self) -> Mapping[str, set[str]]:
        found = defaultdict[str, set[str]](set)
        for record in self._records:
            places = record.get("locations")
            for place in places if isinstance(places, list) else ():
                if isinstance(place, dict) and (city := place.get("city")):
                    code = str(place.get("country"))
                    parts = (city, place.get("region"), COUNTRIES.get(code, code))
                    found[fold(str(city))].add(", ".join(str(part) for part in parts if part))
        return found


def scan_records(folder: str) -> Content:
    """The files of a content folder, with kinds that have the own fields of their registry.  Raises
    Refused if these cannot be read: references and orders of fields would be unknown.
    """
    content = scan(folder)
    header, _ = read_header(content)
    if "fields" in header.unknown:
        shown = content.display_path(REGISTRY_FILE)
        raise Refused(f"the kinds and fields in {shown} have errors, which `registry check` shows")
    return content


def open_registry(folder: str, without: Collection[str] = ()) -> OpenRegistry:
    """The registry in a folder; its records may have errors, registry.yaml not.  Raises Faulty."""
    content = scan(folder)
    for name, sources in content.sources.items():
        content.sources[name] = [source for source in sources if source.path not in without]
    header, problems = read_header(content)
    errors = list(filter(is_error, problems))
    if errors or "name" in header.unknown:
        raise Faulty(errors)
    today = datetime.now(UTC).date().isoformat()
    linked = read_and_link(content, header, header.settings.grammar(), today)
    return OpenRegistry(content, header.settings, linked.symbols)


def check_planned(folder: str, changes: Sequence[FileChange], files: Sequence[str]) -> Report:
    """The report about `files` as they will be after the changes; nothing in the folder changes."""
    planned = {change.path: change.after for change in changes}
    return check(folder, datetime.now(UTC).date(), files=list(files), planned=planned)
