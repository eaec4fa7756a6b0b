"""Texts compressed once, by the build, and laid beside what they are made of, for servers that send
them as they are.

A compressed file is a function of the bytes it is made of.  It is no surface of the API: nothing
links to it.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from generator.api.artifact import Artifact
from generator.build.executors import Executor
from generator.build.update import Output
from generator.build.write import Tree, Written
from generator.disk.beside import OutputError
from generator.hosts import PRIVATE

#: Content coding (RFC 9110 section 8.4.1) -> the ending of its files.
CODINGS = {"gzip": ".gz", "br": ".br"}
#: What the files are counted as.
SURFACE = "compressed"
_ENDINGS = (".json", ".ics", ".md", ".txt", ".xml", ".html", ".js", ".bin")
#: Anything shorter fits a packet or two as it is (bytes).
_SHORTEST = 500
_CHUNK = 64


def compressors(codings: Iterable[str]) -> dict[str, Callable[[bytes], bytes]]:
    """What compresses, by the ending of the files.  Raises OutputError where a coding needs a
    package that is not there.
    """
    return {CODINGS[coding]: _gzip if coding == "gzip" else _brotli() for coding in sorted(codings)}


def _gzip(data: bytes) -> bytes:
    # Neither a time nor a name, and the same system in every header.
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    tail = zlib.crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
    return b"\x1f\x8b\x08\0\0\0\0\0\x02\xff" + packed + tail


def _brotli() -> Callable[[bytes], bytes]:
    try:
        brotli: Any = importlib.import_module("brotli")
    except ImportError:
        raise OutputError(
            "--precompress br needs the package brotli: pip install 'registry-generator[brotli]'; nothing was written."
        ) from None
    # The best there is; a smaller window than usual takes less time, and is as good for files of
    # this size.
    return lambda data: bytes(brotli.compress(data, quality=11, lgwin=18))


def compress(
    tree: Tree, files: Iterable[Written], codings: Sequence[str], executor: Executor
) -> Iterator[list[Written]]:
    """Write the compressed files of a whole output; yields what was written."""
    return executor.run(
        _compress, [path for path, _, size in files if _worth(path, size)], (tree, codings), _CHUNK
    )


def _compress(paths: list[str], shared: tuple[Tree, Sequence[str]]) -> list[Written]:
    """Write the compressed files of some."""
    tree, codings = shared
    made = compressors(codings)
    written = []
    for path in paths:
        data = (tree.root / path[1:]).read_bytes()
        written += [
            tree.write(Artifact(path + ending, packed(data))) for ending, packed in made.items()
        ]
    return written


def compress_changes(output: Output, codings: Iterable[str]) -> None:
    """Write, or remove, the compressed files of those that a change touches."""
    made = compressors(codings)
    touched = {**dict.fromkeys(output.removed), **output.written} if made else {}
    for path, stat in touched.items():
        data = (
            (output.tree.root / path[1:]).read_bytes()
            if stat is not None and _worth(path, stat[1])
            else None
        )
        for ending, packed in made.items():
            if data is not None:
                output.put(SURFACE, Artifact(path + ending, packed(data)), output.why[path])
            else:
                output.drop(SURFACE, path + ending, output.removed.get(path) or output.why[path])


def _worth(path: str, size: int) -> bool:
    return size >= _SHORTEST and path.endswith(_ENDINGS) and path.split("/")[1] not in PRIVATE
