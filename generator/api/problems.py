"""The problems that a query can have, as documents of RFC 9457 tell them."""

from __future__ import annotations

#: code -> (HTTP status, title, what to do), RFC 9457.
PROBLEMS: dict[str, tuple[int, str, str]] = {
    "mode-required": (
        400,
        "Add mode=page to the query",
        "A list is answered page by page only, and mode=page says that you know. The whole table "
        "is never sent; where a program answers, mode=count tells how many records there are.",
    ),
    "unknown-parameter": (
        400,
        "There is no such parameter",
        "Parameters are matched exactly, in lower case and without percent-encoding. "
        "The filter list names those of each collection.",
    ),
    "repeated-parameter": (
        400,
        "A parameter is given twice",
        "Give each parameter once; several filters are joined with AND, several values of one with "
        "commas.",
    ),
    "invalid-parameter": (
        400,
        "A parameter has no valid value",
        "Values are lower-case slugs, years, months, dates or numbers, never empty; the filter "
        "list has them.",
    ),
    "unsupported-combination": (
        400,
        "These parameters cannot be combined here",
        "Prepared pages answer one value of one filter, or one sort without a filter. Follow the "
        "canonical files, one filter at a time; the first page of each tells how many records "
        "it has.",
    ),
    "not-found": (
        404,
        "There is nothing here",
        "The value, record or page does not exist. The filter list has all values; a list's first "
        "page tells its number of pages.",
    ),
}


class QueryError(Exception):
    """A query that gets a problem document and never rows.  `allowed` lists what would do, where a
    list helps; `about` is the filter, and the value as it was written, that no record can have or
    has: who can read the filter's values tells the nearest ones.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        allowed: tuple[str, ...] = (),
        about: tuple[str, str] | None = None,
    ):
        super().__init__(detail)
        self.code, self.detail, self.allowed, self.about = code, detail, allowed, about

    @property
    def status(self) -> int:
        return PROBLEMS[self.code][0]
