"""`registry calendar`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.cli._show import formatted
from generator.cli._where import from_where, option, paged

if TYPE_CHECKING:
    from generator.api.grammar import Query
    from generator.reader.client import Client

_FILTERS = ("kind", "program", "organization", "month", "year")


@click.command("calendar", short_help="Print one page of the calendar's events.")
@option("--upcoming", "Only what is not over.  [default: where nothing else is asked for]")
@option("--kind KIND", "application_window, deadline or event.")
@option("--program SLUG", "Only events of this program.")
@option("--organization SLUG", "Only events of this organization.")
@option("--month YYYY-MM", "Only events that end in this month.")
@option("--year YYYY", "Only events that end in this year.")
@option("--ics", "Print the iCalendar feed instead.")
@paged
@formatted
@from_where
def command(
    upcoming: bool, ics: bool, page: int, every: bool, form: str | None, **more: Any
) -> int:
    """Print one page of the calendar's events, in the order of their start.

    Without an option these are the events that are not over; options are joined with AND.
    """
    from generator.cli._show import show_list
    from generator.cli._where import asked, registry

    filters = [f"{name}={value}" for name in _FILTERS if (value := more.pop(name)) is not None]
    if ics and (upcoming or every or form or page != 1):
        raise click.UsageError(
            "--ics goes with one of --kind, --program and --organization, or alone."
        )
    if upcoming or not (filters or ics):
        filters.append("upcoming=true")
    with registry(**more) as client:
        query = asked(client, client.grammar.events, tuple(filters), page, every)
        if ics:
            _print_feed(client, query)
        else:
            show_list(client, query, form, every)
    return 0


def _print_feed(client: Client, query: Query) -> None:
    """Raises QueryError where a filter has no such value."""
    from generator.cli._show import put

    if query.slice is None or query.slice.filter not in (None, *query.collection.feeds):
        raise click.UsageError(
            "--ics goes with one of --kind, --program and --organization, or alone."
        )
    [feed] = client.read([query.slice.feed])
    if feed is None:
        client.page(query)
        raise click.ClickException("There is no feed, for there is no event.")
    put(feed)
