"""The option `--precompress` of `registry build`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli._where import option

if TYPE_CHECKING:
    from generator.build.options import Asked

OPTIONS = (
    option(
        "--precompress",
        "Write a compressed file next to every text file, for nginx, Apache and Caddy; may be "
        "repeated.  br needs the extra brotli.",
        click.Choice(["gzip", "br"]),
        multiple=True,
    ),
)


def prepare(asked: Asked) -> None:
    codings: tuple[str, ...] = asked.given["precompress"]
    if codings:
        from generator.features.precompressed.compression import Compression

        asked.finish(f"compressed copies: {sorted({*codings})}", Compression(codings))
