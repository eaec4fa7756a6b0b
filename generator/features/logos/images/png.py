"""PNG files (https://www.w3.org/TR/png-3/): checked whole, and written without metadata."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from generator.features.logos.images.sizes import check_size
from generator.problems.faults import RefusedFile

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: The chunks that a published file has; the others hold texts, times, profiles and EXIF data.
KEPT = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
#: The chunks of an animation.
_ANIMATION = (b"acTL", b"fcTL", b"fdAT")
#: colour type -> samples of a pixel, and the bit depths that it may have
_COLOUR_TYPES = {
    0: (1, (1, 2, 4, 8, 16)),
    2: (3, (8, 16)),
    3: (1, (1, 2, 4, 8)),
    4: (2, (8, 16)),
    6: (4, (8, 16)),
}
#: The passes of an interlaced image: the first column and row, and the steps between them.
_PASSES = (
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
)  # fmt: skip
_MAX_FILTER = 4  # of the filter types of a row
_EXPORT = "export the logo again as PNG"


class Header(NamedTuple):
    """The content of an IHDR chunk."""

    width: int
    height: int
    depth: int
    colour_type: int
    interlaced: bool


def rewrite_png(raw: bytes) -> bytes:
    """The PNG without its metadata.  Raises RefusedFile."""
    chunks = list(_chunks(raw))
    header = _header(*chunks[0])
    names = [name for name, _ in chunks]
    _check_order(names, header)
    for name, data in chunks:
        _check_chunk(name, data, header)
    pixels = b"".join(data for name, data in chunks if name == b"IDAT")
    _check_pixels(pixels, header)
    kept = b"".join(_chunk(name, data) for name, data in chunks if name in KEPT)
    return SIGNATURE + kept


def _refuse(message: str, hint: str = _EXPORT) -> NoReturn:
    raise RefusedFile("invalid-logo", message, hint)


def _chunks(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a file: name and data."""
    place = len(SIGNATURE)
    while True:
        size, name = int.from_bytes(raw[place : place + 4], "big"), raw[place + 4 : place + 8]
        end = place + 8 + size
        if len(raw) < end + 4:
            _refuse("this PNG is cut off: its end is missing")
        if not (name.isalpha() and name.isascii()):
            _refuse("this PNG is damaged: a part of it has no valid name")
        if int.from_bytes(raw[end : end + 4], "big") != zlib.crc32(raw[place + 4 : end]):
            _refuse(f"this PNG is damaged: its part {name.decode()} has a wrong checksum")
        yield name, raw[place + 8 : end]
        place = end + 4
        if name == b"IEND":
            break
    if place != len(raw):
        _refuse(f"this PNG has {len(raw) - place:,} bytes after its end")


def _header(name: bytes, data: bytes) -> Header:
    if name != b"IHDR" or len(data) != 13:
        _refuse("this PNG does not begin with its size")
    width, height = int.from_bytes(data[:4], "big"), int.from_bytes(data[4:8], "big")
    depth, colour_type, compression, filtering, interlace = data[8:]
    _, depths = _COLOUR_TYPES.get(colour_type, (0, ()))
    if depth not in depths or compression or filtering or interlace > 1:
        _refuse("this PNG has a header that no browser reads")
    check_size(width, height)
    return Header(width, height, depth, colour_type, bool(interlace))


def _check_order(names: list[bytes], header: Header) -> None:
    if any(name in _ANIMATION for name in names):
        _refuse("this PNG is animated", "export a single picture")
    for name in (b"IHDR", b"PLTE", b"tRNS", b"IEND"):
        if names.count(name) > 1:
            _refuse(f"this PNG is damaged: it has {name.decode()} more than once")
    places = [number for number, name in enumerate(names) if name == b"IDAT"]
    if not places or places != list(range(places[0], places[-1] + 1)):
        _refuse("this PNG is damaged: its pixels are missing or in several places")
    if header.colour_type == 3 and b"PLTE" not in names:
        _refuse("this PNG is damaged: its palette is missing")
    before = [name for name in names[: places[0]] if name in (b"PLTE", b"tRNS")]
    if before != [name for name in (b"PLTE", b"tRNS") if name in names]:
        _refuse("this PNG is damaged: its parts are in a wrong order")


def _check_chunk(name: bytes, data: bytes, header: Header) -> None:
    if name not in KEPT and not name[0] & 0x20:
        _refuse(f"this PNG has a part {name.decode()} that browsers do not know")
    if name == b"PLTE" and (len(data) % 3 or not 0 < len(data) <= 768):
        _refuse("this PNG is damaged: its palette has a wrong length")
    if name == b"tRNS" and (
        header.colour_type in (4, 6) or len(data) > {0: 2, 2: 6}.get(header.colour_type, 256)
    ):
        _refuse("this PNG is damaged: its transparent colours have a wrong length")
    if name == b"IEND" and data:
        _refuse("this PNG is damaged: there is data in its last part")


def _chunk(name: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(name + data)
    return len(data).to_bytes(4, "big") + name + data + checksum.to_bytes(4, "big")


def _check_pixels(pixels: bytes, header: Header) -> None:
    """Decompress the pixels, at most as many bytes as the size needs, and check their number."""
    *starts, size = _row_starts(header)
    decompressor = zlib.decompressobj()
    try:
        rows = decompressor.decompress(pixels, size + 1)
    except zlib.error:
        _refuse("this PNG is damaged: its pixels cannot be decompressed")
    if len(rows) != size or not decompressor.eof or decompressor.unused_data:
        _refuse("this PNG is damaged: it has more or fewer pixels than its size says")
    if any(rows[start] > _MAX_FILTER for start in starts):
        _refuse("this PNG is damaged: a row of its pixels has an unknown filter")


def _row_starts(header: Header) -> Iterator[int]:
    """Where each row of the decompressed pixels begins, and where the last one ends."""
    samples, _ = _COLOUR_TYPES[header.colour_type]
    place = 0
    for left, top, across, down in _PASSES if header.interlaced else ((0, 0, 1, 1),):
        columns = -(-(header.width - left) // across)
        rows = -(-(header.height - top) // down)
        if columns > 0:
            for _ in range(rows):
                yield place
                place += 1 + (columns * samples * header.depth + 7) // 8
    yield place
