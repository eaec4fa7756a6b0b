"""Published records: what each kind has in lists, as a record, and the documents that hold one."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.records.fields import MANY, NAMES
from generator.schema.published.parts import (
    Count,
    Day,
    Document,
    EventKind,
    EventStatus,
    Href,
    Instant,
    Link,
    Location,
    ProgramKind,
    ProjectStatus,
    Published,
    Reference,
    SelfLink,
    Slug,
    Tags,
)


class Heading(Published):
    slug: Slug = Field(description="The name in addresses: unique within its kind and lasting.")
    name: str = Field(description="The name.")
    summary: str | None = Field(description="One line on what it is.")
    href: Href = Field(description="The record file, which has every field.")
    website: Link | None = Field(description="Its own website.")


class Placed(Heading):
    year: int | None = Field(description="Year of the first cohort or of the founding.")
    tags: dict[str, Tags] = Field(description="Tags, by the families of the registry.")
    locations: list[Location] = Field(max_length=MANY, description="Where it is.")


class Whole(Published):
    description: str | None = Field(description="A longer text.")
    links: dict[str, Link] = Field(max_length=MANY, description="Other addresses on the web, by what they are.")
    sources: list[Link] = Field(max_length=MANY, description="Where the facts come from.")
    aliases: list[Slug] = Field(max_length=MANY, description="Former slugs.")


class AnyProject(Placed):
    status: ProjectStatus = Field(description="What has become of it.")
    remote: bool = Field(description="Whether people work for it from anywhere.")


class ProjectSummary(AnyProject):
    """A project as lists show it."""

    programs: list[Slug] = Field(max_length=MANY, description="Slugs of the programs it took part in.")
    organizations: list[Slug] = Field(max_length=MANY, description="Slugs of the organizations it belongs to or was backed by.")


class ProjectRecord(AnyProject, Whole):
    """A project with every field."""

    programs: list[Reference] = Field(max_length=MANY, description="The programs it took part in.")
    organizations: list[Reference] = Field(max_length=MANY, description="The organizations it belongs to or was backed by.")
    team_size: Count | None = Field(description="How many people work on it.")
    founders: list[str] = Field(max_length=NAMES, description="Names of the founders.")
    former_names: list[str] = Field(max_length=NAMES, description="Names it had before.")


class AnyProgram(Placed):
    kind: ProgramKind = Field(description="A lasting program, or one cohort of it.")
    type: Slug = Field(description="The program type, in the registry's own words.")
    projects: Count = Field(description="How many projects took part in it or in what is below it.")


class ProgramSummary(AnyProgram):
    """A program as lists show it."""

    organization: Slug = Field(description="Slug of the organization that runs it.")
    parent: Slug | None = Field(description="Slug of the program it belongs to.")


class ProgramRecord(AnyProgram, Whole):
    """A program with every field."""

    organization: Reference = Field(description="The organization that runs it.")
    parent: Reference | None = Field(description="The program it belongs to.")
    starts: Day | None = Field(description="First day.")
    ends: Day | None = Field(description="Last day.")


class OrganizationSummary(Placed):
    """An organization as lists show it."""

    category: Slug = Field(description="What sort of organization it is, in the registry's own words.")
    projects: Count = Field(description="How many projects belong to it or to a program it runs.")
    programs: Count = Field(description="How many programs it runs.")


class OrganizationRecord(OrganizationSummary, Whole):
    """An organization with every field."""

    parent: Reference | None = Field(description="The organization it belongs to.")


class AnyEvent(Heading):
    kind: EventKind = Field(description="What it is.")
    status: EventStatus = Field(description="How certain it is.")
    timezone: str = Field(description="IANA zone of the local times, or AoE (anywhere on earth, UTC-12).")
    all_day: bool = Field(description="Whether every time given is a bare date.")
    starts_at: Instant | None = Field(description="First instant, UTC; null for an application window that names no opening.")
    ends_at: Instant = Field(description="Last instant, UTC; a deadline starts and ends at the same one.")
    starts_local: str | None = Field(description="The start as written: ISO 8601 without an offset, a bare date where that is all.")
    ends_local: str = Field(description="The end as written, likewise.")


class EventSummary(AnyEvent):
    """A calendar event as lists show it."""

    program: Slug | None = Field(description="Slug of the program it is about.")
    organization: Slug | None = Field(description="Slug of the organization it is about.")


class EventRecord(AnyEvent, Whole):
    """A calendar event with every field."""

    program: Reference | None = Field(description="The program it is about.")
    organization: Reference | None = Field(description="The organization it is about.")
    tags: dict[str, Tags] = Field(description="Tags, by the families of the registry.")
    locations: list[Location] = Field(max_length=MANY, description="Where it takes place.")
    opens: str | None = Field(description="When the application window opens: a date, or a date and a time of day.")
    closes: str | None = Field(description="When the application window closes.")
    due: str | None = Field(description="When the deadline is.")
    starts: str | None = Field(description="When the event starts.")
    ends: str | None = Field(description="When the event ends.")


class ProgramLinks(SelfLink):
    """Where the program is, and the first pages of the lists that belong to it."""

    projects: Href = Field(description="Its projects.")
    events: Href = Field(description="Its events.")


class OrganizationLinks(ProgramLinks):
    """Where the organization is, and the first pages of the lists that belong to it."""

    programs: Href = Field(description="Its programs.")


class Project(Document):
    """One project, whole."""

    kind: Literal["project"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    data: ProjectRecord = Field(description="The record.")


class Program(Document):
    """One program, whole."""

    kind: Literal["program"] = Field(description="What this document is.")
    links: ProgramLinks = Field(description="Where to go from here.")
    data: ProgramRecord = Field(description="The record.")


class Organization(Document):
    """One organization, whole."""

    kind: Literal["organization"] = Field(description="What this document is.")
    links: OrganizationLinks = Field(description="Where to go from here.")
    data: OrganizationRecord = Field(description="The record.")


class Event(Document):
    """One calendar event, whole."""

    kind: Literal["event"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    data: EventRecord = Field(description="The record.")


class MovedLinks(SelfLink):
    """Where the record or the page was, and where it is."""

    replaced_by: Href = Field(description="The file to read instead.")


class MovedRecord(Published):
    """A former slug."""

    collection: str = Field(description="The collection of the record.")
    slug: Slug = Field(description="The former slug.")
    replaced_by: Slug = Field(description="The slug that the record has now.")


class Moved(Document):
    """What stands at the former slug of a record that was renamed, and at the pages of its lists."""

    kind: Literal["moved"] = Field(description="What this document is.")
    links: MovedLinks = Field(description="Where to go from here.")
    data: MovedRecord = Field(description="What was renamed, and to what.")
