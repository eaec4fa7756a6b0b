"""Compiled templates, kept from build to build: compiling takes most of the time of a small build.

They are code that is executed, so they are stored in the `__pycache__` of the generator, which only
people who can write the generator can write.  The output and its state may have come with a clone.
If the folder cannot be written, templates are compiled in each build.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from functools import cache
from pathlib import Path

from jinja2.bccache import Bucket, FileSystemBytecodeCache

from generator.disk.output_state import fingerprint


class _Kept(FileSystemBytecodeCache):
    def load_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with contextlib.suppress(OSError):
                super().dump_bytecode(bucket)


def kept_in(folder: Path, version: str) -> FileSystemBytecodeCache:
    """The templates compiled by one version of the generator and its libraries, in files below
    `folder`.  Those of other versions are removed.
    """
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.template"):
            if not file.name.startswith(version):
                file.unlink(missing_ok=True)
    return _Kept(str(folder), f"{version}-%s.template")


@cache
def compiled_templates() -> FileSystemBytecodeCache:
    """Those of this process: they depend on the generator alone."""
    folder = Path(importlib.util.cache_from_source(__file__)).parent
    return kept_in(folder / "templates", fingerprint()[:16])
