"""A record's file with the files of the manifest that prove it, inside an answer.

    {"collection", "slug", "truncated": false, "data": the record,
     "proof": {"root": text of root.json, "files": {path: file, deflated (RFC 1950), in base64}},
     "next": null}

The files are the record's own and those from the snapshot down to the bin that lists it. They are
whole: SHA-256 proves no part of a file.  Whoever has the answer checks it without the host
(`registry verify --answer`).
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from typing import Any

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.contract.manifest import Malformed
from generator.grammar.paths import MANIFEST_ROOT
from generator.reader.answers import ClientError
from generator.reader.verified import Manifest, Untrusted, find_fault


def make_proof(read: ReadFiles, path: str) -> dict[str, Any]:
    """The proof of a published file. Raises ClientError."""
    files: dict[str, bytes] = {}

    def recorded(paths: Sequence[str]) -> Sequence[bytes | None]:
        contents = read(paths)
        files.update({p: raw for p, raw in zip(paths, contents, strict=True) if raw is not None})
        return contents

    [root, raw] = read([MANIFEST_ROOT, path])
    if root is None:
        raise ClientError("This registry has no manifest, so nothing can be proved.")
    try:
        entry = Manifest(manifest.read_root(root), recorded).entry(path)
    except Malformed as error:
        raise Untrusted(f"{MANIFEST_ROOT}: {error}") from error
    if raw is None or (fault := find_fault(entry, raw)) is not None:
        raise Untrusted(f"{path}: {fault if raw is not None else 'it is missing'}")
    files[path] = raw
    packed = {name: base64.b64encode(zlib.compress(raw, 9)).decode() for name, raw in files.items()}
    return {"root": root.decode(), "files": packed}
