"""`registry publish`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from generator.cli._where import WholeNumber, any_content_option, option


@click.command("publish", short_help="Publish a build to a bucket.")
@click.argument("folder", metavar="BUILD")
@click.argument("url")
@option(
    "--keep N",
    "How many former versions to keep, each as large as a build.",
    WholeNumber(1, 100),
    default=1,
)
@option("--older", "Publish even if the build is not newer than the published version.")
@option("--check", "Also read every object: replace missing and damaged objects, remove others.")
@option("--connections N", "How many requests to send at once.", WholeNumber(1, 256), default=32)
@option("--allow-loss", "Publish although a guard about losses stops it.")
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
    """Publish the build in the folder BUILD to URL: s3://BUCKET/PREFIX, or another URL for fsspec.

    Every version is in its own tree, and /current.json names the published one.  Changed files are
    sent to the oldest tree, then /current.json is replaced in one step.  Guards compare the build
    with the published version, with the settings and approvals of the content.  An interrupted
    publish changes nothing for readers; the next one continues it.  s3:// needs the extra s3.
    """
    from generator.features.buckets.publish import check_guards, send
    from generator.features.buckets.store import Store

    store, build = Store(url, connections), Path(folder)
    guarded = partial(check_guards, build, store.shown, content, lost=allow_loss)
    send(build, store, keep, older, check, guarded)
    return 0
