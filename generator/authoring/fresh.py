"""Changes that stay only if the records that they write have no error."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime

from generator.build.load import check
from generator.build.report import Report
from generator.edit.changes import Change, Moved, apply


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
