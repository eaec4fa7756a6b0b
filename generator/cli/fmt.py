"""`registry fmt`."""

from __future__ import annotations

import click

from generator.cli._edit import carry_out, dry_run
from generator.cli._where import below, content_option, option


@click.command("fmt", short_help="Write records in the one layout; comments stay.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_option
@option("--check", "Change nothing, and end with status 1 if a file would change.")
@dry_run
def command(files: tuple[str, ...], content: str, check: bool, dry_run: bool) -> int:
    """Write all records, or some files, in the one layout: fields in their order, two blanks a
    level, comments with what they are about.

    What a record means does not change, nor do its quotes, lists and long texts. A file with faults
    is left alone.
    """
    from generator.edit.layout import plan

    paths = [below(content, file) for file in files]
    done = "Every file has the layout" if check else "Every file has the layout now"
    return carry_out(content, lambda: plan(content, paths), done, dry=dry_run or check, told=check)
