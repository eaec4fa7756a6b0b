"""The card of link previews: one PNG with the registry's name and description.

Pillow, the extra "cards", draws it.  Without Pillow or a base URL (Open Graph needs absolute URLs)
there is no card.  Its path has a digest of its inputs, so pages link to it without drawing it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from generator.site import colours, paths

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

    from generator.model.settings.registry import Settings

WIDTH, HEIGHT = 1200, 630
#: Changed with the drawing, to change the path of the card.
_VERSION = "2"
_MARGIN = 80
_ROOM = WIDTH - 2 * _MARGIN
#: Sizes in pixels: of the name, whose largest fitting one is used, of the text below and the host.
_NAME, _TEXT, _HOST = (104, 88, 74, 60), 36, 30
_NAME_LINES, _TEXT_LINES = 3, 3
_MAX_DESCRIPTION = 400  # characters of the description that are considered
#: Inter by Rasmus Andersson (SIL Open Font License 1.1), semi-bold: a file for each script.  A
#: character is drawn in the first font that has it.
_FONTS = ("latin", "latin-ext", "cyrillic", "greek")
_MISSING = "\U0010fffd"
#: The number of bars along the lower edge, and the width of one with its gap.
_BARS, _BAR = 24, 50
#: Shares of the front colour, of 255: name, text, bars.  Then the number of colours of the picture.
_INK, _SOFT, _FAINT, _SHADES = 255, 219, 28, 48


@lru_cache(maxsize=1)
def pillow_version() -> str | None:
    """The version of Pillow, or None if it is not installed."""
    try:
        import PIL
    except ImportError:
        return None
    return PIL.__version__


def path(settings: Settings) -> str | None:
    """The path of the card, or None if there is no card."""
    if not settings.origin or pillow_version() is None:
        return None
    inputs = (
        _VERSION,
        pillow_version(),
        settings.name,
        settings.description,
        settings.base_url,
        settings.site.accent,
    )
    digest = hashlib.sha256("\0".join(map(str, inputs)).encode()).hexdigest()[:8]
    return f"{paths.ASSETS}/card-{digest}.png"


def draw(settings: Settings) -> bytes:
    """The card as PNG."""
    import io

    from PIL import Image, ImageColor, ImageDraw

    # Pixels are shares of the front colour; a palette mixes it with the ground colour at the end.
    image = Image.new("L", (WIDTH, HEIGHT))
    drawing = ImageDraw.Draw(image)
    _pattern(drawing, settings.name)
    host = drawable_text(urlsplit(settings.base_url or "").netloc + settings.prefix)
    name = drawable_text(settings.name)
    lines, size = _fitted(name or host)
    top = float(_MARGIN)
    for line in lines:
        _write(drawing, (_MARGIN, top), line, size, _INK)
        top += size * 1.14
    top += 28
    description = drawable_text(" ".join(settings.description[:_MAX_DESCRIPTION].split()))
    for line in _wrapped(description, _TEXT, _TEXT_LINES):
        _write(drawing, (_MARGIN, top), line, _TEXT, _SOFT)
        top += _TEXT * 1.4
    if name:
        _write(drawing, (_MARGIN, HEIGHT - _MARGIN - _HOST), host, _HOST, _SOFT)
    tokens = colours.tokens(settings.site.accent)
    ground, front = (ImageColor.getrgb(tokens[name]) for name in ("accent", "on-accent"))
    last = _SHADES - 1
    image = image.point([round(share * last / _INK) for share in range(_INK + 1)])
    image.putpalette([c for n in range(_SHADES) for c in _mixed(ground, front, n / last)])
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def drawable_text(text: str) -> str:
    """A text without the signs that our fonts lack; "" if they lack a letter or digit of it."""
    characters = []
    for character in unicodedata.normalize("NFC", text):
        if _font_of(character) is not None:
            characters.append(character)
        elif unicodedata.category(character)[0] in "LMN":
            return ""
    return " ".join("".join(characters).split())


def _mixed(ground: tuple[int, ...], front: tuple[int, ...], share: float) -> tuple[int, int, int]:
    red, green, blue = (round(g + (f - g) * share) for g, f in zip(ground, front, strict=True))
    return red, green, blue


def _pattern(drawing: ImageDraw, name: str) -> None:
    """Draw bars along the lower edge, as high as the bytes of the name's digest."""
    heights = hashlib.sha256(name.encode()).digest()[:_BARS]
    for position, byte in enumerate(heights):
        # Lower at the left, where the text is.
        height = 20 + byte * (position + 3) / (_BARS + 3) * 0.9
        left = position * _BAR + 6
        drawing.rectangle((left, HEIGHT - height, left + _BAR - 12, HEIGHT), fill=_FAINT)


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
        if _width(joined, size) <= _ROOM:
            line = joined
            continue
        if line:
            lines.append(line)
        line = ""
        for character in word:
            if _width(line + character, size) > _ROOM:
                lines.append(line)
                line = ""
            line += character
    lines += [line] if line else []
    if len(lines) <= max_lines:
        return lines
    last = lines[max_lines - 1]
    while last and _width(f"{last}…", size) > _ROOM:
        last = last[:-1]
    return [*lines[: max_lines - 1], f"{last.rstrip(' ,.;:')}…"]


def _width(text: str, size: int) -> float:
    return sum(_font(script, size).getlength(run) for script, run in _runs(text))


def _write(
    drawing: ImageDraw,
    at: tuple[float, float],
    text: str,
    size: int,
    share: int,
) -> None:
    left, top = at
    for script, run in _runs(text):
        font = _font(script, size)
        # All scripts are on one base line.
        drawing.text((left, top + size), run, font=font, fill=share, anchor="ls")
        left += font.getlength(run)


def _runs(text: str) -> list[tuple[str, str]]:
    """A text as (script, run); spaces belong to the run before them."""
    runs: list[tuple[str, str]] = []
    for character in text:
        script = _font_of(character) or _FONTS[0]
        if runs and (runs[-1][0] == script or character == " "):
            runs[-1] = runs[-1][0], runs[-1][1] + character
        else:
            runs.append((script, character))
    return runs


@lru_cache(maxsize=4096)
def _font_of(character: str) -> str | None:
    """The first font that has a character, or None."""
    if character.isspace():
        return _FONTS[0]
    for script in _FONTS:
        font = _font(script, _HOST)
        mask = bytes(font.getmask(character))
        if mask and mask != bytes(font.getmask(_MISSING)):
            return script
    return None


@lru_cache(maxsize=64)
def _font(script: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    file = Path(__file__).parent / "fonts" / f"inter-{script}.woff2"
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
