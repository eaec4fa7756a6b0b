"""Stores that a build was published into, and what they should hold."""

from __future__ import annotations

import hashlib
import json
import urllib.request
import uuid
from pathlib import Path

from generator.api import pointer
from generator.api.manifest import lists
from generator.api.paths import BUILD
from generator.api.pointer import POINTER, Pointer
from generator.stores.store import Store
from support import commands

MOST = 1 << 24


def pointed(store: Store) -> Pointer:
    raw = store.read(POINTER, MOST)
    assert raw is not None
    now = pointer.parse(raw)
    assert now is not None
    return now


def should(build: Path) -> dict[str, bytes]:
    """What a tree of a build has: its files without those that only hosts read."""
    files = {f"/{path}": data for path, data in commands.files(build).items()}
    return {
        path: data
        for path, data in files.items()
        if lists(path) or path in (BUILD, "/404.html") or path.startswith("/api/manifest/")
    }


def holds(store: Store, build: Path, *, strays: bool = False) -> bool:
    """Whether what the pointer names is just this build, to the byte."""
    place = pointed(store).place
    found = {path.removeprefix(place): digest for path, digest in _digests(store, place).items()}
    wanted = {path: _digest(data) for path, data in should(build).items()}
    return wanted.items() <= found.items() if strays else wanted == found


def _digests(store: Store, below: str) -> dict[str, str]:
    """path -> the MD5 of every object below a path; S3 tells them with the names."""
    if store.shown.startswith("s3:"):
        every = store._fs.find(store._base + below, detail=True).items()
        return {name.removeprefix(store._base): held["ETag"].strip('"') for name, held in every}
    names = store.names(below)
    return dict(zip(names, store.each(lambda path: _held(store, path), names), strict=True))


def _held(store: Store, path: str) -> str:
    data = store.read(path, MOST)
    assert data is not None
    return _digest(data)


def _digest(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


class S3:
    """A server, and a bucket of its own for each test, which anybody may read from."""

    def __init__(self, base: str):
        self.base, self.bucket = base, f"bucket-{uuid.uuid4().hex[:12]}"
        self.url = f"s3://{self.bucket}/registry"
        self.public = f"{base}/{self.bucket}/registry"
        policy = {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Principal": "*",
                    "Action": ["s3:GetObject", "s3:HeadObject"],
                    "Resource": f"arn:aws:s3:::{self.bucket}/*",
                }
            ],
        }
        for query, body in (("", None), ("?policy", json.dumps(policy).encode())):
            asked = urllib.request.Request(
                f"{base}/{self.bucket}{query}", body, {"Content-Type": "text/plain"}, method="PUT"
            )
            urllib.request.urlopen(asked).close()

    def head(self, path: str) -> dict[str, str]:
        asked = urllib.request.Request(self.public + path, method="HEAD")
        with urllib.request.urlopen(asked) as answer:
            return {name.lower(): value for name, value in answer.headers.items()}
