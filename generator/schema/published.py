"""The published shapes: one model for every kind of JSON document, in words for those who read the API.

Output only: objects are open, every key is always there, and words that may grow are open vocabularies.  The lock file
is generated from these models (`registry schema --write`) and a build publishes from the lock, so a build never
imports this module.  What authors write has its own models, in `kinds`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from generator import SCHEMA_VERSION
from generator.api.problems import PROBLEMS
from generator.api.text import SLUG
from generator.records.fields import MANY, NAMES
from generator.records.kinds import event, program, project


def _open(known: Iterable[str]) -> WithJsonSchema:
    """Known words of a vocabulary that may grow: a consumer that validates must not fail on a new one."""
    return WithJsonSchema(
        {"anyOf": [{"type": "string", "enum": list(known)}, {"type": "string", "description": "Words that are added later."}]}
    )


def _choices(annotation: Any) -> list[str]:
    """The words of the Literal within an annotation."""
    return [word for part in get_args(annotation) for word in ([part] if isinstance(part, str) else _choices(part))]


Slug = Annotated[str, Field(pattern=f"^{SLUG}$")]
Tags = Annotated[list[Slug], Field(max_length=MANY)]
Href = Annotated[str, Field(json_schema_extra={"format": "uri-reference"})]
Link = Annotated[str, Field(json_schema_extra={"format": "uri"})]
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
Instant = Annotated[
    str, Field(json_schema_extra={"format": "date-time"}, pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
]
Count = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
ProjectStatus = Annotated[str, _open(project.STATUSES)]
ProgramKind = Annotated[str, _open(program.KINDS)]
EventKind = Annotated[str, _open(event.KINDS)]
EventStatus = Annotated[str, _open(_choices(event.Event.model_fields["status"].annotation))]
ProblemCode = Annotated[str, _open(PROBLEMS)]


class Published(BaseModel):
    model_config = ConfigDict(
        extra="allow",
        model_title_generator=lambda model: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", model.__name__).capitalize(),
    )


class Document(Published):
    schema_version: str = Field(
        pattern=r"^[0-9]+\.[0-9]+(\.[0-9]+)?$",
        description="Version of the published shapes. Within one major number they only grow.",
    )


# --- parts -----------------------------------------------------------------------------------------------------------


class Location(Published):
    """A place, as exactly as it is known."""

    country: str = Field(pattern="^[A-Z]{2}$", description="ISO 3166-1 alpha-2 code.")
    region: str | None = Field(description="State, province or region, as written.")
    city: str | None = Field(description="City or town, as written.")
    slug: Slug = Field(description="The value of the filter `location` that selects this place.")


class Reference(Published):
    """A record that another one names."""

    slug: Slug = Field(description="Its slug.")
    name: str = Field(description="Its name.")
    href: Href = Field(description="Its record file.")


class Counts(Published):
    """How many records each collection has."""

    projects: Count = Field(description="Projects.")
    programs: Count = Field(description="Programs.")
    organizations: Count = Field(description="Organizations.")
    events: Count = Field(description="Events, past ones too.")


class SelfLink(Published):
    """Where the document is."""

    self: Href = Field(description="This document.")


# --- records ---------------------------------------------------------------------------------------------------------


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


# --- lists -----------------------------------------------------------------------------------------------------------


class Query(Published):
    """The question that a list answers. Compare it with the one you asked: a host may have ignored a parameter."""

    mode: Literal["page"] = Field(description="Lists are answered page by page.")
    page: Number = Field(description="The number of the page asked for.")
    sort: str = Field(description="The order; a leading hyphen means descending.")
    q: str | None = Field(description="The words searched for.")
    filters: dict[str, str] = Field(description="The value of each filter given; a record matches all of them.")


class Page(Published):
    """Where this page stands in its list."""

    number: Number = Field(description="The number of this page, from 1.")
    size: Number = Field(description="How many items a full page has.")
    count: Count = Field(description="How many items this page has.")
    total_items: Count = Field(description="How many items the whole list has.")
    total_pages: Number = Field(description="How many pages the whole list has; an empty list has one.")


class ListLinks(SelfLink):
    """The other pages of the list."""

    first: Href = Field(description="The first page.")
    prev: Href | None = Field(description="The page before; null on the first.")
    next: Href | None = Field(description="The page after; null on the last.")
    last: Href = Field(description="The last page.")
    filters: Href = Field(description="The filters that the collection takes.")


class List(Document):
    query: Query = Field(description="The question that this list answers.")
    page: Page = Field(description="Where this page stands in its list.")
    links: ListLinks = Field(description="The other pages of the list.")


class ProjectList(List):
    """One page of a list of projects."""

    kind: Literal["project_list"] = Field(description="What this document is.")
    data: list[ProjectSummary] = Field(description="The projects of this page.")


class ProgramList(List):
    """One page of a list of programs."""

    kind: Literal["program_list"] = Field(description="What this document is.")
    data: list[ProgramSummary] = Field(description="The programs of this page.")


class OrganizationList(List):
    """One page of a list of organizations."""

    kind: Literal["organization_list"] = Field(description="What this document is.")
    data: list[OrganizationSummary] = Field(description="The organizations of this page.")


class EventList(List):
    """One page of a list of calendar events."""

    kind: Literal["event_list"] = Field(description="What this document is.")
    as_of: Day = Field(description="The day that upcoming is counted from.")
    data: list[EventSummary] = Field(description="The events of this page.")


# --- filters ---------------------------------------------------------------------------------------------------------


class Value(Published):
    """One value of a filter."""

    value: str = Field(description="What to write in a query.")
    label: str = Field(description="What a person calls it.")
    count: Count = Field(description="How many records of the whole collection have it.")
    href: Href = Field(description="The first page of the records that have it.")


class FilterValues(Published):
    """A filter and the values that any record has, the most frequent first."""

    label: str = Field(description="What a person calls the filter.")
    total_values: Count = Field(description="How many values there are.")
    truncated: bool = Field(description="Whether `values` leaves some out; `href` has all.")
    href: Href = Field(description="The file with all values.")
    values: list[Value] = Field(description="The values.")


class FilterList(Document):
    """The filters of a collection, each with its most frequent values."""

    kind: Literal["filter_list"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    data: dict[str, FilterValues] = Field(description="Each filter, by the name of its parameter.")


class FilterLinks(SelfLink):
    """Where the filter is, and those beside it."""

    filters: Href = Field(description="All filters of the collection.")


class Filter(Document):
    """One filter with all of its values."""

    kind: Literal["filter"] = Field(description="What this document is.")
    links: FilterLinks = Field(description="Where to go from here.")
    data: FilterValues = Field(description="The filter and its values.")


# --- the registry ----------------------------------------------------------------------------------------------------


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
    statuses: list[StatusShare] = Field(description="Projects by status, those without a project too.")
    tags: dict[str, list[TagShare]] = Field(description="The most frequent tags of projects, by family.")
    top_organizations: list[Ranked] = Field(description="The organizations with most projects.")
    top_programs: list[Ranked] = Field(description="The programs with most projects.")
    top_locations: list[Value] = Field(description="The countries with most projects.")
    organization_categories: list[CategoryCounts] = Field(description="What each category of organizations holds.")
    program_types: list[TypeCount] = Field(description="What each program type holds.")
    upcoming: list[EventSummary] = Field(description="The next events.")
    truncated: bool = Field(description="Whether lists were shortened so that the document stays under 64 KiB.")


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


class IndexData(Published):
    """What the registry is and what it offers."""

    name: str = Field(description="What the registry is called.")
    description: str = Field(description="What it is about.")
    license: str | None = Field(description="SPDX identifier of the licence of the data.")
    contact: Href | None = Field(description="Where to write to: a web or mailto address.")
    surfaces: list[Surface] = Field(description="Everything that can be fetched.")


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
    generated_at: Instant = Field(description="When it was built: the time of the commit, unless told otherwise.")
    as_of: Day = Field(description="The day that upcoming is counted from.")
    revision: str | None = Field(description="The commit it was built from; null outside a checkout.")
    generator: GeneratorVersion = Field(description="The program that built it.")
    counts: Counts = Field(description="How many records there are.")
    content_digest: str = Field(description="Digest of the content: equal content, equal digest.")


class Problem(Published):
    """Why a question got no answer (RFC 9457)."""

    type: Href = Field(description="The address of this problem's own document.")
    title: str = Field(description="What is wrong, in short; always the same for a code.")
    status: int = Field(ge=400, le=599, description="The HTTP status.")
    detail: str = Field(description="What is wrong here and what to do.")
    code: ProblemCode = Field(description="What is wrong, for programs.")
    allowed: list[str] | None = Field(description="What would do instead, where a list helps.")
    help: Href = Field(description="Where to read what can be asked.")


# --- the agent layer -------------------------------------------------------------------------------------------------


class Answer(Published):
    """An address, or many of one shape, and what it costs to read one."""

    words: str = Field(description="What it is.")
    href: Href | None = Field(description="The address; null where `template` has many.")
    template: str | None = Field(description="The address with `{name}` for what to fill in.")
    media_type: str = Field(description="The media type of the answer.")
    files: Count = Field(description="How many files there are of it.")
    bytes: Count | None = Field(description="The mean size of one, measured; null where there is none.")
    tokens: Count | None = Field(description="About how many tokens that is, by `bytes_per_token`.")


class FrequentValue(Published):
    """A frequent value of a filter."""

    value: str = Field(description="What to write in a query.")
    label: str = Field(description="What a person calls it.")
    count: Count = Field(description="How many records of the whole collection have it.")


class DatasetFilter(Published):
    """A filter and its most frequent values."""

    name: str = Field(description="The name of its parameter.")
    label: str = Field(description="What a person calls the filter.")
    total_values: Count = Field(description="How many values any record has.")
    values: list[FrequentValue] = Field(description="The most frequent of them.")


class Dataset(Published):
    """A collection: how many, how it is narrowed and ordered, and what its addresses return."""

    name: str = Field(description="The name of the collection.")
    count: Count = Field(description="How many records it has.")
    sorts: list[str] = Field(description="Its orders, the default first; a leading hyphen means descending.")
    query: str = Field(description="The address of a query as a template of RFC 6570, for hosts that answer queries.")
    filters: list[DatasetFilter] = Field(description="Its filters.")
    answers: list[Answer] = Field(description="Its files.")


class Step(Published):
    """What to do at one point of the order."""

    words: str = Field(description="What to do.")
    href: Href | None = Field(description="What to read, where that is one address.")


class Freshness(Published):
    """How old the data is."""

    as_of: Day = Field(description="The day that upcoming is counted from.")
    build: Href = Field(description="Where it says when and from what this was built.")
    words: str = Field(description="What the two mean.")


class AgentCatalogData(Published):
    """What the registry has for an agent."""

    name: str = Field(description="What the registry is called.")
    description: str = Field(description="What it is about.")
    license: str | None = Field(description="SPDX identifier of the licence of the data.")
    contact: Href | None = Field(description="Where to write to: a web or mailto address.")
    notice: str = Field(description="What the texts of records are and are not.")
    freshness: Freshness = Field(description="How old the data is.")
    order: list[Step] = Field(description="In which order to use what is here.")
    page_size: Number = Field(description="How many records a page has at most.")
    max_bytes: Count = Field(description="No document of the agent layer is larger than this.")
    bytes_per_token: dict[str, float] = Field(description="Bytes in a token, by media type, as measured with several tokenizers.")
    documents: list[Answer] = Field(description="What is about the whole registry, or to be pasted into a prompt.")
    datasets: list[Dataset] = Field(description="The collections.")
    truncated: bool = Field(description="Whether filters were left out so that the document stays under `max_bytes`.")
    next: list[Href] = Field(description="Where to go on when it is truncated.")


class AgentCatalogLinks(SelfLink):
    """What stands beside the catalog."""

    index: Href = Field(description="Every surface of the API.")
    overview: Href = Field(description="The registry in words, to paste into a prompt.")
    fields: Href = Field(description="Every field in words.")
    tools: Href = Field(description="What can be asked, as tools.")


class AgentCatalog(Document):
    """What there is for an agent, what it costs to read and in which order to read it."""

    kind: Literal["agent_catalog"] = Field(description="What this document is.")
    links: AgentCatalogLinks = Field(description="What stands beside it.")
    data: AgentCatalogData = Field(description="What the registry has for an agent.")


class CatalogLink(SelfLink):
    """Where the document is, and where it is explained."""

    catalog: Href = Field(description="What there is for an agent.")


class RecordField(Published):
    """One field of a kind of record."""

    name: str = Field(description="Its key.")
    type: str = Field(description="What it holds in a record, in words.")
    in_lists: str | None = Field(description="What it holds in a list; null where lists do not have it.")
    words: str = Field(description="What it means.")


class RecordKind(Published):
    """One kind of record."""

    kind: str = Field(description="Its name.")
    dataset: str = Field(description="The collection that has it.")
    json_schema: Href = Field(description="The JSON Schema of its records.")
    fields: list[RecordField] = Field(description="Its fields.")
    example: dict[str, Any] | None = Field(description="One record as lists show it; null where there is none.")


class ListKey(Published):
    """What a list has around its records."""

    name: str = Field(description="The key, with the one it is below.")
    type: str = Field(description="What it holds, in words.")
    words: str = Field(description="What it means.")


class AgentSchemaData(Published):
    """The kinds of records, and lists of them."""

    kinds: list[RecordKind] = Field(description="The kinds of records.")
    lists: list[ListKey] = Field(description="What a list has around its records.")
    truncated: bool = Field(description="Whether parts of examples were left out so that the document stays under 24 KiB.")
    next: list[Href] = Field(description="Where whole records are when it is truncated.")


class AgentSchema(Document):
    """Every field in words, with an example of each kind."""

    kind: Literal["agent_schema"] = Field(description="What this document is.")
    links: CatalogLink = Field(description="Where it is and where it is explained.")
    data: AgentSchemaData = Field(description="The kinds of records, and lists of them.")


class AgentTool(Published):
    """One thing that can be asked."""

    name: str = Field(description="Its name.")
    title: str = Field(description="What a person calls it.")
    purpose: str = Field(description="What it is for.")
    input: dict[str, Any] = Field(description="JSON Schema (2020-12) of what it takes.")
    templates: dict[str, str] = Field(
        description="By the collection that is given, empty for none: the address as a template of RFC 6570 over the input."
    )
    bounds: dict[str, int] = Field(description="How much it answers at most.")


class AgentToolsData(Published):
    """What can be asked."""

    tools: list[AgentTool] = Field(description="The same tools as those of the MCP server, in the order in which to use them.")


class AgentTools(Document):
    """What can be asked of the registry, as tools."""

    kind: Literal["agent_tools"] = Field(description="What this document is.")
    links: CatalogLink = Field(description="Where it is and where it is explained.")
    data: AgentToolsData = Field(description="What can be asked.")


#: kind -> model, of every document under /api that has a published schema.
DOCUMENTS: dict[str, type[Published]] = {
    "project_list": ProjectList,
    "program_list": ProgramList,
    "organization_list": OrganizationList,
    "event_list": EventList,
    "project": Project,
    "program": Program,
    "organization": Organization,
    "event": Event,
    "moved": Moved,
    "filter_list": FilterList,
    "filter": Filter,
    "dashboard": Dashboard,
    "index": Index,
    "build": Build,
    "problem": Problem,
    "agent_catalog": AgentCatalog,
    "agent_schema": AgentSchema,
    "agent_tools": AgentTools,
}


class _Plain(GenerateJsonSchema):
    """JSON Schema without a title for every key: the description says more."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def generate() -> dict[str, Any]:
    """The schemas as the lock file holds them: kind -> name of its definition, the definitions and the addresses."""
    from generator.api.grammar import Grammar
    from generator.schema.lock import addresses

    _, shared = models_json_schema([(model, "serialization") for model in DOCUMENTS.values()], schema_generator=_Plain)
    return {
        "schema_version": SCHEMA_VERSION,
        "documents": {kind: model.__name__ for kind, model in DOCUMENTS.items()},
        "addresses": {a.template: a.kind for a in addresses(Grammar({"family": "Any tag family"}))},
        "$defs": shared["$defs"],
    }
