"""A registry as new records need it, and the check of changes before they are made."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from generator.build.check import check
from generator.build.report import Report
from generator.dialect.folder import REGISTRY_FILE, Content, is_logo, scan, walk
from generator.edit.changes import Change
from generator.edit.similar import existing_records
from generator.edit.words import used_slugs
from generator.kinds.every import COLLECTIONS
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Diagnostic, is_error
from generator.published.reading.load import read_and_link, read_header


class OpenRegistry(NamedTuple):
    """A registry as new records need it: its files, its settings and its symbols."""

    content: Content
    settings: Settings
    symbols: Symbols

    def has_tag(self, family: str, tag: str) -> bool:
        """Whether a record has a tag."""
        records = chain.from_iterable(existing_records(self.content, name) for name in COLLECTIONS)
        return tag in used_slugs((record.data for record in records), "tags", family)


class Faulty(Exception):
    """registry.yaml has errors, in `problems`."""

    def __init__(self, problems: list[Diagnostic]):
        super().__init__(f"{REGISTRY_FILE} has errors")
        self.problems = problems


def open_registry(folder: str, without: Collection[str] = ()) -> OpenRegistry:
    """The registry in a content folder, without the records in these files.  Raises Faulty; its
    records may have errors.
    """
    content = scan(folder)
    for name, sources in content.sources.items():
        content.sources[name] = [source for source in sources if source.path not in without]
    header, problems = read_header(content)
    errors = list(filter(is_error, problems))
    if errors or "name" in header.unknown:
        raise Faulty(errors)
    today = datetime.now(UTC).date().isoformat()
    linked, _ = read_and_link(content, header, header.settings.grammar(), today)
    return OpenRegistry(content, header.settings, linked.symbols)


def check_planned(folder: str, changes: Sequence[Change], files: Sequence[str]) -> Report:
    """The report about `files` as they will be after the changes; nothing in the folder changes."""
    with tempfile.TemporaryDirectory() as parent:
        copy = os.path.join(parent, "content")
        _mirror(folder, copy, changes)
        report = check(copy, datetime.now(UTC).date(), files=list(files))
        shown = os.path.join(folder, "")

        def moved(text: str) -> str:
            return text.replace(os.path.join(copy, ""), shown)

        problems = [
            replace(
                problem,
                path=moved(problem.path),
                message=moved(problem.message),
                hint=problem.hint and moved(problem.hint),
                also=tuple(place._replace(path=moved(place.path)) for place in problem.also),
            )
            for problem in report.problems
        ]
        return replace(report, problems=problems)


def _mirror(folder: str, copy: str, changes: Sequence[Change]) -> None:
    """A copy of a content folder after changes: links to its files, and its logos, which may not be
    links.
    """
    for path, entries in walk(folder):
        os.makedirs(os.path.join(copy, path), exist_ok=True)
        for name, entry in entries if not isinstance(entries, OSError) else ():
            target = os.path.join(copy, path, entry.name)
            if is_logo(f"{path}/{name}") and not entry.is_symlink():
                shutil.copyfile(entry.path, target)
            elif name[-1] != "/" or name.endswith("//"):
                os.symlink(os.path.abspath(entry.path), target)
    for change in changes:
        target = os.path.join(copy, change.path)
        if os.path.lexists(target):
            os.unlink(target)
        if change.after is not None:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            Path(target).write_bytes(change.after)
