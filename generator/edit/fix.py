"""Automatic fixes of problems (`registry fix`), made without asking.

A problem itself has its fix (`Fix` in `generator.problems.diagnostic`).  Fixes that do not overlap
are made in the text together, and the file is checked again.  They are kept only if their problems
are gone and no new problem appeared, except problems that an error had hidden before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from generator.dialect.folder import REGISTRY_FILE, Content, slug_of
from generator.edit.batch import Batch, ChangedLine, Identity, identity
from generator.edit.changes import FileChange, Plan, Skipped
from generator.problems.diagnostic import Diagnostic, Edit

#: (path below the content folder, bytes) -> the problems of this file alone
FileCheck = Callable[[str, bytes], list[Diagnostic]]
#: Looks at a file while its fixes are found, and bytes that are looked at in all.
_LEAST_LOOKS, _MOST_LOOKS, _MOST_READ = 2, 32, 1 << 18


class AppliedFix(NamedTuple):
    """A problem that was fixed, with every line that the fix removed or added."""

    problem: Diagnostic
    lines: list[ChangedLine]


def plan_fixes(
    content: Content, problems: Iterable[Diagnostic], look: FileCheck, only: Sequence[str] = ()
) -> tuple[Plan, list[AppliedFix]]:
    """The changes that fix these problems, in all files or `only` in some, and the fixes."""
    changes: list[FileChange] = []
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
            changes += [FileChange(path, taken, None), FileChange(target, None, after)]
        elif after != taken:
            changes.append(FileChange(path, taken, after))
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
    return path.partition("/")[0], slug_of(path)


def safe_fixes(
    content: Content, problems: Iterable[Diagnostic], look: FileCheck
) -> dict[Diagnostic, list[Edit]]:
    """Problem -> the edits that fix it, for problems whose fix is safe alone."""
    fixes: dict[Diagnostic, list[Edit]] = {}
    for path, todo in _fixable(content, problems).items():
        raw = content.read_content(path)
        if isinstance(raw, Diagnostic):
            continue
        looks = _Looks(path, raw, look)
        before = looks(raw)
        while (made := _make(raw, before, todo, looks, joined=False)) is not None:
            batch, _ = made
            for fix in batch.fixes:
                place = batch.lines.place
                fixes[fix.problems[0]] = [(*place(a), *place(b), new) for a, b, new in fix.changes]
            todo = [problem for problem in todo if problem not in fixes]
    return fixes


def fix_file(path: str, raw: bytes, look: FileCheck) -> tuple[bytes, list[AppliedFix]]:
    """A file's bytes with every safe fix made, and these fixes."""
    done: list[AppliedFix] = []
    looks = _Looks(path, raw, look)
    problems = looks(raw)
    while (made := _make(raw, problems, problems, looks)) is not None:
        batch, problems = made
        done += (AppliedFix(problem, lines) for problem, lines in batch.changed_lines())
        raw = batch.after
    return raw, done


class _Looks:
    """Looks for the problems of a file; a large file gets few.  `bad` are the problems whose fix is
    not good.
    """

    def __init__(self, path: str, raw: bytes, look: FileCheck):
        self.path, self.look, self.bad = path, look, set[Identity]()
        self.left = max(_LEAST_LOOKS, min(_MOST_LOOKS, _MOST_READ // (len(raw) + 1)))

    def __call__(self, raw: bytes) -> list[Diagnostic]:
        self.left -= 1
        return self.look(self.path, raw)


def _make(
    raw: bytes,
    problems: Sequence[Diagnostic],
    todo: Sequence[Diagnostic],
    looks: _Looks,
    *,
    joined: bool = True,
) -> tuple[Batch, list[Diagnostic]] | None:
    """Good fixes of some problems in `todo`, made together, and the problems that are left; None if
    no fix is good.  `problems` are all problems of the file.

    If the fixes of a group are not good together, those of its halves are tried.
    """
    groups = [[p for p in todo if p.fix is not None and identity(p) not in looks.bad]]
    while groups and looks.left:
        group = groups.pop()
        try:
            batch = Batch(raw, group, joined=joined)
        except UnicodeDecodeError:
            return None
        made = batch.problems
        if not made:
            continue
        left = looks(batch.after)
        if batch.is_good(problems, left):
            return batch, left
        half = len(made) // 2
        looks.bad |= {identity(made[0])} if not half else set()
        if others := [problem for problem in group if problem not in made]:
            groups.insert(0, others)
        groups += [made[half:], made[:half]] if half else []
    return None
