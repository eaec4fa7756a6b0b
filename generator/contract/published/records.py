"""Published records: the fields of each kind, their summaries in lists, and their documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import Field, create_model

from generator.contract.published.parts import (
    Count,
    Day,
    Document,
    EventKind,
    EventStatus,
    Href,
    Identifier,
    Instant,
    Link,
    Location,
    Number,
    ProgramKind,
    ProjectStatus,
    Published,
    Reference,
    SelfLink,
    Slug,
    Tags,
    document_model,
)
from generator.kinds.types import MAX_ITEMS, MAX_NAMES


class Listed(NamedTuple):
    """The type and the description of a field in lists, if lists do not show it like records do;
    None if lists leave it out.
    """

    type: Any
    words: str = ""


UNLISTED = Listed(None)
P = TypeVar("P", bound=Published)


def fill_summary(record: type[Published]) -> Callable[[type[P]], type[P]]:
    """A decorator that adds the fields of a record to the class of its summary, each as `Listed`
    declares it.
    """

    def add_fields(summary: type[P]) -> type[P]:
        fields: dict[str, Any] = {}
        for name, field in record.model_fields.items():
            listed = next((item for item in field.metadata if isinstance(item, Listed)), None)
            if listed is None:
                fields[name] = (field.annotation, field)
            elif listed is not UNLISTED:
                fields[name] = (listed.type, Field(description=listed.words))
        return create_model(
            summary.__name__,
            __base__=summary,
            __doc__=summary.__doc__,
            __module__=__name__,
            **fields,
        )

    return add_fields


OwnValue = str | float | bool | list[str] | None
OwnFields = Annotated[
    dict[str, OwnValue],
    Listed(dict[str, OwnValue], "Of the registry's own fields those that lists show, by key."),
    Field(description="The registry's own fields, by key."),
]


class AnyRecord(Published):
    description: Annotated[str | None, UNLISTED] = Field(description="A longer text.")
    links: Annotated[dict[str, Link], UNLISTED] = Field(
        max_length=MAX_ITEMS, description="Other addresses on the web, by kind."
    )
    identifiers: Annotated[dict[str, list[Identifier]], UNLISTED] = Field(
        description="What others call it: the identifiers of each scheme, like `wikidata`."
    )
    sources: Annotated[list[Link], UNLISTED] = Field(
        max_length=MAX_ITEMS, description="Where the facts come from."
    )
    verified: Annotated[Day | None, UNLISTED] = Field(
        description="The day on which somebody last compared the record with its sources."
    )
    aliases: Annotated[list[Slug], UNLISTED] = Field(
        max_length=MAX_ITEMS, description="Former slugs."
    )
    slug: Slug = Field(description="The name in addresses: unique within its kind, and permanent.")
    name: str = Field(description="The name.")
    summary: str | None = Field(description="One line about the record.")
    href: Href = Field(description="The record file, which has every field.")
    website: Link | None = Field(description="Its own website.")


class Placed(AnyRecord):
    year: int | None = Field(description="Year of the first cohort, or of the founding.")
    tags: dict[str, Tags] = Field(description="Tags, by tag family.")
    locations: list[Location] = Field(max_length=MAX_ITEMS, description="Its places.")
    logo: Href | None = Field(
        description="Its logo, SVG or PNG. Show it as a picture (`<img>`) only."
    )


class ProjectRecord(Placed):
    """A project with every field."""

    status: ProjectStatus = Field(
        description="Whether the project is active, or what became of it."
    )
    remote: bool = Field(description="Whether people can work for it from anywhere.")
    programs: Annotated[list[Reference], Listed(Tags, "Slugs of the programs it took part in.")] = (
        Field(max_length=MAX_ITEMS, description="The programs it took part in.")
    )
    organizations: Annotated[
        list[Reference], Listed(Tags, "Slugs of the organizations it belongs to or was backed by.")
    ] = Field(max_length=MAX_ITEMS, description="The organizations it belongs to or was backed by.")
    team_size: Annotated[Count | None, UNLISTED] = Field(description="How many people work on it.")
    founders: Annotated[list[str], UNLISTED] = Field(
        max_length=MAX_NAMES, description="Names of the founders."
    )
    former_names: list[str] = Field(max_length=MAX_NAMES, description="Former names.")
    fields: OwnFields


@fill_summary(ProjectRecord)
class ProjectSummary(Published):
    """A project as lists show it."""


class Tally(Published):
    """How many projects have a value of a filter."""

    value: str = Field(description="The value, as the filter takes it.")
    label: str = Field(description="The label for people.")
    count: Number = Field(description="How many projects have it.")


Breakdown = Annotated[
    dict[str, list[Tally]],
    UNLISTED,
    Field(
        description="Counts of its projects by filter: every `status` and `year`, and the 20 most"
        " frequent values of each tag family and countries of `location`."
    ),
]


class ProgramRecord(Placed):
    """A program with every field."""

    kind: ProgramKind = Field(description="A permanent program, or one cohort of a program.")
    type: Slug = Field(description="The program type, as the registry defines it.")
    projects: Count = Field(
        description="How many projects took part in it or in a program below it."
    )
    organization: Annotated[Reference, Listed(Slug, "Slug of the organization that runs it.")] = (
        Field(description="The organization that runs it.")
    )
    parent: Annotated[
        Reference | None, Listed(Slug | None, "Slug of the program it belongs to.")
    ] = Field(description="The program it belongs to.")
    starts: Day | None = Field(
        description="First day. Cohorts of one year are sorted by it, those without it by name."
    )
    ends: Annotated[Day | None, UNLISTED] = Field(description="Last day.")
    breakdown: Breakdown
    fields: OwnFields


@fill_summary(ProgramRecord)
class ProgramSummary(Published):
    """A program as lists show it."""


class OrganizationRecord(Placed):
    """An organization with every field."""

    category: Slug = Field(
        description="The category of the organization, as the registry defines it."
    )
    projects: Count = Field(description="How many projects belong to it or to a program it runs.")
    programs: Count = Field(description="How many programs it runs.")
    parent: Annotated[Reference | None, UNLISTED] = Field(
        description="The organization it belongs to."
    )
    breakdown: Breakdown
    fields: OwnFields


@fill_summary(OrganizationRecord)
class OrganizationSummary(Published):
    """An organization as lists show it."""


class EventRecord(AnyRecord):
    """A calendar event with every field."""

    kind: EventKind = Field(description="What it is.")
    status: EventStatus = Field(description="Whether it is confirmed.")
    timezone: str = Field(
        description="IANA zone of the local times, or AoE (anywhere on earth, UTC-12)."
    )
    all_day: bool = Field(description="Whether all its times are dates without a time of day.")
    starts_at: Instant | None = Field(
        description="First instant, UTC; null for an application window without an opening."
    )
    ends_at: Instant | None = Field(
        description="Last instant, UTC; a deadline starts and ends at the same instant. Null for a "
        "rolling application window, which has no end."
    )
    starts_local: str | None = Field(
        description="The start as written: ISO 8601 without an offset, or a date without a time."
    )
    ends_local: str | None = Field(
        description="The end as written, in the same form; null for a rolling application window."
    )
    program: Annotated[
        Reference | None, Listed(Slug | None, "Slug of the program it is about.")
    ] = Field(description="The program it is about.")
    organization: Annotated[
        Reference | None, Listed(Slug | None, "Slug of the organization it is about.")
    ] = Field(description="The organization it is about.")
    tags: dict[str, Tags] = Field(
        description="Its own tags, by tag family. The filters also know those of its program."
    )
    locations: list[Location] = Field(max_length=MAX_ITEMS, description="Where it takes place.")
    online: bool = Field(description="Whether people can take part from anywhere.")
    stage: Slug | None = Field(description="The stage of its round, as the registry defines it.")
    round: Number | None = Field(description="The round of its program that it belongs to.")
    rolling: bool = Field(
        description="Whether it is an application window that stays open, without an end."
    )
    opens: Annotated[str | None, UNLISTED] = Field(
        description="When the application window opens: a date, or a date and a time of day."
    )
    closes: Annotated[str | None, UNLISTED] = Field(
        description="When the application window closes."
    )
    due: Annotated[str | None, UNLISTED] = Field(description="When the deadline is.")
    starts: Annotated[str | None, UNLISTED] = Field(description="When the event starts.")
    ends: Annotated[str | None, UNLISTED] = Field(description="When the event ends.")
    fields: OwnFields


@fill_summary(EventRecord)
class EventSummary(Published):
    """A calendar event as lists show it."""


class ProgramLinks(SelfLink):
    """The addresses of the program and of its lists."""

    projects: Href = Field(description="Its projects.")
    events: Href = Field(description="Its events.")


class OrganizationLinks(ProgramLinks):
    """The addresses of the organization and of its lists."""

    programs: Href = Field(description="Its programs.")


class RecordMeta(Published):
    """What the history of the repository says about the record."""

    updated_at: Instant | None = Field(
        description="When the record was last changed: the time of the commit, in UTC. Null if no "
        "commit has it, or if the build did not have all commits."
    )


class RecordDocument(Document):
    meta: RecordMeta = Field(
        default_factory=lambda: RecordMeta(updated_at=None),
        description="What the history of the repository says about the record, if the registry "
        "publishes all changes.",
    )


#: Kind -> the document of one record.
RECORDS = {
    kind: document_model(
        RecordDocument,
        kind,
        f"One whole {noun}.",
        links=(links, "Related addresses."),
        data=(record, "The record."),
    )
    for kind, noun, links, record in (
        ("project", "project", SelfLink, ProjectRecord),
        ("program", "program", ProgramLinks, ProgramRecord),
        ("organization", "organization", OrganizationLinks, OrganizationRecord),
        ("event", "calendar event", SelfLink, EventRecord),
    )
}


class MovedLinks(SelfLink):
    """The former and the present address."""

    replaced_by: Href = Field(description="The file to read instead.")


class MovedRecord(Published):
    """A former slug."""

    collection: str = Field(description="The collection of the record.")
    slug: Slug = Field(description="The former slug.")
    replaced_by: Slug = Field(description="The slug that the record has now.")


class Moved(Document):
    """The document at the former slug of a renamed record, and at the pages of its
    lists.
    """

    kind: Literal["moved"] = Field(description="The kind of this document.")
    links: MovedLinks = Field(description="Related addresses.")
    data: MovedRecord = Field(description="The former and the present slug.")
