"""A logo: its type by its bytes, its limits, and the bytes to publish."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from generator.features.logos.images import png
from generator.problems.faults import RefusedFile

MAX_BYTES = 64 * 1024
#: Digits of the SHA-256 in the name of a published file.
_DIGITS = 32

#: The first bytes of other files that people take for logos -> what they are.
_OTHERS = {
    b"\xff\xd8\xff": "a JPEG",
    b"GIF8": "a GIF",
    b"RIFF": "a WebP",
    b"\0\0\1\0": "an icon",
    b"%PDF": "a PDF",
    b"\x1f\x8b": "a compressed SVG (svgz)",
    b"PK\3\4": "a zip archive",
    b"BM": "a bitmap",
    b"II*\0": "a TIFF",
    b"MM\0*": "a TIFF",
}


class Published(NamedTuple):
    """The published file of a logo: its name and its bytes."""

    name: str
    data: bytes


def read_logo(name: str, raw: bytes) -> Published:
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
        data = png.rewrite_png(raw)
    else:
        from generator.features.logos.images.svg import rewrite_svg

        data = rewrite_svg(raw)
    return Published(f"{sha256(data).hexdigest()[:_DIGITS]}.{found}", data)


def _type(raw: bytes) -> str:
    """`png` or `svg`.  Raises RefusedFile for another type of file."""
    if raw.startswith(png.SIGNATURE):
        return "png"
    other = next((words for start, words in _OTHERS.items() if raw.startswith(start)), None)
    if other is None and b"<" in raw[:1024]:
        return "svg"
    message = "this file is empty" if not raw else f"this is {other or 'neither SVG nor PNG'}"
    raise RefusedFile("invalid-logo", message, "export the logo as SVG or PNG")
