"""`registry mirror`."""

from __future__ import annotations

from typing import Any

import click

from generator.cli._where import copy_options, copying, option


@click.command("mirror", short_help="Keep a copy of a published registry.")
@click.argument("url")
@click.argument("folder", metavar="DIR")
@option("--check", "Check and repair the files in DIR also if nothing was published since.")
@copy_options
def command(url: str, folder: str, **options: Any) -> int:
    """Update the copy in DIR of the registry at URL.

    Changed files are fetched and checked with the manifest, and the new copy replaces the old one
    in one step.  An interrupted mirror continues the next time.  The exit status is 1, and the copy
    stays as it was, if a file is not the published one, if the manifest has expired or is older
    than the last one, or if the registry lost too many records.
    """
    from generator.features.mirror.mirror import mirror

    with copying("URL", url, folder, "files", **options) as arguments:
        copied = mirror(*arguments)
    root, downloads = copied.root, copied.downloads
    done = f"{downloads.number:,} files fetched, {downloads.size / 1e6:,.1f} MB"
    if not downloads.number:
        done = "nothing changed"
    click.echo(f"{folder}: {root.files:,} files, version {root.version}; {done}.")
    return 0
