"""What events compute: their start and end, and what they share with their programs; and the JSON
Schema of their times for editors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from generator.grammar.filters import Facet
from generator.kinds.event import Event
from generator.model.kind import Counted, FacetsOf, Kind, tag_facets
from generator.model.kinds.event_checks import check_fixed_offset, check_plausible, check_times
from generator.model.kinds.event_places import event_places, shared_facets
from generator.model.kinds.event_times import (
    NEVER,
    REQUIRED_TIME,
    TIME_FIELDS,
    event_times,
    local_and_utc,
    zone_names,
)
from generator.model.symbols import NamedPlace, Symbols, encode_places
from generator.model.timelines import step_of
from generator.problems.faults import Fault
from generator.text.words import format_utc


def _shared(record: Event, symbols: Symbols) -> Iterable[Facet]:
    places = [place.slug for p in encode_places(record.locations) for place in p.named]
    owners = record.program, record.organization
    return shared_facets(tag_facets(record), places, record.online, *owners, symbols)


def _dates(record: Event, symbols: Symbols) -> Iterable[Facet]:
    day = event_times(record).last_day
    return (Facet("month", f"{day:%Y-%m}"), Facet("year", f"{day:%Y}")) if day else ()


#: Character of a slug -> its opposite in the order of characters.
_OPPOSITE = {ord("-") + n: ord("z") - n for n in range(ord("z") - ord("-") + 1)}


def _before_all(slug: str) -> str:
    """What an event without a start is sorted by: before all times, and the last slug first."""
    return f"!{slug.translate(_OPPOSITE)}~"


class Events(Kind):
    computed_facets: ClassVar[Mapping[str, FacetsOf]] = {
        "tags": _shared,
        "locations": lambda record, symbols: (),  # with the tags
        "month": _dates,
    }

    def computed(self, record: Event, counts: Counted) -> Mapping[str, Any]:
        when = event_times(record)
        return {**counts, "all_day": when.all_day, **local_and_utc(when)}

    def ordered(self, slug: str, record: Event) -> Mapping[str, Any]:
        when = event_times(record)
        start = format_utc(when.starts_at) if when.starts_at else _before_all(slug)
        return {"starts": start, "day": when.last_day.isoformat() if when.last_day else None}

    def sort_key(self, record: Event) -> tuple[str, str]:
        when = event_times(record)
        start = when.starts_at or when.ends_at
        ends = format_utc(when.ends_at) if when.ends_at else NEVER
        if when.ends_at is None and record.status == "cancelled":
            ends = ""  # over
        return format_utc(start) if start else NEVER, ends

    def places(self, record: Event, symbols: Symbols) -> tuple[NamedPlace, ...]:
        return event_places(record, symbols)

    beside_name, correction = "day", "correct one of the names or days"

    def told_apart_by(self, record: Any) -> str:
        return str(record.closes or record.due or record.starts or "")[:10]

    def step_key(self, record: Event) -> str:
        """Of its program; "" without one, without an end, and if it is cancelled."""
        if record.program is None or record.status == "cancelled":
            return ""
        event = {"slug": "", "kind": record.kind, "round": record.round, "stage": record.stage}
        step = step_of(event | local_and_utc(event_times(record)))
        return "\t".join((record.program, *map(str, step))) if step else ""

    def needs(self, fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        if time := REQUIRED_TIME.get(str(fields.get("kind"))):
            if fields.get("rolling") is not True:
                yield time, f"{time.capitalize()} (YYYY-MM-DD or with HH:MM)"
            times = {str(fields.get(name, "")) for pair in TIME_FIELDS.values() for name in pair}
            if any(":" in time for time in times):
                yield "timezone", "Time zone (like Europe/Oslo, or AoE)"

    def narrow(self, schema: dict[str, Any]) -> None:
        _describe_times(schema)

    def check(self, record: Event, symbols: Symbols) -> Iterator[Fault]:
        yield from check_times(record)
        yield from check_fixed_offset(record, symbols)
        yield from check_plausible(record, symbols)


_TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?$"
_TIMES = ("opens", "closes", "due", "starts", "ends")


def _describe_times(schema: Any) -> None:
    """Add the times of each kind of event, their form, and the time zones."""
    properties = schema["properties"]
    for name in _TIMES:
        properties[name]["anyOf"][0] = {
            "type": "string",
            "pattern": _TIME,
            "errorMessage": "Write YYYY-MM-DD, YYYY-MM-DD HH:MM or YYYY-MM-DD HH:MM:SS.",
        }
    zones = ["AoE", *sorted(zone_names())]
    properties["timezone"]["anyOf"][0] = {"type": "string", "enum": zones}
    schema["allOf"] = []
    for kind, times in TIME_FIELDS.items():
        required = REQUIRED_TIME[kind]
        others: Any = {name: {"type": "null"} for name in _TIMES if name not in times}
        then = {"required": [required], "properties": {required: {"type": "string"}, **others}}
        condition = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
        schema["allOf"].append({"if": condition, "then": then})
    _let_windows_roll(schema["allOf"])


def _let_windows_roll(conditions: list[Any]) -> None:
    """An application window has `closes` or `rolling: true`; other kinds do not have `rolling`."""
    rolling: Any = {"properties": {"rolling": {"const": True}}, "required": ["rolling"]}
    for condition in conditions:
        then = condition["then"]
        if "closes" in then["required"]:
            dated = {"required": then.pop("required")}
            dated["properties"] = {"closes": then["properties"].pop("closes")}
            endless = {"properties": {"closes": {"type": "null"}}}
            then |= {"if": rolling, "then": endless, "else": dated}
        else:
            then["properties"]["rolling"] = {"enum": [False, None]}
