"""The option for the format of a table of records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from generator.cli._where import option


def table_format(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `--format`; its parameter is `form`."""
    return option("--format", help, click.Choice(["csv", "json", "ndjson"]), name="form")
