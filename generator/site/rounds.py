"""The dates of a program in order: a timeline for each round of its editions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.grammar.grammar import Slice
from generator.model.timelines import TimelineStep, editions, step_of
from generator.site import labels, lists
from generator.site.page_context import Site

Summary = dict[str, Any]

#: The most dates of all timelines of a program.
MAX_DATES = 60


class RoundDates(NamedTuple):
    """The dates of one round, each a summary with its `day`, its `label` and its `state`: `over`,
    `open`, `next` or "".

    `left_out` is the number of dates, of this and later timelines, for which there is no room.
    """

    title: str
    dates: list[Summary]
    left_out: int = 0


def timelines(site: Site, program: str) -> list[RoundDates]:
    """The timelines with several dates of the editions of a program that are not over, else of the
    last edition.
    """
    events, now = _events(site, program)
    if not events:
        return []
    found = editions(filter(None, map(step_of, events.values())), site.symbols.stages)

    def is_current(edition: Mapping[int, list[TimelineStep]]) -> bool:
        last = max(step for steps in edition.values() for step in steps)
        return bool(events[last.slug]["ends_at"] >= now)

    shown = [
        (number, steps)
        for edition in [*filter(is_current, found)] or found[-1:]
        for number, steps in sorted(edition.items(), key=lambda pair: pair[0] or 99)
        if len(steps) > 1
    ]
    result, room = list[RoundDates](), MAX_DATES
    for number, steps in shown:
        kept = _nearest(steps, events, now, room)
        room -= len(kept)
        if kept:
            result.append(_timeline(site, number, kept, events, now))
    left_out = sum(len(steps) for _, steps in shown) - sum(len(one.dates) for one in result)
    return [*result[:-1], *(last._replace(left_out=left_out) for last in result[-1:])]


def next_date(site: Site, program: str) -> Summary | None:
    """The date of a program that ends next, with its `day`, its `label` and its `path`, or None."""
    events, now = _events(site, program)
    ahead = [e for e in events.values() if e["ends_at"] and e["status"] != "cancelled"]
    event = min(
        (e for e in ahead if e["ends_at"] >= now),
        key=lambda e: (e["ends_at"], e["slug"]),
        default=None,
    )
    if event is None:
        return None
    local = event["starts_local"] if event["kind"] == "event" else None
    return _labelled(site, event, (local or event["ends_local"])[:10])


def _events(site: Site, program: str) -> tuple[dict[str, Summary], str]:
    """The dates of a program by slug, and the beginning of the day of the build."""
    part, now = Slice(site.grammar.events, "program", program), f"{site.as_of}T00:00:00Z"
    if part.collection.name not in site.grammar.filled:
        return {}, now
    first = site.document(part.path())
    rows = [*first["data"], *lists.later_rows(site, part, first["page"]["total_pages"])]
    return {event["slug"]: event for event in rows}, now


def _labelled(site: Site, event: Summary, day: str) -> Summary:
    collection = site.grammar.events
    name, value = ("stage", event["stage"]) if event["stage"] else ("kind", event["kind"])
    return event | {
        "day": day,
        "label": labels.value_label(site, collection, name, value),
        "path": site.record_page(collection.name, event["slug"]),
    }


def _nearest(
    steps: list[TimelineStep], events: Mapping[str, Summary], now: str, room: int
) -> list[TimelineStep]:
    """At most `room` of the steps, from the first that is not over."""
    ahead = (i for i, step in enumerate(steps) if events[step.slug]["ends_at"] >= now)
    start = min(next(ahead, len(steps)), max(len(steps) - room, 0))
    return steps[start : start + room]


def _timeline(
    site: Site, number: int, steps: list[TimelineStep], events: Mapping[str, Summary], now: str
) -> RoundDates:
    texts = site.theme.texts
    dates: list[Summary] = []
    waiting = True
    for step in steps:
        event = events[step.slug]
        starts, ends = event["starts_at"], event["ends_at"]
        is_open = starts and starts != ends and starts[:10] <= now[:10]
        state = "over" if ends < now else "open" if is_open else ""
        if not state and waiting and event["status"] != "cancelled":
            state, waiting = "next", False
        shown = "" if event["status"] == "cancelled" else state
        dates.append(_labelled(site, event, step.day) | {"state": shown})
    years = "–".join(dict.fromkeys((steps[0].day[:4], steps[-1].day[:4])))
    title = f"{texts('record.in_round', number=number)}, {years}" if number else years
    return RoundDates(title, dates)
