"""Invented logos for the records of tests; real companies have none here."""

from __future__ import annotations

import colorsys
from pathlib import Path
from zlib import crc32

from support.malicious_svg import svg

_SHAPES = (
    '<circle cx="4" cy="4" r="3.5" fill="{0}"/><path d="M2 5 4 2l2 3z" fill="{1}"/>',
    '<rect width="8" height="8" rx="1.5" fill="{0}"/><circle cx="4" cy="4" r="2" fill="{1}"/>',
    '<path d="M4 0 8 4 4 8 0 4z" fill="{0}"/><rect x="3" y="3" width="2" height="2" fill="{1}"/>',
    '<defs><linearGradient id="a"><stop offset="0" stop-color="{0}"/>'
    '<stop offset="1" stop-color="{1}"/></linearGradient></defs>'
    '<path d="M0 8V3l4-3 4 3v5z" fill="url(#a)"/>',
)


def drawn(slug: str) -> bytes:
    """A logo for a slug."""
    number = crc32(slug.encode())
    colours = [
        "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, light, 0.6))
        for hue, light in ((number % 97 / 97, 0.35), (number % 89 / 89, 0.8))
    ]
    return svg(_SHAPES[number % len(_SHAPES)].format(*colours))


def add_logos(content: Path, one_in: int = 2) -> int:
    """Give a logo to one of some records of each kind that have none; returns to how many."""
    added = 0
    for collection in ("projects", "programs", "organizations"):
        for record in sorted((content / collection).rglob("*.yaml")):
            text = record.read_text("utf-8").rstrip("\n")
            if crc32(record.stem.encode()) % one_in == 0 and f"{record.stem}.svg" not in text:
                record.with_suffix(".svg").write_bytes(drawn(record.stem))
                if text.startswith("{"):
                    text = f'{{"logo": "{record.stem}.svg", {text[1:]}'
                else:
                    text = f"{text}\nlogo: {record.stem}.svg"
                record.write_text(f"{text}\n", "utf-8")
                added += 1
    return added
