"""Compiled templates, kept from build to build: compiling takes most of the time of a small build.

They are code that is executed, so they are stored in the `__pycache__` of the generator, which only
people who can write the generator can write.  The output and its state may have come with a clone.
If the folder cannot be written, templates are compiled in each build.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import marshal
import os
import sys
from functools import cache
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from generator.disk.fingerprint import fingerprint


class Compiled(BytecodeCache):
    """The templates of the site, of this version of the generator and its libraries."""

    def __init__(self, folder: Path | None = None):
        folder = folder or Path(importlib.util.cache_from_source(__file__)).parent
        self.file, self._version = folder / "templates.bin", fingerprint().encode()
        self._known = self._read()
        self._added = False

    def _read(self) -> dict[str, bytes]:
        try:
            raw = self.file.read_bytes()
        except OSError:
            return {}
        digest = hashlib.sha256(self._version)
        size, data = digest.digest_size, raw[digest.digest_size :]
        digest.update(data)
        if raw[:size] != digest.digest():  # another version, or cut off by a full disk
            return {}
        known: dict[str, bytes] = marshal.loads(data)
        return known

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._known:
            bucket.bytecode_from_string(self._known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key] = bucket.bytecode_to_string()
        self._added = True

    def write(self) -> None:
        """Save newly compiled templates, unless Python must not write bytecode."""
        if not self._added or sys.dont_write_bytecode:
            return
        data = marshal.dumps(self._known)
        part = self.file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(exist_ok=True)
            try:
                part.write_bytes(hashlib.sha256(self._version + data).digest() + data)
                part.replace(self.file)
            finally:
                part.unlink(missing_ok=True)
        self._added = False


@cache
def compiled_templates() -> Compiled:
    """Those of this process: they depend on the generator alone."""
    return Compiled()
