"""Whether data files can be made."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from generator.features.data_files.settings import Settings
from generator.model.settings.registry import Settings as Registry
from generator.problems.extras import how_to_install
from generator.problems.faults import Fault


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
