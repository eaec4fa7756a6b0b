"""`registry calendar`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import click

from generator import UserError
from generator.cli._rows import formatted, print_bytes
from generator.cli._where import (
    filter_option,
    option,
    page_options,
    registry,
    source_options,
    split_filters,
)
from generator.cli.ask._show import print_list, show_list
from generator.text.words import is_slug

if TYPE_CHECKING:
    from generator.reader.client import Client

_FILTERS = ("kind", "program", "organization", "month", "year")
_is_days = re.compile("([1-9][0-9]{0,3})d").fullmatch


@click.command("calendar", short_help="Print one page of the calendar's events.")
@option("--upcoming", "Only upcoming events.  [default: if no other option is given]")
@option("--kind KIND", "application_window, deadline or event.")
@option("--program SLUG", "Only events of this program.")
@option("--organization SLUG", "Only events of this organization.")
@option("--month YYYY-MM", "Only events that end in this month.")
@option("--year YYYY", "Only events that end in this year.")
@filter_option
@option("--within DAYS", "Only upcoming events that begin or end in so many days, like 30d.")
@option("--ics", "Print the iCalendar feed instead.")
@option("--alarm TIME", "With --ics: an alarm this long before each event, from 1h to 60d.")
@page_options
@formatted
@source_options
def command(
    upcoming: bool,
    filters: tuple[str, ...],
    within: str | None,
    ics: bool,
    alarm: str | None,
    page: int,
    every: bool,
    **more: Any,
) -> int:
    """Print one page of the calendar's events, sorted by start.

    Without options: upcoming events.  Events must match all options.
    """
    named = {name: more.pop(name) for name in _FILTERS}
    filters = tuple(f"{k}={value}" for k, value in named.items() if value is not None) + filters
    if ics and (every or more["form"] or page != 1 or within):
        raise click.UsageError(
            "--ics prints one feed: leave out --within, --page, --all and the format."
        )
    if alarm and not ics:
        raise click.UsageError("--alarm needs --ics.")
    if alarm and not (filters or upcoming):
        raise click.UsageError("--alarm needs a filter, such as --kind deadline or --upcoming.")
    if upcoming or within or not (filters or ics):
        filters += ("upcoming=true",)
    if within:
        return _print_next(within, filters, page, every, **more)
    if not ics:
        return print_list("events", filters=filters, page=page, every=every, **more)
    del more["form"]
    with registry(**more) as client:
        print_bytes(_feed(client, filters, alarm or ""))
    return 0


def _print_next(
    within: str, filters: tuple[str, ...], page: int, every: bool, form: str | None, **where: Any
) -> int:
    """Print the upcoming events that begin or end within some days."""
    days = _is_days(within)
    if days is None:
        raise click.BadParameter("write a number of days, like 30d", param_hint="--within")
    if every or page != 1:
        raise click.UsageError("--within shows all matching events. Leave out --page and --all.")
    with registry(**where) as client:
        of, asked = client.collections["events"], split_filters(filters)
        as_of = client.query(of, asked, "page")[1]["as_of"]
        day = date.fromisoformat(as_of)
        first, last = (f"{at}T00:00:00Z" for at in (day, day + timedelta(int(days[1]))))

        def is_next(event: Mapping[str, Any]) -> bool:
            times = (event["starts_at"], event["ends_at"])
            return any(first <= at <= last for at in times if at is not None)

        show_list(client, of, asked, {}, form, every=True, keep=is_next)
    return 0


def _feed(client: Client, filters: tuple[str, ...], alarm: str) -> bytes:
    """A prepared feed, else that of a selection.  Raises QueryError and ClientError."""
    of, asked = client.collections["events"], split_filters(filters)
    path = _prepared(of.root, asked) if not alarm else None
    feed = client.read([path])[0] if path is not None else None
    if feed is not None:
        return feed
    if not asked and not alarm:
        client.query(of, [], "page")
        raise UserError("There is no feed, because there are no events.")
    selections: str | None = client.table.get("feed")
    if selections is None:
        raise UserError("No feature here answers with feeds of selections.")
    return client.ask(selections, [*asked, *([("alarm", alarm)] if alarm else [])])


def _prepared(root: str, filters: list[tuple[str, str]]) -> str | None:
    """Where the prepared feed of a selection would be; None if there can be none."""
    if not filters:
        return f"{root}.ics"
    [(name, value), *others] = filters
    if others or name == "upcoming" or not is_slug(value.replace("_", "-")):
        return None
    return f"{root}/by/{name}/{value}.ics"
