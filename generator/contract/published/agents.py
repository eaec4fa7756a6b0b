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
    means,
)
from generator.grammar.limits import MAX_KEYS


class Answer(Published):
    """An address, or many addresses of one form, and the size of one file."""

    words: str = means("What it is.")
    href: Href | None = means("The address; null if `template` has many.")
    template: str | None = means("The address, with `{name}` for values to fill in.")
    example: Href | None = means(
        "One of the addresses of `template`: a first page or record, with a filter "
        "that with most records or values; null if there is none."
    )
    media_type: str = means("The media type of the answer.")
    files: Count = means("How many files there are.")
    bytes: Count | None = means(
        "The size of the file at `href` or `example`; null if there is none."
    )
    tokens: Count | None = means("About how many tokens it has, by `bytes_per_token`.")


class FrequentValue(Published):
    """A frequent value of a filter."""

    value: str = means("The value to use in a query.")
    label: str = means("The label for people.")
    count: Count = means("How many records of the whole collection have this value.")


class DatasetFilter(Published):
    """A filter and its most frequent values."""

    name: str = means("The name of its parameter.")
    label: str = means("The label for people.")
    total_values: Count = means("How many different values records have.")
    values: list[FrequentValue] = means("The most frequent values.")


class Dataset(Published):
    """A collection: its number of records, filters, sorts and files."""

    name: str = means("The name of the collection.")
    count: Count = means("How many records the collection has.")
    sorts: list[str] = means(
        "Its sorts, the default first; a leading hyphen means descending order."
    )
    query: str = means(
        "The address of a query as a template (RFC 6570), for hosts that answer queries."
    )
    count_query: str | None = means(
        "The address of a count as a template (RFC 6570): how many records match, and "
        "how many have each value of the filters in `by`."
    )
    filters: list[DatasetFilter] = means("Its filters.")
    answers: list[Answer] = means("Its files.")


class Step(Published):
    """One step of the recommended order."""

    words: str = means("What to do.")
    href: Href | None = means("The address to read, if it is a single one.")


class Freshness(Published):
    """How old the data is."""

    as_of: Day = means("The day from which events are upcoming.")
    build: Href = means("The file with the time and the revision of this build.")
    words: str = means("What `as_of` and `build` mean.")


class AgentCatalogData(Published):
    """What the registry has for an agent."""

    name: str = means("The name of the registry.")
    description: str = means("What it is about.")
    license: str | None = means("SPDX identifier of the licence of the data.")
    contact: Href | None = means("Where to write to: a web or mailto address.")
    notice: str = means("How to treat the texts of records.")
    freshness: Freshness = means("How old the data is.")
    order: list[Step] = means("The recommended order of use.")
    page_size: Number = means("How many records a page has at most.")
    max_bytes: Count = means("No document of the agent layer is larger than this.")
    bytes_per_token: dict[str, float] = means(
        "Bytes in a token, by media type, as measured with several tokenizers."
    )
    documents: list[Answer] = means(
        "Documents about the whole registry, and texts to paste into a prompt."
    )
    search_query: str | None = means(
        "The address of a search over all collections as a template (RFC 6570), for "
        "hosts that answer queries."
    )
    datasets: list[Dataset] = means("The collections.")
    truncated: bool = means("Whether filters were left out to keep the document under `max_bytes`.")
    next: list[Href] = means("What to read if the document is truncated.")


class AgentCatalogLinks(SelfLink):
    """Addresses related to the catalog."""

    index: Href = means("Everything that the API publishes.")
    overview: Href = means("An overview of the registry, to paste into a prompt.")
    fields: Href = means("The meaning of every field.")
    tools: Href = means("The queries as tools.")


class AgentCatalog(Document):
    """What an agent can read, how large it is and in which order to read it."""

    kind: Literal["agent_catalog"] = means("The kind of this document.")
    links: AgentCatalogLinks = means("Related addresses.")
    data: AgentCatalogData = means("What the registry has for an agent.")


class CatalogLink(SelfLink):
    """The addresses of this document and of the catalog."""

    catalog: Href = means("The catalog for agents.")


class RecordField(Published):
    """One field of a kind of record."""

    name: str = means("Its key.")
    type: str = means("Its type in a record, in words.")
    in_lists: str | None = means("Its type in a list; null if lists do not have it.")
    words: str = means("What it means.")


class RecordKind(Published):
    """One kind of record."""

    kind: str = means("Its name.")
    dataset: str = means("The collection of these records.")
    json_schema: Href = means("The JSON Schema of its records.")
    fields: list[RecordField] = means("Its fields.")
    example: dict[str, Any] | None = means("One record as lists show it; null if there is none.")


class ListKey(Published):
    """What a list has around its records."""

    name: str = means("The key, with the name of its object.")
    type: str = means("Its type, in words.")
    words: str = means("What it means.")


class AgentSchemaData(Published):
    """The kinds of records, and lists of them."""

    kinds: list[RecordKind] = means("The kinds of records.")
    lists: list[ListKey] = means("What a list has around its records.")
    truncated: bool = means(
        "Whether parts of examples were left out to keep the document under 24 KiB."
    )
    next: list[Href] = means("Where to find whole records if the document is truncated.")


class AgentSchema(Document):
    """What every field means, with an example of each kind."""

    kind: Literal["agent_schema"] = means("The kind of this document.")
    links: CatalogLink = means("Related addresses.")
    data: AgentSchemaData = means("The kinds of records, and lists of them.")


class ToolParameter(Published):
    """One parameter of the addresses of a tool."""

    name: str = means("Its name.")
    part: str = means("The part of the address that has it: `path`, or `query`, what follows `?`.")
    words: str = means("What it is.")


class ToolExample(Published):
    """A call of a tool, with the address of its answer."""

    arguments: dict[str, Any] = means("The arguments of a call that is answered.")
    href: Href = means("The address that these arguments give; its document has the answer.")


class AgentTool(Published):
    """One tool."""

    name: str = means("Its name.")
    title: str = means("The label for people.")
    purpose: str = means("What it is for.")
    input: dict[str, Any] = means("JSON Schema (2020-12) of its arguments.")
    templates: dict[str, str] = means(
        "The address as a template (RFC 6570) over the arguments, by collection; the empty key "
        "is for a call without one. `page` is the page that has `start`."
    )
    bounds: dict[str, int] = means("The limits of an answer.")
    method: str | None = means(
        "The HTTP method of its addresses; null in documents of older schemas."
    )
    parameters: list[ToolParameter] = means(
        "The parameters of its addresses; `templates` have them in their places."
    )
    example: ToolExample | None = means(
        "An example with a frequent value; null if the registry has no value for it."
    )


class AgentToolsData(Published):
    """The tools."""

    name: str | None = means("The name of the registry; null in documents of older schemas.")
    instructions: str | None = means("How to use the tools; null in documents of older schemas.")
    tools: list[AgentTool] = means("The tools of the MCP server, in the recommended order.")


class AgentTools(Document):
    """The queries of the registry as tools."""

    kind: Literal["agent_tools"] = means("The kind of this document.")
    links: CatalogLink = means("Related addresses.")
    data: AgentToolsData = means("The tools.")


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Key = Annotated[str, Field(max_length=200)]


class File(Published):
    """The size and hash of a file."""

    size: Count = means("Its bytes.")
    sha256: Sha256 = means("The SHA-256 of these bytes.")


class HandOver(Published):
    """The replacement of a key, signed by the old key."""

    old: Key = means("The key that was trusted until then.")
    new: Key = means("The key that is trusted now.")
    signature: Key = means("The signature of the old key, in base64.")


class Signature(Published):
    """A signature of the root."""

    key: Key = means("The public key.")
    signature: Key = means("The signature, in base64.")


class ManifestLinks(SelfLink):
    """Related addresses."""

    snapshot: Href = means("The hashes of the bins.")
    build: Href = means("When and from what the registry was built.")
    changes: Href = means("The latest changes of records.")
    removed: Href = means("The records that were removed for good.")


class ManifestRoot(Document):
    """The root of the manifest, with which all published files can be checked."""

    kind: Literal["manifest_root"] = means("The kind of this document.")
    links: ManifestLinks = means("Related addresses.")
    version: Number = means("It only grows: a lower version is an older root.")
    issued_at: Instant = means("When it was issued.")
    expires_at: Instant = means("When it expires.")
    files: Count = means("How many files the bins have.")
    bytes: Count = means("Their bytes.")
    bits: Annotated[int, Field(ge=0, le=MAX_BITS)] = means(
        "The number of bins is 2 to the power of this number. The bin of a file has "
        "the number that is this many first bits of the SHA-256 of its path."
    )
    snapshot: File = means("The snapshot.")
    build: File = means("The file build.json.")
    keys: list[Key] = means("The public keys of the registry.", max_length=MAX_KEYS)
    handovers: list[HandOver] = means(
        "The replacements of keys, the first one first.", max_length=MAX_KEYS
    )
    signatures: list[Signature] = means("Signatures of everything above.", max_length=MAX_KEYS)


class ManifestSnapshot(Document):
    """The hashes of the bins, or of parts of this list if there are more than 1,024 bins."""

    kind: Literal["manifest_snapshot"] = means("The kind of this document.")
    links: SelfLink = means("Related addresses.")
    first: Count = means("The number of the first bin, or part, in `data`.")
    data: list[Sha256] = means("The SHA-256 of each, in order.")


#: The path, bytes and SHA-256 of a file.  Tools want `items` in the schema of every array.
_Entry = Annotated[tuple[str, Count, Sha256], Field(json_schema_extra={"items": {}})]


class ManifestBin(Document):
    """Some of the files that are published."""

    kind: Literal["manifest_bin"] = means("The kind of this document.")
    links: SelfLink = means("Related addresses.")
    number: Count = means("The number of the bin.")
    data: list[_Entry] = means(
        "The path (without the path of the base URL), bytes and SHA-256 of each file."
    )
