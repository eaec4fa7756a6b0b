"""The size of a picture."""

from __future__ import annotations

from generator.problems.faults import RefusedFile

#: Pixels of each side.
MAX_PIXELS = 2048


def check_size(width: float, height: float, line: int = 1, column: int = 1) -> None:
    """Raises RefusedFile if a side is longer than `MAX_PIXELS`, or empty."""
    if width > MAX_PIXELS or height > MAX_PIXELS:
        message = f"this logo is {width:g} × {height:g} pixels; at most {MAX_PIXELS:,} are allowed"
        raise RefusedFile("logo-too-large", message, "export it smaller", line, column)
    if width <= 0 or height <= 0:
        message = f"this logo is {width:g} × {height:g} pixels, so nothing of it is visible"
        raise RefusedFile("invalid-logo", message, "export it again", line, column)
