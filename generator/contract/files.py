"""How a published registry is read: by one function, whatever has its files.

A folder, a host, a bucket, a copy that is verified and a registry in memory (`Published`) each give
such a function; the query engine, readers, guards, tools and the development server take it.  It
reads several files at once, because a host answers them in parallel.

A store has a pointer, which names the published tree:

    current.json        the pointer; it is replaced in one step when its tree is complete
    trees/<n>-<rules>/  one version with all of its files; <rules> is a digest of their headers
    publishing.json     the lease of the machine that is publishing

A pointer is untrusted: names of trees have a fixed form and cannot lead elsewhere.
"""

from __future__ import annotations

import importlib
import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import orjson

from generator.grammar.paths import CODINGS

#: Returns the files at these addresses, None for each that is missing.  Raises an error of the
#: reader if it is not known whether there is a file.
ReadFiles = Callable[[Sequence[str]], Sequence[bytes | None]]


class Vouched(bytes):
    """A file whose reader vouches for `check`, the CRC-32 that the search index lists for it, so
    that nobody needs the bytes of all files of an index to list their checks.
    """

    check: int

    def __new__(cls, data: bytes, check: int) -> Vouched:
        made = super().__new__(cls, data)
        made.check = check
        return made


def rows_in(page: bytes) -> bytes:
    """The encoded rows of a list document, with a comma and a line break between them: the bytes
    between its first and its last but one line break.
    """
    start = page.find(b"\n") + 1
    return page[start : max(start, page.rfind(b"\n", 0, max(0, len(page) - 1)))]


def unpack(copy: bytes, ending: str, size: int) -> bytes:
    """The content of a compressed file with this ending, at most one byte more than `size`: a
    short file may be of many bytes.  Raises ValueError for a damaged file, and ModuleNotFoundError
    without the package brotli.
    """
    stream: Any
    try:
        if ending == CODINGS["gzip"]:
            stream = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            data: bytes = stream.decompress(copy, size + 1)
            is_whole = stream.eof and not stream.unused_data
        else:
            stream = importlib.import_module("brotli").Decompressor()
            data = stream.process(copy, output_buffer_limit=size + 1)
            is_whole = stream.is_finished()
    except ModuleNotFoundError:
        raise
    except Exception as error:  # each library has its own
        raise ValueError from error
    if not is_whole and len(data) <= size:
        raise ValueError
    return data


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
