"""`registry dashboard`."""

from __future__ import annotations

from typing import Any

import click

from generator.cli._rows import formatted
from generator.cli._where import registry, source_options
from generator.cli.ask._show import show_dashboard


@click.command("dashboard", short_help="Print the registry in numbers.")
@formatted
@source_options
def command(form: str | None, **where: Any) -> int:
    """Print the registry in numbers: counts, years, the most frequent tags and places, the next
    dates.
    """
    from generator.grammar.paths import DASHBOARD

    with registry(**where) as client:
        raw, document = client.document(DASHBOARD, "dashboard")
        show_dashboard(document, raw, form)
    return 0
