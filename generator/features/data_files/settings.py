"""The key `data` of registry.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.model.settings.keys import Keys

Format = Literal["csv", "ndjson", "parquet", "sqlite"]


class Settings(Keys):
    data: Annotated[
        list[Format] | None,
        Field(description="The formats of data files at /data/: csv, ndjson, parquet, sqlite."),
    ] = None
