"""Writes the manifest of an output, after all other files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.build.cache.store import Cache
from generator.build.executors import Executor
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.provenance import Moment
from generator.build.report import Cause, FromFile
from generator.contract import manifest
from generator.contract.artifact import Artifact
from generator.contract.manifest import BinLayout, Url
from generator.disk.output_state import OutputError
from generator.grammar.paths import (
    BUILD,
    CHANGES,
    MANIFEST_ROOT,
    MANIFEST_SNAPSHOT,
    REMOVED,
    manifest_bin,
)
from generator.grammar.text import format_utc
from generator.model.settings.signing import Signing
from generator.reader.signing import Signer, SigningError, is_signed

#: The surface that the files are counted as.
SURFACE = "manifest"
_CHUNK = 64
#: A version is the time of issue in seconds.  A larger one is not counted on from.
_MAX_VERSION = 1 << 40


class RootSigning(NamedTuple):
    """How a root is signed: the days that it is valid, the registry's public keys, the handovers
    (old key, new key, signature) and the signer, None if it is not signed.
    """

    days: int
    keys: Sequence[str]
    handovers: Sequence[tuple[str, str, str]]
    signer: Signer | None

    @classmethod
    def of(cls, settings: Signing, key: str | None) -> RootSigning:
        """From registry.yaml and the text of a private key.  Raises OutputError if the key or a
        handover does not match registry.yaml.
        """
        handovers = [(h.old, h.new, h.signature) for h in settings.handovers or ()]
        signer, keys = None, settings.keys or []
        if key is not None:
            try:
                signer = Signer(key)
                for number, (old, new, signature) in enumerate(handovers):
                    if not is_signed(old, manifest.hand_over_bytes(old, new), signature):
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


def write(
    files: Files,
    workers: Callable[[int], Executor],
    url: Url,
    moment: Moment,
    seal: RootSigning,
    cache: Cache,
    last: int,
) -> int:
    """Write the manifest of all other files; return when its root was issued (seconds since 1970).

    `last` is when the root of the last build was issued: it is reused if its content is the same
    and it need not be renewed.  The version of a root is its time of issue.  If that comes from the
    clock, the version is also greater than that of the root in the output.
    """
    content = {
        **_write_bins(files, workers, cache, url),
        **root_content(files.read(MANIFEST_SNAPSHOT), files.read(BUILD), seal),
    }
    before = _last_root(files.out)
    if before is not None and files.has([MANIFEST_ROOT]) and not moment.needs_renewal(last):
        listed = _listed_by(before)
        if listed == {key: content[key] for key in listed}:
            files.keep(SURFACE, [MANIFEST_ROOT])
            return last
    version = at = int((moment.clock or moment.at).timestamp())
    if before is not None and moment.clock is not None and before.version < _MAX_VERSION:
        version = max(at, before.version + 1)
    root = render_root(content, at, version, url, seal)
    files.put(SURFACE, Artifact(MANIFEST_ROOT, root), FromFile(MANIFEST_SNAPSHOT))
    return at


def root_content(snapshot: bytes, build: bytes, seal: RootSigning) -> dict[str, Any]:
    """What a root says of these two files, and of the keys of the registry."""
    handovers = [
        {"old": old, "new": new, "signature": signature} for old, new, signature in seal.handovers
    ]
    return {
        "snapshot": _entry(snapshot),
        "build": _entry(build),
        "keys": seal.keys,
        "handovers": handovers,
    }


def render_root(
    content: Mapping[str, Any], at: int, version: int, url: Url, seal: RootSigning
) -> bytes:
    """A root that is issued `at` (seconds since 1970).  `content` has the totals of the files, and
    `root_content`.
    """
    links = {
        "self": MANIFEST_ROOT,
        "snapshot": MANIFEST_SNAPSHOT,
        "build": BUILD,
        "changes": CHANGES,
        "removed": REMOVED,
    }
    issued = datetime.fromtimestamp(at, UTC)
    return seal.root({
        "links": {name: url(path) for name, path in links.items()},
        "version": version,
        "issued_at": format_utc(issued),
        "expires_at": format_utc(issued + timedelta(days=seal.days)),
        **content,
    })  # fmt: skip


def _last_root(out: Path) -> manifest.Root | None:
    """The root in the output; None if it is missing or malformed."""
    try:
        with open(f"{out}{MANIFEST_ROOT}", "rb") as file:
            return manifest.read_root(file.read(manifest.MAX_FILE_SIZE))
    except (OSError, manifest.Malformed):
        return None


def _entry(data: bytes) -> dict[str, Any]:
    return {"size": len(data), "sha256": manifest.sha256_hex(data)}


def _listed_by(root: manifest.Root) -> dict[str, Any]:
    """The part of a root that depends on the published files."""
    return {
        "files": root.files,
        "bytes": root.bytes,
        "bits": root.layout.bits,
        "snapshot": {"size": root.snapshot.size, "sha256": root.snapshot.sha256},
        "build": {"size": root.build.size, "sha256": root.build.sha256},
    }


class Work(NamedTuple):
    """The bins to write, and the function that writes files.

    Entries are JSON, each followed by a comma: reading Python objects in a forked process would
    copy their memory.
    """

    bins: Mapping[int, bytearray]
    url: Url
    write: Callable[[Artifact], Sequence[Written]]


def _write_bins(
    files: Files, workers: Callable[[int], Executor], cache: Cache, url: Url
) -> dict[str, int]:
    """Write the bins of written and removed files, and the snapshot with the hashes of all bins.
    Returns the totals of the listed files.
    """
    paths = list(filter(manifest.is_listed, files.all))
    bits = manifest.bits_for_files(len(paths))
    hashes = cache.get("bins") or []
    if len(hashes) != 1 << bits:
        hashes = [""] * (1 << bits)
    missing_cause = FromFile(MANIFEST_SNAPSHOT)
    stale: dict[int, Cause] = {
        n: missing_cause
        for n, sha in enumerate(hashes)
        if not sha or not files.has([manifest_bin(n)])
    }
    changed = filter(manifest.is_listed, (*files.written, *files.removed))
    stale |= {manifest.bin_number(path, bits): FromFile(path) for path in changed}
    bins = {number: bytearray() for number in stale}
    for path in paths:
        if (number := manifest.bin_number(path, bits)) in bins:
            _, size, sha = files.all[path]
            bins[number] += orjson.dumps((path, size, sha.hex())) + b","
    work = Work(bins, url, files.write)
    for results in workers(len(bins)).run(write_bins, list(bins), work, _CHUNK):
        for number, digest, written in results:
            hashes[number] = digest
            files.account(SURFACE, written, stale[number])
    files.keep(SURFACE, [manifest_bin(number) for number in range(1 << bits) if number not in bins])
    cache.put("bins", hashes)
    cause = FromFile(manifest_bin(min(stale))) if stale else files.other
    for artifact in hash_files(BinLayout.from_bits(bits), hashes, url):
        files.put(SURFACE, artifact, cause)
    size = sum(files.all[path][1] for path in paths)
    return {"files": len(paths), "bytes": size, "bits": bits}


def write_bins(numbers: list[int], work: Work) -> list[tuple[int, str, Sequence[Written]]]:
    """Write the bins with these numbers: (number, digest, written files) of each."""
    results = []
    for number in numbers:
        entries = orjson.loads(b"[" + work.bins[number].rstrip(b",") + b"]")
        data = manifest.render_bin(number, entries, work.url)
        written = work.write(Artifact(manifest_bin(number), data))
        results.append((number, manifest.sha256_hex(data), written))
    return results


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
