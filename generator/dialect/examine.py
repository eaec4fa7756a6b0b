"""YAML bytes -> plain data, every fault of the dialect, and the line and column of every node: the
thorough lane.

`examine` reads libyaml's events.  It is run only for files in which the fast lane, or a check,
found something.
"""

from __future__ import annotations

import re
from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from generator.dialect.document import Document, after
from generator.dialect.folder import MAX_BYTES
from generator.dialect.mistakes import (
    Slip,
    begins_part,
    conflict,
    explained,
    glued,
    shortened,
    slip,
)
from generator.dialect.parse import BLOCKS, BOM, MAX_DEPTH, forbidden, scalar
from generator.dialect.texts import ODD_BLANKS, called, instead, lines_of, odd_ends, odd_quotes
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, spell

_is_name = re.compile(r"[a-z][a-z_]*").fullmatch
_is_item = re.compile(r"[ \t]*-(?![-\d.])").match


_NAME = 'write "name: …" on the first line'


class _Stop(Exception):
    """What follows in the file is not worth reading: a fault says why."""


def examine(raw: bytes) -> Document:
    """Everything that can be said of one file; never raises."""
    document = Document()
    raw = raw if len(raw) > MAX_BYTES else raw.removeprefix(BOM)
    unread = _unread(raw)
    if unread is not None:
        document.faults.append(unread)
        return document
    try:
        _Examiner(raw, document).run()
    except _Stop:
        document.data = None
    except YAMLError as error:
        fault = _slipped("yaml-syntax", explained(error, raw.decode(), _meaning))
        # What is only warned of at its place, and so are quotes around a text that is to be put in
        # quotes, is no other problem.
        document.faults = [
            other
            for other in document.faults
            if other.severity == "error"
            or fault.at not in (other.at, document.values.get(other.loc) if other.sought else None)
        ]
        if all(fault.at != other.at for other in document.faults):
            document.faults.append(fault)
        document.data = None
    return document


def _unread(raw: bytes) -> Fault | None:
    """Why nothing of a file is read as YAML."""
    if len(raw) > MAX_BYTES:
        what = f"the file is larger than {MAX_BYTES >> 10} KiB"
        hint = "shorten it: put long texts on a website and link to them"
        return Fault("file-too-large", what, (), hint, (1, 1))
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        return _not_utf8(raw, error.start)
    if match := forbidden(text):
        what, hint = f"{called(match[0])} is not allowed", instead(text, match.start())
        if match[0] in "\x85\u2028\u2029":
            what = f"the invisible line break U+{ord(match[0]):04X} is not allowed"
            hint = "begin a new line instead"
        return Fault("yaml-syntax", what, (), hint, after(text[: match.start()]))
    unmerged = conflict(text)
    return _slipped("merge-conflict", unmerged) if unmerged is not None else None


def _meaning(text: str) -> str | None:
    """What a text means, as text; None if it cannot be read."""
    document = examine(text.encode())
    unread = any(fault.code == "yaml-syntax" for fault in document.faults)
    return None if unread or document.data is None else repr(document.data)


def _not_utf8(raw: bytes, at: int) -> Fault:
    """The first byte that is not UTF-8, and the encoding that the file probably has."""
    line, column = after(raw[:at].decode())
    meant = raw[at : at + 1].decode("cp1252", "ignore")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        what = "this file was probably saved as UTF-16"
    elif at and meant.isprintable() and meant:
        letter = "letter" if meant.isalpha() else "character"
        what = f'line {line} has a {letter} in an old Windows encoding, probably "{meant}"'
    else:
        what = f"this file is not saved as UTF-8 (byte 0x{raw[at]:02x})"
    return Fault("not-utf8", what, mend="save the file as UTF-8", at=(line, column))


def _slipped(code: str, cause: Slip, loc: Loc = ()) -> Fault:
    fix = Fix("text", cause.edits) if cause.edits else None
    return Fault(code, cause.message, loc, cause.hint, at=cause.at, fix=fix)


def _at(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


class _Examiner:
    """One pass over the events of a file; fills the document as it goes."""

    def __init__(self, raw: bytes, document: Document):
        self.next = CParser(raw).get_event
        self.lines = lines_of(raw.decode())
        self.document = document

    def fault(self, code: str, what: str, event: Any, hint: str, loc: Loc = ()) -> None:
        self.document.faults.append(Fault(code, what, loc, hint, at=_at(event)))

    def run(self) -> None:
        documents = 0
        while not isinstance(event := self.next(), StreamEndEvent):
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    what = "a second YAML document begins here"
                    self.fault(
                        "yaml-several-documents", what, event, "write each record in its own file"
                    )
                    return
                first = self.next()
                self.document.values[()] = _at(first)
                data = self.node(first, ())
                if isinstance(first, MappingStartEvent):
                    merged = (
                        f.code == "yaml-merge-key" and not f.loc for f in self.document.faults
                    )
                    self.document.data = None if any(merged) else data
                elif not isinstance(first, AliasEvent):
                    is_value = data is not None and not isinstance(first, SequenceStartEvent)
                    self.not_a_mapping(first, data, is_value=is_value)
                    if is_value:
                        return  # what follows it can only be an error
        if not documents:
            what = "the file is empty"
            self.document.faults.append(Fault("yaml-not-a-mapping", what, (), _NAME, at=(1, 1)))

    def not_a_mapping(self, first: Any, data: Any, *, is_value: bool) -> None:
        """A file of a list, of a single value, or of nothing."""
        number = _at(first)[0]
        line = self.lines[number - 1]
        cause = slip(self.lines, number, number) if data is not None else None
        if cause is not None:
            self.document.faults.append(_slipped("yaml-not-a-mapping", cause))
            return
        hint = _NAME
        key, blank, rest = line.strip().partition(" ")
        if is_value and "=" in line:
            hint = 'write a colon after the field name: "name: …"'
        elif blank and _is_name(key):
            hint = f'write a colon after the field name: "{key}: {shortened(rest)}"'
        kind = "a single value" if is_value else "a list"
        what = f"the file contains {kind} instead of fields"
        what = "the file contains no fields" if data is None else what
        self.fault("yaml-not-a-mapping", what, first, hint)

    def node(self, event: Any, loc: Loc) -> Any:
        self.document.values[loc] = _at(event)
        if isinstance(event, AliasEvent):
            what = f"*{event.anchor} is a YAML alias, which is not allowed"
            self.fault("yaml-alias", what, event, "write the value out, or put it in quotes", loc)
            return None
        hint = "remove it, or put the value in quotes"
        if event.anchor is not None:
            what = f"&{event.anchor} is a YAML anchor, which is not allowed"
            self.fault("yaml-anchor", what, event, hint, loc)
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.fault("yaml-tag", f"{tag} is a YAML tag, which is not allowed", event, hint, loc)
        if isinstance(event, ScalarEvent):
            return self.scalar(event, loc)
        if len(loc) > MAX_DEPTH:
            # libyaml's time grows with the square of the depth: reading on could take minutes.
            what = f"this is nested more than {MAX_DEPTH} levels deep"
            self.fault("yaml-too-deep", what, event, "a record has at most four levels", loc)
            raise _Stop
        return self.mapping(loc) if isinstance(event, MappingStartEvent) else self.sequence(loc)

    def scalar(self, event: Any, loc: Loc) -> Any:
        plain, block = event.implicit[0], event.style in BLOCKS
        lines = self.lines[event.start_mark.line : event.end_mark.line + 1]
        if block:
            lines = [line for line in lines[1:-1] if line.strip()]
        elif event.start_mark.line != event.end_mark.line:
            lines[-1] = lines[-1][: event.end_mark.column]
            if plain and loc:
                self.swallowed_items(event, lines, loc)
            elif not plain:
                self.unclosed_quote(event, lines)
            lines[0] = lines[0][event.start_mark.column :]
        if len(lines) > 1:
            self.document.lines[loc] = [line.strip() for line in lines if line.strip()]
        if not block:
            self.odd_spaces(event, loc)
        odd = odd_quotes(event.value)
        if odd is not None:
            self.odd_quotes(event, loc, *odd)
        if not plain:
            return event.value
        value = scalar(event.value)
        if value.__class__ is not str:
            self.document.written[loc] = event.value
        return value

    def swallowed_items(self, event: Any, lines: list[str], loc: Loc) -> None:
        """Lines that look like items of a list, which YAML reads as part of the text above: an
        error, but in a description, whose paragraphs may have such lines.
        """
        if loc[-1] == "description":
            return
        first = event.start_mark.line + 1
        for number, line in enumerate(lines[1:], first + 1):
            if _is_item(line):
                causes = [glued(text, n) for n, text in enumerate(lines, first)]
                if event.value.startswith("-") and causes[0] is not None:
                    edits = tuple(edit for cause in causes if cause for edit in cause.edits)
                    cause = causes[0]._replace(edits=edits if all(causes) else ())
                    self.document.faults.append(_slipped("yaml-syntax", cause, loc))
                    return
                if isinstance(loc[-1], int):
                    what = "this item is indented more than the item above"
                    hint = "start all items of a list in the same column"
                else:
                    what = f'this line begins with "-", but {spell(loc)} has a text already'
                    hint = (
                        f'if this is a list, start every item on its own line below "{loc[-1]}:"; '
                        "if it is one text, put it in quotes"
                    )
                at = number, len(line) - len(line.lstrip()) + 1
                what = f"{what}, so YAML reads both as one text"
                self.document.faults.append(Fault("yaml-syntax", what, loc, hint, at=at))
                return

    def unclosed_quote(self, event: Any, lines: list[str]) -> None:
        """A text in quotes that goes on over the next field or item."""
        indent = len(lines[0]) - len(lines[0].lstrip(" "))
        for number, line in enumerate(lines[1:], event.start_mark.line + 2):
            begin = begins_part(line)
            if begin and len(line) - len(line.lstrip(" ")) <= indent:
                what = f'this quote is not closed before line {number}, which begins with "{begin}"'
                hint = "close the quote where the text ends"
                self.fault("yaml-syntax", what, event, hint)
                raise _Stop

    def odd_spaces(self, event: Any, loc: Loc) -> None:
        """Spaces before and after a value that are none to YAML; who writes an escape means it."""
        before, after = odd_ends(event.value)
        quote = not event.implicit[0]
        begin, end = event.start_mark, event.end_mark
        for length, line, column, text, where in (
            (before, begin.line, begin.column + quote, event.value[:before], "begins"),
            (after, end.line, end.column - quote - after, event.value[-after:], "ends"),
        ):
            if length and self.lines[line][column : column + length] == text:
                odd = next(character for character in text if character in ODD_BLANKS)
                what = f"this value {where} with {called(odd)}, which is invisible"
                at, fix = (line + 1, column + 1), Fix("here", (length, ""))
                self.document.faults.append(
                    Fault("odd-space", what, loc, "remove it", at=at, severity="warning", fix=fix)
                )

    def odd_quotes(self, event: Any, loc: Loc, what: str, at: int) -> None:
        whole = what.endswith("around it")
        mend = "remove them" if whole else "remove it, or add the other quote"
        hint = f"{mend}; to quote a value, put \" or ' around all of it"
        sought = event.value[max(0, at - 8) : at + 1]
        fault = Fault("odd-quotes", what, loc, hint, severity="warning", sought=sought)
        self.document.faults.append(fault)

    def sequence(self, loc: Loc) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self.next(), SequenceEndEvent):
            items.append(self.node(event, (*loc, len(items))))
        return items

    def mapping(self, loc: Loc) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        while not isinstance(key := self.next(), MappingEndEvent):
            name = self.key(key, loc)
            if name is None or name in fields:
                event = self.next()
                again = self.node(event, (*loc, f"{name}#again"))
                if name is not None:
                    self.repeated(key, event, fields[name] == again, (*loc, name))
                continue
            self.document.keys[*loc, name] = _at(key)
            fields[name] = self.node(self.next(), (*loc, name))
        return fields

    def repeated(self, key: Any, value: Any, same: bool, loc: Loc) -> None:
        """A key that its mapping has already; a line that says just the same can go."""
        first = self.document.keys[loc]
        line, end = key.start_mark.line, value.end_mark
        what = f'"{loc[-1]}" appears twice (first on line {first[0]})'
        hint = "both are the same: remove one of them" if same else "keep one of them"
        here = self.lines[line]
        alone = (
            isinstance(value, ScalarEvent)
            and here[: key.start_mark.column].isspace() + (not key.start_mark.column)
            and (end.line, here[end.column :].strip()) == (line, "")
        )
        fix = Fix("text", ((line + 1, 1, line + 2, 1, ""),)) if same and alone else None
        also = (("", *first),)
        fault = Fault("yaml-duplicate-key", what, loc, hint, at=_at(key), also=also, fix=fix)
        self.document.faults.append(fault)

    def key(self, event: Any, loc: Loc) -> str | None:
        if not isinstance(event, ScalarEvent):
            if isinstance(event, AliasEvent):
                self.node(event, (*loc, "#key"))
                return None
            hint = "put a value that begins with [ or { in quotes"
            self.fault("yaml-key-not-text", "a field name must be plain text", event, hint, loc)
            self.node(event, (*loc, "#key"))
            return None
        if event.anchor is not None or event.tag is not None:
            self.node(event, (*loc, "#key"))
        if event.value == "<<" and event.implicit[0]:
            what = "the merge key << is not allowed"
            self.fault("yaml-merge-key", what, event, "write the fields out", loc)
            return None
        return str(event.value)
