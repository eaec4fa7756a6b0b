"""Published documents for agents: what there is, what fields mean, what can be asked."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from generator.schema.published.parts import Count, Day, Document, Href, Number, Published, SelfLink


class Answer(Published):
    """An address, or many of one shape, and what it costs to read one."""

    words: str = Field(description="What it is.")
    href: Href | None = Field(description="The address; null where `template` has many.")
    template: str | None = Field(description="The address with `{name}` for what to fill in.")
    media_type: str = Field(description="The media type of the answer.")
    files: Count = Field(description="How many files there are of it.")
    bytes: Count | None = Field(
        description="The mean size of one, measured; null where there is none."
    )
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
    sorts: list[str] = Field(
        description="Its orders, the default first; a leading hyphen means descending."
    )
    query: str = Field(
        description="The address of a query as a template of RFC 6570,"
        " for hosts that answer queries."
    )
    count_query: str | None = Field(
        description="The address of a count likewise: how many records match, and how many of them "
        "have each value of the filters in `by`."
    )
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
    bytes_per_token: dict[str, float] = Field(
        description="Bytes in a token, by media type, as measured with several tokenizers."
    )
    documents: list[Answer] = Field(
        description="What is about the whole registry, or to be pasted into a prompt."
    )
    datasets: list[Dataset] = Field(description="The collections.")
    truncated: bool = Field(
        description="Whether filters were left out so that the document stays under `max_bytes`."
    )
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
    in_lists: str | None = Field(
        description="What it holds in a list; null where lists do not have it."
    )
    words: str = Field(description="What it means.")


class RecordKind(Published):
    """One kind of record."""

    kind: str = Field(description="Its name.")
    dataset: str = Field(description="The collection that has it.")
    json_schema: Href = Field(description="The JSON Schema of its records.")
    fields: list[RecordField] = Field(description="Its fields.")
    example: dict[str, Any] | None = Field(
        description="One record as lists show it; null where there is none."
    )


class ListKey(Published):
    """What a list has around its records."""

    name: str = Field(description="The key, with the one it is below.")
    type: str = Field(description="What it holds, in words.")
    words: str = Field(description="What it means.")


class AgentSchemaData(Published):
    """The kinds of records, and lists of them."""

    kinds: list[RecordKind] = Field(description="The kinds of records.")
    lists: list[ListKey] = Field(description="What a list has around its records.")
    truncated: bool = Field(
        description="Whether parts of examples were left out"
        " so that the document stays under 24 KiB."
    )
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
        description=(
            "By the collection that is given, empty for none: the address as a template of RFC "
            "6570 over the input; `page` in it is the page that `start` lies on."
        )
    )
    bounds: dict[str, int] = Field(description="How much it answers at most.")


class AgentToolsData(Published):
    """What can be asked."""

    tools: list[AgentTool] = Field(
        description="The same tools as those of the MCP server, in the order in which to use them."
    )


class AgentTools(Document):
    """What can be asked of the registry, as tools."""

    kind: Literal["agent_tools"] = Field(description="What this document is.")
    links: CatalogLink = Field(description="Where it is and where it is explained.")
    data: AgentToolsData = Field(description="What can be asked.")
