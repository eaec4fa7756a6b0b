"""Static hosts, one a module, all fed by the grammar's routes (see generator.artifact).

A module has `render`, for what belongs into the output, and `LIMITS`.
"""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """What a host is known to take; None where it is not known."""

    files: int | None = None
    file_bytes: int | None = None
    rules: int | None = None
