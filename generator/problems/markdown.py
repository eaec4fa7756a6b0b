"""Anybody's text within Markdown: as code, in which nothing is a mention, a link, an image or HTML.

CommonMark 0.31, sections 6.1 (code spans) and 4.5 (fenced code blocks).
"""

from __future__ import annotations

import re

from generator.problems.diagnostic import printable


def code(text: str) -> str:
    """A text on one line, as a code span."""
    text = printable(text)
    ticks = backquotes(text)
    space = " " if text[:1] == "`" or text[-1:] == "`" or not text.strip() else ""
    return f"{ticks}{space}{text or ' '}{space}{ticks}"


def backquotes(text: str, least: int = 1) -> str:
    """More backquotes in a row than a text has, and no fewer than `least`."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1)
