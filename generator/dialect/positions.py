"""Places in a text, by line and column or by index, and replacements of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator.problems.diagnostic import Edit

#: A range of a text, from one index up to another, and the text that replaces it.
Replacement = tuple[int, int, str]


def offset_of_place(text: str, place: tuple[int, int]) -> int:
    """The number of characters before a place."""
    line, column = place
    return sum(len(before) + 1 for before in text.split("\n", line - 1)[: line - 1]) + column - 1


def place_after(text: str) -> tuple[int, int]:
    """Line and column of the character after `text`."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")


def replacements_of(text: str, edits: Iterable[Edit]) -> Iterator[Replacement]:
    """Edits, by line and column, as replacements by index."""
    lines = text.count("\n") + 1
    for line, column, last, end, new in edits:
        after = offset_of_place(text, (last, end)) if last <= lines else len(text)
        yield offset_of_place(text, (line, column)), after, new


def splice(text: str, replacements: Iterable[Replacement]) -> str:
    """A text with disjoint ranges replaced.  Insertions at the same index keep their order."""
    for begin, end, new in sorted(replacements, key=lambda one: one[:2])[::-1]:
        text = text[:begin] + new + text[end:]
    return text


class Mend(NamedTuple):
    """A mend of a text: the texts before and after, and the replacements, sorted."""

    before: str
    text: str
    replacements: tuple[Replacement, ...]

    @classmethod
    def of(cls, text: str, edits: Iterable[Edit]) -> Mend:
        replacements = tuple(sorted(replacements_of(text, edits)))
        return cls(text, splice(text, replacements), replacements)

    def touches(self, line: int) -> bool:
        """Whether a line of the text after the mend has a part of it."""
        shift = 0
        for begin, end, new in self.replacements:
            first = place_after(self.text[: begin + shift])[0]
            if first <= line <= first + new.count("\n"):
                return True
            shift += len(new) - (end - begin)
        return False

    def place_before(self, place: tuple[int, int]) -> tuple[int, int]:
        """The place in the text before the mend of a place in the text after it."""
        at, shift = offset_of_place(self.text, place), 0
        for begin, end, new in self.replacements:
            if at < begin + shift:
                break
            if at < begin + shift + len(new):
                kept = max(0, new.find(self.before[begin:end]))  # as within new quotes
                inner = max(begin, min(at - shift - kept, end - 1))
                return place_after(self.before[:inner])
            shift += len(new) - (end - begin)
        return place_after(self.before[: max(0, at - shift)])
