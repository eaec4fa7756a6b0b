"""`registry publish`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("publish", short_help="Publish a build into a bucket.")
@click.argument("folder", metavar="BUILD")
@click.argument("url")
@click.option(
    "--keep",
    default=1,
    show_default=True,
    type=click.IntRange(1, 100),
    metavar="N",
    help="Former versions that stay, each as large as a build.",
)
@click.option("--older", is_flag=True, help="Publish what is not newer than what is there, too.")
@click.option(
    "--check",
    is_flag=True,
    help="Read every object too, and send those again that are missing or damaged.",
)
@click.option(
    "--connections",
    default=32,
    show_default=True,
    type=click.IntRange(1, 256),
    metavar="N",
    help="Requests under way at once.",
)
def command(folder: str, url: str, keep: int, older: bool, check: bool, connections: int) -> int:
    """Send the build in the folder BUILD to URL: s3://BUCKET/PREFIX, or another that fsspec knows.

    Every version has a tree of its own, and /current.json says which one is read.  What differs
    from the tree that was left longest ago is sent, and then /current.json is replaced in one step.
    A publish that was interrupted leaves what is read as it was; the next one goes on from there.
    Needs the extra s3 for s3://.
    """
    from generator.cli._store import send, store_at

    send(Path(folder), store_at(url, connections), keep, older, check)
    return 0
