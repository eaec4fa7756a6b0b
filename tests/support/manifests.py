"""The manifest of a folder that a test changed, and its records."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from generator.contract import manifest
from generator.contract.manifest import ManifestEntry
from generator.grammar.paths import MANIFEST_ROOT, MANIFEST_SNAPSHOT, manifest_bin
from support.commands import files
from support.kinds import KIND_OF


def divided(published: Path) -> None:
    """Rewrite the manifest of a folder with the present number of bins."""
    every = {
        f"/{path}": data
        for path, data in files(published).items()
        if manifest.is_listed(f"/{path}")
    }
    entries = [ManifestEntry(p, len(data), manifest.sha256_hex(data)) for p, data in every.items()]
    root = json.loads((published / MANIFEST_ROOT[1:]).read_bytes())
    shutil.rmtree(published / "api/manifest")
    bits, hashes = manifest.bits_for_files(len(entries)), []
    (published / "api/manifest/bins").mkdir(parents=True)
    for number in range(1 << bits):
        raw = manifest.render_bin(
            number, [e for e in entries if manifest.bin_number(e.path, bits) == number], str
        )
        (published / manifest_bin(number)[1:]).write_bytes(raw)
        hashes.append(manifest.sha256_hex(raw))
    raw = manifest.render_snapshot(MANIFEST_SNAPSHOT, 0, hashes, str)
    (published / MANIFEST_SNAPSHOT[1:]).write_bytes(raw)
    fields = {
        **{key: root[key] for key in root if key not in ("schema_version", "kind", "signatures")},
        "version": root["version"] + 1,
        "files": len(entries),
        "bytes": sum(entry.size for entry in entries),
        "bits": bits,
        "snapshot": {"size": len(raw), "sha256": manifest.sha256_hex(raw)},
    }
    (published / MANIFEST_ROOT[1:]).write_bytes(manifest.render_root(fields, []))


def record_files(out: Path) -> dict[str, bytes]:
    """Key -> bytes of each record file of a build."""
    return {
        f"{name}/{file.stem}": file.read_bytes()
        for name in KIND_OF
        for file in (out / "api" / name.replace("events", "calendar/events") / "slug").glob(
            "*.json"
        )
        if json.loads(file.read_bytes())["kind"] != "moved"
    }
