"""Commands that change which record a slug means: rename, remove, merge."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import WholeNumber, content_option, option
from generator.cli.edit._edit import carry_out, collection_of, dry_run, kind_argument

if TYPE_CHECKING:
    from generator.edit.changes import Plan
    from generator.edit.declared import Renamed
    from generator.edit.merge import FieldDifference, Path
    from generator.edit.rename import Merged


@click.command("rename", short_help="Change the slug of a record; the old slug redirects.")
@click.argument("kind", required=False)
@click.argument("old", required=False)
@click.argument("new", required=False)
@option(
    "--kind OLD NEW",
    "Rename a kind of registry.yaml: its folder, and all that names it in registry.yaml.",
    (str, str),
    name="of_kind",
)
@option("--one WORD", "With --kind: what a single record is called from now on.", default="",
        show_default=False)  # fmt: skip
@option(
    "--field KIND.OLD NEW", "Rename an own field in registry.yaml and in all records.", (str, str)
)
@content_option
@dry_run
def rename_command(
    kind: str | None,
    old: str | None,
    new: str | None,
    of_kind: tuple[str, str] | None,
    one: str,
    field: tuple[str, str] | None,
    content: str,
    dry_run: bool,
) -> int:
    """Change the slug of a record from OLD to NEW.

    Its file is renamed, and the old slug becomes an alias, so old links still work.  References to
    it are rewritten; nothing else in those files changes.

    With --kind or --field, change the name of a kind or a field that registry.yaml declares.
    Nothing leads readers from the old name to the new one, so they are listed what they lose.
    """
    from generator.edit.rename import rename

    if sum((new is not None, of_kind is not None, field is not None)) != 1 or (
        kind is not None and new is None
    ):
        raise click.UsageError("Give KIND OLD NEW, or --kind OLD NEW, or --field KIND.OLD NEW.")
    if one and of_kind is None:
        raise click.UsageError("--one needs --kind.")
    if of_kind is not None:
        return _rename_kind(*of_kind, one=one, content=content, dry=dry_run)
    if field is not None:
        return _rename_field(*field, content=content, dry=dry_run)
    assert kind is not None and old is not None and new is not None
    return carry_out(
        content,
        lambda: rename(content, collection_of(content, kind), old, new),
        f"{old} is {new}",
        dry=dry_run,
    )


def _rename_kind(old: str, new: str, *, one: str, content: str, dry: bool) -> int:
    from generator.edit.declared import remove_empty, rename_kind

    done = f"{old} are {new}" + (f", and one is called {one}" if one else "")
    status = carry_out(
        content, lambda: _announced(rename_kind(content, old, new, one), content), done, dry=dry
    )
    if not dry and old != new:
        remove_empty(content, old)
    return status


def _rename_field(name: str, new: str, *, content: str, dry: bool) -> int:
    from generator.edit.declared import rename_field

    kind, _, old = name.partition(".")
    if not old:
        raise click.BadParameter(f'write KIND.FIELD, not "{name}"', param_hint="--field")
    collection = collection_of(content, kind, "--field")
    return carry_out(
        content,
        lambda: _announced(rename_field(content, collection, old, new), content),
        f"{old} of {collection} is {new}",
        dry=dry,
    )


def _announced(renamed: Renamed, content: str) -> Plan:
    """The plan of a rename, after telling what readers lose."""
    from pathlib import Path

    from generator.dialect.folder import LOCK_FILE

    if renamed.lost:
        lines = "".join(f"  {line}\n" for line in renamed.lost)
        is_locked = Path(content, LOCK_FILE).exists()
        after = "`registry check` reports it until you run `registry schema --write`. "
        click.echo(
            f"Programs that read the registry lose what they know by its old name:\n{lines}"
            f"{after * is_locked}To give them time, keep the old name, retire it, and declare the "
            "new one beside it.",
            err=True,
        )
    return renamed.plan


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
