"""YAML that cannot be read -> the everyday mistake that probably caused it, with a safe fix.

It is only used for files that have a fault.  `_LINE` lists mistakes that one line shows by itself,
`_NO_FIELDS` what is no record at all, `_SYNTAX` the messages for libyaml's other errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from generator.kinds import built_in
from generator.problems.diagnostic import Edit, Fix
from generator.problems.faults import Fault, shorten
from generator.text.characters import ODD_SPACES, describe_character, split_lines

#: The fields of all kinds of records and of locations.
FIELD_NAMES = frozenset((*built_in().written, "country", "region", "city"))


class _Guess(NamedTuple):
    """A pattern of a line with a mistake.  Its group `at` is the place, and `replacement`, if any,
    the text that fixes it there.  Message and hint are formatted with the groups.
    """

    pattern: str
    message: str
    hint: str
    replacement: str | None = None


# --- patterns -------------------------------------------------------------------------------------

_DASHES = r" *(?:- +)*"
_NAME = r"[A-Za-z_][\w-]*"
_DOUBLE, _SINGLE = r"\"(?:[^\"\\]|\\.)*\"", r"'(?:[^']|'')*'"
_INLINE = r"\[[^\[\]]*\]|\{[^{}]*\}"
_ODD_SPACE, _NORMAL_SPACE = (
    "{called} is here instead of a normal space",
    "write a normal space instead",
)
WRITE_NAME = 'write "name: …" on the first line'

_key = re.compile(rf"( *)((?:- +)*)({_NAME}) *:(?= |$)").match
_is_item = re.compile(r" *-(?= |$)").match
_tabbed = re.compile(r"[ ]*\t[ \t]*").match
_is_fence = re.compile(r"(?:```|~~~)[\w-]*\s*").fullmatch
_is_block = re.compile(r"[^#\n]*[:-] +[|>][-+0-9]*(?: *| +#.*)$").match
_link = re.compile(r"\[[^\[\]]*\]\((\S+)\)").fullmatch
_plain_value = re.compile(
    rf"({_DASHES}(?:{_NAME} *: +)?)([^\s'\"\[{{|>&*!#%@`,-][^\n]*?)\s*$"
).match
_field_in_text = re.compile(rf"({_NAME}): +(?:{_INLINE})$").match


def leading_key(line: str) -> str:
    """The text of the key or the "-" with which a line seems to begin; else ""."""
    match = _key(line)
    if match is not None:
        return f"{match[2]}{match[3]}:"
    return "-" if _is_item(line) else ""


def _fault(
    message: str, hint: str | None, at: tuple[int, int], edits: tuple[Edit, ...] = ()
) -> Fault:
    fix = Fix("text", edits) if edits else None
    return Fault("yaml-syntax", message, (), hint, at, fix=fix)


def find_fence(text: str) -> Fault | None:
    """The first line of a code block of Markdown around the fields, which is no YAML."""
    lines = text.split("\n")
    written = [number for number, line in enumerate(lines, 1) if line.strip()]
    fences = [n for n in written if _is_fence(lines[n - 1])]
    if not fences:
        return None
    whole = len(written) > 2 and fences == [written[0], written[-1]]
    edits = tuple((n, 1, n + 1, 1, "") for n in fences) if whole else ()
    message = "this line belongs to a code block of Markdown, not to the record"
    return _fault(message, 'keep only the lines between the two "```"', (fences[0], 1), edits)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _above(lines: list[str], number: int) -> int:
    """The number of the last line before a line that is not blank; 0 if there is none."""
    return next((n for n in range(number - 1, 0, -1) if lines[n - 1].strip()), 0)


# --- mistakes in one line -------------------------------------------------------------------------


def _quoted(text: str) -> str:
    """A text in double quotes, or in single quotes if double ones would need an escape."""
    return f'"{text}"' if not {'"', "\\"} & {*text} else "'" + text.replace("'", "''") + "'"


def _in_quotes(match: re.Match[str]) -> str:
    """The hint for `"Wow" is what they say`, `[Beta] Acme` and `[Acme](https://acme.example)`."""
    text = (match["begun"] + match["rest"]).rstrip()
    if (link := _link(text)) is not None:
        return f"write only the address: {shorten(link[1])}"
    if text[0] == text[-1] and text[0] in "\"'" and not match["begun"][-1].isspace():
        text = text[1:-1]  # both quotes were meant to enclose it
    return f"write {shorten(_quoted(text))}"


#: An odd space in the indentation, in a key or after its colon, `key:value` and `-item`.
_SPACING = (
    _Guess(
        rf"(?:[ \t-]*|[\w -]*(?=[{ODD_SPACES}][^:\n]*:)|[ -]*\w[\w-]*: ?)(?P<at>[{ODD_SPACES}])",
        _ODD_SPACE, _NORMAL_SPACE, " "),
    _Guess(
        rf"{_DASHES}(?P<key>{_NAME}):(?P<at>)(?=[^\s:/])(?P<rest>[^\n]*)",
        'there is no space after the ":"', 'write "{key}: {rest}"', " "),
    _Guess(
        r" *-(?P<at>)(?=[^\s\-\d])(?P<rest>[^\n]*?)(?= -|$)",
        'there is no space after the "-"', 'write "- {rest}"', " "),
)  # fmt: skip
_LINE = (
    *_SPACING,
    _Guess(
        rf"(?:{_DASHES}{_NAME}:| *-) +(?P<begun>(?:{_DOUBLE}|{_SINGLE})\s*|(?:{_INLINE}) *)"
        r"(?P<at>)(?=[^\s#:,\]}])(?P<rest>[^\n]*)",
        "the text goes on after the closing {end}", "{meant}"),
    _Guess(  # `"name": "Acme",`, as in JSON
        rf"(?:{_DASHES}(?:{_NAME}|\"[\w-]+\"|'[\w-]+') *:| *-) +"
        rf"(?:{_DOUBLE}|{_SINGLE}|{_INLINE}) *(?P<at>,) *$",
        "this line ends with a comma, as in JSON", "remove the comma", ""),
    _Guess(  # `name<tab>Acme`, as copied from a table
        rf"{_DASHES}(?P<key>{'|'.join(sorted(FIELD_NAMES))})(?P<at>[ ]*\t[ \t]*)"
        r"(?P<rest>[^\s:][^\n]*)",
        'a tab follows "{key}" instead of a colon', 'write "{key}: {rest}"', ": "),
    _Guess(  # `[Ann # the first, Bob]`
        r"(?s)(?:(?! #)[^\"'])*[\[{](?:(?! #)[^\"'\[\]{}])* (?P<at>#)(?=.*[\]}])",
        'this "#" begins a comment, so the bracket is not closed',
        'put a value that contains " #" in quotes; write a comment on its own line'),
)  # fmt: skip
#: `* Ann` below a key or a list item.
_BULLET = _Guess(
    r" *(?P<at>[*\u2022\u00b7\u2023\u25e6\u2013\u2014])[ \t]+(?P<rest>\S[^\n]*)",
    'a list item begins with "-", not with "{at}"', 'write "- {rest}"')  # fmt: skip
_TEXT, _LIST = "the file contains text, but no fields", "the file contains a list, but no fields"
#: The first lines of a file without fields.
_NO_FIELDS = (
    _Guess(
        r"(?P<at>)[^:,;\t\n]*([,;\t])[^:\n]*\n[^,;\t\n]*\2",
        "this file is a table, not a record", "make records of it by `registry import`"),
    _Guess(
        r"(?i)(?P<at>)<(?:!doctype|html|\?xml|!--)",
        "this file is a web page, not a record", "remove it, or write the record as YAML"),
    _Guess(
        r"(?s)(?P<at>)(?>- [^\n]*?\bname:).*?\n- [^\n]*?\bname:",  # in linear time
        _LIST, "write each record in a file of its own"),
    _Guess(r"(?P<at>)[-\[]", _LIST, 'remove the "-" before the fields, like "name: …"'),
    _Guess(
        r"(?P<at>)[^\n]*=",
        _TEXT, 'write a colon after the field name, not "=": "name: …"'),
    _Guess(
        r"(?P<at>)(?P<key>[a-z][a-z_]*) (?P<rest>[^\n]*)",
        _TEXT, 'write a colon after the field name: "{key}: {rest}"'),
    _Guess("(?P<at>)", _TEXT, WRITE_NAME),
)  # fmt: skip


def _first(guesses: Iterable[_Guess], line: str, number: int) -> Fault | None:
    """The mistake of the first guess that matches a line."""
    for pattern, message, hint, replacement in guesses:
        if (match := re.match(pattern, line)) is None:
            continue
        groups = match.groupdict("")
        groups["rest"] = shorten(groups.get("rest", ""))
        if begun := groups.get("begun", "").rstrip():
            groups["end"] = "quote" if begun[-1] in "\"'" else f'"{begun[-1]}"'
            groups["meant"] = _in_quotes(match)
        if groups["at"]:
            groups["called"] = describe_character(groups["at"])
        begin, end = (number, match.start("at") + 1), (number, match.end("at") + 1)
        edits = () if replacement is None else ((*begin, *end, replacement),)
        return _fault(message.format(**groups), hint.format(**groups), begin, edits)
    return None


def wrong_space(line: str, number: int = 1) -> Fault | None:
    """An odd space before a value, or a key or a dash without a space after it."""
    return _first(_SPACING, line, number)


def explain_no_fields(lines: list[str], place: tuple[int, int]) -> Fault:
    """The mistake in a file with a list or a text at a place, instead of fields."""
    number, column = place
    text = "\n".join(lines[number - 1 :])[column - 1 :]
    cause = slip(lines, number, number) or _first(_NO_FIELDS, text, number)
    assert cause is not None
    return replace(cause, code="yaml-not-a-mapping")


# --- mistakes in several lines --------------------------------------------------------------------


_NEAR = 50  # lines after the first and before the last in which a cause is looked for


def slip(lines: list[str], first: int, last: int) -> Fault | None:
    """The probable cause of an error that libyaml noticed between two lines, 1-based."""
    near = dict.fromkeys((*range(first, last + 1)[:_NEAR], *range(first, last + 1)[-_NEAR:]))
    for number in (*near, _above(lines, first) or first):
        if number <= len(lines):
            above = lines[_above(lines, number) - 1].rstrip()
            guesses = (*_LINE, _BULLET) if above[-1:] == ":" or _is_item(above) else _LINE
            cause = _first(guesses, lines[number - 1], number)
            if cause is not None:
                return cause
    return _misplaced(lines, last)


class _Beginning(NamedTuple):
    """A field or a list item: its column, from 0, its name, and its value on the same line."""

    column: int
    is_item: bool
    name: str
    value: str


def _parts(line: str) -> list[_Beginning]:
    """The list items and the field that begin on a line."""
    field = _key(line)
    if field is None:
        column = _indent(line)
        return [_Beginning(column, True, "-", line[column + 1 :].strip())] if _is_item(line) else []
    value = line[field.end() :].strip()
    dashes = (at for at in range(*field.span(2)) if line[at] == "-")
    items = [_Beginning(at, True, "-", value) for at in dashes]
    return [*items, _Beginning(field.start(3), False, field[3], value)]


def _misplaced(lines: list[str], number: int) -> Fault | None:
    """A field or an item that begins in another column than those beside it."""
    part = next(iter(_parts(lines[number - 1])), None) if number <= len(lines) else None
    if part is None:
        return None
    above = list[_Beginning]()  # what the line could be nested in, the outermost first
    for other in (other for line in lines[: number - 1] for other in _parts(line)):
        while above and (above[-1].column, above[-1].is_item) >= (other.column, other.is_item):
            above.pop()
        above.append(other)
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
        return _fault(message, "start all items of a list in the same column", (number, at))
    message = f'"{part.name}" starts in column {at}, but "{sibling.name}" above in column {column}'
    hint = "start both in the same column"
    if at > column:
        hint += "; if this line is part of the text above, put the text in quotes"
    return _fault(message, hint, (number, at))


# --- libyaml's errors -----------------------------------------------------------------------------

_QUOTES = "put a value that begins with this character in quotes"
_NO_VALUE = 'a value cannot begin with "{here}"'
_ESCAPE = "write two backslashes for one, or use single quotes"
_CLOSE = "close the bracket, or add the comma"
_NO_COLON = "mapping values are not allowed"
#: A pattern of libyaml's message, with the line on which libyaml noticed the error below -> our
#: message and hint, and whether the place is the start of what libyaml was reading.  `{here}` is
#: the character at the place, `{where}` the line on which libyaml noticed the error.
_SYNTAX = {
    _NO_COLON: (
        'a ": " is not allowed here',
        'put a value that contains ": " in quotes; start fields that belong together in the '
        "same column", False),
    "found unexpected ':'": (
        'there is no space after this ":"',
        "write a space after it, like {topic: [climate]}, or put the value in quotes", False),
    "could not find expected ':'": (
        'there is no ": " in this line',
        'write a field as "name: value" and a list item as "- value"; indent the further lines '
        "of a text", True),
    r"did not find expected key\n *-( |$)": (
        "this item is not in a list",
        'remove the "-", or move the line below the field that has the list', False),
    rf"did not find expected key\n(?! *{_NAME} *:( |$))": (
        "this line belongs to no text and to no field",
        'start all lines of a text in the same column, and put a text that contains " #" in quotes',
        False),
    "did not find expected key": (
        "a field cannot start here",
        "start fields that belong together in the same column; double a quote inside quotes",
        False),
    "did not find expected '-' indicator": (
        "a list item cannot start here", "start all items of a list in the same column", False),
    "did not find expected ',' or ']'": (
        'this "[" is not closed, or a "," is missing (noticed {where})', _CLOSE, True),
    "did not find expected ',' or '}'": (
        'this "{{" is not closed, or a "," is missing (noticed {where})', _CLOSE, True),
    "found unexpected (end of stream|document indicator)": (
        "this quote is not closed", "close the quote where the text ends", True),
    "found unknown escape character": ("this backslash code does not exist", _ESCAPE, False),
    "invalid Unicode character escape": (
        "this backslash code is not a character", "write the character itself", False),
    "hexdecimal": ("this backslash code is incomplete", _ESCAPE, False),
    "did not find expected alphabetic": (_NO_VALUE, _QUOTES, True),
    "cannot start any token|mapping keys are not allowed": (_NO_VALUE, _QUOTES, False),
    "block sequence entries are not allowed": (
        "a list item cannot start here",
        'write each item on its own line; put a value that begins with "- " in quotes', False),
    "did not find expected comment or line break": (
        "nothing may follow on this line",
        "start the text on the line after | or >; put a value that begins with | or > in quotes",
        False),
    "did not find expected node content": (
        "a value is missing here", "write one, or remove the comma", False),
    "<document start>": (
        "the record has ended before this line", "write each record in its own file", False),
}  # fmt: skip

#: How a line of another format begins -> what to write.
_OTHER_MARKS = {
    r"[\w-]+ *= *\S": 'write a colon after the field name, not "=": "name: …"',
    r"//|/\*|--|;": 'begin a comment with "#"',
}


def explain_error(error: Any, text: str) -> Fault:
    """A libyaml error in words; one about something unclosed is placed where that begins."""
    problem = str(getattr(error, "problem", None) or error).strip()
    mark = getattr(error, "problem_mark", None)
    begin = getattr(error, "context_mark", None) or mark
    if mark is None or begin is None:
        return _fault(problem, None, (1, 1))
    lines, noticed = split_lines(text), mark.line + 1
    if cause := slip(lines, min(begin.line + 1, noticed), noticed):
        return cause
    line = lines[mark.line] if mark.line < len(lines) else ""
    if line[mark.column : mark.column + 1] == "\t":
        return _tab(lines, noticed, mark.column + 1)
    if _NO_COLON in problem and (unquoted := _unquoted(lines, noticed, mark.column + 1)):
        return unquoted
    for pattern, (message, hint, at_context) in _SYNTAX.items():
        if re.search(pattern, f"{problem}\n{line}"):
            place = begin if at_context else mark
            rest = "".join(lines[place.line : place.line + 1])[place.column :]
            where = f"on line {noticed}" if any(lines[mark.line :]) else "at the end of the file"
            problem = message.format(here=rest[:1], where=where)
            marks = _OTHER_MARKS.items() if at_context else ()
            hint = next((other for begins, other in marks if re.match(begins, rest)), hint)
            return _fault(problem, hint, (place.line + 1, place.column + 1))
    return _fault(problem, None, (noticed, mark.column + 1))


def _unquoted(lines: list[str], number: int, column: int) -> Fault | None:
    """A text without quotes, on one line, with a ": " at a column."""
    match = _plain_value(lines[number - 1])
    if match is None or not match[1].strip() or match.end(1) >= column or " #" in match[2]:
        return None
    below = next((other for other in lines[number:] if other.strip()), "")
    if _indent(below) > len(match[1]) - len(match[1].lstrip(" -")):
        return None  # the next line continues the text, or does not belong to it
    place, text = (number, match.start(2) + 1), re.sub("^[“„‘](.+)[”“’]$", r"\1", match[2])
    if (inner := _field_in_text(text)) is not None:
        message = f'"{inner[1]}:" cannot follow another field on the same line'
        return _fault(message, f"write it in braces: {{{shorten(text)}}}", place)
    quoted = _quoted(text)
    message = 'this text contains ": ", so the words before it are read as a field name'
    hint = f"put it in quotes: {shorten(quoted)}"
    # With the name of a field before a colon it is probably not a text, but two fields on a line.
    words = (part.strip("\"' ").rpartition(" ")[2] for part in text.split(": ")[:-1])
    field = next((word for word in words if word in FIELD_NAMES), None)
    if field is not None:
        hint = f'if "{field}" is a field, write it on its own line; if not, {hint}'
        return _fault(message, hint, place)
    return _fault(message, hint, place, ((*place, number, match.end(2) + 1, quoted),))


def _tab(lines: list[str], line: int, column: int) -> Fault:
    """A tab in the indentation of a line, or after a dash or a question mark.

    Tabs have no certain width, so a program replaces them only if no line begins with a space.
    """
    at = line, column
    if lines[line - 1][: column - 1].strip():
        message = _ODD_SPACE.format(called=describe_character("\t"))
        return _fault(message, _NORMAL_SPACE, at, ((*at, line, column + 1, " "),))
    edits: tuple[Edit, ...] = ()
    if not any(_is_block(other) or other[:1] == " " for other in lines):
        edits = tuple(
            (number, 1, number, match.end() + 1, match[0].replace("\t", "  "))
            for number, match in enumerate(map(_tabbed, lines), 1)
            if match is not None
        )
    return _fault("this line starts with a tab", "indent with spaces", at, edits)
