"""Markdown of a registry's own pages as HTML: CommonMark with tables, without embedded HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it.token import Token

#: Links may lead to other sites, to an e-mail address and to pages of this site.
_ALLOWED_LINK = re.compile(r"https?://|mailto:|/(?!/)|#", re.IGNORECASE)


def html(text: str, prefix: str = "") -> Markup:
    """The text as HTML; its highest heading becomes h2, because the page has its own h1.

    Links that begin with a slash get the prefix.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    parser.disable("image")  # pages load nothing from other hosts; assets have no fixed address
    parser.validateLink = _is_allowed  # type: ignore[assignment, method-assign]
    tokens = parser.parse(text)
    headings = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    for token in tokens:
        _adapt(token, 2 - min(headings, default=2), prefix)
    return Markup(parser.renderer.render(tokens, parser.options, {}))


def _is_allowed(address: str) -> bool:
    return _ALLOWED_LINK.match(address) is not None


def _adapt(token: Token, levels: int, prefix: str) -> None:
    """Move a heading down by `levels`, and put the prefix before links within the site."""
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1]) + levels)}"
    if token.type == "link_open" and str(token.attrs["href"]).startswith("/"):
        token.attrs["href"] = f"{prefix}{token.attrs['href']}"
    # The content security policy forbids inline styles: columns of numbers get a class.
    if "right" in str(token.attrs.pop("style", "")):
        token.attrs["class"] = "num"
    for child in token.children or ():
        _adapt(child, levels, prefix)
