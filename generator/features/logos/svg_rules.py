"""What a logo in SVG may have: its elements, their attributes, and the values of these.

Everything that is not listed is refused.  Nothing here can run a script, load another file, or
make a browser repeat an element: of the dashes of a stroke a browser draws each, also millions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

NAMESPACE = "http://www.w3.org/2000/svg"
#: The largest number in a value.
MAX_NUMBER = 1_000_000

# Regular expressions of tidied values.  All parts are atomic and all repetitions possessive: a
# value can be read in one way only, and one that is not valid takes no longer than a valid one.
NUMBER = r"(?>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)"
_LENGTH, _SIZE, _SHARE = f"{NUMBER}(?:px|%)?", f"{NUMBER}(?:px)?", f"{NUMBER}%?"
_BETWEEN, _PERHAPS_BETWEEN = r"(?> ?, ?| )", r"(?> ?,? ?)"
_NUMBERS = rf"{NUMBER}(?:{_PERHAPS_BETWEEN}{NUMBER})*+"
_BOX = rf"{NUMBER}(?:{_BETWEEN}{NUMBER}){{3}}"
_PATH = r"[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE.+, -]*+"
_FUNCTION = rf"(?:matrix|translate|scale|rotate|skewX|skewY) ?\( ?{_NUMBERS} ?\)"
_TRANSFORM = rf"{_FUNCTION}(?:{_PERHAPS_BETWEEN}{_FUNCTION})*+"
_COLOUR = (
    r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[a-zA-Z]{3,30}|"
    rf"(?:rgb|rgba|hsl|hsla)\( ?{_LENGTH}(?:{_BETWEEN}{_LENGTH}){{2,3}} ?\)"
)
ID = r"[A-Za-z_][A-Za-z0-9_.-]{0,99}"
_REFERENCE = rf"url\(#({ID})\)"
PAINT, CLIP = f"{_COLOUR}|{_REFERENCE}", f"none|{_REFERENCE}"
NO_DASHES = "none"
_RULE, _UNITS = "nonzero|evenodd", "userSpaceOnUse|objectBoundingBox"

_PAINTED: Mapping[str, str] = {
    "id": ID, "transform": _TRANSFORM, "opacity": _SHARE, "color": _COLOUR,
    "fill": PAINT, "fill-opacity": _SHARE, "fill-rule": _RULE,
    "stroke": PAINT, "stroke-width": _LENGTH, "stroke-opacity": _SHARE,
    "stroke-linecap": "butt|round|square", "stroke-linejoin": "miter|round|bevel",
    "stroke-miterlimit": NUMBER, "stroke-dasharray": NO_DASHES, "stroke-dashoffset": _LENGTH,
    "clip-path": CLIP, "clip-rule": _RULE,
    "shape-rendering": "auto|optimizeSpeed|crispEdges|geometricPrecision",
    "vector-effect": "none|non-scaling-stroke",
}  # fmt: skip
_GRADIENT: Mapping[str, str] = {
    "id": ID, "gradientUnits": _UNITS, "gradientTransform": _TRANSFORM,
    "spreadMethod": "pad|reflect|repeat",
}  # fmt: skip
_SHAPES: Mapping[str, Mapping[str, str]] = {
    "path": {"d": _PATH},
    "rect": dict.fromkeys(("x", "y", "width", "height", "rx", "ry"), _LENGTH),
    "circle": dict.fromkeys(("cx", "cy", "r"), _LENGTH),
    "ellipse": dict.fromkeys(("cx", "cy", "rx", "ry"), _LENGTH),
    "line": dict.fromkeys(("x1", "y1", "x2", "y2"), _LENGTH),
    "polyline": {"points": _NUMBERS},
    "polygon": {"points": _NUMBERS},
}
_ROOT: Mapping[str, str] = {
    "xmlns": re.escape(NAMESPACE), "xmlns:xlink": re.escape("http://www.w3.org/1999/xlink"),
    "version": r"1\.[012]|2", "role": "img", "viewBox": _BOX, "width": _SIZE, "height": _SIZE,
    "preserveAspectRatio": r"none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: (?:meet|slice))?",
}  # fmt: skip

#: Element -> attribute -> the regular expression of its value.
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "svg": {**_PAINTED, **_ROOT},
    "g": _PAINTED,
    "defs": {"id": ID},
    "linearGradient": {**_GRADIENT, **_SHAPES["line"]},
    "radialGradient": {
        **_GRADIENT,
        **dict.fromkeys(("cx", "cy", "r", "fx", "fy", "fr"), _LENGTH),
    },
    "stop": {"id": ID, "offset": _SHARE, "stop-color": _COLOUR, "stop-opacity": _SHARE},
    "clipPath": {"id": ID, "clipPathUnits": _UNITS, "transform": _TRANSFORM},
    "title": {"id": ID},
    "desc": {"id": ID},
    **{name: {**_PAINTED, **own} for name, own in _SHAPES.items()},
}
#: The elements that have text, and those that anything may have.
TEXTS = frozenset(("title", "desc"))
_DRAWN = frozenset((*_SHAPES, "g", "defs", "linearGradient", "radialGradient", "clipPath"))
#: Element -> the elements that it may have, besides `TEXTS`.
CHILDREN: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("svg", "g", "defs"), _DRAWN),
    **dict.fromkeys(("linearGradient", "radialGradient"), frozenset(("stop",))),
    "clipPath": frozenset(_SHAPES),
}


def tidy(value: str) -> str:
    """A value with single spaces between its parts, and none around it."""
    return " ".join(value.split())


def is_valid(pattern: str, value: str) -> bool:
    """Whether a tidied value matches, and its numbers are small enough."""
    if re.fullmatch(pattern, value) is None:
        return False
    if pattern is ID or value.startswith(("#", "url(")):
        return True
    return all(abs(float(number)) <= MAX_NUMBER for number in re.findall(NUMBER, value))


def reference(value: str) -> str | None:
    """The id that a value refers to."""
    match = re.fullmatch(_REFERENCE, value)
    return match[1] if match is not None else None
