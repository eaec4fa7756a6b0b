"""Colours: the accent of a registry, how well it can be read, and the nearest that can be.

Contrast is WCAG 2.2's (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio); what is nearest is judged
in OKLCH (https://bottosson.github.io/posts/oklab/), where equal steps look equal: lightness from 0
to 1, chroma from 0, hue in radians.
"""

from __future__ import annotations

import math
import re

#: The accent of a registry that names none.
DEFAULT = "#0b6e4f"
#: What a page's text stands on, in light and in dark, and what stands apart from it.
PAPER, SUNK = ("#fdfdfc", "#121517"), ("#f2f4f1", "#1c2023")
#: What WCAG asks of text, and of the borders of controls.
TEXT, CONTROL = 4.5, 3.0

_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE | re.ASCII).fullmatch


def is_colour(text: str) -> bool:
    """Whether a text is `#rrggbb`."""
    return _HEX(text) is not None


def contrast(one: str, other: str) -> float:
    """From 1 (the same) to 21 (black and white)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def passes(colour: str, grounds: tuple[str, ...], least: float = TEXT) -> bool:
    return all(contrast(colour, ground) >= least for ground in grounds)


def readable(accent: str) -> str | None:
    """None where text in this accent can be read on the light pages, else the nearest of its hue
    that can.  In the dark a shade of it is taken that can be read there (`shade`).
    """
    grounds = (PAPER[0], SUNK[0])
    return None if passes(accent, grounds) else shade(accent, grounds)


def shade(colour: str, grounds: tuple[str, ...], least: float = TEXT) -> str:
    """The colour itself where it passes on all grounds, else the nearest of its hue that does:
    darker on light grounds, lighter on dark ones.
    """
    if passes(colour, grounds, least):
        return colour.lower()
    lightness, chroma, hue = lch(colour)
    end = 0.0 if max(map(_luminance, grounds)) > 0.18 else 1.0
    fails, does = lightness, end
    for _ in range(24):
        middle = (fails + does) / 2
        if passes(of_lch(middle, chroma, hue), grounds, least):
            does = middle
        else:
            fails = middle
    return of_lch(does, chroma, hue)


def lch(colour: str) -> tuple[float, float, float]:
    """Lightness, chroma and hue of `#rrggbb`."""
    r, g, b = _linear(colour)
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    medium = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
    bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
    return lightness, math.hypot(a, bb), math.atan2(bb, a)


def of_lch(lightness: float, chroma: float, hue: float) -> str:
    """The colour of the screen; with less chroma where a screen cannot show as much."""
    low, high = 0.0, chroma
    if _shown(channels := _channels(lightness, chroma, hue)):
        low = high
    for _ in range(0 if low == high else 20):
        middle = (low + high) / 2
        if _shown(tried := _channels(lightness, middle, hue)):
            low, channels = middle, tried
        else:
            high = middle
    if not _shown(channels):
        channels = _channels(lightness, 0.0, hue)
    return "#" + "".join(f"{round(255 * _gamma(min(1.0, max(0.0, c)))):02x}" for c in channels)


def _linear(colour: str) -> tuple[float, float, float]:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _straight(r), _straight(g), _straight(b)


def _straight(channel: float) -> float:
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


def _shown(channels: tuple[float, float, float]) -> bool:
    return all(-0.0001 <= c <= 1.0001 for c in channels)
