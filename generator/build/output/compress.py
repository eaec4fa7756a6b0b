"""Texts compressed once, by the build, and laid beside what they are made of, for servers that send
them as they are.

A compressed file is a function of the bytes it is made of.  It is no surface of the API: nothing
links to it.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from generator.build.executors import Executor
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.read import Write
from generator.build.report import Follows
from generator.contract.artifact import Artifact
from generator.disk.output_state import OutputError
from generator.grammar.paths import CODINGS, PRIVATE

#: What the files are counted as.
SURFACE = "compressed"
_ENDINGS = (".json", ".ics", ".md", ".txt", ".xml", ".html", ".js")
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
            "--precompress br needs the package brotli: pip install 'registry-generator[brotli]'; "
            "nothing was written."
        ) from None
    # The best there is; a smaller window than usual takes less time, and is as good for files of
    # this size.
    return lambda data: bytes(brotli.compress(data, quality=11, lgwin=18))


def compress(files: Files, codings: Sequence[str], workers: Callable[[int], Executor]) -> None:
    """Write the compressed files of what was written, and keep the others."""
    if not codings:
        return
    endings = [CODINGS[coding] for coding in codings]
    worth = [path for path, noted in list(files.all.items()) if _worth(path, noted[1])]
    stale = []
    for path in worth:
        packed = [path + ending for ending in endings]
        if path not in files.written and files.has(packed):
            files.keep(SURFACE, packed)
        else:
            stale.append(path)
    shared = files, codings
    for done in workers(len(stale)).run(_compress, stale, shared, _CHUNK):
        for path, some in done:
            files.account(SURFACE, some, Follows(path))


def _compress(paths: list[str], shared: tuple[Files, Sequence[str]]) -> list[Any]:
    """Write the compressed files of some: (path, what was written) of each."""
    files, codings = shared
    packers = compressors(codings)
    return [(path, _packed(path, files.read(path), packers, files.write)) for path in paths]


def _packed(
    path: str, data: bytes, packers: Mapping[str, Callable[[bytes], bytes]], write: Write
) -> list[Written]:
    return [
        one
        for ending, pack in packers.items()
        for one in write(Artifact(path + ending, pack(data)))
    ]


def _worth(path: str, size: int) -> bool:
    return size >= _SHORTEST and path.endswith(_ENDINGS) and path.split("/")[1] not in PRIVATE
