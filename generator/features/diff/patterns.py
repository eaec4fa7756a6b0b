"""Compares regular expressions: whether a newer pattern takes all that an older pattern took.

It knows the expressions of this generator's schemas: `^…$` with groups, classes, alternatives and
counts.  Both become automata, and a text that only the older one takes is searched for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

#: The states of an automaton, and those that a search looks at, which takes about half a second;
#: beyond these nothing is decided.
_MOST_STATES, _MOST_LOOKS = 20_000, 500_000
_END = 0x110000
Ranges = tuple[range, ...]
#: Adds the states of an expression behind a state, and returns the last of them.
Build = Callable[["_Automaton", int], int]


class _Undecided(Exception):
    """The expression has what is not known here, or is too large."""


class _Automaton:
    """States with steps to others: `free` ones, and those by a character of some ranges."""

    def __init__(self, pattern: str):
        self.free: list[list[int]] = []
        self.steps: list[list[tuple[Ranges, int]]] = []
        if not (pattern.startswith("^") and pattern.endswith("$")):
            raise _Undecided
        parser = _Parser(pattern[1:-1])
        build = parser.sequence()
        if parser.rest:
            raise _Undecided
        self.last = build(self, self.state())

    def state(self) -> int:
        if len(self.free) == _MOST_STATES:
            raise _Undecided
        self.free.append([])
        self.steps.append([])
        return len(self.free) - 1

    def closure(self, states: set[int]) -> frozenset[int]:
        """The states, with those that free steps reach."""
        found, waiting = set(states), [*states]
        while waiting:
            new = [state for state in self.free[waiting.pop()] if state not in found]
            found.update(new)
            waiting += new
        return frozenset(found)

    def after(self, states: frozenset[int], character: int) -> frozenset[int]:
        return self.closure(
            {
                target
                for state in states
                for ranges, target in self.steps[state]
                if any(character in part for part in ranges)
            }
        )

    def bounds(self) -> set[int]:
        """The characters at which ranges begin, and those after their ends."""
        parts = [part for steps in self.steps for ranges, _ in steps for part in ranges]
        return {part.start for part in parts} | {part.stop for part in parts}


class _Parser:
    """Reads an expression from `rest`."""

    def __init__(self, rest: str):
        self.rest = rest

    def take(self, pattern: str) -> re.Match[str] | None:
        match = re.match(pattern, self.rest, re.DOTALL)
        self.rest = self.rest[match.end() :] if match else self.rest
        return match

    def alternatives(self) -> Build:
        builds = [self.sequence()]
        while self.take(r"\|"):
            builds.append(self.sequence())

        def build(automaton: _Automaton, start: int) -> int:
            end = automaton.state()
            for each in builds:
                begin = automaton.state()
                automaton.free[start].append(begin)
                automaton.free[each(automaton, begin)].append(end)
            return end

        return build

    def sequence(self) -> Build:
        builds: list[Build] = []
        while self.rest and self.rest[0] not in "|)":
            builds.append(self.counted())

        def build(automaton: _Automaton, start: int) -> int:
            for each in builds:
                start = each(automaton, start)
            return start

        return build

    def counted(self) -> Build:
        once = self.once()
        count = self.take(r"([*+?])|\{(\d{1,4})(,(\d{0,4}))?\}")
        if self.take(r"[*+?{]"):
            raise _Undecided
        if count is None:
            return once
        mark, least, comma, most = count.groups()
        low = int(least) if least else int(mark == "+")
        high = (1 if mark == "?" else None) if mark else (int(most) if most else None)
        high = low if least and not comma else high

        def build(automaton: _Automaton, start: int) -> int:
            for _ in range(low):
                start = once(automaton, start)
            if high is None:
                loop = automaton.state()
                automaton.free[start].append(loop)
                automaton.free[once(automaton, loop)].append(loop)
                return loop
            end = automaton.state()
            automaton.free[start].append(end)
            for _ in range(high - low):
                start = once(automaton, start)
                automaton.free[start].append(end)
            return end

        return build

    def once(self) -> Build:
        if self.take(r"\(\?:"):
            inner = self.alternatives()
            if not self.take(r"\)"):
                raise _Undecided
            return inner
        if found := self.take(r"\[(\^?)((?:[^\]\\]|\\[^\w])+)\]"):
            ranges = _ranges(found[2], negated=bool(found[1]))
        elif found := self.take(r"\\([^\w])|([^][\\^$.|?*+(){}])"):
            character = ord(found[1] or found[2])
            ranges = (range(character, character + 1),)
        else:
            raise _Undecided

        def build(automaton: _Automaton, start: int) -> int:
            end = automaton.state()
            automaton.steps[start].append((ranges, end))
            return end

        return build


def _ranges(text: str, *, negated: bool) -> Ranges:
    """The characters of a class, such as `a-z0-9_`."""
    found = []
    for part in re.finditer(r"(\\?.)(?:-(\\?.))?", text, re.DOTALL):
        first, last = part[1][-1], (part[2] or part[1])[-1]
        found.append(range(ord(first), ord(last) + 1))
    if not negated:
        return tuple(found)
    found = [range(0), *sorted(found, key=lambda part: part.start), range(_END, _END)]
    stops = [max(part.stop for part in found[: i + 1]) for i in range(len(found) - 1)]
    return tuple(range(stop, after.start) for stop, after in zip(stops, found[1:], strict=True))


@lru_cache(maxsize=512)
def takes_all(new: str, old: str) -> bool:
    """Whether the pattern `new` takes all texts that `old` takes; False if it cannot be decided."""
    try:
        return not _refuses(_Automaton(new), _Automaton(old))
    except (_Undecided, RecursionError):
        return False


def _refuses(new: _Automaton, old: _Automaton) -> bool:
    """Whether the newer automaton refuses a text that the older takes."""
    bounds = sorted({0, *new.bounds(), *old.bounds(), _END})
    characters = [begin for begin, end in pairwise(bounds) if begin < end]
    start = (old.closure({0}), new.closure({0}))
    seen, waiting, looks = {start}, [start], 0
    while waiting:
        before, after = waiting.pop()
        looks += (len(before) + len(after)) * len(characters)
        if looks > _MOST_LOOKS:
            raise _Undecided
        if old.last in before and new.last not in after:
            return True
        for character in characters:
            if now := old.after(before, character):
                pair = (now, new.after(after, character))
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
    return False
