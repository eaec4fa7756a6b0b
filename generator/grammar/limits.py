"""Limits of requests and answers: forms, the size of answers for agents, the keys of a manifest."""

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
