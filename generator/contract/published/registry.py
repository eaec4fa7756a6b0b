"""Published documents about the whole registry: dashboard, index, build and problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field

from generator.contract.artifact import MAX_CHANGES
from generator.contract.published.lists import Value
from generator.contract.published.parts import (
    Count,
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
    counts,
    summary,
    with_types,
)
from generator.kinds import Kinds
from generator.kinds.models import with_fields


def _may_be(words: str, default: Callable[[], Any] = lambda: None) -> Any:
    """A key that documents may leave out."""
    return Field(default_factory=default, description=words)


class YearCount(Published):
    """How many records a year has."""

    year: int = Field(description="The year.")
    count: Number = Field(description="How many.")


class StatusShare(Published):
    """How many projects have a status."""

    value: str = Field(description="The status.")
    label: str = Field(description="The label for people.")
    count: Count = Field(description="How many projects have it.")
    share: Share = Field(description="Their share of all projects, from 0 to 1.")


class TagShare(Published):
    """How many projects have a tag."""

    tag: Slug = Field(description="The tag.")
    label: str = Field(description="The label for people.")
    count: Count = Field(description="How many projects have it.")
    share: Share = Field(description="Their share of all projects, from 0 to 1.")


class Ranked(Published):
    """A program or an organization by its number of projects."""

    slug: Slug = Field(description="Its slug.")
    name: str = Field(description="Its name.")
    projects: Count = Field(description="How many projects it has.")
    href: Href = Field(description="Its record file.")


class CategoryCounts(Published):
    """How many records a category of organizations has."""

    value: Slug = Field(description="The category.")
    label: str = Field(description="The label for people.")
    organizations: Count = Field(description="How many organizations have it.")
    projects: Count = Field(description="How many projects belong to these organizations.")


class TypeCount(Published):
    """How many programs are of a type."""

    value: Slug = Field(description="The program type.")
    label: str = Field(description="The label for people.")
    programs: Count = Field(description="How many programs have it.")


class DashboardLinks(SelfLink):
    """Related addresses."""

    index: Href = Field(description="Everything that the API publishes.")


class DashboardTotals(Published):
    """How many entries the lists have that the dashboard shows the first of."""

    tags: dict[str, Count] = Field(description="The tags of each family that projects have.")
    top_organizations: Count = Field(description="Organizations.")
    top_programs: Count = Field(description="Programs.")
    top_cohorts: Count = Field(description="Cohorts, and programs without cohorts.")
    top_locations: Count = Field(description="Countries of projects.")
    upcoming: Count = Field(description="Events that are not over.")


class DashboardData(Published):
    """Totals, shares and the next events."""

    counts: Any = Field(description="How many records there are.")
    projects_by_year: list[YearCount] = Field(description="Projects of each year, ascending.")
    programs_by_year: list[YearCount] = Field(description="Programs of each year, ascending.")
    without_year: dict[str, Count] = Field(
        description="How many records have no year, by collection: projects and programs."
    )
    statuses: list[StatusShare] = Field(
        description="Projects by status; also statuses without a project."
    )
    tags: dict[str, list[TagShare]] = Field(
        description="The most frequent tags of projects, by family."
    )
    top_organizations: list[Ranked] = Field(description="The organizations with most projects.")
    top_programs: list[Ranked] = Field(
        description="The programs with most projects; those of a cohort count for its parent, too."
    )
    top_cohorts: list[Ranked] = Field(
        description="The cohorts, and programs without cohorts, with most projects: none counts "
        "twice."
    )
    top_locations: list[Value] = Field(description="The countries with most projects.")
    organization_categories: list[CategoryCounts] = Field(
        description="Organizations and projects by category."
    )
    program_types: list[TypeCount] = Field(description="Programs by type.")
    upcoming: Any = Field(description="The next events.")
    totals: DashboardTotals | None = Field(
        description="How many entries there are in all; null in documents of older schemas."
    )
    truncated: bool = Field(
        description="Whether lists were shortened to keep the document under 64 KiB."
    )


class Dashboard(Document):
    """The whole registry in one answer of at most 64 KiB. Read it first."""

    kind: Literal["dashboard"] = Field(description="The kind of this document.")
    as_of: Day = Field(description="The day from which events are upcoming.")
    links: Any = Field(description="Related addresses.")
    data: DashboardData = Field(description="Totals, shares and the next events.")


class Referred(Published):
    """A record that others refer to."""

    slug: Slug = Field(description="Its slug.")
    name: str = Field(description="Its name.")
    count: Count = Field(description="How many records refer to it.")
    href: Href = Field(description="Its record file.")


class KindCounts(Published):
    """The records of an own kind."""

    count: Count = Field(description="How many there are.")
    top: dict[str, list[Referred]] = Field(
        description="The 10 records that most others refer to, by the key of the relation."
    )


#: Key of the dashboard -> the roles of kinds that it is about.
_ABOUT = {
    "projects_by_year": ("counted",),
    "programs_by_year": ("series",),
    "statuses": ("counted",),
    "tags": ("counted",),
    "top_organizations": ("owner", "counted"),
    "top_programs": ("series", "counted"),
    "top_cohorts": ("series", "counted"),
    "top_locations": ("counted",),
    "organization_categories": ("owner",),
    "program_types": ("series",),
    "upcoming": ("timed",),
}


def _without(data: type[DashboardData], kinds: Kinds) -> type[DashboardData]:
    """The data of a registry with these kinds, where keys about others are empty."""
    gone = [key for key, roles in _ABOUT.items() if not all(getattr(kinds, of) for of in roles)]
    if not gone:
        return data
    known = DashboardTotals.model_fields
    numbers = {
        key: (known[key].annotation, Field(description="0 here.")) for key in gone if key in known
    }
    totals: Any = with_fields(DashboardTotals, **numbers)
    words = Field(description="Empty here: this registry does not have such records.")
    lists = {key: (dict if key == "tags" else list, words) for key in gone}
    return with_fields(with_types(data, totals=totals | None), **lists)


def dashboard(kinds: Kinds) -> type[Dashboard]:
    lists = {name: f"all {name}" for name in kinds}
    lists |= {"upcoming": f"upcoming {kinds.timed}"} if kinds.timed else {}
    links = with_fields(
        DashboardLinks,
        **{key: (Href, Field(description=f"The first page of {of}.")) for key, of in lists.items()},
    )
    events: Any = summary(kinds, kinds.timed) if kinds.timed else Published
    data = with_types(DashboardData, counts=counts(kinds), upcoming=list[events])
    data = _without(data, kinds)
    if kinds.declares:
        about = Field(
            description="Each own kind: how many records it has, and the most referred to."
        )
        data = with_fields(data, kinds=(dict[str, KindCounts], about))
    return with_types(Dashboard, links=links, data=data)


class Surface(Published):
    """One file, or many files of one form."""

    name: str = Field(description="A short name.")
    href: Href | None = Field(description="Its address; null if `template` has many.")
    template: str | None = Field(description="The address, with `{name}` for values to fill in.")
    description: str = Field(description="What it is.")
    count: Count | None = Field(description="How many items it has; null if unknown.")
    bytes: Count | None = Field(description="The total size; null if unknown.")


class OwnField(Published):
    """A field that only this registry has."""

    label: str = Field(description="The label for people.")
    type: str = Field(description="text, number, boolean, date, url or choice.")
    many: bool = Field(description="Whether a record has a list of it.")
    unit: str | None = Field(description="What a number counts.")
    required: bool = Field(description="Whether every record has it.")
    summary: bool = Field(description="Whether lists show it.")
    filter: bool = Field(description="Whether it is a filter of lists: `field_<key>`.")
    sort: bool = Field(
        description="Whether it is a sort of lists: `field_<key>` and `-field_<key>`."
    )
    values: dict[Slug, str] = Field(
        description="The label of each value of a closed choice; empty if any slug is allowed."
    )


class DeclaredField(OwnField):
    """A field that only this registry has."""

    type: str = Field(description="text, number, boolean, date, url, choice, money or record.")
    currency: str | None = _may_be("The ISO 4217 code of money.")
    of: str | None = _may_be("The collection of the other record.")
    reverse: str | None = _may_be("What the other side of the relation is called.")
    through: list[str] = _may_be("The filters of the other record that find this one, too.", list)
    retired: str | None = _may_be("The month in which it will be gone.")


class IndexData(Published):
    """The registry and everything that it publishes."""

    name: str = Field(description="The name of the registry.")
    description: str = Field(description="What it is about.")
    license: str | None = Field(description="SPDX identifier of the licence of the data.")
    contact: Href | None = Field(description="Where to write to: a web or mailto address.")
    surfaces: list[Surface] = Field(description="Everything that is published.")
    fields: dict[str, dict[str, OwnField]] = Field(
        description="The registry's own fields, by collection and key."
    )
    left_out: list[str] = Field(
        description="Kinds of files that are not published: sorts, contexts, event_pages."
    )


class Index(Document):
    """Everything that the API publishes."""

    kind: Literal["index"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    data: IndexData = Field(description="The registry and everything that it publishes.")


class ToldRelation(Published):
    """A relation of a kind to another."""

    of: str = Field(description="The collection of the records that it refers to.")
    many: bool = Field(description="Whether a record refers to several.")
    filter: str | None = Field(description="The filter by these records; null without one.")
    reverse: str | None = Field(description="What the other side is called.")


class ToldKind(Published):
    """A kind of records."""

    kind: str = Field(description="The kind in documents.")
    one: str = Field(description="What one record is called.")
    many: str = Field(description="What several are called.")
    own: bool = Field(description="Whether only this registry has it.")
    has: list[str] = _may_be(
        "Which of tags, locations, website, logo and year its records have, if not website and "
        "tags.",
        list,
    )
    badge: str | None = _may_be("The field that lists show as a badge.")
    schema_org: str | None = _may_be("The type of its records at schema.org, if not Thing.")
    contexts: bool | None = _may_be("Whether its records have contexts for agents.")
    retired: str | None = _may_be("The month in which it will be gone.")
    fields: dict[str, dict[str, Any]] = Field(description="Its own fields, by key.")
    relations: dict[str, ToldRelation] = Field(description="Its own relations, by key.")


def index(kinds: Kinds) -> type[Index]:
    if not kinds.declares:
        return Index
    told = Field(description="The kinds of this registry, by collection.")
    data = with_types(IndexData, fields=dict[str, dict[str, DeclaredField]])
    return with_fields(with_types(Index, data=data), kinds=(dict[str, ToldKind], told))


class GeneratorVersion(Published):
    """The program that built the registry."""

    name: str = Field(description="Its name.")
    version: str = Field(description="Its version.")


class Build(Document):
    """When, from what and by what the registry was built."""

    kind: Literal["build"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    generated_at: Instant = Field(
        description="The time of the build: the time of the commit, unless it was set."
    )
    as_of: Day = Field(description="The day from which events are upcoming.")
    revision: str | None = Field(
        description="The commit it was built from; null outside a checkout."
    )
    generator: GeneratorVersion = Field(description="The program that built it.")
    counts: Any = Field(description="How many records there are.")
    content_digest: str = Field(
        description="Digest of the content: equal content has an equal digest."
    )


class Change(Published):
    """What a commit did to a record."""

    at: Instant = Field(description="When: the time of the commit, in UTC.")
    change: str = Field(description="added, changed, renamed or removed.")
    collection: str = Field(description="The collection of the record.")
    slug: Slug = Field(description="Its slug after the change, or its last slug.")
    name: str = Field(description="Its name at that time.")
    former: Slug | None = Field(description="The former slug of a renamed record.")


class ChangeEntry(Change):
    """What a commit did to a record."""

    href: Href | None = Field(description="Its record file; null if it has none now.")


class ChangeLinks(SelfLink):
    """Related addresses."""

    last: Href | None = Field(
        default_factory=lambda: None,
        description="The last page of all changes, if the registry publishes them.",
    )


class ChangeList(Document):
    """The latest new, changed and removed records, from the commits of the registry."""

    kind: Literal["change_list"] = Field(description="The kind of this document.")
    links: ChangeLinks = Field(description="Related addresses.")
    history: str = Field(
        description="known; shallow if the checkout of the build lacked commits; none if no commit "
        "has the content. There are changes only if they are known."
    )
    notice: str | None = Field(
        description="A sentence about what is missing: the changes, if the history is not known."
    )
    data: list[ChangeEntry] = Field(
        max_length=MAX_CHANGES, description="The changes, the latest first."
    )


class RemovedEntry(Published):
    """A record that was removed for good."""

    date: Day = Field(description="The day on which it was removed.")
    collection: str = Field(description="The collection that it was in.")
    slug: Slug = Field(description="Its slug, which no other record can have.")
    reason: str | None = Field(description="Why it was removed, if known.")


class RemovedList(Document):
    """The records that were removed for good. Remove them from copies too."""

    kind: Literal["removed_list"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    data: list[RemovedEntry] = Field(description="These records, the latest removed first.")


class Aspect(Published):
    """How many records have something."""

    label: str = Field(description="The label for people.")
    count: Count = Field(description="How many records have it.")
    share: Share = Field(description="Their share of all records of the collection, from 0 to 1.")


class VerifiedRecords(Aspect):
    """How many records somebody compared with their sources within a year."""

    median_age_days: Count | None = Field(
        description="The median of the days since then, of all records with `verified`; null if "
        "no record has it."
    )


class CollectionCoverage(Published):
    """How complete the records of a collection are."""

    total: Count = Field(description="How many records there are.")
    fields: dict[str, Aspect] = Field(
        description="Records with a website, text (a summary or a description), places, tags, "
        "sources, or year."
    )
    verified: VerifiedRecords | None = Field(
        description="Records that somebody compared with their sources within a year."
    )
    given: dict[str, Count] = Field(
        description="How many records have each field; an own field is fields.KEY."
    )
    alike: dict[str, Count] = Field(
        description="The highest number of records with the same text, for each field of text."
    )


class CoverageLinks(SelfLink):
    """Related addresses."""

    changes: Href = Field(description="The latest changes.")


class Coverage(Document):
    """How recent and how complete the records are."""

    kind: Literal["coverage"] = Field(description="The kind of this document.")
    links: CoverageLinks = Field(description="Related addresses.")
    last_change: Instant | None = Field(
        description="The last change of a record, from the commits; null if unknown."
    )
    data: dict[str, CollectionCoverage] = Field(description="Each collection.")


class Problem(Published):
    """Why a query got no answer (RFC 9457)."""

    type: Href = Field(description="The address of this problem's own document.")
    title: str = Field(
        description="What is wrong, in short. It is the same for every problem with this code."
    )
    status: int = Field(ge=400, le=599, description="The HTTP status.")
    detail: str = Field(description="What is wrong here and what to do.")
    code: ProblemCode = Field(description="What is wrong, for programs.")
    allowed: list[str] | None = Field(description="Valid values, if a list helps.")
    try_: Href | None = Field(
        alias="try",
        description="The address of the whole query as it was probably meant, if a program can "
        "tell that and it is answered.",
    )
    help: Href = Field(description="The address of the index, which lists what can be queried.")
