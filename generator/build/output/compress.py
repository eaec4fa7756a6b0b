"""Compressed copies of text files, written beside the originals for servers that send them as is.

A copy depends only on the bytes of its original.  It is not part of the API: nothing links to it.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from generator.build.executors import Executor
from generator.build.output.files import Files
from generator.build.report import FromFile
from generator.contract.artifact import Artifact
from generator.disk.output_state import OutputError
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


def compress(files: Files, codings: Sequence[str], workers: Callable[[int], Executor]) -> None:
    """Write the compressed copies of written files, and keep those of the other files."""
    if not codings:
        return
    endings = [CODINGS[coding] for coding in codings]
    stale = []
    for path, (_, size, _) in list(files.all.items()):
        if not _is_worth_compressing(path, size):
            continue
        packed = [path + ending for ending in endings]
        if path not in files.written and files.has(packed):
            files.keep(SURFACE, packed)
        else:
            stale.append(path)
    shared = files, codings
    for results in workers(len(stale)).run(_compress, stale, shared, _CHUNK):
        for path, written in results:
            files.account(SURFACE, written, FromFile(path))


def _compress(paths: list[str], shared: tuple[Files, Sequence[str]]) -> list[Any]:
    """Write the compressed copies of files: (path, written files) of each."""
    files, codings = shared
    packers = compressors(codings)
    results = []
    for path in paths:
        data = files.read(path)
        copies = [Artifact(path + ending, pack(data)) for ending, pack in packers.items()]
        results.append((path, [written for copy in copies for written in files.write(copy)]))
    return results


def _is_worth_compressing(path: str, size: int) -> bool:
    return size >= _SHORTEST and path.endswith(_ENDINGS) and path.split("/")[1] not in PRIVATE
