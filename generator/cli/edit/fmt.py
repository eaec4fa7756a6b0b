"""`registry fmt`."""

from __future__ import annotations

import click

from generator.cli._where import content_option, option, path_in_content
from generator.cli.edit._edit import carry_out, dry_run


@click.command("fmt", short_help="Format the files of records. Comments stay.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_option
@option("--check", "Change nothing; status 1 if a file needs formatting.")
@dry_run
def command(files: tuple[str, ...], content: str, check: bool, dry_run: bool) -> int:
    """Format all records, or some files: fields in their order, two spaces for each level.

    The meaning of a record does not change, nor do its comments, quotes, lists and long texts.  A
    file with errors is not changed.
    """
    from generator.edit.layout import plan_formatting

    paths = [path_in_content(content, file) for file in files]
    done = "All files are formatted"
    return carry_out(
        content, lambda: plan_formatting(content, paths), done, dry=dry_run or check, told=check
    )
