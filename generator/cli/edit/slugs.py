"""Commands that change which record a slug means: rename, remove, merge."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import WholeNumber, content_option, option
from generator.cli.edit._edit import carry_out, collection_of, dry_run, kind_argument

if TYPE_CHECKING:
    from generator.edit.changes import Plan
    from generator.edit.merge import FieldDifference, Path
    from generator.edit.rename import Merged


@click.command("rename", short_help="Change the slug of a record; the old slug redirects.")
@kind_argument
@click.argument("old")
@click.argument("new")
@content_option
@dry_run
def rename_command(kind: str, old: str, new: str, content: str, dry_run: bool) -> int:
    """Change the slug of a record from OLD to NEW.

    Its file is renamed, and the old slug becomes an alias, so old links still work.  References to
    it are rewritten; nothing else in those files changes.
    """
    from generator.edit.rename import rename

    return carry_out(
        content,
        lambda: rename(content, collection_of(content, kind), old, new),
        f"{old} is {new}",
        dry=dry_run,
    )


@click.command("remove", short_help="Remove a record for good.")
@kind_argument
@click.argument("slug")
@option(
    "--reason TEXT",
    "Why, in one published line of at most 300 characters.",
    default="",
    show_default=False,
)
@option("--unlink", "Also remove references to it from other records.")
@content_option
@dry_run
def remove_command(
    kind: str, slug: str, reason: str, unlink: bool, content: str, dry_run: bool
) -> int:
    """Remove the record SLUG for good, and note this in removed.yaml.

    No other record can get its slug, and readers with a copy of the registry learn of the removal.
    If other records refer to it, they are listed, and nothing is removed without --unlink.
    """
    from datetime import UTC, datetime

    from generator.edit.remove import remove

    return carry_out(
        content,
        lambda: remove(
            content,
            collection_of(content, kind),
            slug,
            datetime.now(UTC).date(),
            reason,
            unlink=unlink,
        ),
        f"{slug} is gone for good",
        dry=dry_run,
    )


_MOST = 300  # characters shown of a value


@click.command("merge", short_help="Merge a duplicate record into another record.")
@kind_argument
@click.argument("old", metavar="FROM")
@click.argument("into")
@option(
    "--prefer",
    "Whose value to keep in fields that differ.  [default: ask on a terminal]",
    click.Choice(["from", "into"]),
)
@content_option
@dry_run
def merge_command(
    kind: str, old: str, into: str, prefer: str | None, content: str, dry_run: bool
) -> int:
    """Merge the duplicate record FROM into the record INTO, and remove FROM.

    The slugs of FROM become aliases of INTO, and every reference to FROM becomes one to INTO.  INTO
    gets the values that only FROM has.  If both have a value, choose with --prefer, or answer for
    each field on a terminal.
    """
    from generator.edit.rename import merge

    def choose(differing: list[FieldDifference]) -> list[Path]:
        if prefer is not None:
            return [one.path for one in differing] if prefer == "from" else []
        if dry_run or not differing:
            return []
        if not sys.stdin.isatty():
            raise _undecided(differing, old, into)
        return [one.path for one in differing if _takes_other(one, old, into)]

    def planned() -> Plan:
        merged = merge(content, collection_of(content, kind), old=old, into=into, choose=choose)
        _print_changes(merged, old, into)
        return merged.plan

    return carry_out(content, planned, f"{old} is part of {into}", dry=dry_run)


def _undecided(differing: list[FieldDifference], old: str, into: str) -> Exception:
    from generator.edit.changes import Refused

    lines = "".join(
        f"\n  {one.name}: {_shown(one.kept)} ({into}) or {_shown(one.other)} ({old})"
        for one in differing
    )
    return Refused(
        f"{old} and {into} differ, and one of two values would be lost:{lines}\n"
        f"Add --prefer into to keep the values of {into}, or --prefer from to take those of {old}."
    )


def _takes_other(one: FieldDifference, old: str, into: str) -> bool:
    """Ask which of two values to keep. True for the value of the record that is removed."""
    from generator.problems.diagnostic import printable

    click.echo(
        f"{printable(one.name)}\n"
        f"  1  {printable(_shown(one.kept))}  ({into})\n"
        f"  2  {printable(_shown(one.other))}  ({old})",
        err=True,
    )
    answer: int = click.prompt("Which stays?", type=WholeNumber(1, 2), default=1, err=True)
    return answer == 2


def _print_changes(merged: Merged, old: str, into: str) -> None:
    from generator.problems.diagnostic import printable

    lines = [f"added    {name}: {_shown(value)}" for name, value in merged.added]
    lines += [
        f"dropped  {one.name}: {_shown(one.other)}; {into} has {_shown(one.kept)}"
        for one in merged.dropped
    ]
    lines += [f"dropped  the comment {comment}" for comment in merged.comments]
    click.echo("".join(f"{printable(line)}\n" for line in lines), nl=False, err=True)


def _shown(value: Any) -> str:
    from generator.dialect.values import flow
    from generator.problems.faults import shorten

    return shorten(flow(value), _MOST)
