"""Untrusted text in Markdown, as code: code has no mentions, links, images or HTML.

CommonMark 0.31, sections 6.1 (code spans) and 4.5 (fenced code blocks).
"""

from __future__ import annotations

import re

from generator.problems.diagnostic import printable

#: GitHub accepts this many characters in a comment; counted in bytes, to be safe.
MAX_BYTES = 65_536
#: By this line a program recognises its comment.
MARK = "<!-- registry-diff -->"


def code_span(text: str) -> str:
    """A text as a code span on one line."""
    text = printable(text)
    ticks = backquotes(text)
    space = " " if text[:1] == "`" or text[-1:] == "`" or not text.strip() else ""
    return f"{ticks}{space}{text or ' '}{space}{ticks}"


def code_block(text: str, language: str = "", indent: str = "") -> str:
    """A text of several lines as a fenced code block."""
    ticks = backquotes(text, 3)
    lines = [f"{ticks}{language}", *map(printable, text.split("\n")), ticks]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def backquotes(text: str, least: int = 1) -> str:
    """At least `least` backquotes, and more in a row than the text has."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1)
