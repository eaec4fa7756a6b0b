"""Files written as text: escapes in place of bytes and characters that nobody sees."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|([trn\\]))")
_LETTERS = {"t": "\t", "r": "\r", "n": "\n", "\\": "\\"}


def unescaped(text: str) -> bytes:
    """The bytes of a text with escapes: `\\xff` is a byte, `\\u00a0` a character."""

    def character(found: re.Match[str]) -> str:
        byte, code, letter = found.groups()
        if byte:
            return bytes([int(byte, 16)]).decode("utf-8", "surrogateescape")
        return chr(int(code, 16)) if code else _LETTERS[letter]

    return _ESCAPE.sub(character, text).encode("utf-8", "surrogateescape")


def visible(text: str) -> str:
    """Text with escapes in place of characters that nobody sees, except line feeds."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
