"""The accent colour of a registry: its contrast, and the nearest colour with enough contrast.

Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).  Nearness is
measured in OKLCH (https://bottosson.github.io/posts/oklab/), in which equal steps look equal:
lightness from 0 to 1, chroma from 0, hue in radians.
"""

from __future__ import annotations

import math
import re

#: The accents that `registry init` can write; each is readable on light pages.
ACCENTS = {
    "green": "#0b6e4f",
    "blue": "#1d5fb4",
    "violet": "#6741a8",
    "magenta": "#a1276f",
    "red": "#b0322b",
    "orange": "#9a4a08",
}
#: The background of a page in light and in dark mode, and of its boxes.
PAGE_BACKGROUND, BOX_BACKGROUND = ("#fdfdfc", "#121517"), ("#f2f4f1", "#1c2023")
#: The least contrast of text, and of the borders of controls, by WCAG.
TEXT_CONTRAST, CONTROL_CONTRAST = 4.5, 3.0

#: The lightness and chroma of the accent of a name, and its hues: from green over blue to pink,
#: without red and amber, which are warnings.
_NAMED, _HUES = (0.46, 0.115), (math.radians(140), math.radians(350))

_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE | re.ASCII).fullmatch


def accent_of(name: str) -> str:
    """The accent of a registry without one: always the same for a name, readable on light pages."""
    from hashlib import sha256

    share = int.from_bytes(sha256(name.encode()).digest()[:4]) / 2**32
    first, last = _HUES
    accent = from_lch(*_NAMED, first + share * (last - first))
    return nearest_readable(accent) or accent


def is_colour(text: str) -> bool:
    """Whether a text is `#rrggbb`."""
    return _HEX(text) is not None


def contrast(first: str, second: str) -> float:
    """From 1 (the same) to 21 (black and white)."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def has_contrast(colour: str, grounds: tuple[str, ...], least: float = TEXT_CONTRAST) -> bool:
    return all(contrast(colour, ground) >= least for ground in grounds)


def nearest_readable(accent: str) -> str | None:
    """None if text in this accent is readable on light pages, else the nearest readable colour.

    Dark pages use a `shade` of the accent, so any accent works on them.
    """
    grounds = (PAGE_BACKGROUND[0], BOX_BACKGROUND[0])
    return None if has_contrast(accent, grounds) else shade(accent, grounds)


def shade(colour: str, grounds: tuple[str, ...], least: float = TEXT_CONTRAST) -> str:
    """The colour if it passes on all grounds, else the nearest colour of its hue that does."""
    if has_contrast(colour, grounds, least):
        return colour.lower()
    lightness, chroma, hue = to_lch(colour)
    end = 0.0 if max(map(_luminance, grounds)) > 0.18 else 1.0
    failing, passing = lightness, end
    for _ in range(24):
        middle = (failing + passing) / 2
        if has_contrast(from_lch(middle, chroma, hue), grounds, least):
            passing = middle
        else:
            failing = middle
    return from_lch(passing, chroma, hue)


def to_lch(colour: str) -> tuple[float, float, float]:
    """Lightness, chroma and hue of `#rrggbb`."""
    r, g, b = _linear(colour)
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    medium = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
    bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
    return lightness, math.hypot(a, bb), math.atan2(bb, a)


def from_lch(lightness: float, chroma: float, hue: float) -> str:
    """`#rrggbb` for these values, with less chroma if a screen cannot show as much."""
    channels = _channels(lightness, chroma, hue)
    if not _is_shown(channels):
        channels = _channels(lightness, 0.0, hue)
        low, high = 0.0, chroma
        for _ in range(20):
            middle = (low + high) / 2
            if _is_shown(candidate := _channels(lightness, middle, hue)):
                low, channels = middle, candidate
            else:
                high = middle
    return "#" + "".join(f"{round(255 * _gamma(min(1.0, max(0.0, c)))):02x}" for c in channels)


def _linear(colour: str) -> tuple[float, float, float]:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _linear_channel(r), _linear_channel(g), _linear_channel(b)


def _linear_channel(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _gamma(channel: float) -> float:
    return channel * 12.92 if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055


def _luminance(colour: str) -> float:
    r, g, b = _linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _channels(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
    )


def _is_shown(channels: tuple[float, float, float]) -> bool:
    return all(-0.0001 <= c <= 1.0001 for c in channels)
