"""Writes the outlines of a font for generator/site/pictures.py, inter.json beside it:

    python tests/support/outlines.py inter-latin-600-normal.woff2 … > inter.json

A character is taken from the first file that has it.  The files are those of npm @fontsource/inter;
reading them needs fonttools and brotli.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from typing import Any

#: Units of an em, to which coordinates are rounded.
EM = 1000
#: Ranges of characters that are left out: controls, phonetic letters, marks and arrows.
_LEFT_OUT = (range(0x20), range(0x1C3, 0x1CD), range(0x250, 0x370), range(0x1D00, 0x1E00),
             range(0x2190, 0x20000))  # fmt: skip


def outlines(paths: list[str]) -> dict[str, str]:
    """character -> its advance, and its contours of quadratic curves: `x y`, then `cx cy x y` for
    each curve; a line has its middle as control point.
    """
    from fontTools.pens.recordingPen import DecomposingRecordingPen  # type: ignore[import-not-found]
    from fontTools.ttLib import TTFont  # type: ignore[import-not-found]

    found: dict[str, str] = {}
    for path in paths:
        font = TTFont(path)
        glyphs, scale = font.getGlyphSet(), EM / font["head"].unitsPerEm
        for code, name in sorted(font.getBestCmap().items()):
            if chr(code) in found or any(code in left_out for left_out in _LEFT_OUT):
                continue
            pen = DecomposingRecordingPen(glyphs)
            glyphs[name].draw(pen)
            parts = [str(round(glyphs[name].width * scale)), *_contours(pen.value, scale)]
            found[chr(code)] = ";".join(parts)
    return dict(sorted(found.items()))


def _contours(commands: list[Any], scale: float) -> list[str]:
    contours: list[list[tuple[float, float]]] = []
    for command, points in commands:
        if command == "moveTo":
            contours.append([points[0]])
        elif command == "lineTo":
            contours[-1] += [_middle(contours[-1][-1], points[0]), points[0]]
        elif command == "qCurveTo":
            if points[-1] is None:  # a contour without a point on the curve
                points = (*points[:-1], _middle(points[-2], points[0]))
                contours.append([points[-1]])
            *controls, end = points
            ends = [_middle(a, b) for a, b in pairwise(controls)]
            for control, point in zip(controls, [*ends, end], strict=True):
                contours[-1] += [control, point]
    return [" ".join(str(round(c * scale)) for point in one for c in point) for one in contours]


def _middle(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


if __name__ == "__main__":
    json.dump(outlines(sys.argv[1:]), sys.stdout, ensure_ascii=False, indent=0)
    print()
