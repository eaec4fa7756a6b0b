"""A URL as `--out` of `registry build`, and its option `--keep`."""

from __future__ import annotations

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
    from dataclasses import replace

    from generator.build.options import Against
    from generator.features.buckets.publish import (
        build_folder_for,
        published_in,
        send,
        state_of_store,
    )
    from generator.features.buckets.store import Store

    store, options = Store(asked.out), asked.options
    folder, keep = build_folder_for(asked.out), asked.given["keep"]
    asked.out = str(folder)
    if options.against is None:
        lost = options.loss == "allow"
        state = state_of_store(published_in(store), store.shown, lost=lost)
        asked.options = replace(options, against=Against(state))
    asked.afterwards.append(lambda: send(folder, store, keep))
