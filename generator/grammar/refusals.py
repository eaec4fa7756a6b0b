"""The problems of queries, with the texts of their documents (RFC 9457)."""

from __future__ import annotations

#: Bytes of an answer of the agent layer or of the MCP server; bytes of a context.
MAX_ANSWER, MAX_CONTEXT = 24 * 1024, 6 * 1024

#: Words and characters of a search.
MAX_QUERY_WORDS, MAX_QUERY_CHARACTERS = 8, 200

#: Bytes of a form that a query address takes.
MAX_FORM = 1 << 16

#: The most hand-overs, and the most signatures, in the root of a manifest.
MAX_KEYS = 64

#: Media type -> bytes of UTF-8 in a token, measured with three tokenizers on real answers and
#: rounded down, for high estimates.  How it was measured: docs/agents.md.
BYTES_PER_TOKEN = {"application/json": 3.3, "text/markdown": 3.3, "text/calendar": 3.1}


def estimate_tokens(size: int, media_type: str) -> int:
    """The estimated number of tokens of `size` bytes."""
    return round(size / BYTES_PER_TOKEN[media_type])


def clip(text: str, size: int) -> str:
    """A text cut to `size` bytes of UTF-8, with an ellipsis at the end if it was longer."""
    encoded = text.encode()
    if len(encoded) <= size:
        return text
    return encoded[: max(0, size - 3)].decode(errors="ignore").rstrip() + "…"


#: Shares are compared in collections with at least this many records.
MANY_RECORDS = 10
#: The share of a collection's records that a publish may lose, unless registry.yaml says otherwise.
MAX_LOST = 0.2


def is_loss(was: int, lost: int, now: int, share: float = MAX_LOST) -> bool:
    """Whether a collection that had `was` records and has `now` may not lose `lost` of them."""
    return (was >= MANY_RECORDS and is_over(lost / was, share)) or now == 0 < was


def is_over(share: float, bound: float) -> bool:
    """Whether a share is over a bound, apart from rounding errors."""
    return round(share - bound, 9) > 0


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
