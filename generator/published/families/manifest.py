"""The manifest: the size and the SHA-256 of every other file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from generator.contract import manifest
from generator.contract.artifact import Artifact
from generator.contract.manifest import BinLayout
from generator.grammar.paths import BUILD, INDEX, MANIFEST_ROOT, MANIFEST_SNAPSHOT, manifest_bin
from generator.published.families import Family
from generator.published.listing import File
from generator.published.once import once
from generator.published.root import SURFACE, hash_files, render_root

if TYPE_CHECKING:
    from generator.published.published import Published

_FOLDER = MANIFEST_ROOT.rpartition("/")[0] + "/"


class ManifestFiles(Family):
    """One item: each file of the manifest needs all other files of the registry."""

    def __init__(self, published: Published):
        self._published = published

    def items(self) -> Iterator[str]:
        yield _FOLDER

    def find(self, address: str) -> str | None:
        return _FOLDER if address.startswith(_FOLDER) else None

    def make(self, item: str) -> Iterator[Artifact]:
        yield from self._files

    @once
    def _files(self) -> list[Artifact]:
        """The bins, the snapshot and the root."""
        published, url = self._published, self._published.grammar.url
        listed = {a: f for a, f in published.listing.files.items() if manifest.is_listed(a)}
        if INDEX not in listed:
            listed[INDEX] = File.of(published[INDEX])
        bits = manifest.bits_for_files(len(listed))
        bins: list[list[tuple[str, int, str]]] = [[] for _ in range(1 << bits)]
        for address, file in listed.items():
            entry = address, file.size, file.sha256.hex()
            bins[manifest.bin_number(address, bits)].append(entry)
        files = [
            Artifact(manifest_bin(number), manifest.render_bin(number, entries, url))
            for number, entries in enumerate(bins)
        ]
        hashes = [manifest.sha256_hex(data) for _, data in files]
        files += hash_files(BinLayout.from_bits(bits), hashes, url)
        snapshot = next(data for address, data in files if address == MANIFEST_SNAPSHOT)
        totals = {
            "files": len(listed), "bytes": sum(f.size for f in listed.values()), "bits": bits,
        }  # fmt: skip
        return [*files, Artifact(MANIFEST_ROOT, self._root(totals, snapshot))]

    def _root(self, totals: dict[str, Any], snapshot: bytes) -> bytes:
        published, moment = self._published, self._published.records.moment
        content = {
            **totals,
            "snapshot": File.of(snapshot).entry(),
            "build": published.listing.files[BUILD].entry(),
        }
        last = published.options.last_root
        return render_root(content, moment, published.grammar.url, published.seal, last)

    def surface(self, address: str) -> str:
        return SURFACE
