"""The digest of a content folder, by which build.json says what a build was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping


def blob_id(raw: bytes) -> bytes:
    """The id that git gives to a file with these bytes: the SHA-1 of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).digest()


def content_digest(blobs: Mapping[str, bytes]) -> str:
    """The SHA-256 of the folders, names and git blob ids of all files that are read."""
    folders: dict[str, list[tuple[bytes, bytes]]] = {}
    for path, blob in blobs.items():
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append((name.encode("utf-8", "surrogateescape"), blob))
    whole = hashlib.sha256()
    for folder, files in sorted(folders.items()):
        files.sort()
        names, blobs_of_folder = b"\0".join(n for n, _ in files), b"".join(b for _, b in files)
        whole.update(
            b"%b\0%b\0\0%b" % (folder.encode("utf-8", "surrogateescape"), names, blobs_of_folder)
        )
    return "sha256:" + whole.hexdigest()
