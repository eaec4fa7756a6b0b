"""A build in a folder, ready to be published: its manifest, and its files, each verified against
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generator.contract import manifest
from generator.contract.manifest import Malformed, ManifestEntry
from generator.disk.output_state import OutputError, recover_output
from generator.grammar.paths import BUILD, MANIFEST_ROOT, NOT_FOUND
from generator.reader.answers import ClientError
from generator.reader.location import FolderReader
from generator.reader.verified import TrustedManifest, find_fault

_AGAIN = "Another build may be running. Build again, then publish."


class LocalBuild:
    """The build in `folder`. `raw` is the root of its manifest, `nodes` are the files with the
    hashes of bins. Raises OutputError if there is no build or it is incomplete.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        recover_output(folder)
        try:
            raw = None
            if folder.is_dir():
                self._read = FolderReader(folder, stay=True)
                raw = self.file(MANIFEST_ROOT)
            if raw is None:
                raise OutputError(
                    f"There is no build in {folder}: it has no {MANIFEST_ROOT[1:]}. Run `registry "
                    "build`, or name the folder of a build."
                )
            self.raw, self.root = raw, manifest.read_root(raw)
            self._manifest = TrustedManifest(self.root, self._read)
            self.nodes = self._manifest.files()
        except (ClientError, Malformed) as error:
            raise self._incomplete(error) from error

    def _incomplete(self, error: Exception) -> OutputError:
        return OutputError(f"{self.folder} is no whole build: {error}\n{_AGAIN}")

    @property
    def digest(self) -> str:
        """The SHA-256 of the root."""
        return manifest.sha256_hex(self.raw)

    def bin_hash(self, number: int) -> str:
        return self._manifest.bin_hash(number)

    def entries(self, numbers: Iterable[int]) -> dict[int, dict[str, ManifestEntry]]:
        """The entries of some bins. Raises OutputError."""
        try:
            return self._manifest.entries(numbers)
        except ClientError as error:
            raise self._incomplete(error) from error

    def read(self, entry: ManifestEntry) -> bytes:
        """A file of the manifest. Raises OutputError if the file differs from it."""
        data = self.file(entry.path)
        if data is None or manifest.sha256_hex(data) != entry.sha256:
            problem = find_fault(entry, data) or "it is missing"
            raise OutputError(f"{self.folder}{entry.path}: {problem}\n{_AGAIN}")
        return data

    def file(self, path: str) -> bytes | None:
        """A file of the folder, unverified."""
        return self._read([path])[0]

    def files_without_bin(self) -> dict[str, bytes]:
        """The files that are in no bin: build.json and the not-found page."""
        files = {path: self.file(path) for path in (BUILD, NOT_FOUND)}
        return {path: data for path, data in files.items() if data is not None}
