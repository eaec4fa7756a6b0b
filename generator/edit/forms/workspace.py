"""What is known of a registry while something is made for its editors; changes that stay only if
the records that they write have no error.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from generator.build.load import check, read_and_link, read_header
from generator.build.report import Report
from generator.dialect.folder import REGISTRY_FILE, Content, scan
from generator.edit.changes import Change, Moved, apply
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Diagnostic, is_error


class Known(NamedTuple):
    """A registry as far as a new record needs it: its files, its words, and what can be referred
    to.
    """

    content: Content
    settings: Settings
    symbols: Symbols


class Faulty(Exception):
    """registry.yaml has errors, which `problems` are."""

    def __init__(self, problems: list[Diagnostic]):
        super().__init__(f"{REGISTRY_FILE} has errors")
        self.problems = problems


def known(folder: str) -> Known:
    """The registry in a content folder, whose records may have faults.  Raises Faulty."""
    content = scan(folder)
    header, problems = read_header(content)
    errors = list(filter(is_error, problems))
    if errors or "name" in header.unknown:
        raise Faulty(errors)
    today = datetime.now(UTC).date().isoformat()
    linked, _ = read_and_link(content, header, header.settings.grammar(), today)
    return Known(content, header.settings, linked.symbols)


def add(folder: str, changes: Sequence[Change], files: Sequence[str]) -> Report:
    """Make the changes, and undo them if one of these files then has an error, or if the check of
    them was stopped; the report of the check.  Raises Moved and OSError.
    """
    keep = False
    try:
        apply(folder, changes)
        report = check(folder, datetime.now(UTC).date(), files=list(files))
        keep = not report.failed
    except Moved:
        keep = True  # nothing was changed
        raise
    finally:
        if not keep:
            with contextlib.suppress(Moved):  # an interrupt came before anything was
                apply(folder, [c._replace(before=c.after, after=c.before) for c in changes])
    return report
