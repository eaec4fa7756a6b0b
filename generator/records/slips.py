"""The everyday slip of an editor behind YAML that cannot be read.

Reads text, knows nothing of fields.  Asked only for what is wrong already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from generator.api.diagnostic import Edit
from generator.records.texts import ODD_SPACES, called


class Slip(NamedTuple):
    """What is wrong, how to mend it, and where it stands: line and column, 1-based.

    `edits` mend it, where that is safe.
    """

    message: str
    hint: str | None
    at: tuple[int, int]
    edits: tuple[Edit, ...] = ()


_CONFLICT = re.compile(r"^(?:(?:<{7}|>{7}|\|{7})(?: .*)?|={7})$")
_KEY = re.compile(r"( *)((?:- +)*)([A-Za-z_][\w-]*) *:(?= |$)")
_GLUED_KEY = re.compile(r"(?: *(?:- +)*)([A-Za-z_][\w-]*):(?=[^\s:/])([^\n]*)")
_ITEM = re.compile(r" *()(-)(?= |$)")
_GLUED_ITEM = re.compile(r" *-(?=[^\s\-\d])([^\n]*?)(?= -|$)")
_QUOTED = re.compile(
    r"(?:(?: *(?:- +)*)[A-Za-z_][\w-]*:| *-) "
    r"+((\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')\s*)(?=[^\s#:,\]}])([^\n]*)"
)
_BRACKETED = re.compile(
    r"(?:(?: *(?:- +)*)[A-Za-z_][\w-]*:| *-) +((\[[^\[\]]*\]|\{[^{}]*\}) *)(?=[^\s#:,\]}])([^\n]*)"
)
_ENDS_IN_COMMA = re.compile(
    r"( *(?:- +)*(?:[A-Za-z_][\w-]*|\"[\w-]+\"|'[\w-]+') *: +"
    r"(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|\[[^\[\]]*\]|\{[^{}]*\}) *), *$"
)
_LINKED = re.compile(r"\[[^\[\]]*\]\((\S+)\)")
_BULLET = re.compile(r" *([*\u2022\u00b7\u2023\u25e6\u2013\u2014]) +(\S[^\n]*)")
BLOCK = re.compile(r"[^#\n]*[:-] +[|>][-+0-9]*(?: *| +#.*)$")
_COMMENT = re.compile(r"[^#\"']*[^#\"'\s] +(#)")
_ODD_SPACE = re.compile(
    f"[ \\t-]*([{ODD_SPACES}])|[\\w -]*([{ODD_SPACES}])[^:\\n]*:|[ -]*\\w[\\w-]*:[ "
    f"]?([{ODD_SPACES}])"
)


def begins_part(line: str) -> str:
    """The field, or the "-", that a line seems to begin with, as it is written; else ""."""
    match = _KEY.match(line)
    if match is not None:
        return f"{match[2]}{match[3]}:"
    return "-" if _ITEM.match(line) else ""


def conflict(lines: list[str]) -> Slip | None:
    """The first line that git leaves where two versions of a file could not be merged."""
    for number, line in enumerate(lines, 1):
        if _CONFLICT.match(line):
            hint = (
                "keep the lines of one version, and remove those that begin with <<<<<<<, "
                "=======, ||||||| and >>>>>>>"
            )
            return Slip("two versions of this file were not merged", hint, (number, 1))
    return None


def slip(lines: list[str], first: int, last: int) -> Slip | None:
    """What is probably the cause of a fault noticed between two lines, 1-based."""
    for number in _around(lines, first, last):
        for look in (
            odd_space,
            glued,
            _after_quotes,
            _after_brackets,
            _after_comma,
            _comment_in_brackets,
        ):
            cause = look(lines[number - 1], number)
            if cause is not None:
                return cause
        cause = _bulleted(lines, number)
        if cause is not None:
            return cause
    return _misplaced(lines, last) or _torn(lines, last)


def _around(lines: list[str], first: int, last: int) -> Iterator[int]:
    """The lines of a fault, and that before them."""
    before = next((n for n in range(first - 1, 0, -1) if lines[n - 1].strip()), first)
    yield from (n for n in (*range(first, last + 1), before) if n <= len(lines))


def odd_space(line: str, number: int) -> Slip | None:
    """A space that is none to YAML, where the line is indented, in a key or after its colon."""
    match = _ODD_SPACE.match(line)
    if match is None:
        return None
    at = match.start(match.lastindex or 0)
    return Slip(
        f"{called(line[at])} stands here, which YAML does not take for a blank",
        "write a usual blank instead",
        (number, at + 1),
        ((number, at + 1, number, at + 2, " "),),
    )


def glued(line: str, number: int) -> Slip | None:
    """`key:value` and `-item`."""
    match = _GLUED_KEY.match(line)
    if match is not None:
        return Slip(
            'there is no blank after the ":"',
            f'write "{match[1]}: {shortened(match[2])}"',
            (number, match.end(1) + 2),
            ((number, match.end(1) + 2, number, match.end(1) + 2, " "),),
        )
    match = _GLUED_ITEM.match(line)
    if match is not None:
        return Slip(
            'there is no blank after the "-"',
            f'write "- {shortened(match[1])}"',
            (number, match.start(1) + 1),
            ((number, match.start(1) + 1, number, match.start(1) + 1, " "),),
        )
    return None


def shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _after_quotes(line: str, number: int) -> Slip | None:
    """`"Wow" is what they say`, and `'The fjord's heat'`."""
    match = _QUOTED.match(line)
    if match is None:
        return None
    text = (match[1] + match[3]).rstrip()
    if text[-1] == text[0] and not match[1][-1].isspace():
        text = text[1:-1]  # both quotes were meant to stand around it
    quoted = f'"{text}"' if '"' not in text else "'" + text.replace("'", "''") + "'"
    hint = (
        f"write {quoted}"
        if "\\" not in text and len(text) <= 60
        else "put the whole value in quotes"
    )
    return Slip("the text goes on after the quote that ends it", hint, (number, match.end(1) + 1))


def _after_comma(line: str, number: int) -> Slip | None:
    """`"name": "Acme",`, as in JSON."""
    match = _ENDS_IN_COMMA.match(line)
    if match is None:
        return None
    at = match.end(1)
    return Slip(
        "this line ends with a comma, which belongs to JSON",
        "remove the comma",
        (number, at + 1),
        ((number, at + 1, number, at + 2, ""),),
    )


def _after_brackets(line: str, number: int) -> Slip | None:
    """`[Beta] Acme`, and `[Acme](https://acme.example)`."""
    match = _BRACKETED.match(line)
    if match is None:
        return None
    text = (match[1] + match[3]).rstrip()
    link = _LINKED.fullmatch(text)
    hint = f'a text that begins with "{text[0]}" is written in quotes'
    if '"' not in text and "\\" not in text:
        hint += f': "{shortened(text)}"'
    return Slip(
        f'the text goes on after the "{match[2][-1]}" that ends the value',
        f"write the address alone: {shortened(link[1])}" if link is not None else hint,
        (number, match.end(1) + 1),
    )


def _bulleted(lines: list[str], number: int) -> Slip | None:
    """`* Ann`, and other bullets, below a key."""
    match = _BULLET.match(lines[number - 1])
    above = (line for line in reversed(lines[: number - 1]) if line.strip())
    if match is None or next((x for x in above if not _BULLET.match(x)), "").rstrip()[-1:] != ":":
        return None
    what = f'an item of a list begins with "-", not with "{match[1]}"'
    return Slip(what, f'write "- {shortened(match[2])}"', (number, match.start(1) + 1))


def _comment_in_brackets(line: str, number: int) -> Slip | None:
    """`[Ann # the first, Bob]`."""
    before, blank, comment = line.partition(" #")
    if not blank or '"' in before or "'" in before or not ("]" in comment or "}" in comment):
        return None
    if max(map(before.rfind, "[{")) <= max(map(before.rfind, "]}")):
        return None
    hint = 'write a value that holds " #" in quotes; a comment stands on a line of its own'
    return Slip(
        'this "#" begins a comment, so the bracket is not closed', hint, (number, len(before) + 2)
    )


def _torn(lines: list[str], number: int) -> Slip | None:
    """A line that would go on a text, which a comment has ended or of which the lines are indented
    more.
    """
    line = lines[number - 1] if number <= len(lines) else ""
    indent = len(line) - len(line.lstrip(" "))
    before = next((n for n in range(number - 1, 0, -1) if lines[n - 1].strip()), 0)
    if not line.strip() or not indent or not before or _ITEM.match(line):
        return None
    match = _COMMENT.match(lines[before - 1])
    if match is not None and _KEY.match(line) is None:
        hint = 'write a text that holds " #" in quotes, or after | or > on lines of its own'
        return Slip(
            'this "#" begins a comment, which ends the text that goes on below',
            hint,
            (before, match.start(1) + 1),
        )
    for above in reversed(lines[: number - 1]):
        if above.strip() and len(above) - len(above.lstrip(" ")) <= indent:
            if BLOCK.match(above):
                what = "this line is indented less than its text above"
                return Slip(
                    what, "lines of one text begin in the same column", (number, indent + 1)
                )
            return None
    return None


class _Part(NamedTuple):
    """A field or an item of a list: where it begins, its name, and its value on the same line."""

    column: int
    name: str
    value: str
    item: bool


def _parts(line: str) -> list[_Part]:
    """The items and the field that a line begins with."""
    field, item = _KEY.match(line), _ITEM.match(line)
    if field is None and item is None:
        return []
    if field is None:
        column = len(line) - len(line.lstrip(" "))
        return [_Part(column, "-", line[column + 1 :].strip(), True)]
    value = line[field.end() :].strip()
    dashes = [
        _Part(field.start(2) + match.start(), "-", value, True)
        for match in re.finditer("-", field[2])
    ]
    return [*dashes, _Part(field.start(3), field[3], value, False)]


def _open(lines: list[str]) -> list[_Part]:
    """The fields and items that are open after some lines, the outermost first."""
    parts: list[_Part] = []
    for line in lines:
        for part in _parts(line):
            while parts and (
                parts[-1].column > part.column
                or (parts[-1].column == part.column and (parts[-1].item or not part.item))
            ):
                parts.pop()
            parts.append(part)
    return parts


def _misplaced(lines: list[str], number: int) -> Slip | None:
    """A field, or an item, that begins in another column than those beside it."""
    here = next(iter(_parts(lines[number - 1])), None) if number <= len(lines) else None
    if here is None:
        return None
    above, at = _open(lines[: number - 1]), (number, here.column + 1)
    alike = [part for part in above if part.item == here.item]
    if any(part.column == here.column for part in alike):
        return None
    for item, field in pairwise(above):
        if item.item and not field.item and not here.item and item.column == here.column:
            what = f'"{here.name}" begins below the "-" above, and not below the fields of its item'
            hint = f'begin it in column {field.column + 1}, as "{field.name}" does'
            return Slip(what, hint, at)
    other = next((part for part in alike if part.column > here.column), None)
    last = above[-1] if above else None
    if other is None and last is not None and last.value:
        one_more = bool(alike) and alike[-1].column + 1 == here.column and bool(alike[-1].value)
        if one_more or (alike and alike[-1] is last and _is_whole(last.value)):
            other = alike[-1]
        elif here.item and not alike and _is_whole(last.value):
            what = f'this item belongs to no list: "{last.name}" above has a value already'
            return Slip(what, "move it below the field whose list it belongs to", at)
    if other is None:
        return None
    if here.item:
        what = f'this "-" begins in column {at[1]}, the one above in column {other.column + 1}'
        return Slip(what, "begin all items of a list in the same column", at)
    what = f'"{here.name}" begins in column {at[1]}, "{other.name}" above in column '
    hint = "begin all fields of a mapping in the same column"
    if here.column > other.column:
        hint += "; if this line belongs to the text above, write the text in quotes"
    return Slip(f"{what}{other.column + 1}", hint, at)


def _is_whole(value: str) -> bool:
    """Whether the value of a line ends on it."""
    if value[:1] in ("[", "{"):
        return value.count("[") + value.count("{") == value.count("]") + value.count("}")
    if value[:1] in ("'", '"'):
        return len(value) > 1 and value[-1] == value[0]
    return bool(value) and BLOCK.match(f"x: {value}") is None
