"""Static hosts, one a module, all configured from the grammar's routes (see
generator.contract.artifact).  May import agent and below, not outputs, site or guard.

A module is named like its host, with `_` for `-`.  It has LIMITS, and any of

    render      yields the files that the host needs in the output
    outside     yields files that do not belong into the output, for `registry host NAME` to print
                or write; each begins with a comment on how to install it.  Its parameters are
                declared like those of `render`; it may raise HostLimit.
    LIMITS      what the host is known to take
    REDIRECTS   True if the host redirects from the lists of an alias; otherwise the build writes
                files there
    RULES       the path of the file in the output that has one rule a line
    WAY_OUT     how to publish more than LIMITS
    find_excess  the problem and the hint if the files of `outside` are too large, of a grammar
    BASE_URL    why a site needs `base_url`, and what to do
"""

from __future__ import annotations

from typing import NamedTuple

from generator import UserError


class HostLimit(UserError):
    """A file is larger than its host takes; the text says what to leave out."""


class HostLimits(NamedTuple):
    """The limits of a host's free plan; None if unknown."""

    files: int | None = None
    file_bytes: int | None = None
    rules: int | None = None
    directory_files: int | None = None  # directly in one folder
    bytes: int | None = None  # of all files together
