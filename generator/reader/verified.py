"""Verify what a registry's host sends against its manifest.

Each file must have its hash in the manifest. The root of the manifest must be signed if keys are
known, must not have expired, and must not be older than a root seen before.

Follows the client of The Update Framework (specification 1.0, section 5) with one role: the root
here is TUF's timestamp, and hand-overs are its root rotation.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.contract.manifest import MAX_FILE_SIZE, Malformed, ManifestEntry, Root
from generator.grammar.paths import BUILD, INDEX, MANIFEST_ROOT, manifest_bin
from generator.kinds import Kinds
from generator.reader.documents import (
    MAX_READ,
    ClientError,
    Unreadable,
    parse_document,
    published_kinds,
)
from generator.reader.signing import SigningError, is_signed, keys_after_handovers
from generator.text.words import format_utc

#: Returns a local file with this path and hash, or None.
FindByHash = Callable[[str, str], bytes | None]
Parsed = TypeVar("Parsed")

_MAX_BINS = 256  # in memory
#: Number of files, and of their bytes, in one read.
_BATCH_FILES, _BATCH_BYTES = 64, 4 << 20
_MAX_SEEN_BYTES = 1 << 16
_MAX_AHEAD = 24 * 3600  # seconds that the clock of a publisher may be fast


class Untrusted(ClientError):
    """A file is not what the registry published; the text says which, and what to do."""

    status = 1


@dataclass(frozen=True)
class LatestRoot:
    """The latest trusted root, the keys trusted since, and the pinned keys that these replaced."""

    version: int = 0
    digest: str = ""
    keys: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()

    @classmethod
    def load(cls, file: Path) -> LatestRoot:
        """The saved state; an empty one if the file is missing or invalid."""
        with contextlib.suppress(OSError, ValueError, RecursionError):
            with open(file, "rb") as stream:
                document = json.loads(stream.read(_MAX_SEEN_BYTES))
            match document:
                case {
                    "version": int(version),
                    "digest": str(digest),
                    "keys": list(keys),
                    "pinned": list(pinned),
                } if all(isinstance(key, str) for key in (*keys, *pinned)):
                    return cls(version, digest, frozenset(keys), frozenset(pinned))
        return cls()

    def save(self, file: Path) -> None:
        """Replace the file atomically. Raises OSError."""
        document = {
            "version": self.version,
            "digest": self.digest,
            "keys": sorted(self.keys),
            "pinned": sorted(self.pinned),
        }
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=file.parent, suffix=".new")
        with open(descriptor, "w") as stream:
            stream.write(json.dumps(document))
        os.replace(temporary, file)


def default_memory(where: str) -> Path | None:
    """The file that remembers the latest root of a base URL (XDG Base Directory Specification)."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.expanduser("~/.local/state")
    name = manifest.sha256_hex(where.encode())
    return Path(state, "registry-generator", name) if os.path.isabs(state) else None


@dataclass
class Trust:
    """Which roots a reader trusts: those signed by one of the `keys`, or any if there are no keys,
    unless expired or older than the latest root in `memory`. A memory that was written with other
    pinned keys is ignored.
    """

    keys: frozenset[str] = frozenset()
    memory: Path | None = None
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    seen: LatestRoot = field(default=LatestRoot(), init=False)

    def __post_init__(self) -> None:
        if self.memory is not None:
            self.seen = LatestRoot.load(self.memory)

    def accept_root(self, raw: bytes | None) -> Root:
        """The root if it is trusted; remembers it. Raises Untrusted and ClientError."""
        root, problems = self.check_root(raw)
        if root is None or problems:
            raise Untrusted(f"{MANIFEST_ROOT}: {'; '.join(problems)}")
        return root

    def check_root(self, raw: bytes | None) -> tuple[Root | None, list[str]]:
        """The root, or None if it is invalid or not signed by a trusted key, and its problems."""
        if raw is None:
            return None, ["it is not there: a registry without a manifest cannot be verified"]
        try:
            root = manifest.read_root(raw)
        except Malformed as error:
            return None, [str(error)]
        # After a theft, a user who pins a new key is not bound to what the stolen key signed.
        is_bound = not self.keys or self.keys == self.seen.pinned
        seen = self.seen if is_bound else LatestRoot()
        try:
            keys = self._trusted_keys(root, seen)
        except SigningError as error:
            raise ClientError(str(error)) from error
        if keys is None:
            problem = "is signed by nobody who is trusted" if root.signatures else "is not signed"
            return None, [f"it {problem}; the key may have changed without a hand-over: ask for it"]
        problems = []
        if root.version < seen.version:
            problems.append(
                f"its version is {root.version}, and {seen.version} was there before: it is an "
                "older copy"
            )
        elif root.version == seen.version and manifest.sha256_hex(raw) != seen.digest:
            problems.append(f"there are two different roots with version {root.version}")
        if root.expires <= (now := format_utc(self.now())):
            problems.append(
                f"it expired at {root.expires}, and it is {now}: the registry is no longer "
                "built, or what is sent is an old copy"
            )
        # An unsigned version far in the future is not remembered: it would lock out later roots.
        is_ahead = root.version > self.now().timestamp() + _MAX_AHEAD
        if not problems and (self.keys or not is_ahead):
            # A read without keys does not forget earlier hand-overs.
            keys, pinned = (keys, self.keys) if self.keys else (seen.keys, seen.pinned)
            latest = LatestRoot(root.version, manifest.sha256_hex(raw), keys, pinned)
            if latest != self.seen and self.memory is not None:
                with contextlib.suppress(OSError):
                    latest.save(self.memory)
            self.seen = latest
        return root, problems

    def _trusted_keys(self, root: Root, seen: LatestRoot) -> frozenset[str] | None:
        """The keys after hand-overs, empty without keys; None if none of them signed."""
        if not self.keys:
            return frozenset()
        # A key that was handed over before is not trusted again, whatever a host sends.
        keys = keys_after_handovers(seen.keys or self.keys, root.handovers)
        for signed in root.signatures:
            if signed.key in keys and is_signed(signed.key, root.body, signed.signature):
                return keys
        return None


def _raise(error: Untrusted) -> None:
    raise error


class TrustedManifest:
    """The manifest below a trusted root. Files come from `kept` if found by their hash, else from
    `read`. Each file is checked against its hash before use. `report` is called with what is wrong,
    and raises unless the rest is wanted. Entries of files of the manifest have the largest size.
    """

    def __init__(
        self,
        root: Root,
        read: ReadFiles,
        kept: FindByHash = lambda path, digest: None,
        report: Callable[[Untrusted], None] = _raise,
    ):
        self.root, self._read, self._kept, self._report = root, read, kept, report
        self._hashes: dict[int, list[str]] = {}  # by part
        self._bins: dict[int, dict[str, ManifestEntry]] = {}

    @cached_property
    def nodes(self) -> list[ManifestEntry]:
        """The snapshot and its parts, which have the hashes of bins. Raises Untrusted."""
        snapshot, layout = self.root.snapshot, self.root.layout
        hashes: dict[int, list[str]] = {}
        if count := layout.part_count:
            hashes = self._parsed({0: snapshot}, lambda raw, _: manifest.read_hashes(raw, 0, count))
        parts = zip(layout.hash_files(), hashes.get(0, ()), strict=False)
        return [snapshot, *(ManifestEntry(path, MAX_FILE_SIZE, digest) for path, digest in parts)]

    def bins(self, numbers: Iterable[int]) -> dict[int, ManifestEntry]:
        """The files of bins. Raises Untrusted."""
        size, wanted = self.root.layout.hashes_per_part, list(numbers)
        parts = dict(enumerate(self.nodes[self.root.layout.part_count > 0 :]))
        new = {n // size for n in wanted} & parts.keys() - self._hashes.keys()
        self._hashes |= self._parsed(
            {part: parts[part] for part in sorted(new)},
            lambda raw, part: manifest.read_hashes(raw, part * size, size),
        )
        return {
            n: ManifestEntry(manifest_bin(n), MAX_FILE_SIZE, self._hashes[n // size][n % size])
            for n in wanted
            if n // size in self._hashes
        }

    def entries(self, numbers: Iterable[int]) -> dict[int, dict[str, ManifestEntry]]:
        """The entries of some bins. Raises Untrusted."""
        wanted, bits = list(dict.fromkeys(numbers)), self.root.layout.bits
        self._bins |= self._parsed(
            self.bins(number for number in wanted if number not in self._bins),
            lambda raw, number: manifest.read_bin(raw, number, bits),
        )
        bins = {number: self._bins[number] for number in wanted if number in self._bins}
        while len(self._bins) > _MAX_BINS:
            del self._bins[next(iter(self._bins))]
        return bins

    def all_of(self, paths: Iterable[str]) -> dict[str, ManifestEntry | None]:
        """The entries of files, None for each that is not listed. Raises Untrusted."""
        bits = self.root.layout.bits
        bins = {p: manifest.bin_number(p, bits) for p in paths if manifest.is_listed(p)}
        entries = self.entries(bins.values())
        found = {path: entries[bins[path]].get(path) if path in bins else None for path in paths}
        if BUILD in found:
            found[BUILD] = self.root.build
        return found

    def all_entries(self) -> Iterator[list[ManifestEntry]]:
        """The entries of all files, some bins at a time. Raises Untrusted."""
        files = size = 0
        for numbers in self.root.layout.batches():
            entries = [e for known in self.entries(numbers).values() for e in known.values()]
            files += len(entries)
            size += sum(entry.size for entry in entries)
            if files > self.root.files or size > self.root.bytes:
                break
            yield entries
        if (files, size) != (self.root.files, self.root.bytes):
            text = f"{MANIFEST_ROOT}: it tells another number of files than its bins have"
            self._report(Untrusted(text))

    def kinds(self) -> Kinds:
        """The kinds of the registry, by its index. Raises Untrusted."""
        entry = self.all_of([INDEX])[INDEX]
        if entry is None:
            raise Untrusted(f"{INDEX}: the manifest does not list it")
        raw = self._kept(INDEX, entry.sha256) or dict(self.fetch([entry])).get(entry)
        try:
            return published_kinds(parse_document(raw or b"", "index"))
        except Unreadable as error:
            raise Untrusted(f"{INDEX}: {error}") from error

    def fetch(
        self, entries: Iterable[ManifestEntry]
    ) -> Iterator[tuple[ManifestEntry, bytes | None]]:
        """Read files that are not kept, several at once. Raises Untrusted."""
        missing = []
        for entry in entries:
            data = self._kept(entry.path, entry.sha256)
            if data is None or len(data) != entry.size:
                missing.append(entry)
        for batch in _in_batches(missing):
            for entry, data in zip(batch, self._read([e.path for e in batch]), strict=True):
                problem = find_fault(entry, data)
                if problem is not None:
                    self._report(Untrusted(f"{entry.path}: {problem}"))
                yield entry, data

    def _parsed(
        self, files: Mapping[int, ManifestEntry], parse: Callable[[bytes, int], Parsed]
    ) -> dict[int, Parsed]:
        """Files of the manifest, without those that are reported."""
        raws = {number: self._kept(e.path, e.sha256) for number, e in files.items()}
        missing = [number for number, raw in raws.items() if raw is None]
        read = self._read([files[number].path for number in missing]) if missing else ()
        raws |= zip(missing, read, strict=True)
        parsed = {}
        for number, entry in files.items():
            try:
                raw = raws[number]
                if raw is None:
                    raise Malformed("it is missing")
                if manifest.sha256_hex(raw) != entry.sha256:
                    raise Malformed("it is not what was published")
                parsed[number] = parse(raw, number)
            except Malformed as error:
                self._report(Untrusted(f"{entry.path}: {error}"))
        return parsed


def find_fault(entry: ManifestEntry | None, data: bytes | None) -> str | None:
    """The problem with a file according to its manifest entry; None if it is as published."""
    if entry is None:
        return "it was not published" if data is not None else None
    if entry.size > MAX_READ:
        return f"it has {entry.size:,} bytes, more than any reader takes"
    if data is None:
        return "it is missing"
    if len(data) != entry.size:
        return f"it has {len(data):,} bytes and should have {entry.size:,}"
    return None if manifest.sha256_hex(data) == entry.sha256 else "its bytes differ"


def _in_batches(entries: Iterable[ManifestEntry]) -> Iterator[list[ManifestEntry]]:
    """The entries in batches that are small enough for one `read`."""
    batch: list[ManifestEntry] = []
    size = 0
    for entry in entries:
        if batch and (len(batch) == _BATCH_FILES or size + entry.size > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += entry.size
    if batch:
        yield batch


class VerifiedReader:
    """Reads and verifies files. Reads an expired or mismatching manifest again."""

    def __init__(self, where: str, read: ReadFiles, trust: Trust):
        self.where, self._read, self._trust = where, read, trust
        self._manifest: TrustedManifest | None = None
        self._lock = threading.Lock()

    def __call__(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        """Raises Untrusted, ClientError."""
        with self._lock:
            manifest_files = self._manifest
            if manifest_files is not None and manifest_files.root.expires > format_utc(
                self._trust.now()
            ):
                with contextlib.suppress(Untrusted):
                    return self._read_verified(paths, manifest_files)
            try:
                [raw] = self._read([MANIFEST_ROOT])
                self._manifest = TrustedManifest(self._trust.accept_root(raw), self._read)
                return self._read_verified(paths, self._manifest)
            except Untrusted as error:
                raise Untrusted(
                    f"{self.where} cannot be trusted.\n{error}\n"
                    "A publish may be in progress: try again in a few minutes. If it stays "
                    "so, tell who runs it."
                ) from error

    def _read_verified(
        self, paths: Sequence[str], manifest_files: TrustedManifest
    ) -> Sequence[bytes | None]:
        contents = self._read(paths)
        entries = manifest_files.all_of(paths)
        for path, data in zip(paths, contents, strict=True):
            problem = find_fault(entries[path], data)
            if problem is not None:
                raise Untrusted(f"{path}: {problem}")
        return contents
