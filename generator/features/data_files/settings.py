"""The key `data` of registry.yaml, and whether its files can be made."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from generator.model.settings.keys import Keys
from generator.problems.extras import how_to_install
from generator.problems.faults import Fault

if TYPE_CHECKING:
    from generator.model.settings.registry import Settings as Registry

Format = Literal["csv", "ndjson", "parquet", "sqlite"]


class Settings(Keys):
    data: Annotated[
        list[Format] | None,
        Field(description="The formats of data files at /data/: csv, ndjson, parquet, sqlite."),
    ] = None


def check_settings(settings: Registry) -> Iterator[Fault]:
    """A format whose package is not installed."""
    formats = Settings.of(settings).data or []
    if "parquet" in formats and not _has("pyarrow"):
        i = formats.index("parquet")
        message = f"data[{i}]: Parquet files need the package pyarrow, which is not installed"
        hint = f"install it: {how_to_install('parquet')}"
        yield Fault("missing-package", message, ("data", i), hint)


def _has(package: str) -> bool:
    try:
        import_module(package)
    except ImportError:
        return False
    return True
