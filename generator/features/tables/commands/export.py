"""`registry export`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from generator.cli._where import content_option, option
from generator.cli.edit._edit import collection_of, kind_argument

_EXPORTED = ("csv", "json", "ndjson")


def table_format(
    help: str, formats: Sequence[str] = _EXPORTED
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `--format`; its parameter is `form`."""
    return option("--format", help, click.Choice(formats), name="form")


@click.command("export", short_help="Print the records of a kind as CSV, JSON or NDJSON.")
@kind_argument
@table_format("The format.  [default: by the name of --out, else csv]")
@option("--out FILE", "Write to this new file.", click.Path(dir_okay=False, path_type=Path))
@option("--force", "Overwrite the file if it exists.")
@option("--excel", "Begin CSV with the marks that tell Excel its encoding and its delimiter.")
@option(
    "--number",
    "The decimal mark in CSV.  With a comma, semicolons separate the columns.  [default: .]",
    click.Choice([".", ","]),
    default=".",
    show_default=False,
)
@content_option
def command(
    kind: str,
    form: str | None,
    out: Path | None,
    force: bool,
    excel: bool,
    number: str,
    content: str,
) -> int:
    """Export every record of a kind as a row with all its fields.

    You can edit the rows in a spreadsheet and import them again with `registry import`.
    """
    from generator.cli._report import show_problems
    from generator.edit.tables import format_of
    from generator.features.tables.export_table import delimiter_of, export
    from generator.problems.diagnostic import sort_diagnostics

    form = form or ("csv" if out is None else format_of(str(out)))
    if form not in _EXPORTED:
        excel_too = "For Excel write --excel --out FILE.csv" if form == "excel" else "Add --format"
        raise click.BadParameter(
            f"{out} does not end in .csv, .json or .ndjson. {excel_too}", param_hint="--out"
        )
    if out is not None and out.exists() and not force:
        raise click.BadParameter(
            f"{out} exists already. Add --force to overwrite it, or choose another name",
            param_hint="--out",
        )
    done = export(content, collection_of(content, kind), form, number)
    if isinstance(done, list):
        show_problems(sort_diagnostics(done))
        click.echo("Nothing was exported, because records with errors would be missing.", err=True)
        return 1
    text, rows = done
    if excel and form == "csv":
        text = f"\ufeffsep={delimiter_of(number)}\n{text}"
    raw = text.encode()
    if out is None:
        click.echo(raw, nl=False)
        return 0
    beside = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        beside.write_bytes(raw)
        beside.replace(out)
    finally:
        beside.unlink(missing_ok=True)
    click.echo(f"{rows:,} row{'s' * (rows != 1)} written to {out}.", err=True)
    return 0
