"""Characters that texts of a registry must not contain, odd spaces and odd quotes, and what the
author probably meant.
"""

from __future__ import annotations

import re

#: Split a text into lines as libyaml counts them.
split_lines = re.compile("\r\n|\r|\n").split
#: Direction marks, which change the direction of text, and the byte order mark.  This and
#: `ODD_SPACES` are parts of a character class of any regular expression engine.
DIRECTION_MARKS = r"\u202a-\u202e\u2066-\u2069\ufeff"
#: Typographic marks and the ASCII ones that they stand for.
_STRAIGHT = (
    dict.fromkeys(map(ord, "‘’‚‛ʼ′"), "'")
    | dict.fromkeys(map(ord, "“”„‟″«»"), '"')
    | dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
)
#: Characters that look like a space, but are not spaces in YAML.
ODD_SPACES = r"\xa0\u1680\u180e\u2000-\u200b\u202f\u205f\u3000"
#: The same characters, unescaped.
ODD_SPACE_CHARACTERS = (
    "\xa0\u1680\u180e" + "".join(map(chr, range(0x2000, 0x200C))) + "\u202f\u205f\u3000"
)
#: Those of them that have a width, and the plain space: at the ends of a value they say nothing.
END_SPACES = "".join(set(ODD_SPACE_CHARACTERS) - set("\u180e\u200b")) + " "
_NO_BREAK = "\xa0\u202f"
_HIDDEN = f"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f{DIRECTION_MARKS}]"
_COPIED = f"[\x80-\x9f{DIRECTION_MARKS}]"
#: Bytes of a character in UTF-8, read as Windows-1252.
_MOJIBAKE = (
    "[\x80-\xff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc"
    "\u2013-\u203a\u20ac\u2122]{2,4}"
)


# Patterns are compiled when they are first used: most builds do not need them.


def straight(text: str) -> str:
    """A text with the ASCII forms of quotes, apostrophes, dashes and spaces."""
    return text if text.isascii() else re.sub(f"[{ODD_SPACES}]", " ", text.translate(_STRAIGHT))


def find_odd_space(text: str) -> re.Match[str] | None:
    return re.search(f"[{ODD_SPACES}]", text)


def find_hidden(text: str) -> re.Match[str] | None:
    """The first invisible character that texts must not contain; line breaks are not included."""
    return re.search(_HIDDEN, text)


def odd_ends(text: str) -> tuple[int, int]:
    """The number of spaces at the start and end of a text, (0, 0) if it has nothing else."""
    blanks = ODD_SPACE_CHARACTERS + " "
    before = len(text) - len(text.lstrip(blanks))
    return (before, len(text) - len(text.rstrip(blanks))) if before < len(text) else (0, 0)


def describe_character(character: str) -> str:
    """An invisible character in words."""
    if character == "\t":
        return "a tab"
    if character == "\ufeff":
        return "a byte order mark (U+FEFF)"
    if character == " ":
        return "a space"
    number = f"U+{ord(character):04X}"
    if find_odd_space(character):
        return f"{'a no-break' if character in _NO_BREAK else 'an unusual'} space ({number})"
    is_mark = find_hidden(character) and character > "\x9f"
    return f"the {'direction mark' if is_mark else 'control character'} {number}"


def find_copied(text: str) -> tuple[int, str] | None:
    """The place of the first invisible character that copying left, and what is read instead."""
    match = re.search(_COPIED, text)
    return None if match is None else (match.start(), _replacement(match))


def without_invisible(text: str) -> str:
    """A text without the invisible characters that copying leaves.

    C1 controls become the characters of Windows-1252, U+0085 a line break.  Others are removed, or
    become a space between letters or digits.
    """
    return re.sub(_COPIED, _replacement, text)


def _replacement(match: re.Match[str]) -> str:
    character, around = match[0], match.string[match.start() - 1 : match.end() + 1]
    if character == "\x85":
        return "\n"
    if character <= "\x9f":
        meant = bytes([ord(character)]).decode("cp1252", "ignore")
        if meant:
            return meant
    return " " if len(around) == 3 and around[0].isalnum() and around[2].isalnum() else ""


def hidden_hint(text: str, at: int) -> str:
    """The hint for a hidden character at a place of a text."""
    character = text[at]
    for match in re.finditer(_MOJIBAKE, text):
        if match.start() <= at < match.end():
            meant = _as_utf8(match[0])
            if meant is not None:
                return f'write "{meant}" instead of "{match[0]}", which copying has garbled'
    if character == "\t":
        return "write a space instead"
    meant = without_invisible(character).strip() if "\x7f" < character <= "\x9f" else ""
    return f'remove it, or write "{meant}" instead' if meant else "remove it"


#: A character lost when a file was saved in another encoding, and UTF-8 read as Windows-1252: "Ã¼",
#: "â€™", without quotes that may follow a capital letter.
_GARBLED = (
    "\ufffd|\u00ef\u00bf\u00bd|[\u00c2\u00c3](?:[\x80-\xa9\xac-\xb9\xba\xbc-\xbf\u0152\u0153\u0160\u0161\u0178\u017d"
    "\u017e\u0192\u02c6\u02dc\u201a\u201e\u2020-\u2022\u2030\u20ac\u2122]|[\u2013\u2014](?=[^\\W\\d_]))"
    "|\u00e2(?:\u20ac|\u201a\u00ac|\u201e\u00a2)[^\x00-\x7f]?"
)
#: Invisible characters within a word, which separate what looks like one word.
_WITHIN = "(?<=[0-9A-Za-z])[\u00ad\u200b\u2060]+(?=[0-9A-Za-z])"


def find_garbled(text: str) -> re.Match[str] | None:
    """The first character that another encoding has garbled, or invisible one in a word."""
    return None if text.isascii() else re.search(f"{_GARBLED}|{_WITHIN}", text)


def ungarbled(text: str) -> str | None:
    """A text whose UTF-8 was read as Windows-1252, as it was; None if it is not sure."""
    plain = re.sub(_GARBLED, lambda match: _as_utf8(match[0]) or "\ufffd", text)
    return None if "\ufffd" in plain else plain


def _as_utf8(text: str) -> str | None:
    """The character whose UTF-8 bytes, read as Windows-1252, are `text`; None if there is none."""
    try:
        raw = b"".join(c.encode("latin-1") if c <= "\x9f" else c.encode("cp1252") for c in text)
        meant = raw.decode()
    except UnicodeError:
        return None
    return meant if len(meant) == 1 and meant.isprintable() else None


_split_list = re.compile(
    r"[,;|\n\u2022\u00b7\u3001\uff0c\u060c]|(?<=\s)(?:[-\u2013\u2014/+&*]|and|und|et|y|e|og|och|en|oraz"
    r"|plus|ja|ve|és|și|şi|и|та|và|και|sowie)(?=\s)"
).split


def split_list(text: str) -> list[str]:
    """The values that a text such as "Ada, Bob and Cy" seems to list."""
    parts = _split_list(text)
    return [part for part in map(str.strip, parts) if part] if parts[1:] else parts if text else []


def split_commas(text: str) -> list[str]:
    """The parts of a text between commas and semicolons, without spaces around them."""
    return [part.strip() for part in re.split("[,;]", text)]


def is_single(text: str) -> bool:
    """Whether a text is surely a single value, not several that should be items of a list."""
    joined = "://" not in text and any(sign in text for sign in "/&+")
    return split_list(text) == [text] and not joined and text.count("://") < 2


_DOUBLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_OPENING = "\u2018\u201a\u2039"
_SINGLE = "\u2018\u2019\u201a\u2039\u203a"
#: First or last characters of texts with odd quotes; a block scalar ends with a line break.
QUOTES = frozenset(f"\"' \t\n{_DOUBLE}{_SINGLE}")


def _count(characters: str, text: str) -> int:
    return sum(map(text.count, characters))


def odd_quotes(text: str) -> tuple[str, int] | None:
    """A message about odd quotes at the ends of a text, and the place of the first; else None.

    Typographic quotes around the whole text are odd, and so is a quote at one end without its
    counterpart.  Quotations, apostrophes (founders', '90s) and inches (27") are not.
    """
    first, end = text[:1], len(text.rstrip()) - 1
    last = text[end : end + 1]
    if end < 1 or not (first in QUOTES or last in QUOTES):
        return None
    if (first in _DOUBLE and last in _DOUBLE and _count(_DOUBLE, text) == 2) or (
        first in _OPENING
        and last in "\u2019\u2018\u203a"
        and _count(_OPENING, text) == 1 + (last in _OPENING)
    ):
        return f"there are typographic quotes, {first} and {last}, around it", 0
    for kind in ('"', _DOUBLE):
        if (first in kind or last in kind) and _count(kind, text) % 2:
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
