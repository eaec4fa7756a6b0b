"""Pictures of up to 16 shades as PNG (https://www.w3.org/TR/png-3/), drawn by the standard library:
the card of link previews, the touch icon.

The letters are those of Inter by Rasmus Andersson, semi-bold: Latin, Greek and Cyrillic (NOTICE.md
names the licence).  tests/support/outlines.py writes `inter.json`.

The same picture gives the same bytes everywhere: `zlib.compress` would not, because systems have
different libraries behind it.  So the data is compressed here, by runs of one byte.
"""

from __future__ import annotations

import re
import struct
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from math import ceil, floor
from pathlib import Path
from typing import NamedTuple

import orjson

#: The number of shades.
SHADES = 16

#: A byte that is repeated 3 to 258 times after itself, or a single byte.
_runs = re.compile(rb"(.)\1{3,258}|.", re.DOTALL).finditer
#: The symbols 257 to 285 of lengths: the least length of each (RFC 1951, section 3.2.5).
_LENGTHS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
            115, 131, 163, 195, 227, 258)  # fmt: skip


def encode(rows: Sequence[bytes], palette: Sequence[tuple[int, int, int]]) -> bytes:
    """A PNG of rows of shades, one byte for each pixel; `palette` has the colours of the shades.

    The width is even.
    """
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 4, 3, 0, 0, 0)
    pairs = [bytes(map(_PACKED.__getitem__, zip(row[::2], row[1::2], strict=True))) for row in rows]
    lines = [b"\0" + pairs[0]]
    for above, row in pairwise(pairs):
        # A row, or its difference from the one above (filter 2): what has fewer runs.
        difference = bytes((a - b) & 255 for a, b in zip(row, above, strict=True))
        lines.append(
            min(b"\2" + difference, b"\0" + row, key=lambda line: sum(1 for _ in _runs(line)))
        )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", header),
            (b"PLTE", bytes(channel for colour in palette for channel in colour)),
            (b"IDAT", _compressed(b"".join(lines))),
            (b"IEND", b""),
        )
    )


#: Two shades -> the byte of both.
_PACKED = {(a, b): 16 * a + b for a in range(SHADES) for b in range(SHADES)}


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _compressed(data: bytes) -> bytes:
    """Data in the format zlib (RFC 1950), one block with the fixed codes of RFC 1951."""
    bits = ["110"]  # the last block, with fixed codes
    for run in _runs(data):
        length = run.end() - run.start() - 1
        bits.append(_CODES[data[run.start()]])
        if length:
            bits.append(_REPEATS[length])
    bits.append(_code(256))
    stream = "".join(bits)
    packed = int(stream[::-1], 2).to_bytes(-(-len(stream) // 8), "little")
    return b"\x78\x01" + packed + struct.pack(">I", zlib.adler32(data))


def _code(symbol: int) -> str:
    """The fixed code of a literal or a length, its bits in the order of the stream."""
    if symbol < 144:
        return f"{0b00110000 + symbol:08b}"
    if symbol < 256:
        return f"{0b110010000 + symbol - 144:09b}"
    if symbol < 280:
        return f"{symbol - 256:07b}"
    return f"{0b11000000 + symbol - 280:08b}"


def _repeat(length: int) -> str:
    """The codes of a length and of the distance 1."""
    index = max(i for i, least in enumerate(_LENGTHS) if least <= length)
    extra = 0 if index < 8 or index == 28 else (index - 4) // 4
    more = f"{length - _LENGTHS[index]:0{extra}b}"[::-1] if extra else ""
    return _code(257 + index) + more + "00000"


_CODES = [_code(symbol) for symbol in range(256)]
_REPEATS = ["" if length < 3 else _repeat(length) for length in range(259)]


#: Units of an em in the outlines.
_EM = 1000
#: Pixels that a curve may differ from the lines that it is drawn by.
_FLATNESS = 0.15
#: The highest shade: the front colour.
INK = SHADES - 1

Point = tuple[float, float]


class Glyph(NamedTuple):
    """The outline of a character in units of the font: its advance, and contours of quadratic
    curves, as their first point and (control, end) of each curve; y grows upwards.
    """

    advance: int
    contours: tuple[tuple[Point, tuple[tuple[Point, Point], ...]], ...]


class Picture:
    """Pixels as shades from 0, the ground colour, to INK, the front colour."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self._pixels = [bytearray(width) for _ in range(height)]

    def fill(self, left: int, top: int, right: int, bottom: int, shade: int) -> None:
        """Fill a rectangle, without its right and bottom edge."""
        for row in self._pixels[max(0, top) : bottom]:
            row[left:right] = bytes([shade]) * (right - left)

    def write(self, left: float, base: int, text: str, size: int, shade: int) -> None:
        """Write a line of text that begins at `left` on the base line `base`."""
        for character in text:
            glyph = _glyph(character)
            if glyph is None:
                continue
            whole, half = divmod(round(2 * left), 2)
            for (x, y), cover in _mask(character, size, half):
                if 0 <= base + y < self.height and 0 <= whole + x < self.width:
                    row = self._pixels[base + y]
                    row[whole + x] += round((shade - row[whole + x]) * cover)
            left += glyph.advance * size / _EM

    def png(self, ground: str, front: str) -> bytes:
        """The picture as PNG, in two colours `#rrggbb` and their mixtures."""
        back, ink = _channels(ground), _channels(front)
        palette = []
        for shade in range(SHADES):
            red, green, blue = (
                round(b + (i - b) * shade / INK) for b, i in zip(back, ink, strict=True)
            )
            palette.append((red, green, blue))
        return encode(list(map(bytes, self._pixels)), palette)


def drawable_text(text: str) -> str:
    """A text without the signs that have no outline; "" if a letter or digit of it has none."""
    characters = []
    for character in unicodedata.normalize("NFC", text):
        if character.isspace():
            characters.append(" ")
        elif _glyph(character) is not None:
            characters.append(character)
        elif unicodedata.category(character)[0] in "LMN":
            return ""
    return " ".join("".join(characters).split())


def text_width(text: str, size: int) -> float:
    """The width of a line of text in pixels."""
    glyphs = map(_glyph, text)
    return sum(glyph.advance for glyph in glyphs if glyph is not None) * size / _EM


def icon(side: int, text: str, ground: str, front: str) -> bytes:
    """A square PNG with a letter in its middle; with three bars if the letter cannot be drawn."""
    picture, letter = Picture(side, side), drawable_text(text)[:1]
    if letter:
        size = round(side * 0.62)
        left = (side - text_width(letter, size)) / 2
        picture.write(left, round(side / 2 + size * _CAPITALS / 2), letter, size, INK)
    else:
        bar, bottom = side // 9, side * 3 // 4
        for number in range(3):
            left = side // 4 + number * side * 7 // 36
            picture.fill(left, bottom - (number + 2) * bar, left + bar, bottom, INK)
    return picture.png(ground, front)


#: The height of capitals, in em.
_CAPITALS = 0.728


@cache
def _outlines() -> dict[str, str]:
    outlines: dict[str, str] = orjson.loads((Path(__file__).parent / "inter.json").read_bytes())
    return outlines


@lru_cache(maxsize=512)
def _glyph(character: str) -> Glyph | None:
    """The outline of a character, or None."""
    outline = _outlines().get(character)
    if outline is None:
        return None
    advance, *contours = outline.split(";")
    return Glyph(int(advance), tuple(map(_contour, contours)))


def _contour(text: str) -> tuple[Point, tuple[tuple[Point, Point], ...]]:
    numbers = list(map(float, text.split()))
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    return points[0], tuple(zip(points[1::2], points[2::2], strict=True))


@lru_cache(maxsize=1024)
def _mask(character: str, size: int, half: int) -> list[tuple[tuple[int, int], float]]:
    """The pixels of a character around its origin, with the share of each that it covers; `half` is
    1 if the character begins in the middle of a pixel.
    """
    glyph = _glyph(character)
    lines = list(_lines(glyph, half / 2, size / _EM)) if glyph else []
    if not lines:
        return []
    xs, ys = zip(*(point for line in lines for point in line), strict=True)
    left, top = floor(min(xs)), floor(min(ys))
    areas = [[0.0] * (ceil(max(xs)) - left + 2) for _ in range(ceil(max(ys)) - top)]
    for (x0, y0), (x1, y1) in lines:
        _add_line(areas, x0 - left, y0 - top, x1 - left, y1 - top)
    return [
        ((x, y), min(1.0, abs(cover)))
        for y, area in enumerate(areas, top)
        for x, cover in enumerate(accumulate(area), left)
        if abs(cover) > 0.01
    ]


def _lines(glyph: Glyph, left: float, scale: float) -> Iterator[tuple[Point, Point]]:
    """The lines of an outline in pixels, y downwards from the base line."""
    for (x, y), curves in glyph.contours:
        start = at = left + x * scale, -y * scale
        for (cx, cy), (x, y) in curves:
            control, end = (left + cx * scale, -cy * scale), (left + x * scale, -y * scale)
            bend = abs(at[0] - 2 * control[0] + end[0]) + abs(at[1] - 2 * control[1] + end[1])
            count, before = max(1, ceil((bend / 4 / _FLATNESS) ** 0.5)), at
            for n in range(1, count + 1):
                t = n / count
                a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
                after = (
                    a * at[0] + b * control[0] + c * end[0],
                    a * at[1] + b * control[1] + c * end[1],
                )
                yield before, after
                before = after
            at = end
        yield at, start


def _add_line(areas: list[list[float]], x0: float, y0: float, x1: float, y1: float) -> None:
    """Add what a line changes of the covered area of each pixel, from left to right."""
    if y0 == y1:
        return
    direction = 1.0
    if y0 > y1:
        x0, y0, x1, y1, direction = x1, y1, x0, y0, -1.0
    slope, x = (x1 - x0) / (y1 - y0), x0
    for y in range(int(y0), min(len(areas), ceil(y1))):
        row, tall = areas[y], min(y + 1.0, y1) - max(float(y), y0)
        after, weight = x + slope * tall, tall * direction
        low, high = (x, after) if x < after else (after, x)
        first, last = int(low), ceil(high)
        if last <= first + 1:
            share = (x + after) / 2 - first
            row[first] += weight * (1 - share)
            row[first + 1] += weight * share
        else:
            # The share of each pixel that is right of the line.
            before, wide = 0.0, high - low
            for column in range(first, last):
                start, end = max(low, float(column)), min(high, column + 1.0)
                whole = max(0.0, min(high, float(column)) - low)
                share = (whole + (end - start) * (column + 1.0 - (start + end) / 2)) / wide
                row[column] += weight * (share - before)
                before = share
            row[last] += weight * (1 - before)
        x = after


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
