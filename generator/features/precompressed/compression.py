"""Compressed copies of text files, written beside the originals for servers that send them as is.

A copy depends only on the bytes of its original.  It is not part of the API: nothing links to it.
"""

from __future__ import annotations

import contextlib
import importlib
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from generator.build.output import BuildOutput, Tree, WrittenFile
from generator.contract.artifact import Artifact
from generator.contract.files import unpack
from generator.disk.output_state import OutputError
from generator.executors import ChooseExecutor
from generator.grammar.paths import CODINGS, PRIVATE
from generator.problems.extras import how_to_install

#: The surface that the files are counted as.
SURFACE = "compressed"
_ENDINGS = (".json", ".ics", ".md", ".txt", ".xml", ".html", ".js", ".csv", ".ndjson")
#: Shorter files (bytes) fit in a packet or two uncompressed.
_SHORTEST = 500
_CHUNK = 64


def compressors(codings: Iterable[str]) -> dict[str, Callable[[bytes], bytes]]:
    """File ending -> function that compresses.  Raises OutputError if a package is missing."""
    return {CODINGS[coding]: _gzip if coding == "gzip" else _brotli() for coding in sorted(codings)}


def _gzip(data: bytes) -> bytes:
    # The header has no time, no name and a fixed system: equal data gives equal bytes.
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    tail = zlib.crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
    return b"\x1f\x8b\x08\0\0\0\0\0\x02\xff" + packed + tail


def _brotli() -> Callable[[bytes], bytes]:
    try:
        brotli: Any = importlib.import_module("brotli")
    except ImportError:
        raise OutputError(
            f"--precompress br needs the package brotli: {how_to_install('brotli')}; nothing was "
            "written."
        ) from None
    # Best quality.  A window smaller than the default is faster, and as good for small files.
    return lambda data: bytes(brotli.compress(data, quality=11, lgwin=18))


@dataclass(frozen=True)
class Compression:
    """Adds compressed copies in these codings to a build.  Raises OutputError if a package is
    missing.
    """

    codings: tuple[str, ...]

    def __post_init__(self) -> None:
        compressors(self.codings)

    def __call__(self, output: BuildOutput, workers: ChooseExecutor) -> None:
        """Write the compressed copies of all files that are worth it."""
        files = output.listing.files.items()
        paths = [
            (path, output.is_new(path)) for path, (size, _) in files if _is_worth_it(path, size)
        ]
        shared = output.tree, self.codings
        for results in workers(len(paths)).run(_compress, paths, shared, _CHUNK):
            for written in results:
                output.account(SURFACE, WrittenFile(*written))


def _compress(paths: list[tuple[str, bool]], shared: tuple[Tree, Iterable[str]]) -> list[Any]:
    """The compressed copies of files (path, whether it is new), as `WrittenFile`.

    A copy stays if its original is as it was and the copy has these bytes.
    """
    tree, codings = shared
    packers, results = compressors(codings), []
    for path, is_new in paths:
        data = tree.read(path) or b""
        for ending, pack in packers.items():
            copy = None if is_new else tree.read(path + ending)
            if copy is None or not _is_copy(copy, ending, data):
                copy = pack(data)
            results.append(tuple(tree.write(Artifact(path + ending, copy))))
    return results


def _is_copy(copy: bytes, ending: str, data: bytes) -> bool:
    with contextlib.suppress(ValueError):
        return unpack(copy, ending, len(data)) == data
    return False


def _is_worth_it(path: str, size: int) -> bool:
    return size >= _SHORTEST and path.endswith(_ENDINGS) and path.split("/")[1] not in PRIVATE
