"""Files fetched by their manifest entries and kept by their hash, so a killed command continues."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from generator.contract import manifest
from generator.contract.manifest import Entry, Root
from generator.grammar.paths import MANIFEST_ROOT
from generator.reader.documents import MAX_READ
from generator.reader.location import ReadFiles
from generator.reader.verified import Trust, Untrusted, find_fault
from generator.reader.verify import in_batches

#: Attempts, if the registry is published again during the copy.
_ATTEMPTS = 3
Result = TypeVar("Result")


def copy_trusted(read: ReadFiles, trust: Trust, copy: Callable[[Root, bytes], Result]) -> Result:
    """The result of `copy`, called with the trusted root and its bytes.

    If the registry was published meanwhile, `copy` is called again.  Raises Untrusted.
    """
    for left in reversed(range(_ATTEMPTS)):
        [raw] = read([MANIFEST_ROOT])
        root = trust.accept_root(raw)
        assert raw is not None
        try:
            return copy(root, raw)
        except Untrusted:
            if not left or read([MANIFEST_ROOT]) == [raw]:
                raise
    raise AssertionError("an attempt returns or raises")


class Downloads:
    """Downloaded files in a folder, named by their SHA-256; `number` and `size` count them."""

    def __init__(self, folder: Path, read: ReadFiles):
        self.folder, self._read = folder, read
        self.number = self.size = 0

    def get(self, digest: str) -> bytes | None:
        """The bytes of a download, which the caller checks."""
        try:
            return (self.folder / digest).read_bytes()
        except OSError:
            return None

    def find(self, path: str, digest: str) -> bytes | None:
        """The bytes of a download with this hash (see verified.FindByHash)."""
        raw = self.get(digest)
        return raw if raw is not None and manifest.sha256_hex(raw) == digest else None

    def fetch(self, entries: Iterable[Entry]) -> None:
        """Download the files that are not downloaded yet.  Raises Untrusted, ClientError."""
        missing = []
        for entry in entries:
            if entry.size > MAX_READ:
                raise Untrusted(f"{entry.path}: it has {entry.size:,} bytes, too many for a file")
            raw = self.get(entry.sha256)
            if raw is None or find_fault(entry, raw) is not None:
                missing.append(entry)
        for batch in in_batches(missing):
            for entry, raw in zip(batch, self._read([e.path for e in batch]), strict=True):
                problem = find_fault(entry, raw)
                if problem is not None or raw is None:
                    raise Untrusted(f"{entry.path}: {problem}")
                self.save(entry.sha256, raw)

    def read(self, paths: Iterable[str]) -> list[bytes | None]:
        """Files of the manifest, which the caller checks."""
        raws = self._read(list(paths))
        for raw in raws:
            if raw is not None:
                self.save(manifest.sha256_hex(raw), raw)
        return raws

    def save(self, digest: str, raw: bytes) -> None:
        self.number, self.size = self.number + 1, self.size + len(raw)
        temporary = self.folder / "file.new"
        temporary.write_bytes(raw)
        temporary.rename(self.folder / digest)
