"""A new record, which stays where it has no error."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from generator.build.load import check
from generator.build.report import Report
from generator.edit.changes import Change, apply


def add(folder: str, changes: Sequence[Change]) -> Report:
    """Make the changes, and undo them where a file that was written has an error, or the check of
    these files was stopped; what it tells.  Raises Moved and OSError.
    """
    apply(folder, changes)
    keep = False
    try:
        files = [change.path for change in changes if change.after is not None]
        report = check(folder, datetime.now(UTC).date(), files=files)
        keep = not report.failed
    finally:
        if not keep:
            apply(folder, [c._replace(before=c.after, after=c.before) for c in changes])
    return report
