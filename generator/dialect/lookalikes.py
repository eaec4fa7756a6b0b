"""Characters that look like Latin letters, digits or hyphens."""

from __future__ import annotations

import unicodedata

_CYRILLIC = dict(zip("АВЕЅІЈКМНОРСТУХаеѕіјорсух", "ABESIJKMHOPCTYXaesijopcyx", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
_PLAIN = str.maketrans(_CYRILLIC | _GREEK | _DASHES)


def plain_letters(text: str) -> str:
    """A text in ASCII that looks the same; the text itself if there is none."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text.translate(_PLAIN))
    return plain if plain.isascii() else text


def describe_lookalike(text: str) -> str | None:
    """What the first character of a text that only looks like a plain one is; else None."""
    if plain_letters(text) == text:
        return None
    odd = next(character for character in text if not character.isascii())
    name = unicodedata.name(odd, f"U+{ord(odd):04X}").lower()
    name = name.replace("cyrillic", "Cyrillic").replace("greek", "Greek")
    return f'"{odd}" in it is the {name}, which looks like "{plain_letters(odd)}"'
