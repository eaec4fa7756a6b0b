"""Places in a text, by line and column or by index, and replacements of its parts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from generator.problems.diagnostic import Edit

#: A range of a text, from one index up to another, and the text that replaces it.
Replacement = tuple[int, int, str]

_breaks = re.compile("\r\n|\r|\n").finditer  # as libyaml counts lines


class Lines:
    """A text whose lines are found once: places become indexes, and indexes places, in no time."""

    def __init__(self, text: str):
        self.text = text
        self.starts = [0, *(found.end() for found in _breaks(text))]

    def offset(self, place: tuple[int, int]) -> int:
        """The number of characters before a place; the text's length for a line after its last."""
        line, column = place
        return self.starts[line - 1] + column - 1 if line <= len(self.starts) else len(self.text)

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of the character at an index."""
        line = bisect_right(self.starts, index)
        return line, index - self.starts[line - 1] + 1

    def replacements(self, edits: Iterable[Edit]) -> Iterator[Replacement]:
        """Edits, by line and column, as replacements by index."""
        for line, column, last, end, new in edits:
            yield self.offset((line, column)), self.offset((last, end)), new


def splice(text: str, replacements: Iterable[Replacement]) -> str:
    """A text with disjoint ranges replaced.  Insertions at the same index keep their order."""
    parts, at = list[str](), 0
    for begin, end, new in sorted(replacements, key=lambda one: one[:2]):
        parts += (text[at:begin], new)
        at = end
    return "".join((*parts, text[at:]))


class Mend:
    """A mend of a text: the texts before and after, and the replacements, sorted, with the indexes
    at which they begin in the text after it.
    """

    def __init__(self, before: Lines, replacements: Iterable[Replacement]):
        self.before, self.replacements = before, sorted(replacements)
        self.after = Lines(splice(before.text, self.replacements))
        self._begins, shift = list[int](), 0
        for begin, end, new in self.replacements:
            self._begins.append(begin + shift)
            shift += len(new) - (end - begin)

    def place_before(self, place: tuple[int, int]) -> tuple[int, int]:
        """The place in the text before the mend of a place in the text after it."""
        at = self.after.offset(place)
        last = bisect_right(self._begins, at) - 1
        if last < 0:
            return self.before.place(at)
        (begin, end, new), inner = self.replacements[last], at - self._begins[last]
        if inner >= len(new):
            return self.before.place(end + inner - len(new))
        kept = max(0, new.find(self.before.text[begin:end]))  # as within new quotes
        return self.before.place(max(begin, min(begin + inner - kept, end - 1)))
