"""Whatever accent a registry names: what a page says in colour can be read, light and dark."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.model.settings.colours import (
    CONTROL,
    DEFAULT,
    TEXT,
    contrast,
    is_colour,
    lch,
    of_lch,
    readable,
)
from generator.site.colours import css, tokens

colours = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")

GROUNDS = ("paper", "raised", "sunk", "tint")
#: What is written with, and what it is written on.
TEXTS = {
    **dict.fromkeys(("ink", "soft", "accent", "accent-strong", "good", "warn", "bad"), GROUNDS),
    "on-accent": ("accent",),
}
PAIRS = [
    *((text, ground, TEXT) for text, grounds in TEXTS.items() for ground in grounds),
    *((tone, f"{tone}-tint", TEXT) for tone in ("good", "warn", "bad")),
    *(("ink", f"{tone}-tint", TEXT) for tone in ("good", "warn", "bad")),
    *(("accent", f"{tone}-tint", CONTROL) for tone in ("good", "warn", "bad")),
    ("ink", "mark", TEXT),
    *(("edge", ground, CONTROL) for ground in ("paper", "raised", "sunk")),
    *(("focus", ground, CONTROL) for ground in ("paper", "raised", "sunk", "tint")),
]


@given(colours)
def test_every_pair_of_colours_can_be_read(accent: str) -> None:
    good = readable(accent) or accent
    for dark in (False, True):
        known = tokens(good, dark)
        assert all(map(is_colour, known.values()))
        low = {
            (one, other): round(contrast(known[one], known[other]), 2)
            for one, other, least in PAIRS
            if contrast(known[one], known[other]) < least
        }
        assert not low, (good, dark, low)


@given(colours)
def test_an_accent_that_can_be_read_is_taken_as_it_is_and_the_nearest_of_its_hue_else(
    accent: str,
) -> None:
    better = readable(accent)
    if better is None:
        assert tokens(accent)["accent"] == accent
        return
    assert readable(better) is None, "what is proposed can be taken"
    # A step lighter is one that cannot be read: nothing nearer does.
    lightness, chroma, hue = lch(better)
    assert readable(of_lch(lightness + 0.02, chroma, hue)) is not None
    assert lch(accent)[0] > lightness


@given(colours)
def test_a_colour_is_the_same_there_and_back(colour: str) -> None:
    back = of_lch(*lch(colour))
    for i in (1, 3, 5):
        assert abs(int(colour[i : i + 2], 16) - int(back[i : i + 2], 16)) <= 1


def test_contrast_is_that_of_the_guidelines() -> None:
    assert round(contrast("#000000", "#ffffff"), 2) == 21
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


def test_what_is_published_has_both_and_keeps_dark_from_paper() -> None:
    light, dark = css(DEFAULT).splitlines()
    assert light.startswith(":root{color-scheme:light dark;--paper:")
    assert dark.startswith("@media screen and (prefers-color-scheme:dark){:root{--paper:")
    assert readable(DEFAULT) is None
    assert f"--accent:{DEFAULT};" in light
    assert f"--accent:{tokens(DEFAULT, True)['accent']};" in dark


def test_the_steps_go_one_way() -> None:
    for dark in (False, True):
        known = tokens(DEFAULT, dark)
        paper = known["paper"]
        steps = [contrast(known[f"step-{i}"], paper) for i in range(1, 6)]
        assert steps == sorted(steps)
        assert steps[0] > 1.1
