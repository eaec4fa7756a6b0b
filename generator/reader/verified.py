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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.contract.manifest import Malformed, ManifestEntry, Root
from generator.grammar.paths import BUILD, MANIFEST_ROOT, MANIFEST_SNAPSHOT, manifest_bin
from generator.reader.answers import ClientError
from generator.reader.documents import MAX_READ
from generator.reader.signing import SigningError, is_signed, keys_after_handovers
from generator.text.words import format_utc

#: Returns a local file with this path and hash, or None.
FindByHash = Callable[[str, str], bytes | None]

Report = Callable[["Untrusted"], None]

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
    """The latest trusted root: its version, its SHA-256, the keys trusted since, and the pinned
    keys that these keys replaced.
    """

    version: int = 0
    digest: str = ""
    keys: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()

    @classmethod
    def load(cls, file: Path) -> LatestRoot:
        """The saved state; an empty one if the file is missing or invalid."""
        try:
            with open(file, "rb") as stream:
                document = json.loads(stream.read(_MAX_SEEN_BYTES))
            version, digest, keys = document["version"], document["digest"], document["keys"]
            pinned = document.get("pinned", [])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return cls()
        are_lists = isinstance(keys, list) and isinstance(pinned, list)
        if type(version) is not int or not isinstance(digest, str) or not are_lists:
            return cls()
        if not all(isinstance(key, str) for key in (*keys, *pinned)):
            return cls()
        return cls(version, digest, frozenset(keys), frozenset(pinned))

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
        seen = self._usable_memory()
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
            self._remember(LatestRoot(root.version, manifest.sha256_hex(raw), keys, pinned))
        return root, problems

    def _usable_memory(self) -> LatestRoot:
        """The latest root, ignored if other keys are pinned now: after a theft, a user who pins a
        new key is bound neither to the stolen key nor to a version that it signed.
        """
        return self.seen if not self.keys or self.keys == self.seen.pinned else LatestRoot()

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

    def _remember(self, seen: LatestRoot) -> None:
        if seen != self.seen and self.memory is not None:
            with contextlib.suppress(OSError):
                seen.save(self.memory)
        self.seen = seen


def _raise(error: Untrusted) -> None:
    raise error


class TrustedManifest:
    """The manifest below a trusted root. Files come from `kept` if found by their hash, else from
    `read`. Each file is checked against its hash before use.
    """

    def __init__(self, root: Root, read: ReadFiles, kept: FindByHash = lambda path, digest: None):
        self.root, self._read, self._kept = root, read, kept
        self._hash_files = root.layout.hash_files()
        self._hashes: dict[str, list[str]] = {}
        self._bins: dict[int, dict[str, ManifestEntry]] = {}

    def entries(self, numbers: Iterable[int]) -> dict[int, dict[str, ManifestEntry]]:
        """The entries of some bins. Raises Untrusted."""
        layout = self.root.layout
        numbers = list(dict.fromkeys(numbers))
        self._read_hashes(dict.fromkeys(n // layout.hashes_per_part for n in numbers))
        missing = [n for n in numbers if n not in self._bins]
        raws = self._checked({manifest_bin(n): self.bin_hash(n) for n in missing})
        for number, raw in zip(missing, raws, strict=True):
            try:
                self._bins[number] = manifest.read_bin(raw, number, layout.bits)
            except Malformed as error:
                raise Untrusted(f"{manifest_bin(number)}: {error}") from error
        bins = {number: self._bins[number] for number in numbers}
        while len(self._bins) > _MAX_BINS:
            del self._bins[next(iter(self._bins))]
        return bins

    def bin_hash(self, number: int) -> str:
        """The hash of a bin. Raises Untrusted."""
        part, place = divmod(number, self.root.layout.hashes_per_part)
        self._read_hashes([part])
        return self._hashes[self._hash_files[part]][place]

    def entry(self, path: str) -> ManifestEntry | None:
        """The entry of a file; None if the manifest does not list it. Raises Untrusted."""
        return self.all_of([path])[path]

    def all_of(self, paths: Iterable[str]) -> dict[str, ManifestEntry | None]:
        """The entries of several files. Raises Untrusted."""
        bins = {
            path: manifest.bin_number(path, self.root.layout.bits)
            for path in paths
            if manifest.is_listed(path)
        }
        entries = self.entries(dict.fromkeys(bins.values()))
        found = {path: entries[bins[path]].get(path) if path in bins else None for path in paths}
        if BUILD in found:
            found[BUILD] = self.root.build
        return found

    def all_entries(self, report: Report = _raise) -> Iterator[dict[str, ManifestEntry]]:
        """The entries of all files by path, some bins at a time. `report` is called with what is
        wrong, and raises unless the rest is wanted.
        """
        files = size = 0
        for numbers in self.root.layout.batches():
            entries = self.some_entries(numbers, report)
            files += len(entries)
            size += sum(entry.size for entry in entries.values())
            if files > self.root.files or size > self.root.bytes:
                break
            yield entries
        if (files, size) != (self.root.files, self.root.bytes):
            text = f"{MANIFEST_ROOT}: it tells another number of files than its bins have"
            report(Untrusted(text))

    def some_entries(self, numbers: Sequence[int], report: Report) -> dict[str, ManifestEntry]:
        """The entries of some bins by path, without those of bins that are reported."""
        try:
            bins = [*self.entries(numbers).values()]
        except Untrusted as error:
            if len(numbers) == 1:
                report(error)
                return {}
            bins = [self.some_entries([number], report) for number in numbers]
        return {path: entry for in_bin in bins for path, entry in in_bin.items()}

    def files(self) -> dict[str, bytes]:
        """The files with the hashes of bins, checked. Raises Untrusted."""
        self._hashes.clear()
        return self._read_hashes(range(len(self._hash_files)))

    def _read_hashes(self, parts: Iterable[int]) -> dict[str, bytes]:
        """Read files with hashes of bins that were not read before, and return them."""
        layout, files = self.root.layout, dict[str, bytes]()
        missing = [part for part in parts if self._hash_files[part] not in self._hashes]
        if not missing:
            return files
        digests = {MANIFEST_SNAPSHOT: self.root.snapshot.sha256}
        if layout.part_count:
            if MANIFEST_SNAPSHOT not in self._hashes:
                files |= self._parse_hashes(digests, [0], layout.part_count)
            hashes = self._hashes[MANIFEST_SNAPSHOT]
            digests = {self._hash_files[part]: hashes[part] for part in missing}
        firsts = [part * layout.hashes_per_part for part in missing]
        return files | self._parse_hashes(digests, firsts, layout.hashes_per_part)

    def _parse_hashes(
        self, digests: dict[str, str], firsts: Sequence[int], count: int
    ) -> dict[str, bytes]:
        """Read and parse files with `count` hashes each, from these numbers on."""
        files = dict(zip(digests, self._checked(digests), strict=True))
        for (path, raw), first in zip(files.items(), firsts, strict=True):
            try:
                self._hashes[path] = manifest.read_hashes(raw, first, count)
            except Malformed as error:
                raise Untrusted(f"{path}: {error}") from error
        return files

    def _checked(self, digests: dict[str, str]) -> list[bytes]:
        """Files with these hashes. Raises Untrusted."""
        raws = {path: self._kept(path, digest) for path, digest in digests.items()}
        missing = [path for path, raw in raws.items() if raw is None]
        raws |= dict(zip(missing, self._read(missing) if missing else (), strict=True))
        checked = []
        for path, raw in raws.items():
            if raw is None:
                raise Untrusted(f"{path}: it is missing")
            if manifest.sha256_hex(raw) != digests[path]:
                raise Untrusted(f"{path}: it is not what was published")
            checked.append(raw)
        return checked


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


def fetch(
    entries: Iterable[ManifestEntry], read: ReadFiles
) -> Iterator[tuple[ManifestEntry, bytes | None, str | None]]:
    """Fetch files, several at once: each with its bytes, and what is wrong with them."""
    for batch in _in_batches(entries):
        for entry, data in zip(batch, read([entry.path for entry in batch]), strict=True):
            yield entry, data, find_fault(entry, data)


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
                self._manifest = self._open_manifest()
                return self._read_verified(paths, self._manifest)
            except Untrusted as error:
                raise Untrusted(
                    f"{self.where} cannot be trusted.\n{error}\n"
                    "A publish may be in progress: try again in a few minutes. If it stays "
                    "so, tell who runs it."
                ) from error

    def _open_manifest(self) -> TrustedManifest:
        [raw] = self._read([MANIFEST_ROOT])
        return TrustedManifest(self._trust.accept_root(raw), self._read)

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
