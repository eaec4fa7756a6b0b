"""The mends of problems that are safe: a program makes them without asking.

A problem says itself what is meant (`Fix`).  It is made in the text, the file is looked at again,
and it stands only where that problem is gone and no other has come: what a mend lays bare elsewhere
in a file that could not be read before is no matter of the mend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from generator.dialect.document import after, offset
from generator.dialect.folder import REGISTRY_FILE, Content, slug_of
from generator.dialect.parse import BOM
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable, spliced
from generator.edit.changes import Change, Plan
from generator.problems.diagnostic import Diagnostic, Edit, is_error

#: (path below the content folder, bytes) -> the problems of such a file, all that it shows itself
Look = Callable[[str, bytes], list[Diagnostic]]
_MOST = 1000  # mends of one file


class Mended(NamedTuple):
    """A problem whose mend was made, and what its line was before and is now."""

    problem: Diagnostic
    before: str
    after: str


def plan(
    content: Content, problems: Iterable[Diagnostic], look: Look, only: Sequence[str] = ()
) -> tuple[Plan, list[Mended]]:
    """The changes that mend what is safe of these problems, and each mend in the order of files;
    with `only`, in these files.

    Files without such a problem are not read.
    """
    shown = {content.shown(path): path for path in _paths(content)}
    changes: list[Change] = []
    left: list[tuple[str, str]] = []
    done: list[Mended] = []
    fixable = {p: shown[p.path] for p in problems if p.fix is not None and p.path in shown}
    names = {path: p for p, path in fixable.items() if p.fix is not None and p.fix.how == "name"}
    slugs = set(map(_slug, shown.values()))
    for path in sorted(set(fixable.values())):
        taken = content.take(path)
        if (only and path not in only) or isinstance(taken, Diagnostic):
            continue
        after, mends = mended(path, taken.raw, look)
        target = path
        if (named := names.get(path)) is not None and named.fix is not None:
            target = f"{path.rpartition('/')[0]}/{named.fix.put}"
            if _slug(target) in slugs:
                left.append((path, f"{target.rpartition('/')[2]} already exists"))
                target = path
            else:
                slugs.add(_slug(target))
                mends.append(Mended(named, path, target))
        if target != path:
            changes += [Change(path, taken.raw, None), Change(target, None, after)]
        elif after != taken.raw:
            changes.append(Change(path, taken.raw, after))
        done += mends
    return Plan(changes, left), done


def _paths(content: Content) -> Iterator[str]:
    yield REGISTRY_FILE
    for sources in content.sources.values():
        yield from (source.path for source in sources)


def _slug(path: str) -> tuple[str, str]:
    """The collection and the slug of a record's file."""
    return path.partition("/")[0], slug_of(path)


def safe(
    content: Content, problems: Iterable[Diagnostic], look: Look
) -> dict[Diagnostic, list[Edit]]:
    """What the mend of each problem would replace, of those whose mend is safe by itself."""
    shown = {content.shown(path): path for path in _paths(content)}
    by_path: dict[str, list[Diagnostic]] = {}
    for problem in problems:
        if problem.fix is not None and problem.path in shown:
            by_path.setdefault(shown[problem.path], []).append(problem)
    mends = {}
    for path, some in by_path.items():
        taken = content.take(path)
        if not isinstance(taken, Diagnostic):
            every = look(path, taken.raw)
            for problem in some:
                if applied(path, taken.raw, problem, every, look) is not None:
                    mends[problem] = edits(taken.raw, problem)
    return mends


def mended(path: str, raw: bytes, look: Look) -> tuple[bytes, list[Mended]]:
    """A file's bytes with every mend that is safe made, and those mends."""
    done: list[Mended] = []
    problems, refused = look(path, raw), set[tuple[str, str, int]]()
    for _ in range(_MOST):
        todo = [p for p in problems if p.fix is not None and _what(p) not in refused]
        if not todo:
            break
        after = applied(path, raw, todo[0], problems, look)
        if after is None:
            refused.add(_what(todo[0]))
            continue
        number, gone = todo[0].line, raw.count(b"\n") > after[0].count(b"\n")
        done.append(Mended(todo[0], _line(raw, number), "" if gone else _line(after[0], number)))
        raw, problems = after
        refused.clear()
    return raw, done


def applied(
    path: str, raw: bytes, problem: Diagnostic, problems: list[Diagnostic], look: Look
) -> tuple[bytes, list[Diagnostic]] | None:
    """The bytes with one problem mended, of all `problems` that they have, and the problems that
    are left; None where its mend is not safe after all.
    """
    if problem.fix is None:
        return None
    try:
        after = _spliced(raw, changes_of(raw, problem))
    except (Unchangeable, UnicodeDecodeError, LookupError, StopIteration):
        return None
    left = look(path, after)
    gone = raw.count(b"\n") - after.count(b"\n")  # lines above which the others stand now
    had = Counter(map(_what, problems))
    has = [_what(p, gone if p.line >= problem.line else 0) for p in left]
    if has.count(_what(problem)) >= had[_what(problem)]:
        return None
    # Of a record with an error not everything is looked at, so others may come to light; but where
    # it was mended only what is mended next, unless that was the name of a field: its value is as
    # it was.
    first, last = problem.line, problem.line
    if problem.fix.how == "text":
        first, (_, _, last, column, _) = problem.fix.put[0][0], problem.fix.put[-1]
        last -= column == 1 and last > first  # the line of that column is as it was
    hidden = any(map(is_error, problems))
    for other, what in zip(left, has, strict=True):
        here = first <= other.line <= last and problem.fix.how != "key"
        if what not in had and not (other.fix is not None if here else hidden):
            return None
    return after, left


def _what(problem: Diagnostic, lines: int = 0) -> tuple[str, str, int]:
    return problem.code, problem.message, problem.line + lines


def edits(raw: bytes, problem: Diagnostic) -> list[Edit]:
    """What the mend of a problem replaces, by lines and columns.  Raises Unchangeable."""
    text = raw.removeprefix(BOM).decode()
    return [
        (*after(text[:begin]), *after(text[:end]), put)
        for begin, end, put in sorted(changes_of(raw, problem))
    ]


def changes_of(raw: bytes, problem: Diagnostic) -> list[tuple[int, int, str]]:
    """The same by indices into the text.  Raises Unchangeable, and LookupError or StopIteration
    where the text is another than the problem's.
    """
    text = raw.removeprefix(BOM).decode()
    match problem.fix:
        case ("text", put, _):
            lines = text.count("\n") + 1
            return [
                (offset(text, (a, b)), offset(text, (c, d)) if c <= lines else len(text), new)
                for a, b, c, d, new in put
            ]
        case ("here", (length, put), _):
            begin = offset(text, (problem.line, problem.column))
            return [(begin, begin + length, put)]
        case ("value" | "key" | "remove" as how, put, loc):
            page = Text(raw)
            if how == "value":
                page.replace(loc, put)
            elif how == "key":
                page.rename_field(loc, put)
            else:
                page.remove_items(loc[:-1], [int(loc[-1])])
            page.changed()
            return page.edits
    raise Unchangeable("this cannot be fixed automatically")


def _spliced(raw: bytes, changes: Iterable[tuple[int, int, str]]) -> bytes:
    mark = BOM if raw.startswith(BOM) else b""
    return mark + spliced(raw.removeprefix(BOM).decode(), changes).encode()


def _line(raw: bytes, number: int) -> str:
    lines = raw.removeprefix(BOM).decode("utf-8", "replace").split("\n")
    return lines[number - 1].rstrip() if number <= len(lines) else ""
