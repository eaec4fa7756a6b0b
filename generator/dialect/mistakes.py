"""YAML that cannot be read -> the everyday mistake that probably caused it, with a safe fix.

It is only used for files that have a fault.  `_LINE` lists mistakes that one line shows by itself,
`_SYNTAX` the messages for libyaml's other errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from generator.kinds.every import WRITTEN
from generator.problems.diagnostic import Edit
from generator.text.characters import ODD_SPACES, describe_character, split_lines

#: The fields of all kinds of records and of locations.
FIELD_NAMES = frozenset((*WRITTEN, "country", "region", "city"))


class Slip(NamedTuple):
    """A mistake: message, hint, and line and column, 1-based.  `edits` fix it if that is safe."""

    message: str
    hint: str | None
    at: tuple[int, int]
    edits: tuple[Edit, ...] = ()


class _LineRule(NamedTuple):
    """A mistake that a line shows by itself.  The group `at` of the match is the place, and
    `replacement`, if any, the text that fixes it there.  Message and hint are formatted with the
    groups.
    """

    match: Callable[[str], re.Match[str] | None]
    message: str
    hint: str | Callable[[re.Match[str]], str]
    replacement: str | None = None


# --- patterns -------------------------------------------------------------------------------------

_DASHES = r" *(?:- +)*"
_NAME = r"[A-Za-z_][\w-]*"
_DOUBLE, _SINGLE = r"\"(?:[^\"\\]|\\.)*\"", r"'(?:[^']|'')*'"
_INLINE = r"\[[^\[\]]*\]|\{[^{}]*\}"
_VALUE_OF = rf"(?:{_DASHES}{_NAME}:| *-) +"
_GOES_ON = r"(?P<at>)(?=[^\s#:,\]}])(?P<rest>[^\n]*)"

_key = re.compile(rf"( *)((?:- +)*)({_NAME}) *:(?= |$)").match
_is_item = re.compile(r" *-(?= |$)").match
_tabbed = re.compile(r"[ ]*\t[ \t]*").match
_is_conflict = re.compile(r"(?:<{7}|>{7}|\|{7})(?: .*)?|={7}").fullmatch
_is_fence = re.compile(r"(?:```|~~~)[\w-]*\s*").fullmatch
_is_block = re.compile(r"[^#\n]*[:-] +[|>][-+0-9]*(?: *| +#.*)$").match
_link = re.compile(r"\[[^\[\]]*\]\((\S+)\)").fullmatch
_plain_value = re.compile(
    rf"({_DASHES}(?:{_NAME} *: +)?)([^\s'\"\[{{|>&*!#%@`,-][^\n]*?)\s*$"
).match
_field_in_text = re.compile(rf"({_NAME}): +(?:{_INLINE})$").match


def shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def leading_key(line: str) -> str:
    """The text of the key or the "-" with which a line seems to begin; else ""."""
    match = _key(line)
    if match is not None:
        return f"{match[2]}{match[3]}:"
    return "-" if _is_item(line) else ""


def find_conflict_marker(text: str) -> Slip | None:
    """The first of git's conflict markers in a text."""
    if not any(mark in text for mark in ("<<<<<<<", ">>>>>>>", "=======")):
        return None
    for number, line in enumerate(text.splitlines(), 1):
        if _is_conflict(line):
            hint = (
                "keep the lines of one version, and remove the lines that begin with <<<<<<<, "
                "=======, ||||||| or >>>>>>>"
            )
            return Slip("git could not merge two versions of this file", hint, (number, 1))
    return None


def find_fence(text: str) -> Slip | None:
    """The first line of a code block of Markdown around the fields, which is no YAML."""
    lines = text.split("\n")
    written = [number for number, line in enumerate(lines, 1) if line.strip()]
    fences = [n for n in written if _is_fence(lines[n - 1])]
    if not fences:
        return None
    whole = len(written) > 2 and fences == [written[0], written[-1]]
    edits = tuple((n, 1, n + 1, 1, "") for n in fences) if whole else ()
    message = "this line belongs to a code block of Markdown, not to the record"
    hint = 'keep only the lines between the two "```"'
    return Slip(message, hint, (fences[0], 1), edits)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _above(lines: list[str], number: int) -> int:
    """The number of the last line before a line that is not blank; 0 if there is none."""
    return next((n for n in range(number - 1, 0, -1) if lines[n - 1].strip()), 0)


# --- mistakes in one line -------------------------------------------------------------------------


def _quoted(text: str) -> str:
    """A text in double quotes, or in single quotes if it has double ones."""
    return f'"{text}"' if '"' not in text else "'" + text.replace("'", "''") + "'"


def _quote_hint(match: re.Match[str]) -> str:
    """The hint for `"Wow" is what they say`, `[Beta] Acme` and `[Acme](https://acme.example)`."""
    text = (match["begun"] + match["rest"]).rstrip()
    if (link := _link(text)) is not None:
        return f"write only the address: {shortened(link[1])}"
    if text[0] == text[-1] and text[0] in "\"'" and not match["begun"][-1].isspace():
        text = text[1:-1]  # both quotes were meant to enclose it
    if "\\" in text or len(text) > 60:
        return "put the whole value in quotes"
    return f"write {_quoted(text)}"


#: An odd space in the indentation of a line, in a key or after its colon.
_ODD = _LineRule(
    re.compile(
        rf"(?:[ \t-]*|[\w -]*(?=[{ODD_SPACES}][^:\n]*:)|[ -]*\w[\w-]*: ?)(?P<at>[{ODD_SPACES}])"
    ).match,
    "{called} is here instead of a normal space",
    "write a normal space instead",
    " ",
)
#: `key:value` and `-item`.
_GLUED = (
    _LineRule(
        re.compile(rf"{_DASHES}(?P<key>{_NAME}):(?P<at>)(?=[^\s:/])(?P<rest>[^\n]*)").match,
        'there is no space after the ":"',
        'write "{key}: {rest}"',
        " ",
    ),
    _LineRule(
        re.compile(r" *-(?P<at>)(?=[^\s\-\d])(?P<rest>[^\n]*?)(?= -|$)").match,
        'there is no space after the "-"',
        'write "- {rest}"',
        " ",
    ),
)
_LINE = (
    _ODD,
    *_GLUED,
    _LineRule(
        re.compile(rf"{_VALUE_OF}(?P<begun>(?:{_DOUBLE}|{_SINGLE})\s*){_GOES_ON}").match,
        "the text goes on after its closing quote",
        _quote_hint,
    ),
    _LineRule(
        re.compile(rf"{_VALUE_OF}(?P<begun>(?:{_INLINE}) *){_GOES_ON}").match,
        'the text goes on after the closing "{end}"',
        _quote_hint,
    ),
    _LineRule(  # `"name": "Acme",`, as in JSON
        re.compile(
            rf"(?:{_DASHES}(?:{_NAME}|\"[\w-]+\"|'[\w-]+') *:| *-) +"
            rf"(?:{_DOUBLE}|{_SINGLE}|{_INLINE}) *(?P<at>,) *$"
        ).match,
        "this line ends with a comma, as in JSON",
        "remove the comma",
        "",
    ),
    _LineRule(  # `name<tab>Acme`, as copied from a table
        re.compile(
            rf"{_DASHES}(?P<key>{'|'.join(sorted(FIELD_NAMES))})(?P<at>[ ]*\t[ \t]*)"
            r"(?P<rest>[^\s:][^\n]*)"
        ).match,
        'a tab follows "{key}" instead of a colon',
        'write "{key}: {rest}"',
        ": ",
    ),
    _LineRule(  # `[Ann # the first, Bob]`
        re.compile(
            r"(?:(?! #)[^\"'])*[\[{](?:(?! #)[^\"'\[\]{}])* (?P<at>#)(?=.*[\]}])", re.S
        ).match,
        'this "#" begins a comment, so the bracket is not closed',
        'put a value that contains " #" in quotes; write a comment on its own line',
    ),
)


#: `* Ann` below a key or a list item.
_BULLET = _LineRule(
    re.compile(r" *(?P<at>[*\u2022\u00b7\u2023\u25e6\u2013\u2014])[ \t]+(?P<rest>\S[^\n]*)").match,
    'a list item begins with "-", not with "{at}"',
    'write "- {rest}"',
)


def _first(rules: Iterable[_LineRule], line: str, number: int) -> Slip | None:
    """The mistake of the first rule that matches a line."""
    for rule in rules:
        if (match := rule.match(line)) is None:
            continue
        groups = match.groupdict()
        groups["rest"] = shortened(groups.get("rest") or "")
        groups["end"] = (groups.get("begun") or "").rstrip()[-1:]
        if groups["at"]:
            groups["called"] = describe_character(groups["at"])
        hint = rule.hint.format(**groups) if isinstance(rule.hint, str) else rule.hint(match)
        begin, end = (number, match.start("at") + 1), (number, match.end("at") + 1)
        edits = () if rule.replacement is None else ((*begin, *end, rule.replacement),)
        return Slip(rule.message.format(**groups), hint, begin, edits)
    return None


def odd_space(line: str, number: int) -> Slip | None:
    """An odd space in the indentation, in the key or after the colon of a line."""
    return _first((_ODD,), line, number)


def missing_space(line: str, number: int) -> Slip | None:
    """A key or a dash without a space after it."""
    return _first(_GLUED, line, number)


# --- mistakes in several lines --------------------------------------------------------------------


_NEAR = 50  # lines after the first and before the last in which a cause is looked for


def slip(lines: list[str], first: int, last: int) -> Slip | None:
    """The probable cause of an error that libyaml noticed between two lines, 1-based."""
    near = dict.fromkeys((*range(first, last + 1)[:_NEAR], *range(first, last + 1)[-_NEAR:]))
    for number in (*near, _above(lines, first) or first):
        if number <= len(lines):
            above = lines[_above(lines, number) - 1].rstrip()
            rules = (*_LINE, _BULLET) if above[-1:] == ":" or _is_item(above) else _LINE
            cause = _first(rules, lines[number - 1], number)
            if cause is not None:
                return cause
    return _misplaced(lines, last)


class _Beginning(NamedTuple):
    """A field or a list item: its column, from 0, its name, and its value on the same line."""

    column: int
    name: str
    value: str
    is_item: bool


def _parts(line: str) -> list[_Beginning]:
    """The list items and the field that begin on a line."""
    field = _key(line)
    if field is None:
        column = _indent(line)
        return [_Beginning(column, "-", line[column + 1 :].strip(), True)] if _is_item(line) else []
    value = line[field.end() :].strip()
    dashes = (at for at in range(*field.span(2)) if line[at] == "-")
    items = [_Beginning(at, "-", value, True) for at in dashes]
    return [*items, _Beginning(field.start(3), field[3], value, False)]


def _open(lines: list[str]) -> list[_Beginning]:
    """The fields and items that a line after these could be nested in, the outermost first."""
    parts: list[_Beginning] = []
    for part in (part for line in lines for part in _parts(line)):
        while parts and (
            parts[-1].column > part.column
            or (parts[-1].column == part.column and (parts[-1].is_item or not part.is_item))
        ):
            parts.pop()
        parts.append(part)
    return parts


def _misplaced(lines: list[str], number: int) -> Slip | None:
    """A field or an item that begins in another column than those beside it."""
    part = next(iter(_parts(lines[number - 1])), None) if number <= len(lines) else None
    if part is None:
        return None
    above = _open(lines[: number - 1])
    alike = [other for other in above if other.is_item == part.is_item]
    if any(other.column == part.column for other in alike):
        return None
    deeper = next((other for other in alike if other.column > part.column), None)
    sibling = deeper or (alike[-1] if alike and above[-1].value else None)
    if sibling is None:
        return None
    at, column = part.column + 1, sibling.column + 1
    if part.is_item:
        message = f'this "-" starts in column {at}, but the "-" above in column {column}'
        return Slip(message, "start all items of a list in the same column", (number, at))
    message = f'"{part.name}" starts in column {at}, but "{sibling.name}" above in column {column}'
    hint = "start both in the same column"
    if at > column:
        hint += "; if this line is part of the text above, put the text in quotes"
    return Slip(message, hint, (number, at))


# --- libyaml's errors -----------------------------------------------------------------------------

_QUOTES = "put a value that begins with this character in quotes"
_NO_VALUE = 'a value cannot begin with "{here}"'
_ESCAPE = "write two backslashes for one, or use single quotes"
_CLOSE = "close the bracket, or add the comma"
_NO_COLON = "mapping values are not allowed"
_NO_KEY = "did not find expected key"
#: Cases of `_NO_KEY`, by the line at which libyaml noticed it.
_NO_ITEM, _NO_FIELD = f"{_NO_KEY} (item)", f"{_NO_KEY} (text)"
#: Part of libyaml's message -> our message and hint, and whether the place is the start of what
#: libyaml was reading. `{here}` is the character at the place, `{where}` the line on which libyaml
#: noticed the error.
_SYNTAX = {
    _NO_COLON: (
        'a ": " is not allowed here',
        'put a value that contains ": " in quotes; start fields that belong together in the '
        "same column", False),
    "found unexpected ':'": (
        'there is no space after this ":"',
        "write a space after it, like {topic: [climate]}, or put the value in quotes", False),
    "could not find expected ':'": (
        'there is no ":" in this line',
        'write a field as "name: value" and a list item as "- value"; indent the further lines '
        "of a text", True),
    _NO_ITEM: (
        "this item is not in a list",
        'remove the "-", or move the line below the field that has the list', False),
    _NO_FIELD: (
        "this line belongs to no text and to no field",
        'start all lines of a text in the same column, and put a text that contains " #" in quotes',
        False),
    _NO_KEY: (
        "a field cannot start here",
        "start fields that belong together in the same column; double a quote inside quotes",
        False),
    "did not find expected '-' indicator": (
        "a list item cannot start here", "start all items of a list in the same column", False),
    "did not find expected ',' or ']'": (
        'this "[" is not closed, or a "," is missing (noticed {where})', _CLOSE, True),
    "did not find expected ',' or '}'": (
        'this "{{" is not closed, or a "," is missing (noticed {where})', _CLOSE, True),
    "found unexpected end of stream": (
        "this quote is not closed", "close the quote where the text ends", True),
    "found unexpected document indicator": (
        "this quote is not closed (noticed {where})", "close the quote", True),
    "found unknown escape character": ("this backslash code does not exist", _ESCAPE, False),
    "invalid Unicode character escape": (
        "this backslash code is not a character", "write the character itself", False),
    "hexdecimal": ("this backslash code is incomplete", _ESCAPE, False),
    "did not find expected alphabetic": (_NO_VALUE, _QUOTES, True),
    "cannot start any token": (_NO_VALUE, _QUOTES, False),
    "block sequence entries are not allowed": (
        "a list item cannot start here",
        'write each item on its own line; put a value that begins with "- " in quotes', False),
    "did not find expected comment or line break": (
        "nothing may follow on this line",
        "start the text on the line after | or >; put a value that begins with | or > in quotes",
        False),
    "mapping keys are not allowed": ('a value cannot begin with "?"', _QUOTES, False),
    "found a tab character": ("this line starts with a tab", "indent with spaces", False),
    "did not find expected node content": (
        "a value is missing here", "write one, or remove the comma", False),
    "<document start>": (
        "the record has ended before this line", "write each record in its own file", False),
}  # fmt: skip


def explain_error(error: Exception, text: str) -> Slip:
    """A libyaml error in words; one about something unclosed is placed where that begins."""
    problem = str(getattr(error, "problem", None) or error).strip()
    context = str(getattr(error, "context", None) or "")
    mark = getattr(error, "problem_mark", None)
    noticed = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    begin = getattr(error, "context_mark", None) or mark
    lines = split_lines(text)
    if begin is not None and (cause := slip(lines, min(begin.line + 1, noticed[0]), noticed[0])):
        return cause
    part = next((part for part in _SYNTAX if part in problem), None)
    if part is None:
        return Slip(f"{context}, {problem}" if context else problem, None, noticed)
    if part == _NO_KEY:
        found = _parts(lines[noticed[0] - 1]) if noticed[0] <= len(lines) else []
        part = _NO_ITEM if found and found[0].is_item else part if found else _NO_FIELD
    message, hint, at_context = _SYNTAX[part]
    begin = getattr(error, "context_mark", mark) if at_context else mark
    line, column = (begin.line + 1, begin.column + 1) if begin is not None else noticed
    text_lines = text.splitlines()
    here = text_lines[line - 1][column - 1 : column] if line <= len(text_lines) else ""
    if part == _NO_COLON:
        unquoted = _unquoted(lines, line, column)
        if unquoted is not None:
            return unquoted
    if here == "\t":
        return _tab(lines, line, column)
    if part == "could not find expected ':'" and ":" in lines[line - 1]:
        message = 'there is no ": " in this line'
    is_in_text = noticed[0] <= len(text_lines)
    where = f"on line {noticed[0]}" if is_in_text else "at the end of the file"
    return Slip(message.format(here=here, where=where), hint, (line, column))


def _unquoted(lines: list[str], number: int, column: int) -> Slip | None:
    """A text without quotes, on one line, with a ": " at a column."""
    match = _plain_value(lines[number - 1])
    if match is None or not match[1].strip() or match.end(1) >= column or " #" in match[2]:
        return None
    below = next((other for other in lines[number:] if other.strip()), "")
    if _indent(below) > len(match[1]) - len(match[1].lstrip(" -")):
        return None  # the next line continues the text, or does not belong to it
    text, place = match[2], (number, match.start(2) + 1)
    if text[0] + text[-1] in ("\u201c\u201d", "\u201e\u201c", "\u2018\u2019"):
        text = text[1:-1]
    if "\\" in text or not text:
        return None
    if (inner := _field_in_text(text)) is not None:
        message = f'"{inner[1]}:" cannot follow another field on the same line'
        return Slip(message, f"write it in braces: {{{shortened(text)}}}", place)
    quoted = _quoted(text)
    message = 'this text contains ": ", so the words before it are read as a field name'
    hint = f"put it in quotes: {shortened(quoted)}"
    # With the name of a field before a colon it is probably not a text, but two fields on a line.
    words = (part.strip("\"' ").rpartition(" ")[2] for part in text.split(": ")[:-1])
    field = next((word for word in words if word in FIELD_NAMES), None)
    if field is not None:
        hint = f'if "{field}" is a field, write it on its own line; if not, {hint}'
        return Slip(message, hint, place)
    return Slip(message, hint, place, ((*place, number, match.end(2) + 1, quoted),))


def _tab(lines: list[str], line: int, column: int) -> Slip:
    """A tab in the indentation of a line, or after a dash or a question mark.

    Tabs have no certain width, so a program replaces them only if no line begins with a space.
    """
    at = line, column
    if lines[line - 1][: column - 1].strip():
        message = _ODD.message.format(called=describe_character("\t"))
        return Slip(message, str(_ODD.hint), at, ((*at, line, column + 1, " "),))
    edits: tuple[Edit, ...] = ()
    if not any(_is_block(other) or other[:1] == " " for other in lines):
        edits = tuple(
            (number, 1, number, match.end() + 1, match[0].replace("\t", "  "))
            for number, match in enumerate(map(_tabbed, lines), 1)
            if match is not None
        )
    return Slip("this line starts with a tab", "indent with spaces", at, edits)
