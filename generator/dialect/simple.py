"""The simple lane: YAML bytes -> plain data, for the simple half of the dialect.

`parse` splits a file at the lines that begin a key, and remembers the values of short parts,
because most lines of a registry occur in many records.  It gives up at anything that is not surely
simple.  The other lanes read the same data from files that it accepts, without a fault; no text in
them is followed by a comment.

Nested lines lose their indentation and are then split in the same way.
"""

from __future__ import annotations

import re
from typing import Any

from generator.dialect.folder import MAX_BYTES
from generator.dialect.parse import Unusual, find_forbidden, parse_scalar
from generator.text.characters import ODD_SPACE_CHARACTERS, QUOTES, odd_quotes

MOST_NESTED = 8  # levels
MOST, SHORT = 4096, 96  # entries of a memory, and characters of an entry

_USUAL = bytes(range(0x20, 0x7F)) + b"\n"
_split_keys = re.compile("\n(?=[^ \n-])").split
_is_key = re.compile("[A-Za-z_][A-Za-z0-9_-]*").fullmatch
_is_word = re.compile("[A-Za-z][A-Za-z0-9_.&+/-]*(?: [A-Za-z0-9_.&+/-]+)*").fullmatch
_fold = re.compile("\n(\n*)").sub
_unescape = re.compile(
    r'\\(\n(?!\n)|["\\/ nt]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|)|\n(\n*)|"'
).sub
_ESCAPED = {"\n": "", "n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", " ": " "}

_TYPED = frozenset("tTfFnN+.0123456789")  # first characters, with "-", of what is not text
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") - _TYPED
_SIGNS = frozenset("$()/;=\\^_")  # other first characters of texts
_SPACES = frozenset(ODD_SPACE_CHARACTERS + " ")
_ODD = QUOTES | _SPACES
_ENDS = _ODD | frozenset(": ")
_CONSTANTS = frozenset(("true", "True", "TRUE", "false", "False", "FALSE", "null", "Null", "NULL"))
#: Header of a block scalar -> whether its lines are folded, and how its text ends.
_HEADERS = {" |": (False, "\n"), " |-": (False, ""), " >": (True, "\n"), " >-": (True, "")}

#: Memories: the values of short parts by their text.  Lists and mappings in them must not change.
_pairs: dict[str, tuple[str, Any]] = {}
_items: dict[str, Any] = {}
_keys: dict[str, None] = {}
_words: dict[str, None] = {}
_NEW = object()  # no item is this


def _keep(memory: dict[str, Any], text: str, value: Any) -> None:
    """Remember the value of a text, unless it is nested deeply: the next occurrence may be too deep
    to be allowed.  A full memory is emptied, so a file made to fill it costs no more than one
    without repetitions.
    """
    if len(text) <= SHORT and "\n    " not in text:
        if len(memory) >= MOST:
            memory.clear()
        memory[text] = value


def parse(raw: bytes) -> dict[str, Any] | None:
    """The mapping in `raw`; None if another lane has to read it.

    Lists and mappings may be shared with the data of other files: do not change them.
    """
    if raw[-1:] != b"\n" or len(raw) > MAX_BYTES:
        return None
    try:
        others = raw.translate(None, _USUAL)
        if others and (min(others) < 0x80 or find_forbidden(others.decode())):
            return None
        return _mapping(_split_keys(raw[:-1].decode()), 0)
    except (Unusual, UnicodeDecodeError):
        return None


def _mapping(parts: list[str], depth: int) -> dict[str, Any]:
    """The mapping of parts that each begin with a key, or are a comment."""
    data: dict[str, Any] = {}
    comments = 0
    for part in parts:
        pair = _pairs.get(part)
        if pair is None:
            key, _, text = part.partition(": ")
            if key not in _keys or "\n" in text:
                if part[:1] == "#" and "\n" not in part.rstrip("\n"):
                    comments += 1
                    continue
                key, value = _pair(part, depth)
            elif (
                text[:1] in _LETTERS
                and (":" not in text or ": " not in text)
                and ("#" not in text or " #" not in text)
                and text[-1] not in _ENDS
            ):
                value = text
                if " " not in text:  # texts of several words rarely repeat
                    _keep(_pairs, part, (key, value))
            else:
                value = _value(text)
                if value.__class__ is not str or " " not in text:
                    _keep(_pairs, part, (key, value))
        else:
            key, value = pair
        data[key] = value
    if not len(parts) - comments == len(data) > 0:
        raise Unusual
    return data


def _is_new_key(text: str) -> bool:
    if len(text) > SHORT or not _is_key(text):
        return False
    _keep(_keys, text, None)
    return True


def _pair(part: str, depth: int) -> tuple[str, Any]:
    """Parse the key and value of a part whose key is new or whose value is not on one line."""
    key, colon, text = part.partition(":")
    if not colon or (key not in _keys and not _is_new_key(key)):
        raise Unusual
    if "\n" in text:
        value = _long(text, depth)
    elif text:
        if text[0] != " ":
            raise Unusual
        value = _value(text[1:])
    else:
        value = None
    _keep(_pairs, part, (key, value))
    return key, value


def _value(text: str) -> Any:
    """The value of a text of one line."""
    first = text[:1]
    if (
        first in _LETTERS
        and (":" not in text or ": " not in text)
        and ("#" not in text or " #" not in text)
        and text[-1] not in _ENDS
    ):
        return text
    if first != "[":
        return _scalar([text])
    if text[-1] != "]":
        raise Unusual
    items = text[1:-1].split(", ")
    for item in items:
        if item not in _words:
            if item in _CONSTANTS or not _is_word(item):
                raise Unusual
            _keep(_words, item, None)
    return items


def _scalar(lines: list[str]) -> Any:
    """The value of a plain or quoted scalar, given as lines without the spaces around them."""
    first = lines[0][:1]
    if first == "'" or first == '"':
        return _quoted(lines)
    text = _folded(lines)
    flat = text.replace("\n", " ")
    if ": " in flat or " #" in flat or flat[-1:] in ": ":
        raise Unusual
    _check_ends(text)
    if first in _LETTERS or first in _SIGNS or first > "\x7f":
        return text
    if first in _TYPED or (first == "-" and "0" <= text[1:2] <= "9"):
        return parse_scalar(text)
    raise Unusual


def _folded(lines: list[str]) -> str:
    """Lines folded into a text: one break becomes a space, n + 1 breaks become n."""
    if "" not in lines:
        return " ".join(lines)
    return _fold(lambda match: match[1] or " ", "\n".join(lines))


def _check_ends(text: str) -> None:
    if (
        text
        and (text[0] in _ODD or text[-1] in _ODD)
        and (text[0] in _SPACES or text[-1] in _SPACES or odd_quotes(text))
    ):
        raise Unusual


def _quoted(lines: list[str]) -> str:
    """The text of a quoted scalar."""
    quote, last = lines[0][0], lines[-1]
    if last[-1:] != quote or lines == [quote]:
        raise Unusual
    lines[-1] = last[:-1]
    lines[0] = lines[0][1:]
    if quote == '"':
        text = _unescape(_unescaped, "\n".join(lines))
    else:
        text = _folded(lines)
        if "'" in text:
            if "'" in text.replace("''", ""):
                raise Unusual
            text = text.replace("''", "'")
    _check_ends(text)
    return text


def _unescaped(match: re.Match[str]) -> str:
    """The text of an escape or a line break in double quotes."""
    escape, breaks = match.groups()
    if escape is None:
        if match[0] == '"':
            raise Unusual
        return breaks or " "
    if escape in _ESCAPED:
        return _ESCAPED[escape]
    number = int(escape[1:] or "-1", 16)
    if not (0 <= number < 0xD800 or 0xDFFF < number < 0x110000):
        raise Unusual
    return chr(number)


def _long(text: str, depth: int) -> Any:
    """The value of a key with `text`, of several lines, after its colon."""
    if text[-1] == "\n":
        text = text.rstrip("\n")
    if text[:1] == "\n":
        return _nested(text, depth + 1)
    if text[:1] != " ":
        if text:
            raise Unusual
        return None
    first, _, rest = text.partition("\n")
    if first in _HEADERS:
        return _block(rest, *_HEADERS[first])
    if not rest:
        return _value(first[1:])
    lines = [line.lstrip(" ") for line in text.split("\n")]
    if " \n" in text or text[-1] == " " or any(line[:1] == "-" for line in lines[1:]):
        raise Unusual  # a line may be meant as an item of a list
    return _scalar(lines)


def _block(text: str, folded: bool, end: str) -> str:
    """The text of a block scalar; all lines must be indented like the first."""
    column = len(text) - len(text.lstrip(" "))
    if not column:
        raise Unusual
    indent, lines = text[:column], text.split("\n")
    for line in lines:
        if line and (
            line[-1] == " " or line[:column] != indent or (folded and line[column] == " ")
        ):
            raise Unusual
    lines = [line[column:] for line in lines]
    text = (_folded(lines) if folded else "\n".join(lines)) + end
    _check_ends(text)
    return text


def _nested(text: str, depth: int) -> Any:
    """The mapping or list on the lines below a key; `text` begins with a line break."""
    if depth > MOST_NESTED:
        raise Unusual
    if text[1] == " ":
        if "\n   " not in text and "\n  -" not in text:
            parts = text.split("\n  ")
            if len(parts) == text.count("\n") + 1:
                return _mapping(parts[1:], depth)
        text = _less_indented(text, "\n" + " " * (len(text) - 1 - len(text[1:].lstrip(" "))))
    if text[:3] != "\n- ":
        return _mapping(_split_keys(text[1:]), depth)
    items = []
    for part in text[3:].split("\n- "):
        if (
            part[:1] in _LETTERS
            and ":" not in part
            and "\n" not in part
            and "#" not in part
            and part[-1] not in _ENDS
        ):
            items.append(part)
        else:
            known = _items.get(part, _NEW)
            items.append(_item(part, depth) if known is _NEW else known)
    return items


def _less_indented(text: str, break_: str) -> str:
    """A text without the indentation in `break_`, a line break and spaces, if all lines have it."""
    if text.count(break_) != text.count("\n"):
        raise Unusual
    return text.replace(break_, "\n")


def _item(part: str, depth: int) -> Any:
    """The value of a list item that may be other than text."""
    if "\n" in part:
        value: Any = _mapping(_split_keys(_less_indented(part, "\n  ")), depth + 1)
    else:
        key, colon, text = part.partition(": ")
        if colon and (key in _keys or _is_new_key(key)):
            value = {key: _value(text)}
        else:
            value = _value(part)
            if value.__class__ is str:  # texts rarely repeat
                return value
    _keep(_items, part, value)
    return value
