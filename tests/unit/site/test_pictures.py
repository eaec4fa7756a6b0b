"""Pictures with text: valid PNG, the same bytes everywhere, and letters where they belong."""

from __future__ import annotations

import hashlib
import io

import pytest
from PIL import Image

from generator.site import pictures
from generator.site.theme import Theme

_PALETTE = [(n, 2 * n, 3 * n) for n in range(pictures.SHADES)]


@pytest.mark.parametrize("width", [2, 6, 258, 1200])
def test_a_picture_has_the_pixels_that_were_given(width: int) -> None:
    rows = [bytes((x * y // 7 + x) % pictures.SHADES for x in range(width)) for y in range(9)]
    rows += [bytes(width)] * 3 + [bytes([5]) * width] * 2
    with Image.open(io.BytesIO(pictures.encode(rows, _PALETTE))) as picture:
        assert picture.size == (width, len(rows))
        assert picture.tobytes() == b"".join(rows)
        assert picture.getpalette()[: 3 * pictures.SHADES] == [
            c for colour in _PALETTE for c in colour
        ]


def test_the_bytes_of_a_picture_depend_on_no_library() -> None:
    drawn = pictures.icon(180, "R", "#0b6e4f", "#ffffff")
    assert hashlib.sha256(drawn).hexdigest()[:16] == "4b9507183baa304c"


def test_a_letter_without_an_outline_is_replaced_by_bars() -> None:
    bars = pictures.icon(180, "日", "#000000", "#ffffff")
    assert bars == pictures.icon(180, "", "#000000", "#ffffff")
    with Image.open(io.BytesIO(bars)) as picture:
        drawn = picture.convert("L").point(lambda shade: shade > 127 and 255)
    # Each a ninth of the side wide, and as much higher than the one before it.
    columns = [drawn.crop((left, 0, left + 20, 180)) for left in (45, 80, 115)]
    assert [part.getbbox() for part in columns] == [(0, top, 20, 135) for top in (95, 75, 55)]
    assert sum(drawn.histogram()[255:]) == 20 * (40 + 60 + 80)


def test_the_touch_icon_is_drawn_or_the_registrys_own() -> None:
    def icon(own: dict[str, bytes] | None = None) -> bytes:
        return Theme("en", own, name="écluse").assets["touch-icon.png"].data

    with Image.open(io.BytesIO(icon())) as picture:
        assert picture.size == (180, 180)
    assert icon({"touch-icon.png": b"own"}) == b"own"
