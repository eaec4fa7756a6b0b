"""Pictures of up to 16 shades as PNG (https://www.w3.org/TR/png-3/).

The same picture gives the same bytes everywhere: `zlib.compress` would not, because systems have
different libraries behind it.  So the data is compressed here, by runs of one byte.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise

#: The number of shades.
SHADES = 16

#: A byte that is repeated 3 to 258 times after itself, or a single byte.
_runs = re.compile(rb"(.)\1{3,258}|.", re.DOTALL).finditer
#: The symbols 257 to 285 of lengths: the least length of each (RFC 1951, section 3.2.5).
_LENGTHS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
            115, 131, 163, 195, 227, 258)  # fmt: skip


def encode(rows: Sequence[bytes], palette: Sequence[tuple[int, int, int]]) -> bytes:
    """A PNG of rows of shades, one byte for each pixel; `palette` has the colours of the shades.

    The width is even.
    """
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 4, 3, 0, 0, 0)
    pairs = [bytes(map(_PACKED.__getitem__, zip(row[::2], row[1::2], strict=True))) for row in rows]
    lines = [b"\0" + pairs[0]]
    for above, row in pairwise(pairs):
        # A row, or its difference from the one above (filter 2): what has fewer runs.
        difference = bytes((a - b) & 255 for a, b in zip(row, above, strict=True))
        lines.append(min(b"\2" + difference, b"\0" + row, key=_run_count))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", header),
            (b"PLTE", bytes(channel for colour in palette for channel in colour)),
            (b"IDAT", _compressed(b"".join(lines))),
            (b"IEND", b""),
        )
    )


#: Two shades -> the byte of both.
_PACKED = {(a, b): 16 * a + b for a in range(SHADES) for b in range(SHADES)}


def _run_count(line: bytes) -> int:
    return sum(1 for _ in _runs(line))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _compressed(data: bytes) -> bytes:
    """Data in the format zlib (RFC 1950), one block with the fixed codes of RFC 1951."""
    bits = ["110"]  # the last block, with fixed codes
    for run in _runs(data):
        length = run.end() - run.start() - 1
        bits.append(_CODES[data[run.start()]])
        if length:
            bits.append(_REPEATS[length])
    bits.append(_code(256))
    stream = "".join(bits)
    packed = int(stream[::-1], 2).to_bytes(-(-len(stream) // 8), "little")
    return b"\x78\x01" + packed + struct.pack(">I", zlib.adler32(data))


def _code(symbol: int) -> str:
    """The fixed code of a literal or a length, its bits in the order of the stream."""
    if symbol < 144:
        return f"{0b00110000 + symbol:08b}"
    if symbol < 256:
        return f"{0b110010000 + symbol - 144:09b}"
    if symbol < 280:
        return f"{symbol - 256:07b}"
    return f"{0b11000000 + symbol - 280:08b}"


def _repeat(length: int) -> str:
    """The codes of a length and of the distance 1."""
    index = max(i for i, least in enumerate(_LENGTHS) if least <= length)
    extra = 0 if index < 8 or index == 28 else (index - 4) // 4
    more = f"{length - _LENGTHS[index]:0{extra}b}"[::-1] if extra else ""
    return _code(257 + index) + more + "00000"


_CODES = [_code(symbol) for symbol in range(256)]
_REPEATS = ["" if length < 3 else _repeat(length) for length in range(259)]
