"""Automatic fixes of problems (`registry fix`), made without asking.

A problem itself has its fix (`Fix` in `generator.problems.diagnostic`).  The fix is made in the
text, and the file is checked again.  It is kept only if the problem is gone and no new problem
appeared, except problems that an error had hidden before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from generator.dialect.folder import REGISTRY_FILE, Content, slug_of
from generator.dialect.parse import BOM
from generator.dialect.positions import (
    Replacement,
    offset_of_place,
    place_after,
    replacements_of,
    splice,
)
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.edit.changes import Change, Plan, Skipped
from generator.problems.diagnostic import Diagnostic, Edit, is_error

#: (path below the content folder, bytes) -> the problems of this file alone
FileCheck = Callable[[str, bytes], list[Diagnostic]]
_MAX_FIXES = 1000  # of one file


class ChangedLine(NamedTuple):
    """A line that a fix removed ("-") or added ("+")."""

    mark: str
    text: str


class AppliedFix(NamedTuple):
    """A problem that was fixed, with every line that the fix removed or added."""

    problem: Diagnostic
    lines: list[ChangedLine]


def plan_fixes(
    content: Content, problems: Iterable[Diagnostic], look: FileCheck, only: Sequence[str] = ()
) -> tuple[Plan, list[AppliedFix]]:
    """The changes that fix these problems, and the fixes in the order of files.

    If `only` is not empty, only these files are fixed.  Files without a fixable problem are not
    read.
    """
    changes: list[Change] = []
    left: list[Skipped] = []
    done: list[AppliedFix] = []
    slugs = set(map(_slug, _paths(content)))
    for path, fixable in sorted(_fixable(content, problems).items()):
        taken = content.read_content(path)
        if (only and path not in only) or isinstance(taken, Diagnostic):
            continue
        after, fixes = fix_file(path, taken, look)
        target = path
        for problem, name in [
            (p, p.fix.replacement) for p in fixable if p.fix and p.fix.action == "name"
        ]:
            target = f"{path.rpartition('/')[0]}/{name}"
            if _slug(target) in slugs:
                left.append(Skipped(path, f"{name} already exists"))
                target = path
            else:
                slugs.add(_slug(target))
                fixes.append(
                    AppliedFix(problem, [ChangedLine("-", path), ChangedLine("+", target)])
                )
        if target != path:
            changes += [Change(path, taken, None), Change(target, None, after)]
        elif after != taken:
            changes.append(Change(path, taken, after))
        done += fixes
    return Plan(changes, left), done


def count_fixed(problems: Iterable[Diagnostic], done: Iterable[AppliedFix]) -> int:
    """The number of reported problems that were fixed; a fix may also mend what it revealed."""
    fixed, reported = (
        Counter((problem.path, problem.code, problem.message) for problem in some)
        for some in ((fix.problem for fix in done), problems)
    )
    return (fixed & reported).total()


def _fixable(content: Content, problems: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    """Path below the content folder -> its problems that have a fix."""
    paths = {content.display_path(path): path for path in _paths(content)}
    by_path: dict[str, list[Diagnostic]] = {}
    for problem in problems:
        if problem.fix is not None and problem.path in paths:
            by_path.setdefault(paths[problem.path], []).append(problem)
    return by_path


def _paths(content: Content) -> Iterator[str]:
    yield REGISTRY_FILE
    for sources in content.sources.values():
        yield from (source.path for source in sources)


def _slug(path: str) -> tuple[str, str]:
    """The collection and the slug of a record's file."""
    return path.partition("/")[0], slug_of(path)


def safe_fixes(
    content: Content, problems: Iterable[Diagnostic], look: FileCheck
) -> dict[Diagnostic, list[Edit]]:
    """Problem -> the edits that fix it, for problems whose fix is safe alone."""
    fixes = {}
    for path, fixable in _fixable(content, problems).items():
        taken = content.read_content(path)
        if not isinstance(taken, Diagnostic):
            problems_before = look(path, taken)
            for problem in fixable:
                if apply_fix(path, taken, problem, problems_before, look) is not None:
                    text = taken.removeprefix(BOM).decode()
                    fixes[problem] = [
                        (*place_after(text[:begin]), *place_after(text[:end]), new)
                        for begin, end, new in sorted(_changes_of(taken, problem))
                    ]
    return fixes


def fix_file(path: str, raw: bytes, look: FileCheck) -> tuple[bytes, list[AppliedFix]]:
    """A file's bytes with every safe fix made, and these fixes."""
    done: list[AppliedFix] = []
    problems, unsafe = look(path, raw), set[tuple[str, str, int]]()
    reported = {(problem.code, problem.message) for problem in problems}
    for _ in range(_MAX_FIXES):
        problem = next((p for p in problems if p.fix and _identity(p) not in unsafe), None)
        if problem is None:
            break
        result = apply_fix(path, raw, problem, problems, look)
        if result is None:
            unsafe.add(_identity(problem))
            continue
        after, problems = result
        lines = _changed_lines(raw, after)
        is_new = (problem.code, problem.message) not in reported
        if is_new and done and (joined := _join_lines(done[-1].lines, lines)) is not None:
            done[-1] = done[-1]._replace(lines=joined)
        else:
            done.append(AppliedFix(problem, lines))
        raw = after
        unsafe.clear()
    return raw, done


def apply_fix(
    path: str, raw: bytes, problem: Diagnostic, problems: list[Diagnostic], look: FileCheck
) -> tuple[bytes, list[Diagnostic]] | None:
    """The bytes with one problem fixed, and the problems that are left; None if the fix is unsafe.

    `problems` are all problems of the file before the fix.
    """
    if problem.fix is None:
        return None
    try:
        after = _spliced(raw, _changes_of(raw, problem))
    except (Unchangeable, UnicodeDecodeError, LookupError, StopIteration):
        return None
    left = look(path, after)
    removed_lines = raw.count(b"\n") - after.count(b"\n")
    before = Counter(map(_identity, problems))
    now = [_identity(p, removed_lines if p.line >= problem.line else 0) for p in left]
    if now.count(_identity(problem)) >= before[_identity(problem)]:
        return None
    # A file with an error is not checked completely, so its fix may reveal other problems.  On the
    # lines of the fix only fixable problems may appear, unless the fix renamed a field: its value
    # is unchanged.
    first, last = problem.line, problem.line
    if problem.fix.action == "text":
        first, (_, _, last, column, _) = problem.fix.replacement[0][0], problem.fix.replacement[-1]
        last -= column == 1 and last > first  # an edit up to column 1 leaves that line as it is
    error_before = any(map(is_error, problems))
    for new, identity in zip(left, now, strict=True):
        if identity in before:
            continue
        on_fixed_line = first <= new.line <= last and problem.fix.action != "key"
        if not (new.fix is not None if on_fixed_line else error_before):
            return None
    return after, left


def _identity(problem: Diagnostic, line_shift: int = 0) -> tuple[str, str, int]:
    return problem.code, problem.message, problem.line + line_shift


def _changes_of(raw: bytes, problem: Diagnostic) -> list[Replacement]:
    """The edits that fix a problem, by indices into the text without its BOM.

    Raises Unchangeable; LookupError or StopIteration if the problem is of another text.
    """
    text = raw.removeprefix(BOM).decode()
    match problem.fix:
        case ("text", put, _):
            return list(replacements_of(text, put))
        case ("here", (length, put), _):
            begin = offset_of_place(text, (problem.line, problem.column))
            return [(begin, begin + length, put)]
        case ("value" | "key" | "remove" as how, put, loc):
            record = Text(raw)
            if how == "value":
                record.replace(loc, put)
            elif how == "key":
                record.rename_field(loc, put)
            else:
                record.remove_items(loc[:-1], [int(loc[-1])])
            record.changed()
            return record.edits
    raise Unchangeable("this cannot be fixed automatically")


def _spliced(raw: bytes, changes: Iterable[Replacement]) -> bytes:
    bom = BOM if raw.startswith(BOM) else b""
    return bom + splice(raw.removeprefix(BOM).decode(), changes).encode()


def _join_lines(lines: list[ChangedLine], again: list[ChangedLine]) -> list[ChangedLine] | None:
    """The lines of two fixes as those of one; None if the second changes other lines."""
    removed, added = ([line.text for line in again if line.mark == sign] for sign in "-+")
    if len(removed) != len(added) or any(ChangedLine("+", text) not in lines for text in removed):
        return None
    now = dict(zip(removed, added, strict=True))
    return [
        line._replace(text=now.get(line.text, line.text)) if line.mark == "+" else line
        for line in lines
    ]


def _changed_lines(before: bytes, after: bytes) -> list[ChangedLine]:
    """The lines that differ, removed ("-") before added ("+") lines."""
    old, new = (raw.removeprefix(BOM).decode().split("\n") for raw in (before, after))
    if len(old) == len(new):
        pairs = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
        return [ChangedLine(*line) for pair in pairs for line in zip("-+", pair, strict=True)]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    lines = []
    for _, first, last, first_new, last_new in matcher.get_opcodes():
        if old[first:last] != new[first_new:last_new]:
            lines += [ChangedLine("-", line) for line in old[first:last]]
            lines += [ChangedLine("+", line) for line in new[first_new:last_new]]
    return lines
