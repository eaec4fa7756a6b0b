"""The pointer of a store: which of the trees in it is what is published.

    current.json        the pointer; it is replaced in one step, when its tree is whole
    trees/<n>-<rules>/  one version with all of its files; <rules> is of the headers that they have
    publishing.json     who is publishing, while somebody is

Anyone may have written a pointer: a tree's name is of one form, so none leads elsewhere.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import orjson

POINTER, LEASE, TREES = "/current.json", "/publishing.json", "/trees"
#: Bytes that a pointer has at most, and former trees that it names.
MAX_POINTER, MAX_FORMER = 1 << 16, 100
_KIND = "pointer"
#: The names of trees, as a regular expression.
TREE = "[1-9][0-9]{0,8}-[0-9a-f]{8}"
_is_tree = re.compile(TREE).fullmatch
_is_digest = re.compile(r"[0-9a-f]{64}").fullmatch


class Pointer(NamedTuple):
    """The tree that is published, those that were before it, the latest first, and of its root the
    version and the SHA-256.
    """

    tree: str
    former: tuple[str, ...]
    version: int
    root: str

    @property
    def place(self) -> str:
        """The path that all of the tree's files have before theirs."""
        return place_of(self.tree)

    def encoded(self) -> bytes:
        return orjson.dumps({"kind": _KIND, **self._asdict()}) + b"\n"


def parse(raw: bytes) -> Pointer | None:
    """The pointer that these bytes are; None where they are none."""
    try:
        said = orjson.loads(raw) if len(raw) <= MAX_POINTER else None
    except ValueError:
        return None
    match said:
        case {
            "kind": "pointer",
            "tree": str(tree),
            "former": list(former),
            "version": int(version),
            "root": str(root),
        } if (
            len(former) <= MAX_FORMER
            and all(isinstance(name, str) and _is_tree(name) for name in (tree, *former))
            and version is not True
            and version >= 0
            and _is_digest(root)
        ):
            return Pointer(tree, tuple(former), version, root)
    return None


def is_tree(name: str) -> bool:
    return _is_tree(name) is not None


def place_of(tree: str) -> str:
    return f"{TREES}/{tree}"


def number_of(tree: str) -> int:
    """The number that a tree's name begins with."""
    return int(tree.partition("-")[0])


def rules_of(tree: str) -> str:
    """What a tree's name says of the headers of its files."""
    return tree.partition("-")[2]
