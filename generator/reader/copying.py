"""What copies of a published registry have in common: options, downloads and a trusted root."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from pathlib import Path
from typing import NamedTuple, TypeVar

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.contract.manifest import ManifestEntry, Root
from generator.grammar.paths import MANIFEST_ROOT
from generator.reader.documents import MAX_READ
from generator.reader.verified import Trust, Untrusted, find_fault, in_batches

#: Attempts, if the registry is published again during the copy.
_ATTEMPTS = 3
MAX_FILES = 4_000_000

Progress = Callable[[int, int], None]
Result = TypeVar("Result")


class CopyOptions(NamedTuple):
    """The options of a copy: its folder or file, the base URL, the trusted keys, and the most
    bytes it may have. With `check`, the files of the old copy are verified. With `allow_loss`, the
    copy may lose any number of records.
    """

    out: Path
    base: str
    keys: frozenset[str]
    max_bytes: int
    check: bool = False
    allow_loss: bool = False


def copy_trusted(read: ReadFiles, trust: Trust, copy: Callable[[Root, bytes], Result]) -> Result:
    """The result of `copy(root, raw)` with a trusted root.  Raises Untrusted."""
    for left in reversed(range(_ATTEMPTS)):
        [raw] = read([MANIFEST_ROOT])
        root = trust.accept_root(raw)
        assert raw is not None
        try:
            return copy(root, raw)
        except Untrusted:
            # If the registry was published meanwhile, the root has changed: try again.
            if not left or read([MANIFEST_ROOT]) == [raw]:
                raise
    raise AssertionError("an attempt returns or raises")


class Downloads:
    """Downloaded files in a folder, named by their SHA-256; `number` and `size` count them, those
    of the manifest included.
    """

    def __init__(self, folder: Path, read: ReadFiles):
        self.folder, self._read = folder, read
        self.number = self.size = 0

    def find(self, path: str, digest: str) -> bytes | None:
        """The bytes of a download (see verified.FindByHash)."""
        try:
            raw = (self.folder / digest).read_bytes()
        except OSError:
            return None
        return raw if manifest.sha256_hex(raw) == digest else None

    def fetch(self, entries: Iterable[ManifestEntry]) -> None:
        """Download the files that are not downloaded yet.  Raises Untrusted, ClientError."""
        missing = []
        for entry in entries:
            if entry.size > MAX_READ:
                raise Untrusted(f"{entry.path}: it has {entry.size:,} bytes, too many for a file")
            if find_fault(entry, self.find(entry.path, entry.sha256)) is not None:
                missing.append(entry)
        for batch in in_batches(missing):
            for entry, raw in zip(batch, self._read([e.path for e in batch]), strict=True):
                problem = find_fault(entry, raw)
                if problem is not None or raw is None:
                    raise Untrusted(f"{entry.path}: {problem}")
                self._save(entry.sha256, raw)

    def read(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        """Files of the manifest, which the caller checks."""
        raws = self._read(paths)
        for raw in raws:
            if raw is not None:
                self._save(manifest.sha256_hex(raw), raw)
        return raws

    def keep(self, digests: Set[str]) -> None:
        """Remove the other downloads."""
        for file in self.folder.glob("*"):
            if file.name not in digests:
                file.unlink()

    def _save(self, digest: str, raw: bytes) -> None:
        self.number, self.size = self.number + 1, self.size + len(raw)
        self.folder.mkdir(exist_ok=True)
        temporary = self.folder / "file.new"
        temporary.write_bytes(raw)
        temporary.rename(self.folder / digest)
