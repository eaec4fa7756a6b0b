"""`registry forms`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli._where import option
from generator.cli.edit._edit import carry_out, dry_run, open_workspace, path_in_repository


@click.command("forms", short_help="Write GitHub issue forms, for people without git.")
@click.argument("folder", default=".", metavar="[DIR]",
                type=click.Path(exists=True, file_okay=False))  # fmt: skip
@option("--content DIR", "The folder with registry.yaml.  [default: DIR/content]")
@option("--force", "Overwrite forms that were changed by hand.")
@dry_run
def command(folder: str, content: str | None, force: bool, dry_run: bool) -> int:
    """Write GitHub issue forms into the repository DIR: one for a new record of each kind, and
    one to report an error.  `registry submit` reads filled-in forms.
    """
    from generator.edit.starting import files
    from generator.features.forms.github import forms

    content = content or str(Path(folder, "content"))
    path_in_repository(folder, content)
    known = open_workspace(content)
    return carry_out(
        folder,
        lambda: files.plan(folder, forms(known.symbols), force=force),
        "The issue forms are up to date",
        dry=dry_run,
    )
