"""The pointer of a store, which names the published tree.

    current.json        the pointer; it is replaced in one step when its tree is complete
    trees/<n>-<rules>/  one version with all of its files; <rules> is a digest of their headers
    publishing.json     the lease of the machine that is publishing

A pointer is untrusted: names of trees have a fixed form and cannot lead elsewhere.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import orjson

POINTER, LEASE, TREES = "/current.json", "/publishing.json", "/trees"
#: The most bytes of a pointer, and the most former trees in it.
MAX_POINTER, MAX_FORMER = 1 << 16, 100
#: A regular expression of the names of trees.
TREE_PATTERN = "[1-9][0-9]{0,8}-[0-9a-f]{8}"
is_tree_name = re.compile(TREE_PATTERN).fullmatch
_is_digest = re.compile(r"[0-9a-f]{64}").fullmatch


class Pointer(NamedTuple):
    """The published tree, the former trees, the latest first, and version and SHA-256 of the root
    of the published tree's manifest.
    """

    tree: str
    former: tuple[str, ...]
    version: int
    root: str

    @property
    def tree_path(self) -> str:
        """The path of the tree in the store."""
        return path_of_tree(self.tree)

    def encoded(self) -> bytes:
        return orjson.dumps({"kind": "pointer", **self._asdict()}) + b"\n"


def parse_pointer(raw: bytes) -> Pointer | None:
    """The pointer in these bytes; None if they are not a valid pointer."""
    try:
        content = orjson.loads(raw) if len(raw) <= MAX_POINTER else None
    except ValueError:
        return None
    match content:
        case {
            "kind": "pointer",
            "tree": str(tree),
            "former": list(former),
            "version": int(version),
            "root": str(root),
        } if (
            len(former) <= MAX_FORMER
            and all(isinstance(name, str) and is_tree_name(name) for name in (tree, *former))
            and version is not True
            and version >= 0
            and _is_digest(root)
        ):
            return Pointer(tree, tuple(former), version, root)
    return None


def path_of_tree(tree: str) -> str:
    return f"{TREES}/{tree}"


def tree_number(tree: str) -> int:
    """The number at the beginning of a tree's name."""
    return int(tree.partition("-")[0])


def header_digest(tree: str) -> str:
    """The digest of headers in a tree's name."""
    return tree.partition("-")[2]
