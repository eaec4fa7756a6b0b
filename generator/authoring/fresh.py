"""A new record, which stays where it has no error."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime

from generator.build.load import check
from generator.build.report import Report
from generator.edit.changes import Change, Moved, apply


def add(folder: str, changes: Sequence[Change]) -> Report:
    """Make the changes, and undo them where a file that was written has an error, or the check of
    these files was stopped; what it tells.  Raises Moved and OSError.
    """
    keep = False
    try:
        apply(folder, changes)
        files = [change.path for change in changes if change.after is not None]
        report = check(folder, datetime.now(UTC).date(), files=files)
        keep = not report.failed
    except Moved:
        keep = True  # nothing was changed
        raise
    finally:
        if not keep:
            with contextlib.suppress(Moved):  # an interrupt came before anything was
                apply(folder, [c._replace(before=c.after, after=c.before) for c in changes])
    return report
