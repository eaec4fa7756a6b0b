"""What is wrong where YAML cannot be read: libyaml's errors in words, and the everyday slip of an
editor behind one.

Reads text, knows nothing of fields.  Asked only for what is wrong already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from yaml import YAMLError

from generator.records.texts import ODD_SPACES, called


class Slip(NamedTuple):
    """What is wrong, how to mend it, and where it stands: line and column, 1-based."""

    message: str
    hint: str | None
    at: tuple[int, int]


_CONFLICT = re.compile(r"^(?:(?:<{7}|>{7}|\|{7})(?: .*)?|={7})$")
_KEY = re.compile(r"( *)((?:- +)*)([A-Za-z_][\w-]*) *:(?= |$)")
_GLUED_KEY = re.compile(r"(?: *(?:- +)*)([A-Za-z_][\w-]*):(?=[^\s:/])([^\n]*)")
_ITEM = re.compile(r" *()(-)(?= |$)")
_GLUED_ITEM = re.compile(r" *-(?=[^\s\-\d])([^\n]*?)(?= -|$)")
_QUOTED = re.compile(
    r"(?:(?: *(?:- +)*)[A-Za-z_][\w-]*:| *-) "
    r"+((\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')\s*)(?=[^\s#:,\]}])([^\n]*)"
)
_BLOCK = re.compile(r"[^#\n]*[:-] +[|>][-+0-9]*(?: *| +#.*)$")
_COMMENT = re.compile(r"[^#\"']*[^#\"'\s] +(#)")
_ODD_SPACE = re.compile(
    f"[ \\t-]*([{ODD_SPACES}])|[\\w -]*([{ODD_SPACES}])[^:\\n]*:|[ -]*\\w[\\w-]*:[ "
    f"]?([{ODD_SPACES}])"
)


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
        for look in (odd_space, glued, _after_quotes, _comment_in_brackets):
            cause = look(lines[number - 1], number)
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
    )


def glued(line: str, number: int) -> Slip | None:
    """`key:value` and `-item`."""
    match = _GLUED_KEY.match(line)
    if match is not None:
        return Slip(
            'there is no blank after the ":"',
            f'write "{match[1]}: {_cut(match[2])}"',
            (number, match.end(1) + 2),
        )
    match = _GLUED_ITEM.match(line)
    if match is not None:
        return Slip(
            'there is no blank after the "-"',
            f'write "- {_cut(match[1])}"',
            (number, match.start(1) + 1),
        )
    return None


def _cut(text: str) -> str:
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
            if _BLOCK.match(above):
                what = "this line is indented less than its text above"
                return Slip(
                    what, "lines of one text begin in the same column", (number, indent + 1)
                )
            return None
    return None


def _misplaced(lines: list[str], number: int) -> Slip | None:
    """A field, or an item, that begins one column beside those above."""
    line = lines[number - 1] if number <= len(lines) else ""
    item, match = _ITEM.match(line), _KEY.match(line)
    if item is not None:
        above = next((m for m in map(_ITEM.match, reversed(lines[: number - 1])) if m), item)
        if abs(above.start(2) - item.start(2)) == 1:
            what = (
                'this "-" is indented by one blank '
                f"{'more' if item.start(2) > above.start(2) else 'less'} than that above"
            )
            return Slip(
                what, "items of one list begin in the same column", (number, item.start(2) + 1)
            )
    if match is None:
        return None
    column = match.start(3)
    for other in map(_KEY.match, reversed(lines[: number - 1])):
        if other is not None:
            for begin in (other.start(3), other.start(2) if other[2] else -9):
                if abs(begin - column) == 1:
                    more = "more" if column > begin else "less"
                    what = f'"{match[3]}" is indented by one blank {more} than "{other[3]}" above'
                    return Slip(
                        what, "fields of one mapping begin in the same column", (number, column + 1)
                    )
            if other.start(3) < column:
                return None
    return None


_QUOTES = "a value that begins with this character is written in quotes"
#: Part of libyaml's problem -> what is said instead, a hint, and whether it stands where the
#: surrounding thing begins. `{here}` is the character at the place, `{where}` the line on which
#: libyaml noticed.
_SYNTAX = (
    (
        "mapping values are not allowed",
        'a ": " cannot stand here',
        (
            'a value that holds ": " is written in quotes; fields of one mapping begin in the same '
            "column"
        ),
        False,
    ),
    (
        "could not find expected ':'",
        'there is no ":" in this line',
        'a field is written "name: value"; a text that goes on is indented',
        True,
    ),
    (
        "did not find expected key",
        "no field can begin here",
        "fields of one mapping begin in the same column; a quote inside quotes is doubled",
        False,
    ),
    (
        "did not find expected '-' indicator",
        "no list item can begin here",
        "items of one list begin in the same column",
        False,
    ),
    (
        "did not find expected ',' or ']'",
        'this "[" is not closed, or a "," is missing (noticed {where})',
        "close the bracket",
        True,
    ),
    (
        "did not find expected ',' or '}'",
        'this "{{" is not closed, or a "," is missing (noticed {where})',
        "close the bracket",
        True,
    ),
    ("found unexpected end of stream", "this quote is not closed", "close the quote", True),
    (
        "found unexpected document indicator",
        "this quote is not closed (noticed {where})",
        "close the quote",
        True,
    ),
    (
        "found unknown escape character",
        "double quotes know no such escape",
        "write a backslash as two, or use single quotes",
        False,
    ),
    (
        "invalid Unicode character escape",
        "this escape is no character",
        "write the character itself",
        False,
    ),
    (
        "hexdecimal",
        "this escape is cut short",
        "write a backslash as two, or use single quotes",
        False,
    ),
    ("did not find expected alphabetic", 'a value cannot begin with "{here}"', _QUOTES, True),
    ("cannot start any token", 'a value cannot begin with "{here}"', _QUOTES, False),
    (
        "block sequence entries are not allowed",
        "no list item can begin here",
        (
            'items of a list stand on lines of their own; a value that begins with "- " is '
            "written in "
            "quotes"
        ),
        False,
    ),
    (
        "did not find expected comment or line break",
        "nothing can follow on this line",
        (
            "a text begins on the line after | or >; a value that begins with | or > is written in "
            "quotes"
        ),
        False,
    ),
    ("found a tab character", "a tab cannot indent", "indent with spaces", False),
    (
        "did not find expected node content",
        "a value is missing here",
        "write one, or remove the comma",
        False,
    ),
    ("<document start>", "the document has ended before this line", "one record per file", False),
)


def explained(error: YAMLError, text: str) -> Slip:
    """A libyaml error in words; one about something left open is placed where that was opened."""
    problem = str(getattr(error, "problem", None) or error).strip()
    context = str(getattr(error, "context", None) or "")
    mark = getattr(error, "problem_mark", None)
    noticed = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    begin = getattr(error, "context_mark", None) or mark
    cause = (
        slip(text.split("\n"), min(begin.line + 1, noticed[0]), noticed[0])
        if begin is not None
        else None
    )
    if cause is not None:
        return cause
    for part, message, hint, around in _SYNTAX:
        if part in problem:
            begin = getattr(error, "context_mark", mark) if around else mark
            line, column = (begin.line + 1, begin.column + 1) if begin is not None else noticed
            here = _character(text, line, column)
            if part == "could not find expected ':'" and ":" in text.split("\n")[line - 1]:
                message = 'no ": " stands in this line'
            if here == "\t":
                message, hint = "a tab cannot indent", "indent with spaces"
            where = (
                f"on line {noticed[0]}"
                if noticed[0] <= len(text.splitlines())
                else "at the end of the file"
            )
            return Slip(message.format(here=here, where=where), hint, (line, column))
    return Slip(f"{context}, {problem}" if context else problem, None, noticed)


def _character(text: str, line: int, column: int) -> str:
    """What stands at a place; "" at the end of the line."""
    lines = text.splitlines()
    return lines[line - 1][column - 1 : column] if line <= len(lines) else ""
