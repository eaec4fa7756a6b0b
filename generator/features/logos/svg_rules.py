"""What a logo in SVG may have: its elements, their attributes, and the values of these.

Everything that is not listed is refused.  Nothing here can run a script, load another file, or
make a browser repeat an element: of the dashes of a stroke a browser draws each, also millions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
#: The largest number in a value, and the longest id.
MAX_NUMBER = 1_000_000
MAX_ID = 100

# All parts are atomic and all repetitions possessive: a value can be read in one way only, and a
# value that is not valid takes no longer than a valid one.
_NUMBER = r"(?>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)"
_LENGTH = f"{_NUMBER}(?:px|%)?"
_BETWEEN = r"(?> ?, ?| )"
_PERHAPS_BETWEEN = r"(?> ?,? ?)"
_NUMBERS = rf"{_NUMBER}(?:{_PERHAPS_BETWEEN}{_NUMBER})*+"
_FUNCTION = rf"(?:matrix|translate|scale|rotate|skewX|skewY) ?\( ?{_NUMBERS} ?\)"
_COLOUR = (
    r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[a-zA-Z]{3,30}|"
    rf"(?:rgb|rgba|hsl|hsla)\( ?{_LENGTH}(?:{_BETWEEN}{_LENGTH}){{2,3}} ?\)"
)
_ID = rf"[A-Za-z_][A-Za-z0-9_.-]{{0,{MAX_ID - 1}}}"
_REFERENCE = rf"url\(#({_ID})\)"

#: Kind of value -> the regular expression of a tidied value.
_VALUES = {
    "number": _NUMBER,
    "length": _LENGTH,
    "size": f"{_NUMBER}(?:px)?",
    "share": f"{_NUMBER}%?",
    "numbers": _NUMBERS,
    "dashes": "none",
    "box": rf"{_NUMBER}(?:{_BETWEEN}{_NUMBER}){{3}}",
    "path": r"[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE.+, -]*+",
    "transform": rf"{_FUNCTION}(?:{_PERHAPS_BETWEEN}{_FUNCTION})*+",
    "paint": f"{_COLOUR}|{_REFERENCE}",
    "colour": _COLOUR,
    "clip": f"none|{_REFERENCE}",
    "id": _ID,
    "ratio": r"none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: (?:meet|slice))?",
    "role": "img",
    "version": r"1\.[012]|2",
    "namespace": re.escape(NAMESPACE),
    "xlink": re.escape(XLINK),
    "cap": "butt|round|square",
    "join": "miter|round|bevel",
    "rule": "nonzero|evenodd",
    "units": "userSpaceOnUse|objectBoundingBox",
    "spread": "pad|reflect|repeat",
    "rendering": "auto|optimizeSpeed|crispEdges|geometricPrecision",
    "effect": "none|non-scaling-stroke",
}

_PAINTED: Mapping[str, str] = {
    "id": "id", "transform": "transform", "opacity": "share", "color": "colour",
    "fill": "paint", "fill-opacity": "share", "fill-rule": "rule",
    "stroke": "paint", "stroke-width": "length", "stroke-opacity": "share",
    "stroke-linecap": "cap", "stroke-linejoin": "join", "stroke-miterlimit": "number",
    "stroke-dasharray": "dashes", "stroke-dashoffset": "length",
    "clip-path": "clip", "clip-rule": "rule",
    "shape-rendering": "rendering", "vector-effect": "effect",
}  # fmt: skip
_GRADIENT: Mapping[str, str] = {
    "id": "id", "gradientUnits": "units", "gradientTransform": "transform",
    "spreadMethod": "spread",
}  # fmt: skip
_SHAPES: Mapping[str, Mapping[str, str]] = {
    "path": {"d": "path"},
    "rect": dict.fromkeys(("x", "y", "width", "height", "rx", "ry"), "length"),
    "circle": dict.fromkeys(("cx", "cy", "r"), "length"),
    "ellipse": dict.fromkeys(("cx", "cy", "rx", "ry"), "length"),
    "line": dict.fromkeys(("x1", "y1", "x2", "y2"), "length"),
    "polyline": {"points": "numbers"},
    "polygon": {"points": "numbers"},
}
_ROOT: Mapping[str, str] = {
    "xmlns": "namespace", "xmlns:xlink": "xlink", "version": "version", "role": "role",
    "viewBox": "box", "width": "size", "height": "size", "preserveAspectRatio": "ratio",
}  # fmt: skip

#: Element -> attribute -> kind of value.
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "svg": {**_PAINTED, **_ROOT},
    "g": _PAINTED,
    "defs": {"id": "id"},
    "linearGradient": {**_GRADIENT, **_SHAPES["line"]},
    "radialGradient": {
        **_GRADIENT,
        **dict.fromkeys(("cx", "cy", "r", "fx", "fy", "fr"), "length"),
    },
    "stop": {"id": "id", "offset": "share", "stop-color": "colour", "stop-opacity": "share"},
    "clipPath": {"id": "id", "clipPathUnits": "units", "transform": "transform"},
    "title": {"id": "id"},
    "desc": {"id": "id"},
    **{name: {**_PAINTED, **own} for name, own in _SHAPES.items()},
}
#: The elements that have text, and those that anything may have.
TEXTS = frozenset(("title", "desc"))
_DRAWN = frozenset((*_SHAPES, "g", "defs", "linearGradient", "radialGradient", "clipPath"))
#: Element -> the elements that it may have, besides `TEXTS`.
CHILDREN: Mapping[str, frozenset[str]] = {
    "svg": _DRAWN,
    "g": _DRAWN,
    "defs": _DRAWN,
    "linearGradient": frozenset(("stop",)),
    "radialGradient": frozenset(("stop",)),
    "clipPath": frozenset(_SHAPES),
}
_MATCH: Mapping[str, Callable[[str], re.Match[str] | None]] = {
    kind: re.compile(pattern).fullmatch for kind, pattern in _VALUES.items()
}
_find_numbers = re.compile(_NUMBER).findall
_is_reference = re.compile(_REFERENCE).fullmatch
_NUMBERLESS = frozenset(("id", "namespace", "xlink", "role", "version"))


def tidy(value: str) -> str:
    """A value with single spaces between its parts, and none around it."""
    return " ".join(value.split())


def is_valid(kind: str, value: str) -> bool:
    """Whether a tidied value is of a kind, and its numbers are small enough."""
    if _MATCH[kind](value) is None:
        return False
    if kind in _NUMBERLESS or value.startswith(("#", "url(")):
        return True
    return all(abs(float(number)) <= MAX_NUMBER for number in _find_numbers(value))


def reference(value: str) -> str | None:
    """The id that a value refers to."""
    match = _is_reference(value)
    return match[1] if match is not None else None
