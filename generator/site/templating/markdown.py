"""Markdown of a registry's own pages as HTML: CommonMark and tables, and no HTML of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it.token import Token

#: Where links may lead: to other sites, to an address for mail, and to pages of this one.
_LINK = re.compile(r"https?://|mailto:|/(?!/)|#", re.IGNORECASE).match


def html(text: str, prefix: str = "") -> Markup:
    """The highest heading stands one level below that of the page, whose h1 is its own.  Links that
    begin at the site's root have the prefix before them.
    """
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    reader.disable("image")  # other hosts are asked for nothing, and assets have no lasting address
    reader.validateLink = _allowed  # type: ignore[assignment, method-assign]
    tokens = reader.parse(text)
    headings = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    for token in tokens:
        _fit(token, 2 - min(headings, default=2), prefix)
    return Markup(reader.renderer.render(tokens, reader.options, {}))


def _allowed(address: str) -> bool:
    return _LINK(address) is not None


def _fit(token: Token, down: int, prefix: str) -> None:
    """Move a heading down by so many levels, and links of the site below its prefix."""
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1]) + down)}"
    if token.type == "link_open" and str(token.attrs["href"]).startswith("/"):
        token.attrs["href"] = f"{prefix}{token.attrs['href']}"
    # The policy allows no inline style: a column of numbers has a class instead.
    if "right" in str(token.attrs.pop("style", "")):
        token.attrs["class"] = "num"
    for child in token.children or ():
        _fit(child, down, prefix)
