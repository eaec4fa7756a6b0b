"""Published documents of the manifest: size and hash of all other files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.contract.manifest import MAX_BITS
from generator.contract.published.parts import (
    Count,
    Document,
    Href,
    Instant,
    Number,
    Published,
    SelfLink,
)
from generator.grammar.limits import MAX_KEYS

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
