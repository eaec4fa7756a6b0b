"""The manifest: the size and the SHA-256 of every other file, in bins; the files with the hashes
of these; and the root, which may be signed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from generator.contract import manifest
from generator.contract.artifact import Artifact
from generator.contract.manifest import BinLayout, KeyHandOver, Url
from generator.disk.output_state import OutputError
from generator.grammar.paths import (
    BUILD,
    CHANGES,
    INDEX,
    MANIFEST_ROOT,
    MANIFEST_SNAPSHOT,
    REMOVED,
    manifest_bin,
)
from generator.model.settings.signing import Signing
from generator.published.families import KnownFiles
from generator.published.history.provenance import Moment
from generator.published.report import ListedFile
from generator.reader.signing import SigningError, is_signed
from generator.text.words import format_utc

if TYPE_CHECKING:
    from generator.published.published import Published

#: The surface that the files are counted as.
SURFACE = "manifest"
#: A version is the time of issue in seconds.  A larger one is not counted on from.
_MAX_VERSION = 1 << 40
_FOLDER = MANIFEST_ROOT.rpartition("/")[0] + "/"


def manifest_files(published: Published) -> KnownFiles:
    """The files of the manifest, which need all other files of the registry."""
    return KnownFiles(_FOLDER, SURFACE, lambda: dict(_files(published)))


def _files(published: Published) -> list[Artifact]:
    """The bins, the snapshot and the root."""
    url, files = published.grammar.url, published.listing.files
    listed = {a: f for a, f in files.items() if manifest.is_listed(a)}
    if INDEX not in listed:
        listed[INDEX] = ListedFile.of(published[INDEX])
    bits = manifest.bits_for_files(len(listed))
    bins: list[list[tuple[str, int, str]]] = [[] for _ in range(1 << bits)]
    for address, file in listed.items():
        entry = address, file.size, file.sha256.hex()
        bins[manifest.bin_number(address, bits)].append(entry)
    made = [
        Artifact(manifest_bin(number), manifest.render_bin(number, entries, url))
        for number, entries in enumerate(bins)
    ]
    hashes = [manifest.sha256_hex(data) for _, data in made]
    made += hash_files(BinLayout.from_bits(bits), hashes, url)
    content = {
        "files": len(listed),
        "bytes": sum(f.size for f in listed.values()),
        "bits": bits,
        "snapshot": ListedFile.of(dict(made)[MANIFEST_SNAPSHOT]).entry(),
        "build": files[BUILD].entry(),
    }
    last, moment = published.options.last_root, published.records.moment
    return [*made, Artifact(MANIFEST_ROOT, render_root(content, moment, url, published.seal, last))]


class Signer(Protocol):
    """A private key; `public` is the key that readers know."""

    @property
    def public(self) -> str: ...

    def sign(self, message: bytes) -> str:
        """The signature in base64, always the same for a message."""
        ...


class RootSigning(NamedTuple):
    """How a root is signed: the days that it is valid, the registry's public keys, the handovers
    and the signer, None if it is not signed.
    """

    days: int
    keys: Sequence[str]
    handovers: Sequence[KeyHandOver]
    signer: Signer | None

    @classmethod
    def of(cls, settings: Signing, signer: Signer | None) -> RootSigning:
        """From registry.yaml and a private key.  Raises OutputError if the key or a handover does
        not match registry.yaml.
        """
        handovers = [KeyHandOver(h.old, h.new, h.signature) for h in settings.handovers or ()]
        keys = settings.keys or []
        if signer is not None:
            try:
                for number, given in enumerate(handovers):
                    signed = manifest.hand_over_bytes(given.old, given.new)
                    if not is_signed(given.old, signed, given.signature):
                        raise SigningError(
                            f"registry.yaml: signing.handovers[{number}] is not signed by its old "
                            "key: copy what registry key hand-over prints"
                        )
            except SigningError as error:
                raise OutputError(f"{error}; nothing was written.") from error
            if signer.public not in keys:
                raise OutputError(
                    f"The signing key is {signer.public}, but registry.yaml does not list it under "
                    "signing: keys; nothing was written."
                )
        return cls(settings.days, keys, handovers, signer)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the report."""
        if not self.keys or self.signer is not None:
            return ()
        return ("The manifest is not signed: give the key with --sign.",)

    def root(self, fields: Mapping[str, Any]) -> bytes:
        """The root with these fields, signed if there is a signer."""
        if self.signer is None:
            return manifest.render_root(fields, [])
        signature = self.signer.sign(manifest.signed_bytes(fields))
        return manifest.render_root(fields, [{"key": self.signer.public, "signature": signature}])


def render_root(
    content: Mapping[str, Any], moment: Moment, url: Url, seal: RootSigning, last: bytes | None
) -> bytes:
    """The root; `content` has the totals of the files, and the entries of the snapshot and of
    build.json.

    `last` is the root that this one replaces: it stays if its content is the same and it need not
    be renewed.  The version of a root is its time of issue.  If that comes from the clock, it is
    also greater than that of the last root.
    """
    before = None
    with contextlib.suppress(manifest.Malformed):
        before = manifest.read_root(last) if last is not None else None
    if before is not None:
        issued = _seconds(before.issued)
        if not moment.needs_renewal(issued):
            again = _root(content, issued, before.version, url, seal)
            if again == last:
                return again
    version = at = int((moment.clock or moment.at).timestamp())
    if before is not None and moment.clock is not None and before.version < _MAX_VERSION:
        version = max(at, before.version + 1)
    return _root(content, at, version, url, seal)


def _seconds(issued: str) -> int:
    """A time of a root in seconds since 1970; 0 if it is none."""
    try:
        return int(datetime.fromisoformat(issued).timestamp())
    except (ValueError, OverflowError):
        return 0


def _root(content: Mapping[str, Any], at: int, version: int, url: Url, seal: RootSigning) -> bytes:
    """A root that is issued `at` (seconds since 1970)."""
    links = {
        "self": MANIFEST_ROOT,
        "snapshot": MANIFEST_SNAPSHOT,
        "build": BUILD,
        "changes": CHANGES,
        "removed": REMOVED,
    }
    issued = datetime.fromtimestamp(at, UTC)
    handovers = [handover._asdict() for handover in seal.handovers]
    return seal.root({
        "links": {name: url(path) for name, path in links.items()},
        "version": version,
        "issued_at": format_utc(issued),
        "expires_at": format_utc(issued + timedelta(days=seal.days)),
        **content,
        "keys": seal.keys,
        "handovers": handovers,
    })  # fmt: skip


def hash_files(layout: BinLayout, hashes: Sequence[str], url: Url) -> Iterator[Artifact]:
    """The snapshot, which has the hashes of all bins; its parts come before it, if there are too
    many hashes for one file.
    """
    digests = []
    for part, path in enumerate(layout.hash_files()):
        first = part * layout.hashes_per_part
        last = first + layout.hashes_per_part
        data = manifest.render_snapshot(path, first, hashes[first:last], url)
        yield Artifact(path, data)
        digests.append(manifest.sha256_hex(data))
    if layout.part_count:
        yield Artifact(
            MANIFEST_SNAPSHOT, manifest.render_snapshot(MANIFEST_SNAPSHOT, 0, digests, url)
        )
