"""A URL as `--out` of `registry build`, and its option `--keep`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generator.cli._where import WholeNumber, option

if TYPE_CHECKING:
    from generator.build.options import Asked

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
