"""Limits of published documents: the size of answers for agents, and the keys of a manifest."""

from __future__ import annotations

#: Bytes of an answer of the agent layer or of the MCP server, and of a context to paste.
MAX_ANSWER, MAX_CONTEXT = 24 * 1024, 6 * 1024

#: Hand-overs, and signatures, that the root of a manifest has at most.
MAX_KEYS = 64

#: Media type -> bytes of UTF-8 in a token, by what three tokenizers made of real answers, rounded
#: down so that estimates are rather too high.  How it was measured: docs/agents.md.
BYTES_PER_TOKEN = {"application/json": 3.3, "text/markdown": 3.3, "text/calendar": 3.1}


def tokens(size: int, media_type: str) -> int:
    """About how many tokens so many bytes are."""
    return round(size / BYTES_PER_TOKEN[media_type])


def clipped(text: str, size: int) -> str:
    """At most `size` bytes of a text, with an ellipsis where it was cut."""
    whole = text.encode()
    return (
        text
        if len(whole) <= size
        else whole[: max(0, size - 3)].decode(errors="ignore").rstrip() + "…"
    )
