"""`registry import`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import content_option, option
from generator.cli.edit._edit import clear_leftovers, collection_of
from generator.edit.tables import FORMATS
from generator.features.tables.commands.export import table_format

if TYPE_CHECKING:
    from generator.features.tables.mapping import Conflicts
    from generator.features.tables.run import Done


@click.command("import", short_help="Create or update records from a table.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--map FILE",
    "The meaning of the columns.  [default: columns have the names of fields]",
    click.Path(exists=True, dir_okay=False),
    name="map_file",
)
@option(
    "--kind KIND", "The kind of the records, if the map does not say it; with --guess also new."
)
@table_format("The format.  [default: by the name of FILE]", FORMATS)
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
@option(
    "--skip-errors",
    "Leave wrong rows out.  They go to skipped.csv with their reasons; when they are mended, the "
    "same map imports them.",
)
@option(
    "--create NAME",
    "Create unknown words of a field, or records of a kind that rows name: organizations, "
    "tags.topic.  May be repeated.",
    multiple=True,
)
@option("--guess", "Print a map for the table, with a reason for each line, and import nothing.")
@option("--all", "Show all rows, words and problems, not only 40.", name="every")
@option("--write", "Write the changes.")
@content_option
def command(
    files: tuple[str, ...],
    map_file: str | None,
    kind: str | None,
    form: str | None,
    empty: str | None,
    conflicts: Conflicts,
    skip_errors: bool,
    create: tuple[str, ...],
    guess: bool,
    every: bool,
    write: bool,
    content: str,
) -> int:
    """Create a record for each row of a table, or update the existing record.

    FILE is a file, a folder, a pattern like 'data/*.yml' or an https:// address of CSV, TSV, Excel,
    JSON, NDJSON, YAML, TOML or Markdown with front matter.

    Without --write, it only shows the changes.  An existing record keeps its text, its comments and
    the fields that are not in the file.  The same file again changes nothing.
    """
    from generator.edit.tables.sheet import UnreadableTable
    from generator.features.tables.run import Run
    from generator.features.tables.shown import print_problems, print_result

    if guess:
        return _guess(content, files, form or "", kind, map_file)
    if not map_file and not kind:
        raise click.UsageError("Say what the rows are: --kind KIND, or --map FILE")
    if write:
        clear_leftovers(content)
    collection = collection_of(content, kind, "--kind") if kind else ""
    how: dict[str, Any] = {"collection": collection, "empty": empty, "conflicts": conflicts}
    how |= {"skip_errors": skip_errors, "create": create}
    try:
        done = Run(content, files, form or "", map_file, **how).done()
    except UnreadableTable as error:
        done = [error.problem]
    if isinstance(done, list):
        print_problems(done, {}, every)
    else:
        print_result(done, every, preview=not write)
        print_problems(done.problems, {f.path: f.text for f in done.table.files}, every)
    if isinstance(done, list) or done.failed:
        click.echo("Nothing was written.", err=True)
        return 1
    _write(content, files, done, write)
    return 0


def _write(content: str, files: tuple[str, ...], done: Done, write: bool) -> None:
    """Write the changes and the rows that are left out, or say how.  Raises Refused."""
    from generator.edit.changes import Refused, apply
    from generator.features.tables.run import SKIPPED, write_skipped

    count = len(done.skipped)
    skipped = f"{count:,} row{'s' * (count != 1)} left out"
    if write and count and not write_skipped(done.skipped_rows(), files):
        raise Refused(f"{SKIPPED} exists already, and {skipped} would be written there: move it")
    if write and done.changes:
        apply(content, done.changes)
        written = len(done.changes)
        click.echo(f"{written:,} file{'s' * (written != 1)} written.")
    else:
        words = "Nothing was written. Add --write to write it."
        click.echo(words if done.changes else "Nothing to do.")
    if count:
        told = f"{skipped}: mend {SKIPPED}, and import it with the same map."
        click.echo(told if write else f"{skipped}. With --write they go to {SKIPPED}.")


def _guess(
    content: str, files: tuple[str, ...], form: str, kind: str | None, map_file: str | None
) -> int:
    """Print a map."""
    from generator.cli._report import show_problems
    from generator.features.tables.guessing import NEW, guess
    from generator.problems.diagnostic import Faulty

    if map_file or not kind:
        raise click.UsageError(
            "--guess makes the map: leave out --map, and say what the rows are: --kind project, or "
            f"--kind {NEW} for a kind of their own"
        )
    collection = kind if kind == NEW else collection_of(content, kind, "--kind")
    try:
        click.echo(guess(content, files, form, collection).text, nl=False)
    except Faulty as error:
        show_problems(error.problems)
        return error.status
    return 0
