"""SVG files that must be refused: attacks, broken files, and files of more than a logo needs.

malicious_svg.txt has them: `=== NAME` begins one; `=== NAME (escaped)` one with escapes for bytes
and characters that nobody sees; `=== NAME (made)` one that this module makes.  Lines with `! `
below are the refusal, which `pytest --regenerate` writes.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from support.escapes import unescaped

RECORDED = Path(__file__).with_suffix(".txt")
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"'
PATH = '<path d="M0 0h8v8z"/>'


def svg(inside: str = PATH, *, before: str = "", attributes: str = "") -> bytes:
    """An SVG with this text inside, before it, and in its first element."""
    return f"{before}{HEAD}{attributes}>{inside}</svg>\n".encode()


_MADE = {
    "copies of copies": svg(
        '<g id="a"><path d="M0 0"/></g>'
        + "".join(
            f'<g id="b{i}"><use href="#b{i - 1}"/><use href="#b{i - 1}"/></g>' for i in range(1, 30)
        )
    ),
    "many digits": svg(f'<path d="M0 0h{"9" * 50_000}"/>'),
    "digits that could be split": svg(f'<polygon points="{"1" * 50_000}x"/>'),
    "transform that could be split": svg(f'<g transform="{"scale(1) " * 3000}x"/>'),
    "UTF-16": svg().decode().encode("utf-16-le").join([b"\xff\xfe", b""]),
    "UTF-16 without mark": svg().decode().encode("utf-16-le"),
    "UTF-32": svg().decode().encode("utf-32-le").join([b"\xff\xfe\0\0", b""]),
    "cut off": svg()[:-8],
    "very deep": svg("<g>" * 9000 + "</g>" * 9000),
    "many elements": svg("<g/>" * 10_000),
    "a hundred thousand elements": svg("<g/>" * 100_000),
    "long title": svg(f"<title>{'a' * 2000}</title>"),
    "compressed": gzip.compress(svg(), mtime=0),
    "empty": b"",
}


def sections() -> dict[str, str]:
    """name -> head and file, without the refusal."""
    text = re.sub(r"^! .*\n", "", RECORDED.read_text("utf-8"), flags=re.M)
    parts = re.split(r"^(?==== )", text, flags=re.M)[1:]
    return {part.partition("\n")[0].removeprefix("=== ").partition(" (")[0]: part for part in parts}


def _raw(name: str, section: str) -> bytes:
    head, _, text = section.partition("\n")
    if head.endswith("(made)"):
        return _MADE[name]
    return unescaped(text) if head.endswith("(escaped)") else text.encode()


#: name -> bytes of a file that is refused
CASES = {name: _raw(name, section) for name, section in sections().items()}

#: Files that are logos, as editors and icon sets write them.
GOOD: dict[str, bytes] = {
    "smallest": svg(""),
    "declaration and comments": svg(
        f"<!-- inside -->{PATH}",
        before='<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<!-- Made by hand -->\n',
    ),
    "icon": svg(f"<title>Acme &amp; Söhne &#x3c;3</title>{PATH}", attributes=' role="img"'),
    "size in pixels": svg(attributes=' width="64px" height="48" version="1.1"'),
    "large box in a small size": (
        HEAD.replace("0 0 8 8", "0,0 5000 5000").encode() + b' width="32" height="32"/>'
    ),
    "unused xlink": svg(attributes=' xmlns:xlink="http://www.w3.org/1999/xlink"'),
    "gradients": svg(
        '<defs><linearGradient id="a" x1="0" x2="100%" gradientTransform="rotate(45)">'
        '<stop offset="0" stop-color="#0B6E4F"/>'
        '<stop offset="100%" stop-color="rgb(1, 2,3)" stop-opacity=".5"/></linearGradient>'
        '<radialGradient id="b-1" cx="4" cy="4" r="4" gradientUnits="userSpaceOnUse"/></defs>'
        '<g fill="url(#a)" stroke="url(#b-1)"><circle cx="4" cy="4" r="3.5"/></g>'
    ),
    "clip path before its definition": svg(
        '<g clip-path="url(#c)"><rect width="8" height="8" rx="1"/></g>'
        '<clipPath id="c"><circle r="3"/></clipPath>'
    ),
    "every shape": svg(
        '<line x1="0" y1="0" x2="8" y2="8" stroke="currentColor" stroke-dasharray="none"/>'
        '<polyline points="0,0 8,8 0 8"/><polygon points="0 0-8.5.5 1e-3,4"/>'
        '<ellipse cx="4" cy="4" rx="3" ry="2" fill="none" stroke="hsl(120, 50%, 50%)"/>'
        '<path fill-rule="evenodd" d="M1.5.5-3,4a1 1 0 01.5.5\n\tz"'
        ' transform="translate(1,2) scale(2)\n matrix(1 0 0 1 0 0)"/>'
    ),
}
