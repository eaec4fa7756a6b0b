"""Fixes of a file that are made together, and what is wrong with the result."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from generator.dialect.parse import BOM
from generator.dialect.positions import Lines, Mend, Replacement, splice
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.problems.diagnostic import Diagnostic, is_error
from generator.problems.faults import Loc

#: Code, message and line of a problem, by which it is found again after a fix.
Identity = tuple[str, str, int]
_MORE = "more-problems"  # the code of what is said after the last problem that is made


class ChangedLine(NamedTuple):
    """A line that a fix removed ("-") or added ("+")."""

    mark: str
    text: str


class MadeFix(NamedTuple):
    """The problems that one change of a text fixes, and the change."""

    problems: tuple[Diagnostic, ...]
    changes: list[Replacement]


def identity(problem: Diagnostic) -> Identity:
    return problem.code, problem.message, problem.line


class Batch:
    """Fixes of a text that do not overlap, made in it together.

    With `joined`, items that are removed from one list are one fix.  Raises UnicodeDecodeError.
    """

    def __init__(self, raw: bytes, problems: Sequence[Diagnostic], *, joined: bool = True):
        self.raw = raw
        self.lines = Lines(raw.removeprefix(BOM).decode())
        in_text = [p for p in problems if p.fix is not None and p.fix.action in ("text", "here")]
        made = _disjoint(map(self._text_fix, in_text))
        self.fixes = list(made) or self._value_fixes(problems, joined)
        changes = [change for fix in self.fixes for change in fix.changes]
        self.mend = Mend(self.lines, changes)
        bom = BOM if raw.startswith(BOM) else b""
        self.after = bom + self.mend.after.text.encode()

    @property
    def problems(self) -> list[Diagnostic]:
        """The problems that are fixed."""
        return [problem for fix in self.fixes for problem in fix.problems]

    def _text_fix(self, problem: Diagnostic) -> MadeFix:
        match problem.fix:
            case ("here", (length, put), _):
                begin = self.lines.offset((problem.line, problem.column))
                return MadeFix((problem,), [(begin, begin + length, put)])
            case ("text", edits, _):
                return MadeFix((problem,), sorted(self.lines.replacements(edits)))
        raise AssertionError(problem.fix)

    def _value_fixes(self, problems: Sequence[Diagnostic], joined: bool) -> list[MadeFix]:
        """Fixes of values, keys and items; only the first if the data would not be as wanted."""
        try:
            record = Text(self.raw)
        except Unchangeable:
            return []
        fixes = list[MadeFix]()
        for group in _groups(problems, joined):
            before = len(record.edits)
            try:
                _change(record, group)
            except (Unchangeable, LookupError):
                del record.edits[before:]
            else:
                fixes.append(MadeFix(tuple(group), sorted(record.edits[before:])))
        try:
            record.changed()
        except Unchangeable:
            return self._value_fixes(fixes[0].problems, joined) if len(fixes) > 1 else []
        return fixes

    def is_good(self, before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
        """Whether the fixes end their problems and show no new one, except what an error had
        hidden.

        A file with an error is not checked completely, so its fix may reveal other problems.  On
        the lines of the fix only fixable problems may appear, unless the fix renamed a field: its
        value is unchanged.
        """
        known, fixed = Counter(map(identity, before)), Counter(map(identity, self.problems))
        now = [(self.mend.place_before((p.line, 1))[0], p) for p in after]
        found = Counter((p.code, p.message, line) for line, p in now)
        if any(found[i] > known[i] - fixed[i] for i in fixed):
            return False
        has_errors, lines = any(map(is_error, before)), self._lines()
        unread = min((p.line for p in before if p.code == _MORE), default=len(self.raw) + 2)
        for line, new in now:
            is_known = (new.code, new.message, line) in known or new.code == _MORE
            is_bad = new.fix is None if line in lines else not has_errors
            if is_bad and not is_known and line < unread:
                return False
        return True

    def _lines(self) -> set[int]:
        """The lines of the fixes, without those of renamed fields."""
        lines = set[int]()
        for problem in self.problems:
            first = last = problem.line
            if problem.fix is not None and problem.fix.action == "text":
                edits = problem.fix.replacement
                first, (_, _, last, column, _) = edits[0][0], edits[-1]
                last -= column == 1 and last > first  # an edit up to column 1 leaves that line
            if problem.fix is not None and problem.fix.action != "key":
                lines |= {*range(first, last + 1)}
        return lines

    def changed_lines(self) -> list[tuple[Diagnostic, list[ChangedLine]]]:
        """Each problem with the lines of its fix; of fixes of the same lines, the last has them."""
        lines = defaultdict[int, list[ChangedLine]](list)
        owned = sorted(
            (*self._span(change), change, number)
            for number, fix in enumerate(self.fixes)
            for change in fix.changes
        )
        end, block = 0, list[tuple[int, int, Replacement, int]]()
        for part in [*owned, (len(self.lines.starts) + 1, 0, (0, 0, ""), 0)]:
            if part[0] > end and block:
                lines[max(number for *_, number in block)] += self._compared(block)
                block = []
            block.append(part)
            end = max(end, part[1])
        return [
            (problem, lines[number] if problem is fix.problems[-1] else [])
            for number, fix in enumerate(self.fixes)
            for problem in fix.problems
        ]

    def _span(self, change: Replacement) -> tuple[int, int]:
        first = self.lines.place(change[0])[0]
        last, column = self.lines.place(change[1])
        return first, last - (column == 1 and last > first)

    def _compared(self, block: Sequence[tuple[int, int, Replacement, int]]) -> list[ChangedLine]:
        starts = self.lines.starts
        begin, last = starts[block[0][0] - 1], max(part[1] for part in block)
        old = self.lines.text[begin : starts[last] if last < len(starts) else None]
        changes = [(a - begin, b - begin, new) for _, _, (a, b, new), _ in block]
        return _compared(old, splice(old, changes))


def _disjoint(fixes: Iterable[MadeFix]) -> Iterator[MadeFix]:
    taken = list[tuple[int, int]]()  # sorted
    for fix in fixes:
        ranges = [(begin, end) for begin, end, _ in fix.changes]
        places = [bisect_left(taken, part) for part in ranges]
        if not any(
            (at and taken[at - 1][1] > begin)
            or (at and taken[at - 1][0] == begin)
            or (at < len(taken) and (taken[at][0] < end or taken[at][0] == begin))
            for at, (begin, end) in zip(places, ranges, strict=True)
        ):
            for part in ranges:
                insort(taken, part)
            yield fix


def _groups(problems: Iterable[Diagnostic], joined: bool) -> list[list[Diagnostic]]:
    """Problems by the part of the data to fix; `joined` removes items of a list together."""
    groups, above = dict[Loc, list[Diagnostic]](), set[Loc]()
    for problem in problems:
        if problem.fix is None:
            continue
        removes = problem.fix.action == "remove"
        area = problem.fix.loc[:-1] if removes else problem.fix.loc
        around = [area[:length] for length in range(1, len(area) + 1)]
        if area in above or any(part in groups for part in around[:-1]):
            continue
        group = groups.setdefault(area, [])
        action = group[0].fix.action if group and group[0].fix is not None else "remove"
        if not group or (joined and removes and action == "remove"):
            group.append(problem)
        above.update(around[:-1])
    return list(groups.values())


def _change(record: Text, group: Sequence[Diagnostic]) -> None:
    """Make the change of a group in a record.  Raises Unchangeable or LookupError."""
    match group[0].fix:
        case ("value", value, loc):
            record.replace(loc, value)
        case ("key", name, loc):
            record.rename_field(loc, name)
        case ("remove", _, loc):
            numbers = [int(problem.fix.loc[-1]) for problem in group if problem.fix is not None]
            record.remove_items(loc[:-1], numbers)
        case _:
            raise Unchangeable("this cannot be fixed automatically")


def _compared(old: str, new: str) -> list[ChangedLine]:
    before, after = old.split("\n"), new.split("\n")
    if len(before) == len(after):
        pairs = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        return [ChangedLine(*line) for pair in pairs for line in zip("-+", pair, strict=True)]
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    return [*(ChangedLine("-", line) for line in before), *(ChangedLine("+", x) for x in after)]
