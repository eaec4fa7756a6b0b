"""Whether data files can be made, and whether hosts take them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from generator.features.data_files.addresses import DATA
from generator.features.data_files.settings import Settings
from generator.hosts import Limits
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


def check_output(
    settings: Registry, sizes: Mapping[str, int], limits: Mapping[str, Limits]
) -> Iterator[Fault]:
    """Each data file that is too large for a host."""
    formats = list[str](Settings.of(settings).data or ())
    files = {path: size for path, size in sizes.items() if path.startswith(f"{DATA}/")}
    for host, limit in limits.items():
        most = limit.file_bytes
        for path, size in files.items():
            if most is not None and size > most:
                form = path.rpartition(".")[2]
                at = ("data", formats.index(form)) if form in formats else ("data",)
                message = f"{path} has {size:,} bytes; {host} takes files of at most {most:,}"
                hint = f"take {form} out of data (Parquet files are the smallest), or use another "
                yield Fault("data-file-limit", message, at, f"{hint}host: docs/hosts.md")
