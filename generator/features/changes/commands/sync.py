"""`registry sync`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from generator.cli._where import copy_options, copying, option


@click.command("sync", short_help="Keep the records of a published registry.")
@click.argument("target", metavar="FOLDER|FILE.sqlite")
@option("--from URL", "The base URL of the registry.", name="url", envvar="REGISTRY_URL",
        required=True)  # fmt: skip
@copy_options
def command(target: str, url: str, **options: Any) -> int:
    """Update the records of the registry at URL in a folder or in an SQLite file.

    What changed since the last time is fetched and checked with the manifest, and removed records
    are removed.  An interrupted sync continues the next time.  The exit status is 1 if a file is
    not the published one, if the manifest has expired or is older than the last one, or if the
    registry lost too many records.
    """
    from generator.features.changes.sync import sync
    from generator.problems.diagnostic import printable

    with copying("--from", url, target, "records", **options) as arguments:
        done = sync(*arguments)
    if done.changes is None:
        click.echo("The history was rewritten or is not published any more.")
    elif done.changes:
        counts = Counter(change["change"] for change in done.changes).items()
        told = ", ".join(f"{number:,} {change}" for change, number in counts)
        click.echo(printable(f"In the history since {done.changes[0]['at']}: {told}."))
    click.echo(
        f"{target}: {done.records:,} records, version {done.root.version}; {done.added:,} added, "
        f"{done.changed:,} changed, {done.removed:,} removed; {done.downloads.number:,} files "
        f"fetched, {done.downloads.size / 1e6:,.1f} MB."
    )
    return 0
