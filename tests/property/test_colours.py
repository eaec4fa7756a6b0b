"""For any accent colour of a registry, coloured text is readable, light and dark."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from generator.model.settings.colours import (
    ACCENTS,
    CONTROL_CONTRAST,
    TEXT_CONTRAST,
    accent_of,
    contrast,
    from_lch,
    is_colour,
    nearest_readable,
    to_lch,
)
from generator.site.colours import TONES, token_rules, tokens

colours = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")

GROUNDS = ("paper", "raised", "sunk", "tint")
#: The tones of text and of the backgrounds of text; `quiet` is of bars and tiles only.
SPOKEN = [tone for tone in TONES if tone != "quiet"]
#: Colours of text, with the colours of their background.
TEXTS = {
    **dict.fromkeys(("ink", "soft", "accent", "accent-strong", *SPOKEN), GROUNDS),
    "on-accent": ("accent",),
}
PAIRS = [
    *((text, ground, TEXT_CONTRAST) for text, grounds in TEXTS.items() for ground in grounds),
    *((tone, f"{tone}-tint", TEXT_CONTRAST) for tone in SPOKEN),
    *(("ink", f"{tone}-tint", TEXT_CONTRAST) for tone in SPOKEN),
    *(("accent", f"{tone}-tint", CONTROL_CONTRAST) for tone in SPOKEN),
    ("ink", "mark", TEXT_CONTRAST),
    # Parts of a bar, between which the paper is seen, and the percentages on them.
    *((tone, ground, CONTROL_CONTRAST) for tone in TONES for ground in ("paper", "raised", "sunk")),
    *(("paper", tone, TEXT_CONTRAST) for tone in SPOKEN),
    ("ink", "quiet", TEXT_CONTRAST),
    *(("edge", ground, CONTROL_CONTRAST) for ground in ("paper", "raised", "sunk")),
    *(("focus", ground, CONTROL_CONTRAST) for ground in ("paper", "raised", "sunk", "tint")),
]


@given(colours)
def test_every_pair_of_colours_can_be_read(accent: str) -> None:
    good = nearest_readable(accent) or accent
    for dark in (False, True):
        known = tokens(good, dark)
        assert all(map(is_colour, known.values()))
        for i in range(1, 6):  # percentages on steps, as in site.css
            ink = "#ffffff" if (i < 3 if dark else i > 3) else "#000000"
            assert contrast(ink, known[f"step-{i}"]) >= TEXT_CONTRAST
        low = {
            (ink, background): round(contrast(known[ink], known[background]), 2)
            for ink, background, least in PAIRS
            if contrast(known[ink], known[background]) < least
        }
        assert not low, (good, dark, low)


@given(colours)
def test_an_unreadable_accent_is_replaced_by_the_nearest_of_its_hue(
    accent: str,
) -> None:
    better = nearest_readable(accent)
    if better is None:
        assert tokens(accent)["accent"] == accent
        return
    assert nearest_readable(better) is None, "what is proposed can be taken"
    # One step lighter is unreadable, so there is no nearer colour.
    lightness, chroma, hue = to_lch(better)
    assert nearest_readable(from_lch(lightness + 0.02, chroma, hue)) is not None
    assert to_lch(accent)[0] > lightness


@given(st.text(max_size=20))
def test_the_accent_of_a_name_is_readable_and_neither_red_nor_amber(name: str) -> None:
    accent = accent_of(name)
    assert accent == accent_of(name) and nearest_readable(accent) is None
    assert not -10 < math.degrees(to_lch(accent)[2]) < 135


@given(colours)
def test_a_colour_survives_conversion(colour: str) -> None:
    back = from_lch(*to_lch(colour))
    for i in (1, 3, 5):
        assert abs(int(colour[i : i + 2], 16) - int(back[i : i + 2], 16)) <= 1


def test_contrast_is_that_of_the_guidelines() -> None:
    assert round(contrast("#000000", "#ffffff"), 2) == 21
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


def test_the_style_sheet_has_both_schemes_and_prints_in_light() -> None:
    light, dark = token_rules(ACCENTS["green"]).splitlines()
    assert light.startswith(":root{color-scheme:light dark;--paper:")
    assert dark.startswith("@media screen and (prefers-color-scheme:dark){:root{--paper:")
    assert nearest_readable(ACCENTS["green"]) is None
    assert f"--accent:{ACCENTS['green']};" in light
    assert f"--accent:{tokens(ACCENTS['green'], True)['accent']};" in dark


def test_the_steps_are_monotonic() -> None:
    for dark in (False, True):
        known = tokens(ACCENTS["green"], dark)
        paper = known["paper"]
        steps = [contrast(known[f"step-{i}"], paper) for i in range(1, 6)]
        assert steps == sorted(steps)
        assert steps[0] > 1.1
