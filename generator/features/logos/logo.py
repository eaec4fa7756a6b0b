"""A logo: its type by its bytes, its limits, and the bytes to publish.

A PNG (https://www.w3.org/TR/png-3/) is published without its metadata.  `svg.py` reads SVG.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple, NoReturn

from generator.problems.faults import RefusedFile

#: Bytes of a file, and pixels of each side of the picture.
MAX_BYTES, MAX_PIXELS = 64 * 1024, 2048
#: Digits of the SHA-256 in the name of a published file.
_DIGITS = 32
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: The chunks that a published PNG has; the others hold texts, times, profiles and EXIF data.
_KEPT = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_ANIMATION = (b"acTL", b"fcTL", b"fdAT")
#: The first bytes of other files that people take for logos -> what they are.
_OTHERS = {
    b"\xff\xd8\xff": "a JPEG", b"GIF8": "a GIF", b"RIFF": "a WebP", b"\0\0\1\0": "an icon",
    b"%PDF": "a PDF", b"\x1f\x8b": "a compressed SVG (svgz)", b"PK\3\4": "a zip archive",
    b"BM": "a bitmap", b"II*\0": "a TIFF", b"MM\0*": "a TIFF",
}  # fmt: skip


class PublishedLogo(NamedTuple):
    """The published file of a logo: its name and its bytes."""

    name: str
    data: bytes


def read_logo(name: str, raw: bytes) -> PublishedLogo:
    """The published file of a logo with this file name.  Raises RefusedFile."""
    if len(raw) > MAX_BYTES:
        message = f"this logo is larger than {MAX_BYTES // 1024} KiB"
        raise RefusedFile("logo-too-large", message, "export it smaller, or simplify its paths")
    ending, found = name.rpartition(".")[2], _type(raw)
    if found != ending:
        hint = f'rename it to "{name.rpartition(".")[0]}.{found}", also in the record'
        message = f"this file is named .{ending}, and is {found.upper()}"
        raise RefusedFile("invalid-logo", message, hint)
    if found == "png":
        data = _rewrite_png(raw)
    else:
        from generator.features.logos.svg import rewrite_svg

        data = rewrite_svg(raw)
    return PublishedLogo(f"{sha256(data).hexdigest()[:_DIGITS]}.{found}", data)


def _type(raw: bytes) -> str:
    """`png` or `svg`.  Raises RefusedFile for another type of file."""
    if raw.startswith(PNG_SIGNATURE):
        return "png"
    other = next((words for start, words in _OTHERS.items() if raw.startswith(start)), None)
    if other is None and b"<" in raw[:1024]:
        return "svg"
    message = "this file is empty" if not raw else f"this is {other or 'neither SVG nor PNG'}"
    raise RefusedFile("invalid-logo", message, "export the logo as SVG or PNG")


def check_size(width: float, height: float, line: int = 1, column: int = 1) -> None:
    """Raises RefusedFile if a side is longer than `MAX_PIXELS`, or empty."""
    if width > MAX_PIXELS or height > MAX_PIXELS:
        message = f"this logo is {width:g} × {height:g} pixels; at most {MAX_PIXELS:,} are allowed"
        raise RefusedFile("logo-too-large", message, "export it smaller", line, column)
    if width <= 0 or height <= 0:
        message = f"this logo is {width:g} × {height:g} pixels, so nothing of it is visible"
        raise RefusedFile("invalid-logo", message, "export it again", line, column)


# --- PNG ---


def _rewrite_png(raw: bytes) -> bytes:
    """The PNG without its metadata.  Raises RefusedFile."""
    chunks = list(_chunks(raw))
    name, header = chunks[0]
    if name != b"IHDR" or len(header) != 13:
        _refuse("this PNG does not begin with its size")
    check_size(int.from_bytes(header[:4], "big"), int.from_bytes(header[4:8], "big"))
    names = [name for name, _ in chunks]
    if any(name in _ANIMATION for name in names):
        _refuse("this PNG is animated", "export a single picture")
    if b"IDAT" not in names:
        _refuse("this PNG is damaged: its pixels are missing")
    for name in names:
        if name not in _KEPT and not name[0] & 0x20:
            _refuse(f"this PNG has a part {name.decode()} that browsers do not know")
    return PNG_SIGNATURE + b"".join(_chunk(*chunk) for chunk in chunks if chunk[0] in _KEPT)


def _chunks(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    place, name = len(PNG_SIGNATURE), b""
    while name != b"IEND":
        size, name = int.from_bytes(raw[place : place + 4], "big"), raw[place + 4 : place + 8]
        end = place + 8 + size
        if len(raw) < end + 4:
            _refuse("this PNG is cut off: its end is missing")
        if not (name.isalpha() and name.isascii()):
            _refuse("this PNG is damaged: a part of it has no valid name")
        if raw[place : end + 4] != _chunk(name, raw[place + 8 : end]):
            _refuse(f"this PNG is damaged: its part {name.decode()} has a wrong checksum")
        yield name, raw[place + 8 : end]
        place = end + 4
    if place != len(raw):
        _refuse(f"this PNG has {len(raw) - place:,} bytes after its end")


def _chunk(name: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(name + data)
    return len(data).to_bytes(4, "big") + name + data + checksum.to_bytes(4, "big")


def _refuse(message: str, hint: str = "export the logo again as PNG") -> NoReturn:
    raise RefusedFile("invalid-logo", message, hint)
