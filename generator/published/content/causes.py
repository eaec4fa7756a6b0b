"""Gathers problems by their cause: thousands of records with one tag that registry.yaml does not
list have one problem, at registry.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generator.dialect.folder import REGISTRY_FILE, Content, slug_of
from generator.problems.diagnostic import Cause, Diagnostic, Position, printable, sort_problems
from generator.published.history.provenance import run_git

LEAST = 5  # problems with one cause that are shown as one
_PLACES = 3  # places that the message of such a problem names
_LISTED = 10  # places that a program gets
_MOST_ASKED = 20  # missing records that git is asked for


def gather_problems(
    content: Content, problems: Iterable[Diagnostic], strict: bool
) -> list[Diagnostic]:
    """The problems as commands show them: in order, and gathered by their causes."""
    ordered = sort_problems(problems, strict)
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for problem in ordered:
        if problem.cause is not None and problem.fix is None:
            key = problem.cause, problem.code, problem.severity
            groups.setdefault(key, []).append(problem)
    asked, changed = 0, dict[Diagnostic, Diagnostic | None]()
    for (cause, *_), group in groups.items():
        assert isinstance(cause, Cause)
        deleted = None
        if cause.path != REGISTRY_FILE and asked < _MOST_ASKED:
            asked, deleted = asked + 1, _deletion(content, cause.path)
        if len({problem.path for problem in group}) >= LEAST:
            changed |= dict.fromkeys(group)
            changed[group[0]] = _gathered(content, cause, group, deleted)
        elif deleted is not None:
            changed |= {p: replace(p, hint=f"{deleted[0]}; {deleted[1]}") for p in group}
    kept = (changed.get(problem, problem) for problem in ordered)
    return sort_problems(filter(None, kept), strict)


def _gathered(
    content: Content, cause: Cause, group: Sequence[Diagnostic], deleted: tuple[str, str] | None
) -> Diagnostic:
    """One problem in the place of several with the same cause."""
    first, records = group[0], len({problem.path for problem in group})
    places = dict.fromkeys(f"{problem.path}:{problem.line}" for problem in group)
    named = f"{records:,} records name it: {', '.join([*places][:_PLACES])}"
    named += f" and {len(places) - _PLACES:,} more"
    message, hint = f"there is no {cause.missing}; {named}", first.hint
    if deleted is not None:
        message, hint = f"{deleted[0]}; {named}", deleted[1]
    line, column = _place(content, cause)
    also = tuple(Position(p.path, p.line, p.column) for p in group[:_LISTED])
    return replace(
        first, path=content.display_path(cause.path), line=line, column=column, message=message,
        hint=hint, also=also, count=len(group),
    )  # fmt: skip


def _place(content: Content, cause: Cause) -> tuple[int, int]:
    """Line and column of the cause in its file; (1, 1) for a missing record."""
    raw = content.read_content(cause.path) if cause.loc else b""
    if isinstance(raw, Diagnostic) or not raw:
        return 1, 1
    from generator.dialect.examine import examine

    return examine(raw).place_at(cause.loc)


def _deletion(content: Content, path: str) -> tuple[str, str] | None:
    """What git knows of the deletion or the renaming of a record, and what to do; None if it was
    neither.
    """
    for name in (path, f"{path.removesuffix('.yaml')}.yml"):
        shown, before = content.display_path(name), "HEAD"
        if run_git(content.folder, "cat-file", "-e", f"HEAD:./{name}") is not None:
            verb, when, change = "is", ", which is not committed yet", before
        else:
            only = ("--diff-filter=D", "--format=%h %s", "--", f":(literal){name}")
            out = run_git(content.folder, "log", "-1", *only)
            if not out:
                continue
            commit, _, subject = printable(out.decode("utf-8", "replace").strip()).partition(" ")
            verb, when, before = "was", f" in commit {commit} ({subject})", f"{commit}~"
            change = f"{before}..{commit}"
        if (new := _new_path(content, name, change)) is not None:
            hint = (
                f'add "{slug_of(path)}" to the aliases in {content.display_path(new)}; then '
                "`registry fix` corrects the records that name it. `registry rename` does both"
            )
            return f'{shown} {verb} renamed to "{slug_of(new)}"{when}', hint
        message = f"{shown} {verb} deleted{when}"
        undo = f"`git checkout {before} -- {shown}` brings it back"
        return message, f"{undo}; if it is to go, change the records that name it"
    return None


def _new_path(content: Content, path: str, change: str) -> str | None:
    """The present path of a record whose file was renamed in a change of git; else None."""
    collection = path.partition("/")[0]
    only = ("-M", "--diff-filter=R", "--name-status", "-z", "--relative", change)
    out = run_git(content.folder, "diff", *only, "--", collection) or b""
    fields = out.decode("utf-8", "replace").split("\0")  # status, old and new path of each
    new = dict(zip(fields[1::3], fields[2::3], strict=False)).get(path)
    return new if new in {source.path for source in content.sources[collection]} else None
