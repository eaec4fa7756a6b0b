"""Published documents about the whole registry: dashboard, index, build and problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

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
    means,
    summary,
    with_types,
)
from generator.kinds import Kinds
from generator.kinds.models import with_fields


def _may_be(words: str, default: Callable[[], Any] = lambda: None) -> Any:
    """A key that documents may leave out."""
    return means(words, default_factory=default)


class YearCount(Published):
    """How many records a year has."""

    year: int = means("The year.")
    count: Number = means("How many.")


class StatusShare(Published):
    """How many projects have a status."""

    value: str = means("The status.")
    label: str = means("The label for people.")
    count: Count = means("How many projects have it.")
    share: Share = means("Their share of all projects, from 0 to 1.")


class TagShare(Published):
    """How many projects have a tag."""

    tag: Slug = means("The tag.")
    label: str = means("The label for people.")
    count: Count = means("How many projects have it.")
    share: Share = means("Their share of all projects, from 0 to 1.")


class Ranked(Published):
    """A program or an organization by its number of projects."""

    slug: Slug = means("Its slug.")
    name: str = means("Its name.")
    projects: Count = means("How many projects it has.")
    href: Href = means("Its record file.")


class CategoryCounts(Published):
    """How many records a category of organizations has."""

    value: Slug = means("The category.")
    label: str = means("The label for people.")
    organizations: Count = means("How many organizations have it.")
    projects: Count = means("How many projects belong to these organizations.")


class TypeCount(Published):
    """How many programs are of a type."""

    value: Slug = means("The program type.")
    label: str = means("The label for people.")
    programs: Count = means("How many programs have it.")


class DashboardLinks(SelfLink):
    """Related addresses."""

    index: Href = means("Everything that the API publishes.")


class DashboardTotals(Published):
    """How many entries the lists have that the dashboard shows the first of."""

    tags: dict[str, Count] = means("The tags of each family that projects have.")
    top_organizations: Count = means("Organizations.")
    top_programs: Count = means("Programs.")
    top_cohorts: Count = means("Cohorts, and programs without cohorts.")
    top_locations: Count = means("Countries of projects.")
    upcoming: Count = means("Events that are not over.")


class DashboardData(Published):
    """Totals, shares and the next events."""

    counts: Any = means("How many records there are.")
    projects_by_year: list[YearCount] = means("Projects of each year, ascending.")
    programs_by_year: list[YearCount] = means("Programs of each year, ascending.")
    without_year: dict[str, Count] = means(
        "How many records have no year, by collection: projects and programs."
    )
    statuses: list[StatusShare] = means("Projects by status; also statuses without a project.")
    tags: dict[str, list[TagShare]] = means("The most frequent tags of projects, by family.")
    top_organizations: list[Ranked] = means("The organizations with most projects.")
    top_programs: list[Ranked] = means(
        "The programs with most projects; those of a cohort count for its parent, too."
    )
    top_cohorts: list[Ranked] = means(
        "The cohorts, and programs without cohorts, with most projects: none counts twice."
    )
    top_locations: list[Value] = means("The countries with most projects.")
    organization_categories: list[CategoryCounts] = means("Organizations and projects by category.")
    program_types: list[TypeCount] = means("Programs by type.")
    upcoming: Any = means("The next events.")
    totals: DashboardTotals | None = means(
        "How many entries there are in all; null in documents of older schemas."
    )
    truncated: bool = means("Whether lists were shortened to keep the document under 64 KiB.")


class Dashboard(Document):
    """The whole registry in one answer of at most 64 KiB. Read it first."""

    kind: Literal["dashboard"] = means("The kind of this document.")
    as_of: Day = means("The day from which events are upcoming.")
    links: Any = means("Related addresses.")
    data: DashboardData = means("Totals, shares and the next events.")


class Referred(Published):
    """A record that others refer to."""

    slug: Slug = means("Its slug.")
    name: str = means("Its name.")
    count: Count = means("How many records refer to it.")
    href: Href = means("Its record file.")


class KindCounts(Published):
    """The records of an own kind."""

    count: Count = means("How many there are.")
    top: dict[str, list[Referred]] = means(
        "The 10 records that most others refer to, by the key of the relation."
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
    numbers = {key: (known[key].annotation, means("0 here.")) for key in gone if key in known}
    totals: Any = with_fields(DashboardTotals, **numbers)
    words = means("Empty here: this registry does not have such records.")
    lists = {key: (dict if key == "tags" else list, words) for key in gone}
    return with_fields(with_types(data, totals=totals | None), **lists)


def dashboard(kinds: Kinds) -> type[Dashboard]:
    lists = {name: f"all {name}" for name in kinds}
    lists |= {"upcoming": f"upcoming {kinds.timed}"} if kinds.timed else {}
    links = with_fields(
        DashboardLinks,
        **{key: (Href, means(f"The first page of {of}.")) for key, of in lists.items()},
    )
    events: Any = summary(kinds, kinds.timed) if kinds.timed else Published
    data = with_types(DashboardData, counts=counts(kinds), upcoming=list[events])
    data = _without(data, kinds)
    if kinds.declares:
        about = means("Each own kind: how many records it has, and the most referred to.")
        data = with_fields(data, kinds=(dict[str, KindCounts], about))
    return with_types(Dashboard, links=links, data=data)


class Surface(Published):
    """One file, or many files of one form."""

    name: str = means("A short name.")
    href: Href | None = means("Its address; null if `template` has many.")
    template: str | None = means("The address, with `{name}` for values to fill in.")
    description: str = means("What it is.")
    count: Count | None = means("How many items it has; null if unknown.")
    bytes: Count | None = means("The total size; null if unknown.")


class OwnField(Published):
    """A field that only this registry has."""

    label: str = means("The label for people.")
    type: str = means("text, number, boolean, date, url or choice.")
    many: bool = means("Whether a record has a list of it.")
    unit: str | None = means("What a number counts.")
    required: bool = means("Whether every record has it.")
    summary: bool = means("Whether lists show it.")
    filter: bool = means("Whether it is a filter of lists: `field_<key>`.")
    sort: bool = means("Whether it is a sort of lists: `field_<key>` and `-field_<key>`.")
    values: dict[Slug, str] = means(
        "The label of each value of a closed choice; empty if any slug is allowed."
    )


class DeclaredField(OwnField):
    """A field that only this registry has."""

    type: str = means("text, number, boolean, date, url, choice, money or record.")
    currency: str | None = _may_be("The ISO 4217 code of money.")
    of: str | None = _may_be("The collection of the other record.")
    reverse: str | None = _may_be("What the other side of the relation is called.")
    through: list[str] = _may_be("The filters of the other record that find this one, too.", list)
    retired: str | None = _may_be("The month in which it will be gone.")


class IndexData(Published):
    """The registry and everything that it publishes."""

    name: str = means("The name of the registry.")
    description: str = means("What it is about.")
    license: str | None = means("SPDX identifier of the licence of the data.")
    contact: Href | None = means("Where to write to: a web or mailto address.")
    surfaces: list[Surface] = means("Everything that is published.")
    fields: dict[str, dict[str, OwnField]] = means(
        "The registry's own fields, by collection and key."
    )
    left_out: list[str] = means(
        "Kinds of files that are not published: sorts, contexts, event_pages."
    )


class Index(Document):
    """Everything that the API publishes."""

    kind: Literal["index"] = means("The kind of this document.")
    links: SelfLink = means("Related addresses.")
    data: IndexData = means("The registry and everything that it publishes.")


class ToldRelation(Published):
    """A relation of a kind to another."""

    of: str = means("The collection of the records that it refers to.")
    many: bool = means("Whether a record refers to several.")
    filter: str | None = means("The filter by these records; null without one.")
    reverse: str | None = means("What the other side is called.")


class ToldKind(Published):
    """A kind of records."""

    kind: str = means("The kind in documents.")
    one: str = means("What one record is called.")
    many: str = means("What several are called.")
    own: bool = means("Whether only this registry has it.")
    has: list[str] = _may_be(
        "Which of tags, locations, website, logo and year its records have, if not website and "
        "tags.",
        list,
    )
    badge: str | None = _may_be("The field that lists show as a badge.")
    schema_org: str | None = _may_be("The type of its records at schema.org, if not Thing.")
    contexts: bool | None = _may_be("Whether its records have contexts for agents.")
    retired: str | None = _may_be("The month in which it will be gone.")
    fields: dict[str, dict[str, Any]] = means("Its own fields, by key.")
    relations: dict[str, ToldRelation] = means("Its own relations, by key.")


def index(kinds: Kinds) -> type[Index]:
    if not kinds.declares:
        return Index
    told = means("The kinds of this registry, by collection.")
    data = with_types(IndexData, fields=dict[str, dict[str, DeclaredField]])
    return with_fields(with_types(Index, data=data), kinds=(dict[str, ToldKind], told))


class GeneratorVersion(Published):
    """The program that built the registry."""

    name: str = means("Its name.")
    version: str = means("Its version.")


class Build(Document):
    """When, from what and by what the registry was built."""

    kind: Literal["build"] = means("The kind of this document.")
    links: SelfLink = means("Related addresses.")
    generated_at: Instant = means(
        "The time of the build: the time of the commit, unless it was set."
    )
    as_of: Day = means("The day from which events are upcoming.")
    revision: str | None = means("The commit it was built from; null outside a checkout.")
    generator: GeneratorVersion = means("The program that built it.")
    counts: Any = means("How many records there are.")
    content_digest: str = means("Digest of the content: equal content has an equal digest.")


class Change(Published):
    """What a commit did to a record."""

    at: Instant = means("When: the time of the commit, in UTC.")
    change: str = means("added, changed, renamed or removed.")
    collection: str = means("The collection of the record.")
    slug: Slug = means("Its slug after the change, or its last slug.")
    name: str = means("Its name at that time.")
    former: Slug | None = means("The former slug of a renamed record.")


class ChangeEntry(Change):
    """What a commit did to a record."""

    href: Href | None = means("Its record file; null if it has none now.")


class ChangeLinks(SelfLink):
    """Related addresses."""

    last: Href | None = means(
        "The last page of all changes, if the registry publishes them.",
        default_factory=lambda: None,
    )


class ChangeList(Document):
    """The latest new, changed and removed records, from the commits of the registry."""

    kind: Literal["change_list"] = means("The kind of this document.")
    links: ChangeLinks = means("Related addresses.")
    history: str = means(
        "known; shallow if the checkout of the build lacked commits; none if no commit "
        "has the content. There are changes only if they are known."
    )
    notice: str | None = means(
        "A sentence about what is missing: the changes, if the history is not known."
    )
    data: list[ChangeEntry] = means("The changes, the latest first.", max_length=MAX_CHANGES)


class RemovedEntry(Published):
    """A record that was removed for good."""

    date: Day = means("The day on which it was removed.")
    collection: str = means("The collection that it was in.")
    slug: Slug = means("Its slug, which no other record can have.")
    reason: str | None = means("Why it was removed, if known.")


class RemovedList(Document):
    """The records that were removed for good. Remove them from copies too."""

    kind: Literal["removed_list"] = means("The kind of this document.")
    links: SelfLink = means("Related addresses.")
    data: list[RemovedEntry] = means("These records, the latest removed first.")


class Aspect(Published):
    """How many records have something."""

    label: str = means("The label for people.")
    count: Count = means("How many records have it.")
    share: Share = means("Their share of all records of the collection, from 0 to 1.")


class VerifiedRecords(Aspect):
    """How many records somebody compared with their sources within a year."""

    median_age_days: Count | None = means(
        "The median of the days since then, of all records with `verified`; null if "
        "no record has it."
    )


class CollectionCoverage(Published):
    """How complete the records of a collection are."""

    total: Count = means("How many records there are.")
    fields: dict[str, Aspect] = means(
        "Records with a website, text (a summary or a description), places, tags, sources, or year."
    )
    verified: VerifiedRecords | None = means(
        "Records that somebody compared with their sources within a year."
    )
    given: dict[str, Count] = means("How many records have each field; an own field is fields.KEY.")
    alike: dict[str, Count] = means(
        "The highest number of records with the same text, for each field of text."
    )


class CoverageLinks(SelfLink):
    """Related addresses."""

    changes: Href = means("The latest changes.")


class Coverage(Document):
    """How recent and how complete the records are."""

    kind: Literal["coverage"] = means("The kind of this document.")
    links: CoverageLinks = means("Related addresses.")
    last_change: Instant | None = means(
        "The last change of a record, from the commits; null if unknown."
    )
    data: dict[str, CollectionCoverage] = means("Each collection.")


class Problem(Published):
    """Why a query got no answer (RFC 9457)."""

    type: Href = means("The address of this problem's own document.")
    title: str = means("What is wrong, in short. It is the same for every problem with this code.")
    status: int = means("The HTTP status.", ge=400, le=599)
    detail: str = means("What is wrong here and what to do.")
    code: ProblemCode = means("What is wrong, for programs.")
    allowed: list[str] | None = means("Valid values, if a list helps.")
    try_: Href | None = means(
        "The address of the whole query as it was probably meant, if a program can "
        "tell that and it is answered.",
        alias="try",
    )
    help: Href = means("The address of the index, which lists what can be queried.")
