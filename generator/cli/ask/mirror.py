"""`registry mirror`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli._where import (
    NOT_A_URL,
    client_errors,
    errors_as_messages,
    key_option,
    most_option,
    option,
    timeout_option,
    trust_for,
)


@click.command("mirror", short_help="Keep a copy of a published registry.")
@click.argument("url")
@click.argument("folder", metavar="DIR")
@key_option
@option("--check", "Also check the files that are already in DIR, and repair damaged files.")
@most_option
@timeout_option
def command(
    url: str, folder: str, keys: tuple[str, ...], check: bool, most: float, timeout: float
) -> int:
    """Update the copy in DIR of the registry at URL.

    Changed files are fetched and checked with the manifest, and the new copy replaces the old one
    in one step.  An interrupted mirror continues the next time.  The exit status is 1, and the copy
    stays as it was, if a file is not the published one, if the manifest has expired, or if it is
    older than the last one.
    """
    from generator.cli._report import progress_bar
    from generator.disk.output_state import OutputError
    from generator.reader.location import base_url, host_reader, is_url
    from generator.reader.mirror import MirrorOptions, mirror

    if not is_url(url):
        raise click.BadParameter(NOT_A_URL, param_hint="URL")

    def waiting() -> None:
        click.echo(f"Another command writes {folder}; waiting for it.", err=True)

    base, trust = base_url(url), trust_for(keys, None)
    asked = MirrorOptions(Path(folder), base, trust.keys, int(most * 1e9), check)
    with client_errors(), errors_as_messages(OutputError), progress_bar() as progress:
        copied = mirror(
            host_reader(base, timeout, stay=True),
            asked,
            lambda done, all: progress("files", done, all),
            waiting,
        )
    root = copied.root
    done = f"{copied.fetched:,} files fetched, {copied.bytes / 1e6:,.1f} MB"
    if copied.old_version == root.version and not copied.fetched:
        done = "nothing changed"
    click.echo(f"{folder}: {root.files:,} files, version {root.version}; {done}.")
    return 0
