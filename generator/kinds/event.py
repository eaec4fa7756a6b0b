"""Calendar events: application windows, deadlines and events."""

from typing import Annotated, ClassVar, Literal

from generator.kinds.declare import (
    Apart,
    Declared,
    Default,
    Filtered,
    Label,
    Labels,
    Listed,
    Ranged,
    Refers,
    Searched,
    Sorted,
    Typed,
    Unpublished,
    Vocabulary,
    Words,
)
from generator.kinds.record import BY_PLACE, CATEGORIES, Record
from generator.kinds.types import Flag, Instant, Places, Round, Slug, Slugs, Tags, Time, Zone

KIND_LABELS = {"application_window": "Application window", "deadline": "Deadline", "event": "Event"}
STATUSES = {
    "confirmed": "Confirmed",
    "tentative": "Tentative",
    "extended": "Extended",
    "cancelled": "Cancelled",
}
_QUERIED = Filtered(prepared=False)
_DAY, _TIME = "2027-01-31", "2027-01-31 17:00"


# fmt: off
class Event(Record):
    """A calendar event with every field."""

    kind: Annotated[Literal["application_window", "deadline", "event"], Filtered(also="type"),
        Labels(KIND_LABELS, "event"), Listed(), Words("What it is.")]
    opens: Annotated[Time | None,
        Words("When the application window opens: a date, or a date and a time of day.", _DAY),
        Apart()] = None
    closes: Annotated[Time | None, Words("When the application window closes.", _TIME),
        Apart()] = None
    due: Annotated[Time | None, Words("When the deadline is.", _TIME), Apart()] = None
    starts: Annotated[Time | None, Words("When the event starts.", _DAY), Apart()] = None
    ends: Annotated[Time | None, Words("When the event ends.", _DAY), Apart()] = None
    program: Annotated[Slug | None, Refers("programs"), Filtered(also="batch cohort"),
        Listed("Slug of the program it is about."), Words("The program it is about.")] = None
    organization: Annotated[Slug | None, Refers("organizations"), Filtered(),
        Listed("Slug of the organization it is about."),
        Words("The organization it is about.")] = None
    timezone: Annotated[Zone | None, Default("AoE"), Listed(),
        Words("IANA zone of the local times, or AoE (anywhere on earth, UTC-12)."), Apart()] = None
    status: Annotated[Literal["confirmed", "tentative", "extended", "cancelled"] | None, _QUERIED,
        Labels(STATUSES, "event_status"), Default("confirmed"), Listed(drawn=False), Searched(2),
        Words("Whether it is confirmed.")] = None
    rolling: Annotated[Flag | None, Listed(in_rows=False),
        Words("Whether it is an application window that stays open, without an end."),
        Apart()] = None
    online: Annotated[Flag | None, Listed(in_rows=False),
        Words("Whether people can take part from anywhere."), Apart()] = None
    stage: Annotated[Slug | None, _QUERIED, Vocabulary("stages", "event_stages", "stage",
        "unknown-stage"), Listed(drawn=False),
        Words("The stage of its round, as the registry defines it.")] = None
    round: Annotated[Round | None, Label("Round", "record.round"), Listed(drawn=False),
        Words("The round of its program that it belongs to.")] = None
    tags: Annotated[Tags | None, _QUERIED, Listed(),
        Words("Its own tags, by tag family. The filters also know those of its program.")] = None
    locations: Annotated[Places | None, BY_PLACE._replace(prepared=False), Label("Location"),
        Listed(), Words("Where it takes place.")] = None
    all_day: ClassVar[Annotated[Flag, Listed(in_rows=False),
        Words("Whether all its times are dates without a time of day."), Apart()]]
    starts_at: ClassVar[Annotated[Instant | None, Sorted("", "-starts"), Listed(),
        Words("First instant, UTC; null for an application window without an opening."), Apart()]]
    ends_at: ClassVar[Annotated[Instant | None, Listed(),
        Words("Last instant, UTC; a deadline starts and ends at the same instant. Null for a "
        "rolling application window, which has no end."), Apart()]]
    starts_local: ClassVar[Annotated[Time | None, Listed(),
        Words("The start as written: ISO 8601 without an offset, or a date without a time."),
        Apart()]]
    ends_local: ClassVar[Annotated[Time | None, Listed(),
        Words("The end as written, in the same form; null for a rolling application window."),
        Apart()]]
    organization_category: ClassVar[Annotated[Slugs, _QUERIED, Label("{organizations} category"),
        CATEGORIES, Unpublished()]]
    month: ClassVar[Annotated[str, Typed("month"), Filtered(), Unpublished()]]
    year: ClassVar[Annotated[str, Typed("year"), Filtered(), Unpublished()]]
    day: ClassVar[Annotated[str | None, Typed("date"), Ranged(counted=False),
        Label("Day of the end"), Unpublished()]]
# fmt: on


KIND = Declared(
    Event,
    "events",
    "event",
    address="calendar/events",
    pages="calendar",
    nouns={"de": ("Termin", "Termine")},
    schema_org="Event",
    words=("calendar event", "calendar events"),
    sort="starts",
    summaries=("kind", "status", "program", "organization", "timezone", "all_day", "starts_at",
               "ends_at", "starts_local", "ends_local", "tags", "locations", "online", "stage",
               "round", "rolling", "website"),
    filters=("tags", "kind", "program", "organization", "organization_category", "locations",
             "month", "year", "day", "status", "stage"),
    rows=("kind", "program", "organization", "starts_at", "ends_at", "starts_local", "ends_local",
          "timezone", "status", "stage", "round"),
    table=("slug", "starts_local", "ends_local", "status", "kind", "name"),
    badge="kind",
    tones={"tentative": "warn", "extended": "good", "cancelled": "bad"},
    facts=("kind", "status", "stage", "round", "program", "organization", "locations"),
    inherited=("tags",),
    timed=True,
    feeds=("kind", "program", "organization")
)  # fmt: skip
