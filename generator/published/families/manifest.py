"""The manifest: the size and the SHA-256 of every other file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from generator.build.output.manifest import (
    SURFACE,
    RootSigning,
    hash_files,
    render_root,
    root_content,
)
from generator.contract import manifest
from generator.contract.artifact import Artifact
from generator.contract.manifest import BinLayout
from generator.grammar.paths import BUILD, MANIFEST_ROOT, MANIFEST_SNAPSHOT, manifest_bin
from generator.model.settings.signing import Signing

if TYPE_CHECKING:
    from generator.published.published import Published

_FOLDER = MANIFEST_ROOT.rpartition("/")[0] + "/"


class ManifestFiles:
    """One item: each file of the manifest needs all other files of the registry."""

    def __init__(self, published: Published):
        self._published = published

    def items(self) -> Iterator[str]:
        yield _FOLDER

    def find(self, address: str) -> str | None:
        return _FOLDER if address.startswith(_FOLDER) else None

    def make(self, item: str) -> Iterator[Artifact]:
        yield from self._files

    @cached_property
    def _files(self) -> list[Artifact]:
        """The bins, the snapshot and the root, which is issued at the time of the content."""
        published, url = self._published, self._published.grammar.url
        entries = [
            (address, len(data), manifest.sha256_hex(data))
            for address, data in published.listed()
            if manifest.is_listed(address)
        ]
        bits = manifest.bits_for_files(len(entries))
        bins: list[list[tuple[str, int, str]]] = [[] for _ in range(1 << bits)]
        for entry in entries:
            bins[manifest.bin_number(entry[0], bits)].append(entry)
        files = [
            Artifact(manifest_bin(number), manifest.render_bin(number, bin_entries, url))
            for number, bin_entries in enumerate(bins)
        ]
        hashes = [manifest.sha256_hex(data) for _, data in files]
        files += hash_files(BinLayout.from_bits(bits), hashes, url)
        seal = RootSigning.of(
            published.settings.signing or Signing(), published.options.signing_key
        )
        snapshot = next(data for address, data in files if address == MANIFEST_SNAPSHOT)
        totals = {"files": len(entries), "bytes": sum(size for _, size, _ in entries), "bits": bits}
        content = {**totals, **root_content(snapshot, published[BUILD], seal)}
        at = int(published.records.moment.at.timestamp())
        return [*files, Artifact(MANIFEST_ROOT, render_root(content, at, at, url, seal))]

    def surface(self, address: str) -> str:
        return SURFACE
