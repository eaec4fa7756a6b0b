"""What the manifest of a large registry costs its readers, by simulation.

    python benchmarks/integrity.py BUILD [--files 1000000] [--changed 0.01] [--seed S]

Paths and sizes are drawn from a real build's, so many of them; the manifest of these is made and
read by the project's own code, in memory.  Printed are the bytes that a reader fetches to verify
one record, and those that a mirror fetches when a part of the files changed, each at random: the
worst that can be for bins.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generator.contract import manifest
from generator.contract.manifest import BinLayout, ManifestEntry
from generator.grammar.paths import BUILD, MANIFEST_ROOT, MANIFEST_SNAPSHOT, manifest_bin
from generator.reader.location import FolderReader
from generator.reader.verified import TrustedManifest

_GROUP = 256


class Host:
    """Files in memory, and the bytes that were asked for."""

    def __init__(self, files: dict[str, bytes]):
        self.files, self.asked = files, 0

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        self.asked += sum(len(self.files[path]) for path in paths)
        return [self.files[path] for path in paths]


def drawn(build: Path, count: int, chance: random.Random) -> list[ManifestEntry]:
    """Entries of that many files, like those of a build, each with a path of its own."""
    root = manifest.read_root((build / MANIFEST_ROOT[1:]).read_bytes())
    known = TrustedManifest(root, FolderReader(build, stay=True))
    real = [
        entry
        for number in range(1 << root.layout.bits)
        for entry in known.entries([number])[number].values()
    ]
    made = []
    for number in range(count):
        path, size, _ = chance.choice(real)
        above, _, name = path.rpartition("/")
        stem, dot, ending = name.rpartition(".")
        path = f"{above}/{stem}-{number}{dot}{ending}"
        if stem == "index":
            path = f"{above or '/home'}-{number}/{name}"
        made.append(ManifestEntry(path, size, sha256(b"%d" % number).hexdigest()))
    return made


def published(entries: Iterable[ManifestEntry], version: int) -> dict[str, bytes]:
    """The files of the manifest."""
    entries = list(entries)
    bits = manifest.bits_for_files(len(entries))
    bins: list[list[ManifestEntry]] = [[] for _ in range(1 << bits)]
    for entry in entries:
        bins[manifest.bin_number(entry.path, bits)].append(entry)
    files = {manifest_bin(n): manifest.render_bin(n, some, str) for n, some in enumerate(bins)}
    hashes = [manifest.sha256_hex(files[manifest_bin(number)]) for number in range(len(bins))]
    layout, above = BinLayout.from_bits(bits), []
    for part, path in enumerate(layout.hash_files()):
        first = part * layout.hashes_per_part
        files[path] = manifest.render_snapshot(
            path, first, hashes[first : first + layout.hashes_per_part], str
        )
        above.append(manifest.sha256_hex(files[path]))
    if layout.part_count:
        files[MANIFEST_SNAPSHOT] = manifest.render_snapshot(MANIFEST_SNAPSHOT, 0, above, str)
    snapshot = files[MANIFEST_SNAPSHOT]
    said = {
        "links": {"self": MANIFEST_ROOT, "snapshot": MANIFEST_SNAPSHOT, "build": BUILD},
        "version": version,
        "issued_at": "2026-01-01T00:00:00Z",
        "expires_at": "2026-02-01T00:00:00Z",
        "files": len(entries),
        "bytes": sum(entry.size for entry in entries),
        "bits": bits,
        "snapshot": {"size": len(snapshot), "sha256": manifest.sha256_hex(snapshot)},
        "build": {"size": 0, "sha256": manifest.sha256_hex(b"")},
        "keys": [],
        "handovers": [],
    }
    return {**files, MANIFEST_ROOT: manifest.render_root(said, [])}


def opened(host: Host) -> TrustedManifest:
    [raw] = host([MANIFEST_ROOT])
    assert raw is not None
    return TrustedManifest(manifest.read_root(raw), host)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--files", type=int, default=1_000_000)
    parser.add_argument("--changed", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    entries = drawn(asked.build, asked.files, chance)
    total = sum(entry.size for entry in entries)
    old = published(entries, 1)
    manifests = sum(map(len, old.values()))

    most = 0
    records = [entry for entry in entries if "/slug/" in entry.path]
    for entry in chance.choices(records or entries, k=100):
        host = Host(old)
        if opened(host).all_of([entry.path])[entry.path] != entry:
            raise SystemExit(f"{entry.path} is not in its bin")
        most = max(most, host.asked + entry.size)

    changed = set(chance.sample(range(len(entries)), int(len(entries) * asked.changed)))
    after = [
        entry._replace(sha256=sha256(b"new %d" % n).hexdigest()) if n in changed else entry
        for n, entry in enumerate(entries)
    ]
    host = Host(published(after, 2))
    digests = {manifest.sha256_hex(raw): raw for raw in old.values()}
    [raw] = host([MANIFEST_ROOT])
    assert raw is not None
    known = TrustedManifest(manifest.read_root(raw), host, lambda path, digest: digests.get(digest))
    was = {entry.path: entry for entry in entries}
    _ = known.nodes, known.bins(range(1 << known.root.layout.bits))
    files = others = 0
    bins = 1 << known.root.layout.bits
    for first in range(0, bins, _GROUP):
        for some in known.entries(range(first, min(first + _GROUP, bins))).values():
            for entry in some.values():
                if was[entry.path] != entry:
                    files, others = files + 1, others + entry.size
    assert files == len(changed)
    fetched = host.asked + others
    print(
        f"| {len(entries):,} | {total / 1e9:,.2f} GB | {len(old):,} | {manifests / 1e6:,.0f} MB "
        f"| {most / 1000:,.0f} KB | {host.asked / 1e6:,.1f} MB | {others / 1e6:,.1f} MB "
        f"| {100 * fetched / total:.2f} % |"
    )


if __name__ == "__main__":
    main()
