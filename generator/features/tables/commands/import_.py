"""`registry import`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli._where import content_option, option
from generator.cli.edit._edit import KindChoice, clear_leftovers
from generator.features.tables.commands.export import table_format
from generator.kinds import COLLECTION_OF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.features.tables.cells import Cells
    from generator.features.tables.import_table import Import
    from generator.features.tables.matching import Conflicts, Outcome
    from generator.problems.diagnostic import Diagnostic

_ROOM = 120  # cells of a line
_WHAT = {
    "new": "new",
    "changed": "changed",
    "same": "as they are",
    "conflict": "in conflict",
    "error": "with errors",
}
_MOST = 40  # rows, words and problems shown without --all


@click.command("import", short_help="Create or update records from a table.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@option(
    "--map FILE",
    "The meaning of the columns.  [default: columns have the names of fields]",
    click.Path(exists=True, dir_okay=False),
    name="map_file",
)
@option("--kind", "The kind of the records, if the map does not say it.", KindChoice())
@table_format("The format.  [default: by the name of FILE]")
@option(
    "--empty",
    "What an empty cell does to a field.  [default: keep]",
    click.Choice(["keep", "remove"]),
)
@option(
    "--conflicts",
    "If a row looks like another record: write nothing (refuse), leave the row out "
    "(skip), or make a second record with the same name or website (new).",
    click.Choice(["refuse", "skip", "new"]),
    default="refuse",
    show_default=False,
)
@option("--all", "Show all rows, words and problems, not only 40.", name="every")
@option("--write", "Write the changes.")
@content_option
def command(
    file: str,
    map_file: str | None,
    kind: str | None,
    form: str | None,
    empty: str | None,
    conflicts: Conflicts,
    every: bool,
    write: bool,
    content: str,
) -> int:
    """Create a record for each row of a CSV, JSON or NDJSON file, or update the existing record.

    Without --write, it only shows the changes.  An existing record keeps its text, its comments and
    the fields that are not in the file.  The same file again changes nothing.
    """
    from generator.edit.sheet import UnreadableTable
    from generator.features.tables.import_table import run_import

    form = form or _format_of(file)
    if not map_file and not kind:
        raise click.UsageError("Say what the rows are: --kind project, or --map FILE")
    if write:
        clear_leftovers(content)
    try:
        done = run_import(
            content,
            file,
            form=form,
            map_path=map_file,
            collection=COLLECTION_OF[kind] if kind else "",
            empty=empty,
            conflicts=conflicts,
        )
    except UnreadableTable as error:
        done = [error.problem]
    if isinstance(done, list):
        _show(done, file, "", every)
        click.echo("Nothing was written.", err=True)
        return 1
    _print_result(done, every)
    _show(done.problems, file, done.table.text, every)
    if done.failed:
        click.echo("Nothing was written.", err=True)
        return 1
    if not write:
        click.echo(
            "Nothing was written. Add --write to write it." if done.changes else "Nothing to do."
        )
        return 0
    return _write(content, done)


def _format_of(file: str) -> str:
    """The format that the name of a table tells; else raise `click.BadParameter`."""
    from generator.edit.sheet import format_of

    form = format_of(file)
    if form:
        return form
    if file.lower().endswith((".xlsx", ".xls", ".ods", ".numbers")):
        raise click.BadParameter(
            f"{file} is a spreadsheet. Save it as CSV UTF-8 in your spreadsheet program, and "
            "import that file",
            param_hint="FILE",
        )
    raise click.BadParameter(
        "the name of the file does not end in .csv, .json or .ndjson: add its format",
        param_hint="--format",
    )


def _print_result(result: Import, every: bool) -> None:
    """Report the result for each row, and the words of the table that differ in the registry."""
    from collections import Counter

    from generator.cli._rows import line, widths

    counts = Counter(outcome.verdict for outcome in result.outcomes)
    told = [f"{counts[what]:,} {words}" for what, words in _WHAT.items() if counts[what]]
    number = len(result.outcomes)
    head = f"{_seen(result.table.path)}: {number:,} row{'s' * (number != 1)} → {result.collection}"
    click.echo(f"{head}: {', '.join(told) or 'none'}")
    _print_rows([one for one in result.outcomes if one.verdict != "same"], every)
    words = [
        (f'{name}: "{_seen(text)}"', _meaning(word), f"{len(word.texts):,}×")
        for (name, text), word in result.words.items()
    ]
    if words:
        shown = words if every else words[:_MOST]
        columns = widths(shown, _ROOM)
        click.echo()
        for cells in shown:
            click.echo(f"  {line(cells, columns)}", nl=False)
        _print_rest(words, shown)
    click.echo()


def _print_rows(outcomes: list[Outcome], every: bool) -> None:
    """Print each row with its result. Changes are never cut, because they may lose data."""
    from generator.cli._rows import line, width, widths

    shown = outcomes if every else outcomes[:_MOST]
    rows = [(f"row {one.row.number}", one.verdict, _seen(one.slug)) for one in shown]
    columns = widths(rows, _ROOM) if rows else []
    click.echo("\n" * bool(rows), nl=False)
    for outcome, cells in zip(shown, rows, strict=True):
        head = line(cells, columns).rstrip()
        why = [_seen(one) for one in outcome.notes]
        room = sum(columns) + 2 * len(columns)
        if room + width(joined := "; ".join(why)) <= _ROOM:
            click.echo(f"  {head}{' ' * (room - width(head))}{joined}".rstrip())
        else:
            click.echo(
                "".join(f"  {text}\n" for text in [head, *(f"  {one}" for one in why)]), nl=False
            )
    _print_rest(outcomes, shown)


def _print_rest(some: Sequence[object], shown: Sequence[object]) -> None:
    if len(some) > len(shown):
        click.echo(f"  … and {len(some) - len(shown):,} more: --all shows them")


def _meaning(word: Cells) -> str:
    meant = word.meant
    if meant.choices:
        return f"unknown; can be {' or '.join(_seen(choice.label) for choice in meant.choices)}"
    near = f"; {_seen(meant.near)}" if meant.nearest else ""
    if meant.value is None:
        return f"unknown{near}"
    return f'→ "{_seen(meant.value)}"' + (f", new{near}" if meant.is_new or near else "")


def _show(problems: list[Diagnostic], path: str, text: str, every: bool) -> None:
    """Print the first problems, each with its line of the table or of the map."""
    from generator.cli._excerpt import excerpts
    from generator.cli._report import show_problems
    from generator.dialect.folder import read_file

    def read(of: str) -> bytes:
        return text.encode() if of == path and text else read_file(of)

    shown = problems if every else problems[:_MOST]
    show_problems(shown, excerpts(read))
    if len(problems) > len(shown):
        click.echo(f"… and {len(problems) - len(shown):,} more: --all shows them", err=True)


def _seen(text: str) -> str:
    from generator.problems.diagnostic import printable

    return printable(text)


def _write(content: str, result: Import) -> int:
    from generator.edit.changes import apply

    apply(content, result.changes)
    count = len(result.changes)
    click.echo(f"{count:,} file{'s' * (count != 1)} written." if count else "Nothing to do.")
    return 0
