"""Compiled templates, kept from build to build, since compiling them is most of what an edit costs.

They are code that is run, so they lie where Python keeps that of the generator itself, which nobody
can write who could not write the generator: neither in the output nor in its state, which may have
come with a clone.  Where that folder cannot be written they are compiled each time.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import marshal
import os
import sys
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache


class Compiled(BytecodeCache):
    """The templates of one environment, in a file by its name; `version` follows from all that
    their code depends on besides their text.
    """

    def __init__(self, name: str, version: str, folder: Path | None = None):
        folder = folder or Path(importlib.util.cache_from_source(__file__)).parent
        self.file, self._version = folder / f"templates-{name}.bin", version.encode()
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
        if raw[:size] != digest.digest():  # of another version, or half of it, of a full disk
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
        """Keep what was compiled, if anything was and it may be."""
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
