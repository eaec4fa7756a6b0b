"""The card that previews of links show: one PNG for the whole registry, with its name and what it
is (https://ogp.me/#structured).

It is drawn by Pillow, the extra `cards`; without it, or without a base URL, whose host every
address of Open Graph begins with, there is none.  Its address follows from what it is drawn of, so
that pages name it without drawing it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from generator import PACKAGE
from generator.site import colours, paths

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

    from generator.model.settings.registry import Settings

WIDTH, HEIGHT = 1200, 630
#: Of the drawing: another one has another address.
_VERSION = "2"
_MARGIN = 80
_ROOM = WIDTH - 2 * _MARGIN
#: Sizes of the name, the largest that fits being taken, and of what stands below it, in pixels.
_NAME, _TEXT, _HOST = (104, 88, 74, 60), 36, 30
_NAME_LINES, _TEXT_LINES = 3, 3
_MOST = 400  # characters of a description that are looked at
#: Inter by Rasmus Andersson (SIL Open Font License 1.1), semi-bold: a file for each script, the
#: first that has a character being taken.
_FONTS = ("latin", "latin-ext", "cyrillic", "greek")
_MISSING = "\U0010fffd"
_BARS, _BAR = 24, 50
#: Shares of the front's colour: of the name, of what stands below it, and of the bars; how many the
#: picture has.
_INK, _SOFT, _FAINT, _SHADES = 255, 219, 28, 48


@lru_cache(maxsize=1)
def drawn_by() -> str | None:
    """The version of Pillow, None where it is not installed."""
    try:
        import PIL
    except ImportError:
        return None
    return PIL.__version__


def path(settings: Settings) -> str | None:
    """Where the card lies, None where there is none."""
    if not settings.origin or drawn_by() is None:
        return None
    of = (
        _VERSION,
        drawn_by(),
        settings.name,
        settings.description,
        settings.base_url,
        settings.site.accent,
    )
    digest = hashlib.sha256("\0".join(map(str, of)).encode()).hexdigest()[:8]
    return f"{paths.ASSETS}/card-{digest}.png"


def draw(settings: Settings) -> bytes:
    """The PNG."""
    import io

    from PIL import Image, ImageColor, ImageDraw

    # Drawn as shares of the front's colour, which is mixed with the ground's at the end.
    image = Image.new("L", (WIDTH, HEIGHT))
    drawing = ImageDraw.Draw(image)
    _pattern(drawing, settings.name)
    host = shown(urlsplit(settings.base_url or "").netloc + settings.prefix)
    name = shown(settings.name)
    lines, size = _fitted(name or host)
    top = float(_MARGIN)
    for line in lines:
        _write(drawing, (_MARGIN, top), line, size, _INK)
        top += size * 1.14
    top += 28
    about = shown(" ".join(settings.description[:_MOST].split()))
    for line in _wrapped(about, _TEXT, _TEXT_LINES):
        _write(drawing, (_MARGIN, top), line, _TEXT, _SOFT)
        top += _TEXT * 1.4
    if name:
        _write(drawing, (_MARGIN, HEIGHT - _MARGIN - _HOST), host, _HOST, _SOFT)
    known = colours.tokens(settings.site.accent)
    ground, front = (ImageColor.getrgb(known[name]) for name in ("accent", "on-accent"))
    last = _SHADES - 1
    image = image.point([round(share * last / _INK) for share in range(_INK + 1)])
    image.putpalette([c for n in range(_SHADES) for c in _mixed(ground, front, n / last)])
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def shown(text: str) -> str:
    """A text as it can be drawn: without signs that no font of ours has, and "" where that is a
    letter, so that no name is drawn in part.
    """
    kept = []
    for character in unicodedata.normalize("NFC", text):
        if _font_of(character) is not None:
            kept.append(character)
        elif unicodedata.category(character)[0] in "LMN":
            return ""
    return " ".join("".join(kept).split())


def _mixed(ground: tuple[int, ...], front: tuple[int, ...], share: float) -> tuple[int, int, int]:
    red, green, blue = (round(g + (f - g) * share) for g, f in zip(ground, front, strict=True))
    return red, green, blue


def _pattern(drawing: ImageDraw, name: str) -> None:
    """Bars as high as the name's digest has it, along the lower edge."""
    heights = hashlib.sha256(name.encode()).digest()[:_BARS]
    for position, byte in enumerate(heights):
        # Lower at the left, where the words are.
        tall = 20 + byte * (position + 3) / (_BARS + 3) * 0.9
        left = position * _BAR + 6
        drawing.rectangle((left, HEIGHT - tall, left + _BAR - 12, HEIGHT), fill=_FAINT)


def _fitted(name: str) -> tuple[list[str], int]:
    for size in _NAME:
        lines = _wrapped(name, size, 99)
        if len(lines) <= _NAME_LINES - (size == _NAME[0]):
            return lines, size
    return _wrapped(name, _NAME[-1], _NAME_LINES), _NAME[-1]


def _wrapped(text: str, size: int, most: int) -> list[str]:
    """Lines that are no wider than there is room, a word that is wider being cut; at most so many,
    the last with an ellipsis where there is more.
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
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while last and _width(f"{last}…", size) > _ROOM:
        last = last[:-1]
    return [*lines[: most - 1], f"{last.rstrip(' ,.;:')}…"]


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
        # On one base line, whatever the script.
        drawing.text((left, top + size), run, font=font, fill=share, anchor="ls")
        left += font.getlength(run)


def _runs(text: str) -> list[tuple[str, str]]:
    """A text as (script, run) each; blanks belong to what is before them."""
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
    """The font that has a character, None where none has."""
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

    file = PACKAGE / "site" / "fonts" / f"inter-{script}.woff2"
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
