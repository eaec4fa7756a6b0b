"""The card of link previews, one PNG with the registry's name and description, and the lines about
it in the head of pages (https://ogp.me/#structured).

All pages have the same card: it is drawn without a library (`generator.site.pictures`),
which would take minutes for thousands of pages.  There is none without a base URL, because Open
Graph needs absolute URLs.  Its path has a digest of its inputs, so pages link to it without drawing
it; numbers of records are not among them, because each new record would change every page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.site import colours, paths, rendering
from generator.site.page_context import Site
from generator.site.paths import ASSETS
from generator.site.pictures import INK, Picture, drawable_text, text_width

if TYPE_CHECKING:
    from generator.model.settings.registry import Settings

WIDTH, HEIGHT = 1200, 630
#: Changed with the drawing, to change the path of the card.
_VERSION = "3"
_MARGIN = 80
_ROOM = WIDTH - 2 * _MARGIN
#: Sizes in pixels: of the name, whose largest fitting one is used, of the text below and the host.
_NAME, _TEXT, _HOST = (104, 88, 74, 60), 36, 30
_NAME_LINES, _TEXT_LINES = 3, 3
_MAX_DESCRIPTION = 400  # characters of the description that are considered
#: The number of bars along the lower edge, and the width of one with its gap.
_BARS, _BAR = 24, 50
#: The shades of the text below the name, and of the bars.
_SOFT, _FAINT = 13, 2


def card_path(settings: Settings) -> str | None:
    """The path of the card, or None if there is no card."""
    if not settings.origin:
        return None
    inputs = (_VERSION, settings.name, settings.description, settings.base_url, settings.accent)
    digest = hashlib.sha256("\0".join(map(str, inputs)).encode()).hexdigest()[:8]
    return f"{paths.ASSETS}/card-{digest}.png"


def draw_card(settings: Settings) -> bytes:
    picture = Picture(WIDTH, HEIGHT)
    _draw_bars(picture, settings.name)
    host = drawable_text(urlsplit(settings.base_url or "").netloc + settings.prefix)
    name = drawable_text(settings.name)
    lines, size = _fitted(name or host)
    base = float(_MARGIN)
    for line in lines:
        picture.write(_MARGIN, round(base + size), line, size, INK)
        base += size * 1.14
    base += 28
    description = drawable_text(" ".join(settings.description[:_MAX_DESCRIPTION].split()))
    for line in _wrapped(description, _TEXT, _TEXT_LINES):
        picture.write(_MARGIN, round(base + _TEXT), line, _TEXT, _SOFT)
        base += _TEXT * 1.4
    if name:
        picture.write(_MARGIN, HEIGHT - _MARGIN, host, _HOST, _SOFT)
    tokens = colours.tokens(settings.accent)
    return picture.png(tokens["accent"], tokens["on-accent"])


def _draw_bars(picture: Picture, name: str) -> None:
    """Draw bars along the lower edge, as high as the bytes of the name's digest."""
    heights = hashlib.sha256(name.encode()).digest()[:_BARS]
    for position, byte in enumerate(heights):
        # Lower at the left, where the text is.
        height = round(20 + byte * (position + 3) / (_BARS + 3) * 0.9)
        left = position * _BAR + 6
        picture.fill(left, HEIGHT - height, left + _BAR - 12, HEIGHT, _FAINT)


def _fitted(name: str) -> tuple[list[str], int]:
    """The lines of the name and the largest size at which they fit."""
    for size in _NAME:
        lines = _wrapped(name, size, 99)
        if len(lines) <= _NAME_LINES - (size == _NAME[0]):
            return lines, size
    return _wrapped(name, _NAME[-1], _NAME_LINES), _NAME[-1]


def _wrapped(text: str, size: int, max_lines: int) -> list[str]:
    """The lines of a text that fit the width; longer words are split.

    Only the first `max_lines` are returned, with an ellipsis if there are more.
    """
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}".lstrip()
        if text_width(joined, size) <= _ROOM:
            line = joined
            continue
        if line:
            lines.append(line)
        line = ""
        for character in word:
            if text_width(line + character, size) > _ROOM:
                lines.append(line)
                line = ""
            line += character
    lines += [line] if line else []
    if len(lines) <= max_lines:
        return lines
    last = lines[max_lines - 1]
    while last and text_width(f"{last}…", size) > _ROOM:
        last = last[:-1]
    return [*lines[: max_lines - 1], f"{last.rstrip(' ,.;:')}…"]


ADDRESSES = (f"{ASSETS}/card-",)


def render(site: Site) -> Iterator[Artifact]:
    path = card_path(site.settings)
    if path is not None:
        yield Artifact(path, draw_card(site.settings))


def panels(site: Site, place: str, subject: Any) -> Iterator[Markup]:
    if place == "head" and site.settings.origin and subject.indexed:
        yield site.memo.get_or_make("card", _lines, site)


def _lines(site: Site) -> Markup:
    path = card_path(site.settings)
    if path is None:
        return Markup()
    preview = site.absolute(path)
    lines: Markup = rendering.template_macros(site, "card").lines(preview)
    return lines
