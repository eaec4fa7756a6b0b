"""What an output depends on besides its content."""

from __future__ import annotations

import hashlib
import os
import sys

from generator import PACKAGE

#: Distributions whose version can show in the output.
_DISTRIBUTIONS = (
    "brotli",
    "icalendar",
    "jinja2",
    "markdown_it_py",
    "markupsafe",
    "orjson",
    "pycountry",
    "pydantic",
    "pydantic_core",
    "pyyaml",
    "tzdata",
)


def fingerprint(*asked: str) -> str:
    """Two digests with a space between them: of this package, its templates and the packages that
    it uses; and of the options `asked`.
    """
    whole = hashlib.sha256(sys.version.encode())
    for root in (PACKAGE, PACKAGE.parent / "templates"):
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            for name in sorted(names):
                file = os.open(os.path.join(folder, name), os.O_RDONLY)
                try:
                    whole.update(f"{name}\0".encode())
                    while some := os.read(file, 1 << 20):
                        whole.update(some)
                finally:
                    os.close(file)
    for place in dict.fromkeys(sys.path):
        if place and os.path.isdir(place):
            for name in sorted(os.listdir(place)):
                if name.endswith(".dist-info") and name.lower().startswith(_DISTRIBUTIONS):
                    whole.update(name.encode())
    options = hashlib.sha256(b"\0".join(map(os.fsencode, asked)))
    return f"{whole.hexdigest()} {options.hexdigest()}"
