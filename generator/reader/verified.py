"""What a registry's host sends held against its manifest: every file by its hash, up to a root that
is signed where keys are known, that has not expired, and that is no older than one seen before.

Follows the client of The Update Framework (specification 1.0, section 5) with one role: the root
here is what is called timestamp there, and hand-overs are its root rotation.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from generator.contract import manifest
from generator.contract.manifest import Entry, Malformed, Root
from generator.grammar.paths import BUILD, MANIFEST_ROOT, MANIFEST_SNAPSHOT, manifest_bin
from generator.grammar.text import utc
from generator.reader.answers import ClientError
from generator.reader.location import Read
from generator.reader.signing import SigningError, is_signed, trusted_now

#: Gives a file of this path and this hash, where it is at hand.
Kept = Callable[[str, str], bytes | None]

#: Bins that are kept in memory, of a registry that is asked for long.
_MOST_BINS = 256
_MOST_SEEN = 1 << 16
_AHEAD = 24 * 3600  # seconds that a clock elsewhere may be fast


class Untrusted(ClientError):
    """What is sent is not what the registry published; the text says what, and what to do."""


@dataclass(frozen=True)
class Seen:
    """The latest root that was trusted: its version, its SHA-256, the keys trusted since, and the
    ones that were named, whose places these took.
    """

    version: int = 0
    digest: str = ""
    keys: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()

    @classmethod
    def load(cls, file: Path) -> Seen:
        """What was kept; nothing where that is no such file."""
        try:
            with open(file, "rb") as stream:
                said = json.loads(stream.read(_MOST_SEEN))
            version, digest, keys = said["version"], said["digest"], said["keys"]
            pinned = said.get("pinned", [])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return cls()
        fine = type(version) is int and isinstance(digest, str)
        if not fine or not isinstance(keys, list) or not isinstance(pinned, list):
            return cls()
        if not all(isinstance(key, str) for key in (*keys, *pinned)):
            return cls()
        return cls(version, digest, frozenset(keys), frozenset(pinned))

    def save(self, file: Path) -> None:
        """Replace what was kept, in one step.  Raises OSError."""
        said = {
            "version": self.version,
            "digest": self.digest,
            "keys": sorted(self.keys),
            "pinned": sorted(self.pinned),
        }
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, temporary = tempfile.mkstemp(dir=file.parent, suffix=".new")
        with open(number, "w") as stream:
            stream.write(json.dumps(said))
        os.replace(temporary, file)


def default_memory(where: str) -> Path | None:
    """Where the latest root of a base URL is remembered (XDG Base Directory Specification)."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.expanduser("~/.local/state")
    name = manifest.digest(where.encode())
    return Path(state, "registry-generator", name) if os.path.isabs(state) else None


@dataclass
class Trust:
    """What a reader trusts: roots that one of the `keys` signed, or any where there are none; none
    that is older than the latest in `memory`, if that is a file, or that has expired.  Where `keys`
    are named, what was remembered under other ones counts for nothing.
    """

    keys: frozenset[str] = frozenset()
    memory: Path | None = None
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    _seen: Seen = Seen()

    def __post_init__(self) -> None:
        if self.memory is not None:
            self._seen = Seen.load(self.memory)

    @property
    def seen(self) -> Seen:
        return self._seen

    def accept(self, raw: bytes | None) -> Root:
        """The root, when it can be trusted; it is remembered.  Raises Untrusted, ClientError."""
        root, wrong = self.judge(raw)
        if root is None or wrong:
            raise Untrusted(f"{MANIFEST_ROOT}: {'; '.join(wrong)}")
        return root

    def judge(self, raw: bytes | None) -> tuple[Root | None, list[str]]:
        """The root, unless it is none or nobody's who is trusted, and what is wrong with it."""
        if raw is None:
            return None, ["it is not there: a registry without a manifest cannot be verified"]
        try:
            root = manifest.read_root(raw)
        except Malformed as error:
            return None, [str(error)]
        seen = self._before()
        try:
            keys = self._keys(root, seen)
        except SigningError as error:
            raise ClientError(str(error)) from error
        if keys is None:
            told = "is not signed" if not root.signatures else "is signed by nobody who is trusted"
            return None, [f"it {told}; the key may have changed without a hand-over: ask for it"]
        wrong = []
        if root.version < seen.version:
            wrong.append(
                f"its version is {root.version}, and {seen.version} was there before: it is an "
                "older copy"
            )
        elif root.version == seen.version and manifest.digest(raw) != seen.digest:
            wrong.append(f"there are two different ones of version {root.version}")
        if root.expires <= (now := utc(self.now())):
            wrong.append(
                f"it expired at {root.expires}, and it is {now}: the registry is no longer "
                "built, or what is sent is an old copy"
            )
        # Nobody vouches for a version that is no time yet: remembered, it would lock out others.
        ahead = root.version > self.now().timestamp() + _AHEAD
        if not wrong and (self.keys or not ahead):
            # To ask for nobody's signature once does not forget who has handed over.
            keys, pinned = (keys, self.keys) if self.keys else (seen.keys, seen.pinned)
            self._remember(Seen(root.version, manifest.digest(raw), keys, pinned))
        return root, wrong

    def _before(self) -> Seen:
        """What was seen; nothing where other keys are named than then: who is told a new key after
        a theft is bound neither to the stolen one nor to a version that it signed.
        """
        return self._seen if not self.keys or self.keys == self._seen.pinned else Seen()

    def _keys(self, root: Root, seen: Seen) -> frozenset[str] | None:
        """The keys that are trusted, with those that took their place; none where nobody's
        signature is asked for; None where no trusted one signed.
        """
        if not self.keys:
            return frozenset()
        # Who has handed over before is not trusted again, whatever a host sends.
        keys = trusted_now(seen.keys or self.keys, root.handovers)
        for key, signature in root.signatures:
            if key in keys and is_signed(key, root.body, signature):
                return keys
        return None

    def _remember(self, seen: Seen) -> None:
        if seen != self._seen and self.memory is not None:
            with contextlib.suppress(OSError):
                seen.save(self.memory)
        self._seen = seen


class Manifest:
    """The manifest below a trusted root.  `read` gives files, unless `kept` has those of a hash;
    every one is checked before it is believed.
    """

    def __init__(self, root: Root, read: Read, kept: Kept = lambda path, digest: None):
        self.root, self._read, self._kept = root, read, kept
        self._hashes: dict[str, list[str]] = {}
        self._bins: dict[int, dict[str, Entry]] = {}

    def entries(self, numbers: Iterable[int]) -> dict[int, dict[str, Entry]]:
        """The entries of some bins.  Raises Untrusted."""
        layout = self.root.layout
        every = list(numbers)
        self._read_hashes({layout.holder(n): n // layout.each * layout.each for n in every})
        wanted = {n: self.hash_of(n) for n in every if n not in self._bins}
        raws = self._checked({manifest_bin(n): digest for n, digest in wanted.items()})
        for number, raw in zip(wanted, raws, strict=True):
            try:
                self._bins[number] = manifest.read_bin(raw, number, layout.bits)
            except Malformed as error:
                raise Untrusted(f"{manifest_bin(number)}: {error}") from error
        some = {number: self._bins[number] for number in every}
        while len(self._bins) > _MOST_BINS:
            del self._bins[next(iter(self._bins))]
        return some

    def hash_of(self, number: int) -> str:
        """The hash of a bin.  Raises Untrusted."""
        layout = self.root.layout
        holder = layout.holder(number)
        self._read_hashes({holder: number // layout.each * layout.each})
        return self._hashes[holder][number % layout.each]

    def entry(self, path: str) -> Entry | None:
        """What the manifest says of a file; None where it has none.  Raises Untrusted."""
        return self.all_of([path])[path]

    def all_of(self, paths: Iterable[str]) -> dict[str, Entry | None]:
        """Likewise of several.  Raises Untrusted."""
        bins = {
            path: manifest.bin_of(path, self.root.layout.bits)
            for path in paths
            if manifest.lists(path)
        }
        known = self.entries(dict.fromkeys(bins.values()))
        return {
            path: (known[bins[path]].get(path) if path in bins else None)
            if path != BUILD
            else self.root.build
            for path in paths
        }

    def files(self) -> dict[str, bytes]:
        """The files that have the hashes of bins, checked.  Raises Untrusted."""
        layout = self.root.layout
        raws = self._checked({MANIFEST_SNAPSHOT: self.root.snapshot.sha256})
        files = {MANIFEST_SNAPSHOT: raws[0]}
        if layout.parts:
            above = self._rows(MANIFEST_SNAPSHOT, raws[0], 0, layout.parts)
            parts = list(layout.holders())
            files |= dict(
                zip(parts, self._checked(dict(zip(parts, above, strict=True))), strict=True)
            )
        for path, first in layout.holders().items():
            self._hashes[path] = self._rows(path, files[path], first, layout.each)
        return files

    def _read_hashes(self, holders: dict[str, int]) -> None:
        layout = self.root.layout
        missing = {path: first for path, first in holders.items() if path not in self._hashes}
        if not missing:
            return
        digests = {MANIFEST_SNAPSHOT: self.root.snapshot.sha256}
        if layout.parts:
            if MANIFEST_SNAPSHOT not in self._hashes:
                [raw] = self._checked(digests)
                self._hashes[MANIFEST_SNAPSHOT] = self._rows(
                    MANIFEST_SNAPSHOT, raw, 0, layout.parts
                )
            above = self._hashes[MANIFEST_SNAPSHOT]
            digests = {path: above[first // layout.each] for path, first in missing.items()}
        for (path, first), raw in zip(missing.items(), self._checked(digests), strict=True):
            self._hashes[path] = self._rows(path, raw, first, layout.each)

    @staticmethod
    def _rows(path: str, raw: bytes, first: int, count: int) -> list[str]:
        try:
            return manifest.read_hashes(raw, first, count)
        except Malformed as error:
            raise Untrusted(f"{path}: {error}") from error

    def _checked(self, digests: dict[str, str]) -> list[bytes]:
        """Files with these hashes.  Raises Untrusted."""
        raws = {path: self._kept(path, digest) for path, digest in digests.items()}
        missing = [path for path, raw in raws.items() if raw is None]
        raws |= dict(zip(missing, self._read(missing) if missing else (), strict=True))
        checked = []
        for path, raw in raws.items():
            if raw is None:
                raise Untrusted(f"{path}: it is missing")
            if manifest.digest(raw) != digests[path]:
                raise Untrusted(f"{path}: it is not what was published")
            checked.append(raw)
        return checked


def fault(entry: Entry | None, data: bytes | None) -> str | None:
    """What is wrong with a file, by what the manifest says of it; None where it is as published."""
    if entry is None:
        return "it was not published" if data is not None else None
    if data is None:
        return "it is missing"
    if len(data) != entry.size:
        return f"it has {len(data):,} bytes and should have {entry.size:,}"
    return None if manifest.digest(data) == entry.sha256 else "its bytes are others"


class Verified:
    """Reads files and holds each against the manifest, which is read anew where it has expired, or
    where something was published meanwhile.
    """

    def __init__(self, where: str, read: Read, trust: Trust):
        self.where, self._read, self._trust = where, read, trust
        self._manifest: Manifest | None = None
        self._lock = threading.Lock()

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        """Raises Untrusted, ClientError."""
        with self._lock:
            known = self._manifest
            if known is not None and known.root.expires > utc(self._trust.now()):
                with contextlib.suppress(Untrusted):
                    return self._held(paths, known)
            try:
                self._manifest = self._opened()
                return self._held(paths, self._manifest)
            except Untrusted as error:
                raise Untrusted(
                    f"{self.where} cannot be trusted.\n{error}\n"
                    "It may be published anew just now: ask again in a few minutes. If it stays "
                    "so, tell who runs it."
                ) from error

    def _opened(self) -> Manifest:
        [raw] = self._read([MANIFEST_ROOT])
        return Manifest(self._trust.accept(raw), self._read)

    def _held(self, paths: Sequence[str], known: Manifest) -> list[bytes | None]:
        contents = self._read(paths)
        entries = known.all_of(paths)
        for path, data in zip(paths, contents, strict=True):
            wrong = fault(entries[path], data)
            if wrong is not None:
                raise Untrusted(f"{path}: {wrong}")
        return contents
