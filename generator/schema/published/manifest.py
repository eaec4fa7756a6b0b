"""Published documents of the manifest, which says what every other file is."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.api.manifest import MAX_BITS, MAX_KEYS
from generator.schema.published.parts import (
    Count,
    Document,
    Href,
    Instant,
    Number,
    Published,
    SelfLink,
)

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Key = Annotated[str, Field(max_length=200)]


class File(Published):
    """What a file holds."""

    size: Count = Field(description="Its bytes.")
    sha256: Sha256 = Field(description="Their SHA-256.")


class HandOver(Published):
    """That a key takes the place of another one, signed by that."""

    old: Key = Field(description="The key that was trusted until then.")
    new: Key = Field(description="The key that is trusted in its place.")
    signature: Key = Field(description="The signature of the old key, in base64.")


class Signature(Published):
    """A signature of the root."""

    key: Key = Field(description="The public key.")
    signature: Key = Field(description="The signature, in base64.")


class ManifestLinks(SelfLink):
    """Where to read on."""

    snapshot: Href = Field(description="The hashes of the bins.")
    build: Href = Field(description="When and from what the registry was built.")
    changes: Href = Field(description="The latest changes of records.")
    removed: Href = Field(description="The records that were removed for good.")


class ManifestRoot(Document):
    """What everything that is published can be checked by: the root of the manifest."""

    kind: Literal["manifest_root"] = Field(description="What this document is.")
    links: ManifestLinks = Field(description="Where to read on.")
    version: Number = Field(description="It only grows: a lesser one is an older root.")
    issued_at: Instant = Field(description="When it was issued.")
    expires_at: Instant = Field(description="Until when it holds.")
    files: Count = Field(description="How many files the bins have.")
    bytes: Count = Field(description="Their bytes.")
    bits: Annotated[int, Field(ge=0, le=MAX_BITS)] = Field(
        description="There are 2 to the power of this many bins; a file is in the one whose number "
        "is that many first bits of the SHA-256 of its path."
    )
    snapshot: File = Field(description="The snapshot.")
    build: File = Field(description="The file build.json.")
    keys: list[Key] = Field(max_length=MAX_KEYS, description="The public keys of the registry.")
    handovers: list[HandOver] = Field(
        max_length=MAX_KEYS, description="Which keys took the place of which, the first one first."
    )
    signatures: list[Signature] = Field(
        max_length=MAX_KEYS, description="Signatures of everything above."
    )


class ManifestSnapshot(Document):
    """The hashes of the bins; or of parts with these, where there are more than 1,024."""

    kind: Literal["manifest_snapshot"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    first: Count = Field(description="The number of the bin, or of the part, that is told first.")
    data: list[Sha256] = Field(description="SHA-256 of each, one after another.")


class ManifestBin(Document):
    """Some of the files that are published."""

    kind: Literal["manifest_bin"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    number: Count = Field(description="The number of the bin.")
    data: list[tuple[str, Count, Sha256]] = Field(
        description="Path without that of the base URL, bytes, and SHA-256 of each file."
    )
