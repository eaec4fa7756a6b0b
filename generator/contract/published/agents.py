"""Published documents for agents (the catalog, the meaning of fields, the tools), and of the
manifest (size and hash of all other files).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from generator.contract.manifest import MAX_BITS
from generator.contract.published.parts import (
    Count,
    Day,
    Document,
    Href,
    Instant,
    Number,
    Published,
    SelfLink,
)
from generator.grammar.limits import MAX_KEYS


class Answer(Published):
    """An address, or many addresses of one form, and the size of one file."""

    words: str = Field(description="What it is.")
    href: Href | None = Field(description="The address; null if `template` has many.")
    template: str | None = Field(description="The address, with `{name}` for values to fill in.")
    example: Href | None = Field(
        description="One of the addresses of `template`: a first page or record, with a filter "
        "that with most records or values; null if there is none."
    )
    media_type: str = Field(description="The media type of the answer.")
    files: Count = Field(description="How many files there are.")
    bytes: Count | None = Field(
        description="The size of the file at `href` or `example`; null if there is none."
    )
    tokens: Count | None = Field(description="About how many tokens it has, by `bytes_per_token`.")


class FrequentValue(Published):
    """A frequent value of a filter."""

    value: str = Field(description="The value to use in a query.")
    label: str = Field(description="The label for people.")
    count: Count = Field(description="How many records of the whole collection have this value.")


class DatasetFilter(Published):
    """A filter and its most frequent values."""

    name: str = Field(description="The name of its parameter.")
    label: str = Field(description="The label for people.")
    total_values: Count = Field(description="How many different values records have.")
    values: list[FrequentValue] = Field(description="The most frequent values.")


class Dataset(Published):
    """A collection: its number of records, filters, sorts and files."""

    name: str = Field(description="The name of the collection.")
    count: Count = Field(description="How many records the collection has.")
    sorts: list[str] = Field(
        description="Its sorts, the default first; a leading hyphen means descending order."
    )
    query: str = Field(
        description="The address of a query as a template (RFC 6570),"
        " for hosts that answer queries."
    )
    count_query: str | None = Field(
        description="The address of a count as a template (RFC 6570): how many records match, and "
        "how many have each value of the filters in `by`."
    )
    filters: list[DatasetFilter] = Field(description="Its filters.")
    answers: list[Answer] = Field(description="Its files.")


class Step(Published):
    """One step of the recommended order."""

    words: str = Field(description="What to do.")
    href: Href | None = Field(description="The address to read, if it is a single one.")


class Freshness(Published):
    """How old the data is."""

    as_of: Day = Field(description="The day from which events are upcoming.")
    build: Href = Field(description="The file with the time and the revision of this build.")
    words: str = Field(description="What `as_of` and `build` mean.")


class AgentCatalogData(Published):
    """What the registry has for an agent."""

    name: str = Field(description="The name of the registry.")
    description: str = Field(description="What it is about.")
    license: str | None = Field(description="SPDX identifier of the licence of the data.")
    contact: Href | None = Field(description="Where to write to: a web or mailto address.")
    notice: str = Field(description="How to treat the texts of records.")
    freshness: Freshness = Field(description="How old the data is.")
    order: list[Step] = Field(description="The recommended order of use.")
    page_size: Number = Field(description="How many records a page has at most.")
    max_bytes: Count = Field(description="No document of the agent layer is larger than this.")
    bytes_per_token: dict[str, float] = Field(
        description="Bytes in a token, by media type, as measured with several tokenizers."
    )
    documents: list[Answer] = Field(
        description="Documents about the whole registry, and texts to paste into a prompt."
    )
    search_query: str | None = Field(
        description="The address of a search over all collections as a template (RFC 6570), for "
        "hosts that answer queries."
    )
    datasets: list[Dataset] = Field(description="The collections.")
    truncated: bool = Field(
        description="Whether filters were left out to keep the document under `max_bytes`."
    )
    next: list[Href] = Field(description="What to read if the document is truncated.")


class AgentCatalogLinks(SelfLink):
    """Addresses related to the catalog."""

    index: Href = Field(description="Everything that the API publishes.")
    overview: Href = Field(description="An overview of the registry, to paste into a prompt.")
    fields: Href = Field(description="The meaning of every field.")
    tools: Href = Field(description="The queries as tools.")


class AgentCatalog(Document):
    """What an agent can read, how large it is and in which order to read it."""

    kind: Literal["agent_catalog"] = Field(description="The kind of this document.")
    links: AgentCatalogLinks = Field(description="Related addresses.")
    data: AgentCatalogData = Field(description="What the registry has for an agent.")


class CatalogLink(SelfLink):
    """The addresses of this document and of the catalog."""

    catalog: Href = Field(description="The catalog for agents.")


class RecordField(Published):
    """One field of a kind of record."""

    name: str = Field(description="Its key.")
    type: str = Field(description="Its type in a record, in words.")
    in_lists: str | None = Field(description="Its type in a list; null if lists do not have it.")
    words: str = Field(description="What it means.")


class RecordKind(Published):
    """One kind of record."""

    kind: str = Field(description="Its name.")
    dataset: str = Field(description="The collection of these records.")
    json_schema: Href = Field(description="The JSON Schema of its records.")
    fields: list[RecordField] = Field(description="Its fields.")
    example: dict[str, Any] | None = Field(
        description="One record as lists show it; null if there is none."
    )


class ListKey(Published):
    """What a list has around its records."""

    name: str = Field(description="The key, with the name of its object.")
    type: str = Field(description="Its type, in words.")
    words: str = Field(description="What it means.")


class AgentSchemaData(Published):
    """The kinds of records, and lists of them."""

    kinds: list[RecordKind] = Field(description="The kinds of records.")
    lists: list[ListKey] = Field(description="What a list has around its records.")
    truncated: bool = Field(
        description="Whether parts of examples were left out to keep the document under 24 KiB."
    )
    next: list[Href] = Field(
        description="Where to find whole records if the document is truncated."
    )


class AgentSchema(Document):
    """What every field means, with an example of each kind."""

    kind: Literal["agent_schema"] = Field(description="The kind of this document.")
    links: CatalogLink = Field(description="Related addresses.")
    data: AgentSchemaData = Field(description="The kinds of records, and lists of them.")


class ToolParameter(Published):
    """One parameter of the addresses of a tool."""

    name: str = Field(description="Its name.")
    part: str = Field(
        description="The part of the address that has it: `path`, or `query`, what follows `?`."
    )
    words: str = Field(description="What it is.")


class ToolExample(Published):
    """A call of a tool, with the address of its answer."""

    arguments: dict[str, Any] = Field(description="The arguments of a call that is answered.")
    href: Href = Field(
        description="The address that these arguments give; its document has the answer."
    )


class AgentTool(Published):
    """One tool."""

    name: str = Field(description="Its name.")
    title: str = Field(description="The label for people.")
    purpose: str = Field(description="What it is for.")
    input: dict[str, Any] = Field(description="JSON Schema (2020-12) of its arguments.")
    templates: dict[str, str] = Field(
        description=(
            "The address as a template (RFC 6570) over the arguments, by collection; the empty key "
            "is for a call without one. `page` is the page that has `start`."
        )
    )
    bounds: dict[str, int] = Field(description="The limits of an answer.")
    method: str | None = Field(
        description="The HTTP method of its addresses; null in documents of older schemas."
    )
    parameters: list[ToolParameter] = Field(
        description="The parameters of its addresses; `templates` have them in their places."
    )
    example: ToolExample | None = Field(
        description="An example with a frequent value; null if the registry has no value for it."
    )


class AgentToolsData(Published):
    """The tools."""

    name: str | None = Field(
        description="The name of the registry; null in documents of older schemas."
    )
    instructions: str | None = Field(
        description="How to use the tools; null in documents of older schemas."
    )
    tools: list[AgentTool] = Field(
        description="The tools of the MCP server, in the recommended order."
    )


class AgentTools(Document):
    """The queries of the registry as tools."""

    kind: Literal["agent_tools"] = Field(description="The kind of this document.")
    links: CatalogLink = Field(description="Related addresses.")
    data: AgentToolsData = Field(description="The tools.")


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Key = Annotated[str, Field(max_length=200)]


class File(Published):
    """The size and hash of a file."""

    size: Count = Field(description="Its bytes.")
    sha256: Sha256 = Field(description="The SHA-256 of these bytes.")


class HandOver(Published):
    """The replacement of a key, signed by the old key."""

    old: Key = Field(description="The key that was trusted until then.")
    new: Key = Field(description="The key that is trusted now.")
    signature: Key = Field(description="The signature of the old key, in base64.")


class Signature(Published):
    """A signature of the root."""

    key: Key = Field(description="The public key.")
    signature: Key = Field(description="The signature, in base64.")


class ManifestLinks(SelfLink):
    """Related addresses."""

    snapshot: Href = Field(description="The hashes of the bins.")
    build: Href = Field(description="When and from what the registry was built.")
    changes: Href = Field(description="The latest changes of records.")
    removed: Href = Field(description="The records that were removed for good.")


class ManifestRoot(Document):
    """The root of the manifest, with which all published files can be checked."""

    kind: Literal["manifest_root"] = Field(description="The kind of this document.")
    links: ManifestLinks = Field(description="Related addresses.")
    version: Number = Field(description="It only grows: a lower version is an older root.")
    issued_at: Instant = Field(description="When it was issued.")
    expires_at: Instant = Field(description="When it expires.")
    files: Count = Field(description="How many files the bins have.")
    bytes: Count = Field(description="Their bytes.")
    bits: Annotated[int, Field(ge=0, le=MAX_BITS)] = Field(
        description="The number of bins is 2 to the power of this number. The bin of a file has "
        "the number that is this many first bits of the SHA-256 of its path."
    )
    snapshot: File = Field(description="The snapshot.")
    build: File = Field(description="The file build.json.")
    keys: list[Key] = Field(max_length=MAX_KEYS, description="The public keys of the registry.")
    handovers: list[HandOver] = Field(
        max_length=MAX_KEYS, description="The replacements of keys, the first one first."
    )
    signatures: list[Signature] = Field(
        max_length=MAX_KEYS, description="Signatures of everything above."
    )


class ManifestSnapshot(Document):
    """The hashes of the bins, or of parts of this list if there are more than 1,024 bins."""

    kind: Literal["manifest_snapshot"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    first: Count = Field(description="The number of the first bin, or part, in `data`.")
    data: list[Sha256] = Field(description="The SHA-256 of each, in order.")


#: The path, bytes and SHA-256 of a file.  Tools want `items` in the schema of every array.
_Entry = Annotated[tuple[str, Count, Sha256], Field(json_schema_extra={"items": {}})]


class ManifestBin(Document):
    """Some of the files that are published."""

    kind: Literal["manifest_bin"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    number: Count = Field(description="The number of the bin.")
    data: list[_Entry] = Field(
        description="The path (without the path of the base URL), bytes and SHA-256 of each file."
    )
