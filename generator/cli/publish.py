"""`registry publish`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli._where import any_content_option, option


@click.command("publish", short_help="Publish a build into a bucket.")
@click.argument("folder", metavar="BUILD")
@click.argument("url")
@option(
    "--keep N",
    "Former versions that stay, each as large as a build.",
    click.IntRange(1, 100),
    default=1,
)
@option("--older", "Publish what is not newer than what is there, too.")
@option("--check", "Read every object too, and send those again that are missing or damaged.")
@option("--connections N", "Requests under way at once.", click.IntRange(1, 256), default=32)
@option("--allow-loss", "Publish even if a guard says that too much of what is published is lost.")
@any_content_option
def command(
    folder: str,
    url: str,
    keep: int,
    older: bool,
    check: bool,
    connections: int,
    allow_loss: bool,
    content: str,
) -> int:
    """Send the build in the folder BUILD to URL: s3://BUCKET/PREFIX, or another that fsspec knows.

    Every version has a tree of its own, and /current.json says which one is read.  What differs
    from the tree that was left longest ago is sent, and then /current.json is replaced in one step.
    Guards compare the build with what is read now, by the settings and approvals of the content.
    A publish that was interrupted leaves what is read as it was; the next one goes on from there.
    Needs the extra s3 for s3://.
    """
    from generator.cli._store import Guarded, send, store_at

    store = store_at(url, connections)
    guarded = Guarded(Path(folder), store.shown, content, lost=allow_loss)
    send(Path(folder), store, keep, older, check, guarded)
    return 0
