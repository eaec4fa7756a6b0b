"""The problems of queries, with the texts of their documents (RFC 9457)."""

from __future__ import annotations

#: code -> (HTTP status, title, what to do), RFC 9457.
PROBLEMS: dict[str, tuple[int, str, str]] = {
    "mode-required": (
        400,
        "Add mode=page to the query",
        "Lists come in pages, and mode=page asks for one. A host that answers queries also counts "
        "records, with mode=count.",
    ),
    "unknown-parameter": (
        400,
        "Unknown parameter",
        "Write the names of parameters in lower case and without percent-encoding. "
        "The filter list of a collection has the names of its filters.",
    ),
    "repeated-parameter": (
        400,
        "Parameter given more than once",
        "Give each parameter once. Separate several values of a filter with commas.",
    ),
    "invalid-parameter": (
        400,
        "Invalid parameter value",
        "A value is a lower-case slug, a year, a month, a date or a number. The filter list has "
        "the values.",
    ),
    "unsupported-combination": (
        400,
        "This host cannot combine these parameters",
        "This host has pages for one value of one filter, or for one sort without a filter, and "
        "does not search. Use one filter at a time. The first page of each list has its number of "
        "records.",
    ),
    "not-found": (
        404,
        "Not found",
        "The record, value or page does not exist. The filter list has all values; the first page "
        "of a list has its number of pages.",
    ),
}


#: The detail of an answer after an unexpected exception, and the same in a browser.
FAILED = "The server could not answer; its log says why."
FAILED_IN_BROWSER = "The search could not answer; the console of the browser says why."


class QueryError(Exception):
    """An invalid query, with the content of its problem document.  `allowed` lists valid values,
    if a list helps.
    """

    def __init__(self, code: str, detail: str, allowed: tuple[str, ...] = ()):
        super().__init__(detail)
        self.code, self.detail, self.allowed = code, detail, allowed

    @property
    def status(self) -> int:
        return PROBLEMS[self.code][0]
