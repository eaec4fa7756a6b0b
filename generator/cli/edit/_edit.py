"""Helpers for commands that change the content: check the changes, make them and report them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import click

from generator import UserError
from generator.cli._where import option, require_registry

if TYPE_CHECKING:
    from generator.edit.changes import FileChange, Plan
    from generator.edit.workspace import OpenRegistry


_MOST = 10  # files in a message


kind_argument = click.argument("kind")


def collection_of(content: str, word: str, option: str = "KIND") -> str:
    """The collection of a kind in a content folder, given as singular or plural."""
    from generator.dialect.folder import open_content
    from generator.problems.diagnostic import nearest_word, printable

    kinds = open_content(content).kinds
    known = {**{of.kind: name for name, of in kinds.items()}, **{name: name for name in kinds}}
    if found := known.get(word, known.get(word.replace("-", "_"))):
        return found
    near = nearest_word(word, known)
    hint = f'did you mean "{near}"?' if near else f"write one of {', '.join(kinds.collection_of)}"
    raise click.BadParameter(f'there is no kind "{printable(word)}"; {hint}', param_hint=option)


dry_run = option("--dry-run", "Show every change as a diff, but change nothing.")


def open_workspace(content: str, without: Collection[str] = ()) -> OpenRegistry:
    """The registry in a content folder, without the records in these files.  Raises Faulty."""
    from pathlib import Path

    from generator.dialect.folder import REGISTRY_FILE
    from generator.edit.workspace import open_registry

    require_registry(content)
    if not Path(content, REGISTRY_FILE).is_file():
        raise UserError(f"{content} has no {REGISTRY_FILE}")
    return open_registry(content, without)


def path_in_repository(repository: str, content: str) -> str:
    """The path of a content folder in its repository."""
    from pathlib import Path

    try:
        path = Path(content).resolve().relative_to(Path(repository).resolve())
    except ValueError:
        raise click.BadParameter(
            f"{content} is not in {repository}", param_hint="--content"
        ) from None
    return path.as_posix()


def clear_leftovers(folder: str) -> None:
    """Remove the temporary files of a killed command, and say so."""
    from generator.edit.changes import remove_leftovers
    from generator.problems.diagnostic import printable

    if paths := remove_leftovers(folder):
        more = f" and {len(paths) - _MOST:,} more" if len(paths) > _MOST else ""
        click.echo(
            "A registry command was stopped before it changed "
            f"{', '.join(map(printable, paths[:_MOST]))}{more}. `git status` and `git diff` show "
            "what it changed. Its temporary files are removed now.",
            err=True,
        )


def carry_out(
    content: str,
    plan: Callable[[], Plan],
    done: str,
    *,
    dry: bool,
    told: bool = False,
    fresh: bool = False,
) -> int:
    """Apply the changes of a plan, or with `dry` show them; return the exit status.

    `done` is the message after success, or "". With `told` only the files are named, and the status
    is 1 if there are any. With `fresh` the text of a new record is printed.
    """
    from generator.cli._report import show_problems
    from generator.edit.changes import apply, difference
    from generator.edit.workspace import check_planned
    from generator.problems.diagnostic import printable

    if not dry:
        clear_leftovers(content)
    changes, left, checked = plan()
    if dry and not told:
        click.echo(difference(changes), nl=False)
    report = check_planned(content, changes, checked) if checked else None
    failed = report is not None and report.failed
    if changes and not dry and not failed:
        apply(content, changes)
    if report is not None:
        show_problems(report.problems)
    if failed:
        click.echo(f"Nothing {'would be' if dry else 'was'} written.", err=True)
        return 1
    for change in changes:
        what = "removed" if change.after is None else "written"
        click.echo(f"{'would be ' * dry}{what}  {printable(change.path)}", err=dry)
        if fresh and not dry and change.after is not None:
            click.echo("".join(f"    {line}\n" for line in change.after.decode().splitlines()))
    for path, why in left:
        click.echo(f"{printable(path)} is not changed: {printable(why)}", err=True)
    files = _count_files(changes, dry=dry)
    whole = done and not left and not (dry and changes)
    click.echo(f"{done}; {files}." if whole else f"{files}.", err=dry)
    return 1 if told and changes else 0


def _count_files(changes: Collection[FileChange], *, dry: bool) -> str:
    """How many files are written and removed: "2 files written, 1 removed"."""
    removed = sum(change.after is None for change in changes)
    counts = [(len(changes) - removed, "written"), (removed, "removed")]
    (first, verb), *others = [each for each in counts if each[0]] or counts[:1]
    text = f"{first:,} file{'s' * (first != 1)} {'would be ' * dry}{verb}"
    return ", ".join([text, *(f"{count:,} {verb}" for count, verb in others)])
