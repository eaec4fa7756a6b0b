"""A digest of the generator, of features that others publish, and of libraries: with the same one
the same content gives the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
from functools import cache

from generator import PACKAGE
from generator.feature import features

#: Distributions whose version, or absence, can change the output.
_DISTRIBUTIONS = (
    "brotli",
    "cryptography",
    "icalendar",
    "jinja2",
    "markdown_it_py",
    "markupsafe",
    "orjson",
    "pyarrow",
    "pycountry",
    "pydantic",
    "pydantic_core",
    "pyyaml",
    "quickjs_ng",
    "tzdata",
)


@cache
def fingerprint() -> str:
    """The SHA-256 of the generator with its templates and all features, and of the versions of
    Python and libraries.
    """
    code = hashlib.sha256(f"{sys.version} {sqlite3.sqlite_version}".encode())
    installed = (feature.folder for feature in features() if feature.origin)
    for root in (PACKAGE, PACKAGE.parent / "templates", *installed):
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
    return code.hexdigest()
