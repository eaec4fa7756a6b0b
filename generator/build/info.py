"""When and from what a build is made: the only place that asks the clock, the environment and git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import NamedTuple


class Moment(NamedTuple):
    """`at` is the time of the content, `as_of` the day that "upcoming" is counted from, `revision` the commit.

    `from_clock` says that nothing but the clock told the time.
    """

    at: datetime
    as_of: date
    revision: str | None
    from_clock: bool = False


def moment(folder: str, as_of: date | None, environment: Mapping[str, str] = os.environ) -> Moment:
    """SOURCE_DATE_EPOCH, else the commit's time, else now; `as_of`, else that time's UTC date.

    Raises ValueError for a SOURCE_DATE_EPOCH that is no time (reproducible-builds.org/specs/source-date-epoch).
    """
    revision, committed = _commit(folder)
    epoch = environment.get("SOURCE_DATE_EPOCH")
    if epoch:
        try:
            at = datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError):
            raise ValueError(f'SOURCE_DATE_EPOCH is "{epoch}", not a number of seconds since 1970') from None
    else:
        at = committed or datetime.now(UTC).replace(microsecond=0)
    return Moment(at, as_of or at.date(), revision, not epoch and committed is None)


def _commit(folder: str) -> tuple[str | None, datetime | None]:
    """The id and time of the commit that is checked out; None and None outside a checkout."""
    command = ["git", "-C", folder, "log", "-1", "--no-show-signature", "--format=%H %ct"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None, None
    words = done.stdout.split()
    if done.returncode or len(words) != 2:
        return None, None
    return words[0], datetime.fromtimestamp(int(words[1]), UTC)
