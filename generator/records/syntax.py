"""What libyaml says of YAML that cannot be read, in words, with the mend where that is safe."""

from __future__ import annotations

import re

from yaml import YAMLError

from generator.api.diagnostic import Edit
from generator.records.slips import BLOCK, Slip, shortened, slip

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
        "found unexpected ':'",
        'there is no space after this ":"',
        "write a space after it, like {topic: [climate]}; or write the value in quotes",
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
    ("mapping keys are not allowed", 'a value cannot begin with "?"', _QUOTES, False),
    ("found a tab character", "this line starts with a tab", "indent with spaces", False),
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
            if part == "mapping values are not allowed":
                colon = _unquoted(text.split("\n"), line, column)
                if colon is not None:
                    return colon
            if part == "could not find expected ':'" and ":" in text.split("\n")[line - 1]:
                message = 'no ": " stands in this line'
            if here == "\t":
                return _tab(text, line, column)
            where = (
                f"on line {noticed[0]}"
                if noticed[0] <= len(text.splitlines())
                else "at the end of the file"
            )
            return Slip(message.format(here=here, where=where), hint, (line, column))
    return Slip(f"{context}, {problem}" if context else problem, None, noticed)


_FIELD_IN_TEXT = re.compile(r"([A-Za-z_][\w-]*): +(?:\[[^\[\]]*\]|\{[^{}]*\})$")
_VALUE = re.compile(r"( *(?:- +)*(?:[A-Za-z_][\w-]* *: +)?)([^\s'\"\[{|>&*!#%@`,-][^\n]*?)\s*$")


def _unquoted(lines: list[str], number: int, column: int) -> Slip | None:
    """A text on one line that is not in quotes and holds the ": " at a place."""
    line = lines[number - 1]
    match = _VALUE.match(line)
    if match is None or match.end(1) >= column or " #" in match[2]:
        return None
    below = next((other for other in lines[number:] if other.strip()), "")
    if len(below) - len(below.lstrip(" ")) > len(match[1]) - len(match[1].lstrip(" -")):
        return None  # the text goes on, or what is indented is no part of it
    text = match[2]
    if text[0] + text[-1] in ("\u201c\u201d", "\u201e\u201c", "\u2018\u2019"):
        text = text[1:-1]
    if "\\" in text or not text:
        return None
    inner = _FIELD_IN_TEXT.match(text)
    if inner is not None:
        what = f'"{inner[1]}:" cannot stand behind another field on one line'
        return Slip(
            what, f"write it in braces: {{{shortened(text)}}}", (number, match.start(2) + 1)
        )
    quoted = f'"{text}"' if '"' not in text else "'" + text.replace("'", "''") + "'"
    what = 'this text holds ": ", and what stands before that YAML takes for the name of a field'
    place, hint = (number, match.start(2) + 1), f"write it in quotes: {shortened(quoted)}"
    field = _swallowed(text)
    if field is not None:
        own = f'if "{field}" is a field of its own, write it on a line of its own; if not'
        return Slip(what, f"{own}, {hint}", place)
    return Slip(
        what,
        hint,
        place,
        ((number, match.start(2) + 1, number, match.end(2) + 1, quoted),),
    )


def _swallowed(text: str) -> str | None:
    """The field whose name stands before a colon in a text: it is hardly a text but two fields on
    one line.
    """
    from generator.records.kinds import KINDS
    from generator.records.rewrite import PLACE

    fields = {name for kind in KINDS.values() for name in kind.model.model_fields} | PLACE
    words = (part.strip("\"' ").rpartition(" ")[2] for part in text.split(": ")[:-1])
    return next((word for word in words if word in fields), None)


_tabbed = re.compile(r"[ ]*\t[ \t]*").match


def _tab(text: str, line: int, column: int) -> Slip:
    """A tab in the indentation of a line, or after a dash or a question mark."""
    if text.split("\n")[line - 1][: column - 1].strip():
        message = "a tab stands here, which YAML does not take for a blank"
        edit = (line, column, line, column + 1, " ")
        return Slip(message, "write a usual blank instead", (line, column), (edit,))
    message = "this line starts with a tab"
    return Slip(message, "indent with spaces", (line, column), _untabbed(text))


def _untabbed(text: str) -> tuple[Edit, ...]:
    """Spaces for the tabs that lines are indented with, in a number that gives the file a meaning.

    Nothing if other numbers give it another meaning, or if a block of text may hold the tabs.
    """
    from generator.records.examine import examine

    lines = text.split("\n")
    if any(map(BLOCK.match, lines)):
        return ()
    meanings: dict[str, tuple[Edit, ...]] = {}
    for width in (2, 4, 8, 3, 6, 1, 5, 7):
        edits, spaced = _spaces(lines, width), list(lines)
        for number, _, _, end, put in edits:
            spaced[number - 1] = put + lines[number - 1][end - 1 :]
        document = examine("\n".join(spaced).encode())
        if document.data is not None and all(f.code != "yaml-syntax" for f in document.faults):
            meanings.setdefault(repr(document.data), edits)
    if not meanings and not any(line[:1] == " " for line in lines):
        return _spaces(lines, 2)  # something else is wrong too
    return next(iter(meanings.values())) if len(meanings) == 1 else ()


def _spaces(lines: list[str], width: int) -> tuple[Edit, ...]:
    return tuple(
        (number, 1, number, match.end() + 1, match[0].replace("\t", " " * width))
        for number, line in enumerate(lines, 1)
        if (match := _tabbed(line)) is not None
    )


def _character(text: str, line: int, column: int) -> str:
    """What stands at a place; "" at the end of the line."""
    lines = text.splitlines()
    return lines[line - 1][column - 1 : column] if line <= len(lines) else ""
