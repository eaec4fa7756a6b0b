"""What no text of a registry holds, and what was probably meant by it.  Knows nothing of fields or
files.
"""

from __future__ import annotations

import re

#: The lines of a text as libyaml counts them.
lines_of = re.compile("\r\n|\r|\n").split
#: What turns the direction of the text around it, and a byte order mark: part of a class of
#: characters for any engine.
TURNING = r"\u202a-\u202e\u2066-\u2069\ufeff"
#: What looks like a blank and is none to YAML: part of a class of characters.
ODD_SPACES = r"\xa0\u1680\u180e\u2000-\u200b\u202f\u205f\u3000"
#: The same, as they are.
ODD_BLANKS = "\xa0\u1680\u180e" + "".join(map(chr, range(0x2000, 0x200C))) + "\u202f\u205f\u3000"
_NO_BREAK = "\xa0\u202f"
_HIDDEN = f"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f{TURNING}]"
_COPIED = f"[\x80-\x9f{TURNING}]"
#: Bytes of UTF-8 as Windows-1252 shows them.
_READ_WRONGLY = (
    "[\x80-\xff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc"
    "\u2013-\u203a\u20ac\u2122]{2,4}"
)


# Patterns are compiled where a text is odd: most builds meet none.


def odd_space(text: str) -> re.Match[str] | None:
    """The first character that looks like a blank and is none."""
    return re.search(f"[{ODD_SPACES}]", text)


def hidden(text: str) -> re.Match[str] | None:
    """The first character that no text holds; line breaks are another matter."""
    return re.search(_HIDDEN, text)


def odd_ends(text: str) -> tuple[int, int]:
    """How many characters at both ends of a text are odd spaces, or usual ones between those."""
    blanks = ODD_BLANKS + " "
    before = len(text) - len(text.lstrip(blanks)) if text[:1] in ODD_BLANKS else 0
    after = len(text) - len(text.rstrip(blanks)) if text[-1:] in ODD_BLANKS else 0
    return (before, after) if before < len(text) else (before, 0)


def called(character: str) -> str:
    """A character that cannot be seen, in words."""
    if character == "\t":
        return "a tab"
    if character == "\ufeff":
        return "a byte order mark (U+FEFF)"
    number = f"U+{ord(character):04X}"
    if odd_space(character):
        return f"{'a no-break' if character in _NO_BREAK else 'an unusual'} space ({number})"
    turning = hidden(character) and character > "\x9f"
    return f"the {'direction mark' if turning else 'control character'} {number}"


def cleaned(text: str) -> str:
    """A text without what copying leaves in it.

    C1 controls become what they are in Windows-1252, U+0085 a line break; what has no meaning goes,
    and between letters or digits leaves a blank.
    """
    return re.sub(_COPIED, _meant, text)


def _meant(match: re.Match[str]) -> str:
    character, around = match[0], match.string[match.start() - 1 : match.end() + 1]
    if character == "\x85":
        return "\n"
    if character <= "\x9f":
        meant = bytes([ord(character)]).decode("cp1252", "ignore")
        if meant:
            return meant
    return " " if len(around) == 3 and around[0].isalnum() and around[2].isalnum() else ""


def instead(text: str, at: int) -> str:
    """What to do about the hidden character at a place of a text."""
    character = text[at]
    for match in re.finditer(_READ_WRONGLY, text):
        if match.start() <= at < match.end():
            meant = _as_utf8(match[0])
            if meant is not None:
                return f'write "{meant}" instead of "{match[0]}", which copying has garbled'
    if character == "\t":
        return "write a space instead"
    meant = cleaned(character).strip() if "\x7f" < character <= "\x9f" else ""
    return f'remove it, or write "{meant}" instead' if meant else "remove it"


def _as_utf8(text: str) -> str | None:
    """The one character of which the bytes of its UTF-8 were read as Windows-1252, or None."""
    try:
        raw = b"".join(c.encode("latin-1") if c <= "\x9f" else c.encode("cp1252") for c in text)
        meant = raw.decode()
    except UnicodeError:
        return None
    return meant if len(meant) == 1 and meant.isprintable() else None


_between = re.compile(
    r"\s*[,;|\n\u2022\u00b7]\s*|\s+(?:[-\u2013\u2014/+&*]|and|und|et|y|e|og|och|en|oraz|plus)\s+"
).split


def listed(text: str) -> list[str]:
    """The values that a text seems to list: "Ada, Bob and Cy"."""
    return [part for part in _between(text) if part]


def is_single(text: str) -> bool:
    """Whether a text is surely one value, and not several that should be the items of a list."""
    joined = "://" not in text and any(sign in text for sign in "/&+")
    return listed(text) == [text] and not joined and text.count("://") < 2


_DOUBLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_SINGLE = "\u2018\u2019\u201a\u2039\u203a"
#: What a text with odd quotes begins or ends with; a block of lines ends with a line break.
QUOTES = frozenset(f"\"' \t\n{_DOUBLE}{_SINGLE}")


def odd_quotes(text: str) -> tuple[str, int] | None:
    """What is odd about the quotes at the ends of a text, and the place of the first; None where
    nothing is.

    Odd are typographic quotes around the whole, and a quote at one end without its other half.  A
    quotation, an apostrophe (founders', '90s) and inches (27") are not.
    """
    first, last, end = text[:1], text.rstrip()[-1:], len(text.rstrip()) - 1
    if end < 1 or not (first in QUOTES or last in QUOTES):
        return None
    inner = text[1:end]
    if (first in _DOUBLE and last in _DOUBLE and not any(c in _DOUBLE for c in inner)) or (
        first in "\u2018\u201a\u2039"
        and last in "\u2019\u2018\u203a"
        and not any(c in "\u2018\u201a\u2039" for c in inner)
    ):
        return f"there are typographic quotes, {first} and {last}, around it", 0
    for kind in ('"', _DOUBLE):
        if (first in kind or last in kind) and sum(c in kind for c in text) % 2:
            if first in kind:
                return f"there is a quote, {first}, at its beginning but not at its end", 0
            if not text[end - 1].isdigit():
                return f"there is a quote, {last}, at its end but not at its beginning", end
    if text.count("'") == 1:
        if first == "'" and not text[1].isdigit():
            return "there is a quote, ', at its beginning but not at its end", 0
        if last == "'" and text[end - 1] not in "sxzSXZ":
            return "there is a quote, ', at its end but not at its beginning", end
    if first == "\u2018" and "\u2019" not in text:
        return "there is a quote, \u2018, at its beginning but not at its end", 0
    return None
