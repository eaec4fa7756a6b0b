"""The colours of the site as CSS custom properties, for light and dark pages, from the accent."""

from __future__ import annotations

import math
from collections.abc import Container

from generator.model.settings.colours import (
    BOX_BACKGROUND,
    CONTROL_CONTRAST,
    PAGE_BACKGROUND,
    TEXT_CONTRAST,
    contrast,
    from_lch,
    shade,
    to_lch,
)

#: The tokens that do not depend on the accent: name -> (light, dark).
_FIXED = {
    "paper": PAGE_BACKGROUND,
    "sunk": BOX_BACKGROUND,
    "raised": ("#ffffff", "#171b1d"),
    "ink": ("#16191b", "#e9ebe8"),
    "soft": ("#566067", "#a3acb1"),
    "line": ("#dcdfda", "#2c3236"),
    "edge": ("#83898a", "#6c767b"),
    "good": ("#1a6b3c", "#6fcf97"),
    "good-tint": ("#e3f3e8", "#14301f"),
    "warn": ("#7d5200", "#e9b44c"),
    "warn-tint": ("#fbf0d7", "#33270c"),
    "bad": ("#a3261b", "#f59a8f"),
    "bad-tint": ("#fbe6e3", "#3c1714"),
    "done": ("#17508f", "#6fa9ee"),
    "done-tint": ("#e4eefa", "#15283f"),
    "best": ("#7a40b2", "#cdb0f5"),
    "best-tint": ("#f0e8f9", "#2b1b3d"),
    "quiet": ("#858c90", "#616b71"),
    "mark": ("#ffe9a8", "#57460f"),
}
#: The classes of badges, bars, tiles and times, each with a token of its name: what goes well, has
#: ended well, is the best, is over or says little, needs care, is wrong.
TONES = ("good", "done", "best", "quiet", "warn", "bad")
#: The lightness of the five steps of maps and shares, light and dark pages, lowest step first.
_STEPS = ((0.9, 0.8, 0.68, 0.55, 0.42), (0.34, 0.45, 0.58, 0.7, 0.83))

#: The number of colours of monograms; their lightness and chroma on light and dark pages, of the
#: ground and of the letters.
MONOGRAMS = 8
_MONOGRAM = (((0.93, 0.045), (0.42, 0.1)), ((0.32, 0.05), (0.86, 0.08)))

#: The contrast of text in the accent on dark pages: above the required one, to look equally strong.
_DARK_CONTRAST = 5.5


def tokens(accent: str, dark: bool = False) -> dict[str, str]:
    """token -> colour, for light or dark pages.

    The accent must be readable on light pages
    (`generator.model.settings.colours.nearest_readable`).
    """
    side = int(dark)
    fixed = {name: colours[side] for name, colours in _FIXED.items()}
    _, chroma, hue = to_lch(accent)
    tint = from_lch(0.26 if dark else 0.972, min(chroma, 0.04 if dark else 0.015), hue)
    main = shade(
        accent, (fixed["paper"], fixed["sunk"], tint), _DARK_CONTRAST if dark else TEXT_CONTRAST
    )
    lightness = to_lch(main)[0]
    strong = from_lch(lightness + (0.08 if dark else -0.1), chroma, hue)
    on = max(("#ffffff", fixed["paper"], "#0b0d0e"), key=lambda ink: contrast(ink, main))
    return fixed | {
        "accent": main,
        "accent-strong": shade(strong, (fixed["paper"], tint)),
        "on-accent": on,
        "tint": tint,
        "focus": shade(main, (fixed["paper"],), CONTROL_CONTRAST),
        **{
            f"step-{i}": from_lch(step, min(chroma, 0.04 + 0.02 * i), hue)
            for i, step in enumerate(_STEPS[side], 1)
        },
        **_monograms(side),
    }


def _monograms(side: int) -> dict[str, str]:
    """The grounds and letters of monograms, in hues of equal distance."""
    found = {}
    for number in range(MONOGRAMS):
        ground, ink = (
            from_lch(*shade_of, 0.4 + number * math.tau / MONOGRAMS) for shade_of in _MONOGRAM[side]
        )
        found[f"face-{number}"] = ground
        found[f"on-face-{number}"] = shade(ink, (ground,), TEXT_CONTRAST)
    return found


def monogram(name: str) -> int:
    """The number of the colour of a name's monogram, from 0 to MONOGRAMS - 1.

    Scripts compute the same: generator/site/source/shared/face.mjs.
    """
    number = 0
    for character in name:
        number = (number * 31 + ord(character)) % 2**32
    return number % MONOGRAMS


def token_rules(accent: str, only: Container[str] | None = None) -> str:
    """The CSS rules of the tokens, or `only` of some, for light and for dark screens."""
    light, dark = (
        "".join(
            f"--{name}:{value};"
            for name, value in tokens(accent, side).items()
            if only is None or name in only
        )
        for side in (False, True)
    )
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    )
