"""Texts of records in CommonMark: parsed for the site, and as plain words for search and previews.

The texts are not trusted: HTML is text, addresses other than http(s) are no links, and a text that
is nested deeper than the parser follows is read as paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

#: Blocks within blocks: the parser leaves out what is deeper.
_MAX_NESTING = 20
#: Finds whatever may be more than paragraphs of words; most texts have none of it.
_may_have_markup = re.compile(
    r"[\\`*_]|\](?=[(:\[])|<\w|&#?\w+;|^[ \t]*(?:[-+>#]|\d{1,9}[.)]|~~~|=+\s*$)|^(?: {4}| *\t)",
    re.M,
).search
_is_link = re.compile(r"https?://", re.I).match


def _is_allowed(address: str) -> bool:
    return _is_link(address) is not None


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The parser of texts of records."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_NESTING})
    made.validateLink = _is_allowed  # type: ignore[assignment, method-assign]
    return made


def parse(text: str) -> list[Token] | None:
    """The tokens of a text; None if it has no markup, or is nested too deep."""
    if not _may_have_markup(text):
        return None
    tokens = parser().parse(text)
    if any(t.nesting == 1 and t.level >= _MAX_NESTING - 1 for t in tokens):
        return None
    return tokens


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text without markup."""
    return list(filter(None, map(str.strip, re.split(r"\n[ \t]*\n", text))))


def plain_text(text: str) -> str:
    """A text as plain words, with a line for each block: without marks and addresses of links."""
    tokens = parse(text)
    if tokens is None:
        return text
    return "\n".join(filter(None, map(str.strip, _lines(tokens))))


def _lines(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline":
            yield "".join(_words(token.children or ()))
        elif token.type in ("fence", "code_block"):
            yield token.content


def _words(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif token.type == "image":  # its content is the alternative text, which may have markup
            yield from _words(token.children or ())
        else:
            yield token.content
