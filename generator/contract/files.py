"""How a published registry is read: by one function, whatever has its files.

A folder, a host, a bucket, a copy that is verified and a registry in memory (`Published`) each give
such a function; the query engine, readers, guards, tools and the development server take it.  It
reads several files at once, because a host answers them in parallel.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Sequence
from typing import Any

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
