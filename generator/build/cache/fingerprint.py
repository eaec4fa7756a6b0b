"""A digest of the generator, its dependencies and the options of a build."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys

from generator import PACKAGE

#: Distributions whose version, or absence, can change the output.
_DISTRIBUTIONS = (
    "brotli",
    "cryptography",
    "icalendar",
    "jinja2",
    "markdown_it_py",
    "markupsafe",
    "orjson",
    "pillow",
    "pyarrow",
    "pycountry",
    "pydantic",
    "pydantic_core",
    "pyyaml",
    "tzdata",
)


def fingerprint(*options: str) -> str:
    """Two digests with a space between them: of the generator with its templates, Python and
    dependencies; and of `options`.
    """
    code = hashlib.sha256(f"{sys.version} {sqlite3.sqlite_version}".encode())
    for root in (PACKAGE, PACKAGE.parent / "templates"):
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            for name in sorted(names):
                code.update(f"{name}\0".encode())
                with open(os.path.join(folder, name), "rb", buffering=0) as file:
                    while block := file.read(1 << 20):
                        code.update(block)
    for path in dict.fromkeys(sys.path):
        if path and os.path.isdir(path):
            for name in sorted(os.listdir(path)):
                if name.endswith(".dist-info") and name.lower().startswith(_DISTRIBUTIONS):
                    code.update(name.encode())
    options_digest = hashlib.sha256(b"\0".join(map(os.fsencode, options)))
    return f"{code.hexdigest()} {options_digest.hexdigest()}"
