"""Logos in PNG: what is refused, and what is published of the others."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable

import pytest
from PIL import Image, PngImagePlugin

from generator.features.logos.logo import PNG_SIGNATURE, read_logo
from generator.problems.faults import RefusedFile

MODES = ("1", "L", "P", "RGB", "RGBA", "LA", "I;16")


def png(mode: str = "RGBA", size: tuple[int, int] = (33, 17), **options: object) -> bytes:
    """A PNG as Pillow writes it."""
    file = io.BytesIO()
    Image.new(mode, size).save(file, "PNG", **options)
    return file.getvalue()


def chunk(name: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(name + data)
    return len(data).to_bytes(4, "big") + name + data + checksum.to_bytes(4, "big")


def header(width: int = 8, height: int = 8, rest: bytes = b"\x08\x06\0\0\0") -> bytes:
    return chunk(b"IHDR", width.to_bytes(4, "big") + height.to_bytes(4, "big") + rest)


def whole(*chunks: bytes) -> bytes:
    return PNG_SIGNATURE + b"".join(chunks) + chunk(b"IEND", b"")


def names(raw: bytes) -> list[bytes]:
    """The names of the chunks of a PNG."""
    found, place = [], len(PNG_SIGNATURE)
    while place < len(raw):
        found.append(raw[place + 4 : place + 8])
        place += 12 + int.from_bytes(raw[place : place + 4], "big")
    return found


ROWS = (b"\0" + b"\0\0\0\xff" * 8) * 8
PIXELS = chunk(b"IDAT", zlib.compress(ROWS))
#: name -> bytes, and a part of the message
BAD: dict[str, tuple[bytes, str]] = {
    "cut off": (png()[:-6], "cut off"),
    "only a signature": (PNG_SIGNATURE, "cut off"),
    "a length beyond the end": (PNG_SIGNATURE + b"\xff\xff\xff\xffIHDR" + bytes(20), "cut off"),
    "bytes after the end": (png() + b"<script>", "8 bytes after its end"),
    "archive after the end": (png() + b"PK\x03\x04", "bytes after its end"),
    "wrong checksum": (png().replace(b"IDAT", b"IDAT", 1)[:-1] + b"\0", "wrong checksum"),
    "no header": (whole(PIXELS), "does not begin with its size"),
    "short header": (whole(chunk(b"IHDR", b"\0" * 9), PIXELS), "does not begin with its size"),
    "wide": (whole(header(width=2049), PIXELS), "2049 × 8 pixels"),
    "huge": (whole(header(width=2**31, height=2**31), PIXELS), "at most 2,048"),
    "nothing": (whole(header(width=0), PIXELS), "nothing of it is visible"),
    "no pixels": (whole(header()), "pixels are missing"),
    "unknown critical part": (whole(header(), chunk(b"EVIL", b""), PIXELS), "a part EVIL"),
    "part without a name": (whole(header(), chunk(b"\0\0\0\0", b""), PIXELS), "no valid name"),
    "animated": (
        whole(header(), chunk(b"acTL", b"\0\0\0\2\0\0\0\0"), PIXELS),
        "this PNG is animated",
    ),
    "SVG by name PNG": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "is SVG"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_png_that_is_damaged_or_hides_something_is_refused(name: str) -> None:
    raw, message = BAD[name]
    with pytest.raises(RefusedFile) as refused:
        read_logo("acme.png", raw)
    assert message in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize("mode", MODES)
def test_a_png_of_every_colour_type_keeps_its_pixels(mode: str) -> None:
    image = Image.effect_noise((33, 17), 90).convert(mode)
    file = io.BytesIO()
    image.save(file, "PNG")
    published = read_logo("acme.png", file.getvalue()).data
    assert Image.open(io.BytesIO(published)).tobytes() == image.tobytes()
    assert read_logo("acme.png", published).data == published


def with_texts() -> bytes:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Author", "Somebody")
    texts.add_itxt("XML:com.adobe.xmp", "<x/>")
    return png(pnginfo=texts, dpi=(72, 72), exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0")


def with_a_profile() -> bytes:
    return png("RGB", icc_profile=b"\0" * 200)


@pytest.mark.parametrize("make", [with_texts, with_a_profile])
def test_texts_times_places_and_profiles_are_not_published(make: Callable[[], bytes]) -> None:
    raw = make()
    assert len(names(raw)) > 3
    assert names(read_logo("acme.png", raw).data) == [b"IHDR", b"IDAT", b"IEND"]
