"""The reason why a file beside a record is refused."""

from __future__ import annotations


class RefusedFile(Exception):
    """A file is refused: a code of `problems/codes`, the message, the hint, and the line and column
    in the file.  `others` are further faults of the same file.
    """

    def __init__(self, code: str, message: str, hint: str, line: int = 1, column: int = 1):
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint
        self.line, self.column = line, column
        self.others: list[RefusedFile] = []
