"""CommonMark as HTML, without embedded HTML: a registry's own pages, and descriptions of records,
which are also made plain words for search and previews.

Descriptions are not trusted: HTML is text, addresses other than http(s) are no links, and a text
that is nested deeper than the parser follows is read as paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from generator.kinds.types import is_url

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
#: Links of a registry's own pages lead to other sites, to an e-mail address and within this site.
_is_own_link = re.compile(r"https?://|mailto:|/(?!/)|#", re.I).match


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The parser of texts of records."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_NESTING})
    made.validateLink = lambda address: _is_link(address) is not None  # type: ignore[assignment, method-assign]
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
    return plain_words(text, parse(text))


def plain_words(text: str, tokens: Iterable[Token] | None) -> str:
    """The plain words of a text that has these tokens."""
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


def html(text: str, prefix: str = "") -> Markup:
    """The text of a registry, CommonMark with tables, as HTML; its highest heading becomes h2,
    because the page has its own h1.

    Links that begin with a slash get the prefix.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    parser.disable("image")  # pages load nothing from other hosts; assets have no fixed address
    parser.validateLink = lambda address: _is_own_link(address) is not None  # type: ignore[assignment, method-assign]
    tokens = parser.parse(text)
    headings = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    for token in tokens:
        _adapt(token, 2 - min(headings, default=2), prefix)
    return _rendered(parser, tokens)


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


#: The attributes of links to other sites, as in record/facts.html.j2.
_OUTSIDE = {"class": "outside", "rel": "noopener nofollow ugc"}
_BLOCKS = ("paragraph_open", "heading_open", "list_item_open")
#: The level of the heading above a description.
_ABOVE = 2


def description_html(text: str, tokens: Sequence[Token] | None) -> Markup:
    """The description of a record, CommonMark that nobody checked, as HTML; `tokens` are those of
    the text, and change.

    Headings follow the heading above without a gap; images are their alternative texts.
    """
    if tokens is None:
        written = (f'<p dir="auto">{escape(one)}</p>\n' for one in paragraphs(text))
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
    return _rendered(parser(), tokens)


def _rendered(made: MarkdownIt, tokens: Sequence[Token]) -> Markup:
    """Tokens as HTML; the keyboard scrolls code that is wider than the page."""
    text = made.renderer.render(tokens, made.options, {})
    return Markup(text.replace("<pre>", '<pre tabindex="0">'))


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
