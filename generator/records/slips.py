"""What an editor's everyday slip makes of a file: the real cause of a fault of its YAML, from the lines around it.

Reads text, knows nothing of fields.  Asked only for what is wrong already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.records.texts import ODD_SPACES, called


class Slip(NamedTuple):
    """What is wrong, how to mend it, and where it stands: line and column, 1-based."""

    message: str
    hint: str
    at: tuple[int, int]


_CONFLICT = re.compile(r"^(?:(?:<{7}|>{7}|\|{7})(?: .*)?|={7})$")
_KEY = re.compile(r"( *)((?:- +)*)([A-Za-z_][\w-]*) *:(?= |$)")
_GLUED_KEY = re.compile(r"(?: *(?:- +)*)([A-Za-z_][\w-]*):(?=[^\s:/])([^\n]*)")
_ITEM = re.compile(r" *()(-)(?= |$)")
_GLUED_ITEM = re.compile(r" *-(?=[^\s\-\d])([^\n]*?)(?= -|$)")
_ODD_SPACE = re.compile(f"[ \\t-]*([{ODD_SPACES}])|[ -]*[\\w -]*([{ODD_SPACES}])[^:\\n]*:|[ -]*[\\w-]+:[ ]?([{ODD_SPACES}])")


def conflict(lines: list[str]) -> Slip | None:
    """The first line that git leaves where two versions of a file could not be merged."""
    for number, line in enumerate(lines, 1):
        if _CONFLICT.match(line):
            hint = "keep the lines of one version, and remove those that begin with <<<<<<<, =======, ||||||| and >>>>>>>"
            return Slip("two versions of this file were not merged", hint, (number, 1))
    return None


def slip(lines: list[str], first: int, last: int) -> Slip | None:
    """What is probably the cause of a fault noticed between two lines, 1-based."""
    for number in _around(lines, first, last):
        for look in (odd_space, glued):
            found = look(lines[number - 1], number)
            if found is not None:
                return found
    return _misplaced(lines, last)


def _around(lines: list[str], first: int, last: int) -> Iterator[int]:
    """The lines of a fault, and that before them."""
    before = next((n for n in range(first - 1, 0, -1) if lines[n - 1].strip()), first)
    yield from (n for n in (*range(first, last + 1), before) if n <= len(lines))


def odd_space(line: str, number: int) -> Slip | None:
    """A space that is none to YAML, where the line is indented, in a key or after its colon."""
    found = _ODD_SPACE.match(line)
    if found is None:
        return None
    at = found.start(found.lastindex or 0)
    return Slip(
        f"{called(line[at])} stands here, which YAML does not take for a blank", "write a usual blank instead", (number, at + 1)
    )


def glued(line: str, number: int) -> Slip | None:
    """`key:value` and `-item`."""
    found = _GLUED_KEY.match(line)
    if found is not None:
        return Slip('there is no blank after the ":"', f'write "{found[1]}: {_cut(found[2])}"', (number, found.end(1) + 2))
    found = _GLUED_ITEM.match(line)
    if found is not None:
        return Slip('there is no blank after the "-"', f'write "- {_cut(found[1])}"', (number, found.start(1) + 1))
    return None


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _misplaced(lines: list[str], number: int) -> Slip | None:
    """A field, or an item, that begins one column beside those above."""
    line = lines[number - 1] if number <= len(lines) else ""
    item, found = _ITEM.match(line), _KEY.match(line)
    if item is not None:
        above = next((m for m in map(_ITEM.match, reversed(lines[: number - 1])) if m), item)
        if abs(above.start(2) - item.start(2)) == 1:
            what = f'this "-" is indented by one blank {"more" if item.start(2) > above.start(2) else "less"} than that above'
            return Slip(what, "items of one list begin in the same column", (number, item.start(2) + 1))
    if found is None:
        return None
    column = found.start(3)
    for other in map(_KEY.match, reversed(lines[: number - 1])):
        if other is not None:
            for begin in (other.start(3), other.start(2) if other[2] else -9):
                if abs(begin - column) == 1:
                    more = "more" if column > begin else "less"
                    what = f'"{found[3]}" is indented by one blank {more} than "{other[3]}" above'
                    return Slip(what, "fields of one mapping begin in the same column", (number, column + 1))
            if other.start(3) < column:
                return None
    return None
