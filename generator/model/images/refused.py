"""The reason why a picture is refused."""

from __future__ import annotations


class RefusedImage(Exception):
    """A picture is refused: a code of `problems/codes`, the message, the hint, and the line and
    column in the file.
    """

    def __init__(self, code: str, message: str, hint: str, line: int = 1, column: int = 1):
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint
        self.line, self.column = line, column


#: Pixels of each side.
MAX_PIXELS = 2048


def check_size(width: float, height: float, line: int = 1, column: int = 1) -> None:
    """Raises RefusedImage if a side is longer than `MAX_PIXELS`, or empty."""
    if width > MAX_PIXELS or height > MAX_PIXELS:
        message = f"this logo is {width:g} × {height:g} pixels; at most {MAX_PIXELS:,} are allowed"
        raise RefusedImage("logo-too-large", message, "export it smaller", line, column)
    if width <= 0 or height <= 0:
        message = f"this logo is {width:g} × {height:g} pixels, so nothing of it is visible"
        raise RefusedImage("invalid-logo", message, "export it again", line, column)
