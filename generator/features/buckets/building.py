"""A URL as `--out` of `registry build`, its option `--keep`, and content from elsewhere."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from generator.cli._where import WholeNumber, option

if TYPE_CHECKING:
    from generator.build.options import Asked
    from generator.cli.publishing._content import FetchedContent

OPTIONS = (
    option(
        "--keep N",
        "With s3://BUCKET/PREFIX or a similar URL as --out, which publishes the build as "
        "`registry publish` does: how many former versions to keep there.",
        WholeNumber(1, 100),
        default=1,
    ),
)


def prepare(asked: Asked) -> None:
    from generator.reader.location import is_url

    if not is_url(asked.out):
        return
    from generator.build.options import Against
    from generator.features.buckets.sending import (
        build_folder_for,
        open_store,
        published_state,
        send,
    )

    store, options = open_store(asked.out), asked.options
    folder, keep = build_folder_for(asked.out), asked.given["keep"]
    asked.out = str(folder)
    if options.against is None:
        state = published_state(store, lost=options.loss == "allow")
        asked.options = replace(options, against=Against(state))
    asked.afterwards.append(lambda: send(folder, store, keep))


def fetch(where: str) -> FetchedContent | None:
    if "://" not in where and not os.path.isfile(where):
        return None
    from generator.features.buckets.content import fetch_content
    from generator.features.buckets.sending import store_errors

    with store_errors():
        return click.get_current_context().with_resource(fetch_content(where))
