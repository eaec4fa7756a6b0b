"""Markdown as HTML, without embedded HTML: a registry's own pages, and descriptions of records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from generator.kinds.types import is_url
from generator.text import commonmark

if TYPE_CHECKING:
    from markdown_it.token import Token

#: Links may lead to other sites, to an e-mail address and to pages of this site.
_ALLOWED_LINK = re.compile(r"https?://|mailto:|/(?!/)|#", re.IGNORECASE)


def html(text: str, prefix: str = "") -> Markup:
    """The text of a registry, CommonMark with tables, as HTML; its highest heading becomes h2,
    because the page has its own h1.

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


# --- descriptions of records ---------------------------------------------------------------------

#: The attributes of links to other sites, as in record/facts.html.j2.
_OUTSIDE = {"class": "outside", "rel": "noopener nofollow ugc"}
_BLOCKS = ("paragraph_open", "heading_open", "list_item_open")
#: The level of the heading above a description.
_ABOVE = 2


def description_html(text: str) -> Markup:
    """The description of a record, CommonMark that nobody checked, as HTML.

    Headings follow the heading above without a gap; images are their alternative texts.
    """
    tokens = commonmark.parse(text)
    if tokens is None:
        written = (f'<p dir="auto">{escape(one)}</p>\n' for one in commonmark.paragraphs(text))
        return Markup("".join(written))
    above = list[int]()
    for token in tokens:
        if token.type in _BLOCKS:
            token.attrs["dir"] = "auto"
        if token.type == "heading_open":
            level = int(token.tag[1])
            above = [other for other in above if other < level] + [level]
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, _ABOVE + len(above))}"
        if token.type == "inline":
            token.children = list(_inline(token.children or []))
    parser = commonmark.parser()
    return Markup(parser.renderer.render(tokens, parser.options, {}))


def _inline(tokens: Iterable[Token]) -> Iterator[Token]:
    """Inline tokens without images and without links that a record may not have."""
    is_kept = True
    for token in tokens:
        if token.type == "link_open":
            is_kept = is_url(str(token.attrs["href"]))
            token.attrs = {"href": token.attrs["href"], **_OUTSIDE}
        if token.type == "image":
            yield from _inline(token.children or ())
        elif is_kept or token.type not in ("link_open", "link_close"):
            yield token
