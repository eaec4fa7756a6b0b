"""What events compute: their start and end, and what they share with their programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from generator.grammar.filters import Facet
from generator.kinds.event import Event
from generator.model.kind import Counted, FacetsOf, Kind, tag_facets
from generator.model.kinds.event_checks import check_plausible, check_times
from generator.model.kinds.event_places import event_places, shared_facets
from generator.model.kinds.event_times import (
    NEVER,
    REQUIRED_TIME,
    TIME_FIELDS,
    event_times,
    local_and_utc,
)
from generator.model.kinds.fixed_zones import check_zone
from generator.model.symbols import Symbols, encode_places
from generator.problems.faults import Fault
from generator.text.words import format_utc


def _shared(record: Event, symbols: Symbols) -> Iterable[Facet]:
    places = [slug for p in encode_places(record.locations) for slug, _ in p.labels]
    owners = record.program, record.organization
    return shared_facets(tag_facets(record), places, record.online, *owners, symbols)


def _dates(record: Event, symbols: Symbols) -> Iterable[Facet]:
    day = event_times(record).last_day
    return (Facet("month", f"{day:%Y-%m}"), Facet("year", f"{day:%Y}")) if day else ()


class Events(Kind):
    computed_facets: ClassVar[Mapping[str, FacetsOf]] = {
        "tags": _shared,
        "locations": lambda record, symbols: (),  # with the tags
        "month": _dates,
    }

    def computed(self, record: Event, counts: Counted) -> Mapping[str, Any]:
        when = event_times(record)
        return {"all_day": when.all_day, **local_and_utc(when)}

    def sort_key(self, record: Event) -> tuple[str, str]:
        when = event_times(record)
        start = when.starts_at or when.ends_at
        ends = format_utc(when.ends_at) if when.ends_at else NEVER
        if when.ends_at is None and record.status == "cancelled":
            ends = ""  # over
        return format_utc(start) if start else NEVER, ends

    def place_labels(self, record: Event, symbols: Symbols) -> tuple[tuple[str, str], ...]:
        return event_places(record, symbols)

    beside_name, correction = "day", "correct one of the names or days"

    def told_apart_by(self, record: Any) -> str:
        return str(record.closes or record.due or record.starts or "")[:10]

    def step_key(self, record: Event) -> str:
        from generator.model.timelines import step_key

        return step_key(record)

    def needs(self, fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        if time := REQUIRED_TIME.get(str(fields.get("kind"))):
            if fields.get("rolling") is not True:
                yield time, f"{time.capitalize()} (YYYY-MM-DD or with HH:MM)"
            times = {str(fields.get(name, "")) for pair in TIME_FIELDS.values() for name in pair}
            if any(":" in time for time in times):
                yield "timezone", "Time zone (like Europe/Oslo, or AoE)"

    def narrow(self, schema: dict[str, Any]) -> None:
        from generator.model.kinds.event_schema import describe_times

        describe_times(schema)

    def check(self, record: Event, symbols: Symbols) -> Iterator[Fault]:
        yield from check_times(record)
        yield from check_zone(record, symbols)
        yield from check_plausible(record, symbols)
