"""Untrusted text in Markdown, as code: code has no mentions, links, images or HTML.

CommonMark 0.31, sections 6.1 (code spans) and 4.5 (fenced code blocks).
"""

from __future__ import annotations

import re

from generator.problems.diagnostic import printable


def code_span(text: str) -> str:
    """A text as a code span on one line."""
    text = printable(text)
    ticks = backquotes(text)
    space = " " if text[:1] == "`" or text[-1:] == "`" or not text.strip() else ""
    return f"{ticks}{space}{text or ' '}{space}{ticks}"


def backquotes(text: str, least: int = 1) -> str:
    """At least `least` backquotes, and more in a row than the text has."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1)
