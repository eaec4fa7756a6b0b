"""Published documents about the whole registry: dashboard, index, build and problems."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.api.artifact import MAX_CHANGES
from generator.schema.published.lists import Value
from generator.schema.published.parts import (
    Count,
    Counts,
    Day,
    Document,
    Href,
    Instant,
    Number,
    ProblemCode,
    Published,
    SelfLink,
    Share,
    Slug,
)
from generator.schema.published.records import EventSummary


class YearCount(Published):
    """How many records a year has."""

    year: int = Field(description="The year.")
    count: Number = Field(description="How many.")


class StatusShare(Published):
    """How many projects have a status."""

    value: str = Field(description="The status.")
    label: str = Field(description="What a person calls it.")
    count: Count = Field(description="How many projects have it.")
    share: Share = Field(description="Their part of all projects, from 0 to 1.")


class TagShare(Published):
    """How many projects have a tag."""

    tag: Slug = Field(description="The tag.")
    label: str = Field(description="What a person calls it.")
    count: Count = Field(description="How many projects have it.")
    share: Share = Field(description="Their part of all projects, from 0 to 1.")


class Ranked(Published):
    """A program or an organization by its number of projects."""

    slug: Slug = Field(description="Its slug.")
    name: str = Field(description="Its name.")
    projects: Count = Field(description="How many projects it has.")
    href: Href = Field(description="Its record file.")


class CategoryCounts(Published):
    """What a category of organizations holds."""

    value: Slug = Field(description="The category.")
    label: str = Field(description="What a person calls it.")
    organizations: Count = Field(description="How many organizations are of it.")
    projects: Count = Field(description="How many projects belong to those.")


class TypeCount(Published):
    """How many programs are of a type."""

    value: Slug = Field(description="The program type.")
    label: str = Field(description="What a person calls it.")
    programs: Count = Field(description="How many programs are of it.")


class DashboardLinks(SelfLink):
    """Where to read on."""

    index: Href = Field(description="Every surface of the API.")
    projects: Href = Field(description="The first page of all projects.")
    programs: Href = Field(description="The first page of all programs.")
    organizations: Href = Field(description="The first page of all organizations.")
    events: Href = Field(description="The first page of all events.")
    upcoming: Href = Field(description="The first page of the events that are not over.")


class DashboardData(Published):
    """Totals, shares and what comes next."""

    counts: Counts = Field(description="How many records there are.")
    projects_by_year: list[YearCount] = Field(description="Projects of each year, ascending.")
    programs_by_year: list[YearCount] = Field(description="Programs of each year, ascending.")
    statuses: list[StatusShare] = Field(
        description="Projects by status, those without a project too."
    )
    tags: dict[str, list[TagShare]] = Field(
        description="The most frequent tags of projects, by family."
    )
    top_organizations: list[Ranked] = Field(description="The organizations with most projects.")
    top_programs: list[Ranked] = Field(description="The programs with most projects.")
    top_locations: list[Value] = Field(description="The countries with most projects.")
    organization_categories: list[CategoryCounts] = Field(
        description="What each category of organizations holds."
    )
    program_types: list[TypeCount] = Field(description="What each program type holds.")
    upcoming: list[EventSummary] = Field(description="The next events.")
    truncated: bool = Field(
        description="Whether lists were shortened so that the document stays under 64 KiB."
    )


class Dashboard(Document):
    """The whole registry in one answer of at most 64 KiB. Read it first."""

    kind: Literal["dashboard"] = Field(description="What this document is.")
    as_of: Day = Field(description="The day that upcoming is counted from.")
    links: DashboardLinks = Field(description="Where to read on.")
    data: DashboardData = Field(description="Totals, shares and what comes next.")


class Surface(Published):
    """One thing that can be fetched, or many of one shape."""

    name: str = Field(description="A short name.")
    href: Href | None = Field(description="Its address; null where `template` has many.")
    template: str | None = Field(description="The address with `{name}` for what to fill in.")
    description: str = Field(description="What it is.")
    count: Count | None = Field(description="How many items it has, where that can be said.")
    bytes: Count | None = Field(description="How large all of it is, where that can be said.")


class OwnField(Published):
    """A field that this registry has beyond those of every registry."""

    label: str = Field(description="What a person calls it.")
    type: str = Field(description="text, number, boolean, date, url or choice.")
    many: bool = Field(description="Whether a record has a list of it.")
    unit: str | None = Field(description="What a number counts.")
    required: bool = Field(description="Whether every record has it.")
    summary: bool = Field(description="Whether lists show it.")
    filter: bool = Field(description="Whether lists can be narrowed by it, with `field_<key>`.")
    sort: bool = Field(
        description="Whether lists can be sorted by it: `field_<key>`, and `-field_<key>`."
    )
    values: dict[Slug, str] = Field(
        description="The label of each value of a closed choice; empty where any slug will do."
    )


class IndexData(Published):
    """What the registry is and what it offers."""

    name: str = Field(description="What the registry is called.")
    description: str = Field(description="What it is about.")
    license: str | None = Field(description="SPDX identifier of the licence of the data.")
    contact: Href | None = Field(description="Where to write to: a web or mailto address.")
    surfaces: list[Surface] = Field(description="Everything that can be fetched.")
    fields: dict[str, dict[str, OwnField]] = Field(
        description="The registry's own fields, by collection and key."
    )
    left_out: list[str] = Field(
        description="What this registry publishes no files of: sorts, contexts, event_pages."
    )


class Index(Document):
    """Every surface of the API."""

    kind: Literal["index"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    data: IndexData = Field(description="What the registry is and what it offers.")


class GeneratorVersion(Published):
    """The program that built the registry."""

    name: str = Field(description="Its name.")
    version: str = Field(description="Its version.")


class Build(Document):
    """When, from what and by what the registry was built."""

    kind: Literal["build"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    generated_at: Instant = Field(
        description="When it was built: the time of the commit, unless told otherwise."
    )
    as_of: Day = Field(description="The day that upcoming is counted from.")
    revision: str | None = Field(
        description="The commit it was built from; null outside a checkout."
    )
    generator: GeneratorVersion = Field(description="The program that built it.")
    counts: Counts = Field(description="How many records there are.")
    content_digest: str = Field(description="Digest of the content: equal content, equal digest.")


class ChangeEntry(Published):
    """What a commit did to a record."""

    at: Instant = Field(description="When: the time of the commit, in UTC.")
    change: str = Field(description="added, changed, renamed or removed.")
    collection: str = Field(description="The collection of the record.")
    slug: Slug = Field(description="Its slug after the change, or the one that it had.")
    name: str = Field(description="What it was called then.")
    former: Slug | None = Field(description="Of a record that was renamed, its slug before.")
    href: Href | None = Field(description="Its record file; null where it has none now.")


class ChangeList(Document):
    """The latest new, changed and removed records, as the commits of the registry tell it."""

    kind: Literal["change_list"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    history: str = Field(
        description="known; shallow where the checkout that this was built from lacked commits; "
        "none where no commit has the content. Only what is known has changes."
    )
    data: list[ChangeEntry] = Field(
        max_length=MAX_CHANGES, description="The changes, the latest first."
    )


class RemovedEntry(Published):
    """A record that was removed for good."""

    date: Day = Field(description="The day on which it was removed.")
    collection: str = Field(description="The collection that it was in.")
    slug: Slug = Field(description="What its slug was; no other record is given it.")
    reason: str | None = Field(description="Why it was removed, where that is told.")


class RemovedList(Document):
    """The records that were removed for good: who keeps a copy takes them out too."""

    kind: Literal["removed_list"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    data: list[RemovedEntry] = Field(description="These records, the latest removed first.")


class Aspect(Published):
    """How many records have something."""

    label: str = Field(description="What a person calls it.")
    count: Count = Field(description="How many records have it.")
    share: Share = Field(description="Their part of all records of the collection, from 0 to 1.")


class CollectionCoverage(Published):
    """How complete the records of a collection are."""

    total: Count = Field(description="How many records there are.")
    fields: dict[str, Aspect] = Field(
        description="What records may have: website, text (a summary or a description), places, "
        "tags, sources, year."
    )
    given: dict[str, Count] = Field(
        description="How many records give each field; an own field is fields.KEY."
    )
    alike: dict[str, Count] = Field(
        description="Of each field that holds texts: at most so many records have the same one."
    )


class CoverageLinks(SelfLink):
    """Where to read on."""

    changes: Href = Field(description="The latest changes.")


class Coverage(Document):
    """How fresh and how complete the registry is."""

    kind: Literal["coverage"] = Field(description="What this document is.")
    links: CoverageLinks = Field(description="Where to read on.")
    last_change: Instant | None = Field(
        description="When a record changed last, as the commits tell it; null where they do not."
    )
    data: dict[str, CollectionCoverage] = Field(description="Each collection.")


class Problem(Published):
    """Why a question got no answer (RFC 9457)."""

    type: Href = Field(description="The address of this problem's own document.")
    title: str = Field(description="What is wrong, in short; always the same for a code.")
    status: int = Field(ge=400, le=599, description="The HTTP status.")
    detail: str = Field(description="What is wrong here and what to do.")
    code: ProblemCode = Field(description="What is wrong, for programs.")
    allowed: list[str] | None = Field(description="What would do instead, where a list helps.")
    help: Href = Field(description="Where to read what can be asked.")
