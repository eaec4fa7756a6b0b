"""How many dashes a stroke has.

A browser draws each of them, also those that nobody can see: short ones, and those of lines far
outside the picture.  A few hundred lines of such dashes take it a minute and more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from generator.features.logos.images import svg_rules as rules

#: No dash is shorter than the larger side of the view box by this.
PARTS = 500
#: The most dashes of a logo, estimated from its coordinates; a browser draws so many in a second.
MAX_DASHES = 1_000_000
#: Shape -> the greatest ratio of its length to the sum of its coordinates.
_LENGTHS = {"circle": 2 * math.pi, "ellipse": 2 * math.pi}
_ARC = 2 * math.pi
_LINES = 2.0
#: The attributes with the coordinates of shapes.
_COORDINATES = frozenset(name for shape in rules.SHAPES.values() for name in shape)


def lengths(dashes: str, size: tuple[float, float]) -> list[float]:
    """The lengths of an attribute `stroke-dasharray` in a picture of this size; none if all are 0,
    which is a line without dashes.
    """
    if dashes == "none":
        return []
    found = [
        abs(float(part[:-1])) * percent(size)
        if part[-1] == "%"
        else abs(float(part.removesuffix("px")))
        for part in dashes.replace(",", " ").split()
    ]
    return found if any(found) else []


def percent(size: tuple[float, float]) -> float:
    """One percent of a picture, for lengths in no direction (SVG 2, 8.9)."""
    return math.hypot(*size) / math.sqrt(2) / 100


def scale(transform: str) -> float:
    """How many times larger a transformed length is, on the average of both directions."""
    factor = 1.0
    for name, text in rules.find_functions(transform):
        numbers = list(map(float, rules.find_numbers(text)))
        if name == "scale":
            factor *= abs(numbers[0] * numbers[-1]) ** 0.5
        elif name == "matrix" and len(numbers) == 6:
            factor *= abs(numbers[0] * numbers[3] - numbers[1] * numbers[2]) ** 0.5
    return factor


def count(
    name: str, attributes: Mapping[str, str], dashes: list[float], size: tuple[float, float]
) -> float:
    """At least as many dashes as a shape has, of a stroke with these lengths in a picture of this
    size.
    """
    total, ratio = 0.0, _LENGTHS.get(name, _LINES)
    for attribute in _COORDINATES & attributes.keys():
        value = attributes[attribute]
        unit = percent(size) if value.endswith("%") else 1.0
        total += unit * sum(abs(float(number)) for number in rules.find_numbers(value))
        if attribute == "d" and "a" in value.lower():
            ratio = _ARC
    return total * ratio * len(dashes) / (2 * sum(dashes))
