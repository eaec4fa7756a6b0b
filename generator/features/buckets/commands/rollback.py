"""`registry rollback`."""

from __future__ import annotations

import click

from generator.cli._where import WholeNumber, option


@click.command("rollback", short_help="Switch a bucket back to a former version.")
@click.argument("url")
@option("--back N", "How many versions to go back.", WholeNumber(1, 100), default=1)
def command(url: str, back: int) -> int:
    """Switch the bucket at URL back to a former version that `registry publish --keep` kept.

    Only /current.json changes.  The version published until now becomes a former version, and the
    next publish may write over it.  Mirrors and readers with --verify, which take no older version,
    wait for the next publish.
    """
    from generator.features.buckets.publish import roll_back, tell_waiting
    from generator.features.buckets.store import Store

    store = Store(url)
    before, after = roll_back(store, back, lambda: tell_waiting(store))
    click.echo(
        f"Published {store.shown}: version {after.version}, in {after.tree_path}, in place of "
        f"version {before.version}."
    )
    return 0
