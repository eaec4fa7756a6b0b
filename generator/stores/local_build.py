"""A build in a folder that is ready to be published: what its manifest says, and its files, each
held against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from generator.contract import manifest
from generator.contract.manifest import Entry, Malformed
from generator.disk.output_state import OutputError, settle
from generator.grammar.paths import BUILD, MANIFEST_ROOT, NOT_FOUND
from generator.reader.answers import ClientError
from generator.reader.location import folder as files_of
from generator.reader.verified import Manifest, fault

_AGAIN = "It may be built anew just now: build it, and publish it then."


def _nothing(paths: Sequence[str]) -> list[bytes | None]:
    return [None] * len(paths)


class Ready:
    """The build in `folder`.  `raw` is its root, `nodes` are the files that have hashes of bins.
    Raises OutputError where it is none, or not whole.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        settle(folder)
        try:
            self._read = files_of(folder) if folder.is_dir() else _nothing
            raw = self._read([MANIFEST_ROOT])[0]
            if raw is None:
                raise OutputError(
                    f"There is no build in {folder}: it has no {MANIFEST_ROOT[1:]}. Run `registry "
                    "build`, or name the folder of a build."
                )
            self.raw, self.root = raw, manifest.read_root(raw)
            self._known = Manifest(self.root, self._read)
            self.nodes = self._known.files()
        except (ClientError, Malformed) as error:
            raise OutputError(f"{folder} is no whole build: {error}\n{_AGAIN}") from error

    @property
    def digest(self) -> str:
        """The SHA-256 of the root."""
        return manifest.digest(self.raw)

    def bin_hash(self, number: int) -> str:
        return self._known.hash_of(number)

    def entries(self, numbers: Iterable[int]) -> dict[int, dict[str, Entry]]:
        """The entries of some bins.  Raises OutputError."""
        try:
            return self._known.entries(numbers)
        except ClientError as error:
            raise OutputError(f"{self.folder} is no whole build: {error}\n{_AGAIN}") from error

    def read(self, entry: Entry) -> bytes:
        """A file as the manifest has it.  Raises OutputError where it is another."""
        data = self.file(entry.path)
        if data is None or manifest.digest(data) != entry.sha256:
            wrong = fault(entry, data) or "it is missing"
            raise OutputError(f"{self.folder}{entry.path}: {wrong}\n{_AGAIN}")
        return data

    def file(self, path: str) -> bytes | None:
        """A file as it lies there."""
        return self._read([path])[0]

    def apart(self) -> dict[str, bytes]:
        """The files that no bin has: build.json, and the page for what is not there."""
        there = {path: self.file(path) for path in (BUILD, NOT_FOUND)}
        return {path: data for path, data in there.items() if data is not None}
