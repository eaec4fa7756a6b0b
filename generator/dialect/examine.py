"""The thorough lane: YAML bytes -> plain data, all faults of the dialect, and all positions.

`examine` reads libyaml's events.  It runs only for files in which a faster lane gave up, or a later
check found a problem.
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

from generator.dialect.document import TooMany, YamlDocument
from generator.dialect.folder import MAX_BYTES
from generator.dialect.mistakes import (
    Slip,
    explain_error,
    find_conflict_marker,
    find_fence,
    leading_key,
    missing_space,
    shortened,
    slip,
)
from generator.dialect.parse import BLOCKS, BOM, MAX_DEPTH, find_forbidden, parse_scalar
from generator.dialect.positions import Lines, Mend
from generator.problems.diagnostic import Fix, Position
from generator.problems.faults import Fault, Loc, describe_field
from generator.text.characters import (
    END_SPACES,
    ODD_SPACE_CHARACTERS,
    describe_character,
    hidden_hint,
    odd_ends,
    odd_quotes,
    split_lines,
)

_is_name = re.compile(r"[a-z][a-z_]*").fullmatch
_is_item = re.compile(r"[ \t]*-(?![-\d.])").match

_MAX_MENDS = 50  # errors of one text that are mended to read on
_UNREAD = "remove it: the value is read without it"
_MAX_READ = 64 * 1024  # bytes that are read in all to do so
_is_page = re.compile(r"\s*<(?:!doctype|html|\?xml|!--)", re.I).match
_NAME = 'write "name: …" on the first line'
_FRONT_MATTER = (
    "a text follows the fields, as below the front matter of a Markdown file",
    'write it as a field, "description: |", with its lines indented by two spaces below, and '
    'remove the "---"',
)
_SECOND_RECORD = (
    "a second record begins here",
    'write each record in its own file; if this is one record, remove the line with "---" or "..."',
)


class _Stop(Exception):
    """The rest of the file is not read; a fault says why."""


def examine(raw: bytes) -> YamlDocument:
    """Examine a file.  Never raises."""
    document = YamlDocument()
    raw = raw if len(raw) > MAX_BYTES else raw.removeprefix(BOM)
    unreadable = _unreadable(raw)
    if unreadable is not None:
        document.faults.append(unreadable)
        document.stop = unreadable
        if unreadable.fix is not None:
            document.lines_of_text = Lines(raw.decode())
        return document
    document.lines_of_text = Lines(raw.decode())
    try:
        _Examiner(raw, document).run()
        document.stop = document.faults[-1] if document.data is None else None
    except TooMany:
        document.data = None
    except _Stop:
        document.data, document.stop = None, document.faults[-1]
    except YAMLError as error:
        fault = _slip_fault("yaml-syntax", explain_error(error, raw.decode()))
        # Drop warnings in the same line, such as that about quotes around the text.
        document.faults = [
            other
            for other in document.faults
            if other.severity == "error"
            or (
                (other.at is None or fault.at is None or other.at[0] != fault.at[0])
                and fault.at != (other.search_text and document.values.get(other.loc))
            )
        ]
        if all(fault.at != other.at for other in document.faults):
            document.faults.append(fault)
        document.data, document.stop = None, fault
    return document


def examine_mended(raw: bytes) -> YamlDocument:
    """Examine a file.  If its text cannot be read because of an error with one mend, the document
    is that of the mended text, with the places of the file.  Never raises.

    Of a large file only the first errors are mended.
    """
    document, read = examine(raw), len(raw)
    while len(document.mends) < _MAX_MENDS and read < _MAX_READ:
        fault = document.stop
        if fault is None or fault.fix is None:
            break
        lines = document.lines_of_text
        mend = Mend(lines, lines.replacements(fault.fix.replacement))
        mended, read = examine(mend.after.text.encode()), read + len(raw)
        last = mended.stop
        if last is not None and last.fix is None and last.at and mend.touches(last.at[0]):
            break  # a person decides
        mended.mends = [*document.mends, mend]
        mended.mended_faults = [*document.mended_faults, document.original_fault(fault)]
        document = mended
    return document


def _unreadable(raw: bytes) -> Fault | None:
    """The fault because of which a file is not read as YAML at all, if any."""
    if len(raw) > MAX_BYTES:
        message = f"the file is larger than {MAX_BYTES >> 10} KiB"
        hint = "shorten it: put long texts on a website and link to them"
        return Fault("file-too-large", message, (), hint, (1, 1))
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        return _not_utf8(raw, error.start)
    if match := find_forbidden(text):
        message, hint = (
            f"{describe_character(match[0])} is not allowed",
            hidden_hint(text, match.start()),
        )
        if match[0] in "\x85\u2028\u2029":
            message = f"the invisible line break U+{ord(match[0]):04X} is not allowed"
            hint = "begin a new line instead"
        return Fault("yaml-syntax", message, (), hint, Lines(text).place(match.start()))
    unmerged = find_conflict_marker(text)
    if unmerged is not None:
        return _slip_fault("merge-conflict", unmerged)
    fence = find_fence(text)
    return _slip_fault("yaml-syntax", fence) if fence is not None else None


def _not_utf8(raw: bytes, at: int) -> Fault:
    """The fault at the first byte that is not UTF-8, with the probable encoding of the file."""
    before = raw[:at].decode()
    line, column = Lines(before).place(len(before))
    character = raw[at : at + 1].decode("cp1252", "ignore")
    hint = "save the file as UTF-8"
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        message = "this file was probably saved as UTF-16"
    elif re.search(rb"[\x01-\x08\x0e-\x1f]", raw[:1024]):
        message = "this file is no text, but probably a picture or the file of another program"
        hint = "remove it, or write the record as text"
    elif at and character.isprintable() and character:
        letter = "letter" if character.isalpha() else "character"
        message = f'line {line} has a {letter} in an old Windows encoding, probably "{character}"'
    else:
        message = "this file is not saved as UTF-8"
    return Fault("not-utf8", message, hint_source=hint, at=(line, column))


def _slip_fault(code: str, slip: Slip, loc: Loc = ()) -> Fault:
    fix = Fix("text", slip.edits) if slip.edits else None
    return Fault(code, slip.message, loc, slip.hint, at=slip.at, fix=fix)


def _at(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


class _Examiner:
    """One pass over the events of a file, which fills the document."""

    def __init__(self, raw: bytes, document: YamlDocument):
        self.next = CParser(raw).get_event
        self.lines = split_lines(raw.decode())
        self.document = document

    def fault(self, code: str, message: str, event: Any, hint: str, loc: Loc = ()) -> None:
        self.document.add(Fault(code, message, loc, hint, at=_at(event)))

    def run(self) -> None:
        documents = 0
        while not isinstance(event := self.next(), StreamEndEvent):
            if not isinstance(event, DocumentStartEvent):
                continue
            documents += 1
            if documents > 1:
                self.second_document(event)
                return
            first = self.next()
            self.document.values[()] = _at(first)
            data = self.node(first, ())
            if isinstance(first, MappingStartEvent):
                faults = self.document.faults
                has_merge_key = any(f.code == "yaml-merge-key" and not f.loc for f in faults)
                self.document.data = None if has_merge_key else data
            elif not isinstance(first, AliasEvent):
                is_value = data is not None and not isinstance(first, SequenceStartEvent)
                self.not_a_mapping(first, data, is_value=is_value)
                if is_value:
                    return  # anything after it is another fault of the same cause
        if not documents:
            message = "the file is empty"
            self.document.add(Fault("yaml-not-a-mapping", message, (), _NAME, at=(1, 1)))

    def second_document(self, event: Any) -> None:
        """Add the fault of what follows the first document: a text as in Markdown, or a record."""
        below = self.lines[event.start_mark.line + 1 :]
        first = next((line for line in below if line.strip()), "")
        is_text = first and not leading_key(first)
        message, hint = _FRONT_MATTER if is_text else _SECOND_RECORD
        self.fault("yaml-several-documents", message, event, hint)

    def not_a_mapping(self, first: Any, data: Any, *, is_value: bool) -> None:
        """Add the fault of a file that has a list, a single value, or nothing."""
        number = _at(first)[0]  # an absent value may be in the line after the last
        line = self.lines[number - 1].strip() if number <= len(self.lines) else ""
        if data is not None and (cause := slip(self.lines, number, number)) is not None:
            self.document.add(_slip_fault("yaml-not-a-mapping", cause))
            return
        key, space, rest = line.partition(" ")
        message = f"the file contains {'text' if is_value else 'a list'}, but no fields"
        hint = _NAME
        if self.is_table():
            message = "this file is a table, not a record"
            hint = "make records of it by `registry import`"
        elif _is_page(line):
            message = "this file is a web page, not a record"
            hint = "remove it, or write the record as YAML"
        elif data is None:
            message = "the file contains no fields"
        elif is_value and "=" in line:
            hint = 'write a colon after the field name, not "=": "name: …"'
        elif space and _is_name(key):
            hint = f'write a colon after the field name: "{key}: {shortened(rest)}"'
        elif not is_value:
            named = sum(isinstance(item, dict) and "name" in item for item in data)
            hint = 'remove the "-" before the fields, like "name: …"'
            hint = "write each record in a file of its own" if named > 1 else hint
        self.fault("yaml-not-a-mapping", message, first, hint)

    def is_table(self) -> bool:
        """Whether the first two lines have cells with the same separators, as in a CSV file."""
        rows = [line for line in self.lines if line.strip()][:2]
        marks = [[sign for sign in line if sign in ",;\t"] for line in rows]
        return len(rows) == 2 and bool(marks[0]) and marks[0] == marks[1] and ":" not in rows[0]

    def node(self, event: Any, loc: Loc) -> Any:
        self.document.values[loc] = _at(event)
        if isinstance(event, AliasEvent):
            message = f"*{event.anchor} is a YAML alias, which is not allowed"
            hint = "write the value out, or put it in quotes"
            self.fault("yaml-alias", message, event, hint, loc)
            return None
        hint = "remove it, or put the value in quotes"
        if event.anchor is not None:
            message = f"&{event.anchor} is a YAML anchor, which is not allowed"
            self.fault("yaml-anchor", message, event, hint, loc)
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.fault("yaml-tag", f"{tag} is a YAML tag, which is not allowed", event, hint, loc)
        if isinstance(event, ScalarEvent):
            return self.scalar(event, loc)
        if len(loc) > MAX_DEPTH:
            # libyaml's time grows with the square of the depth: reading on could take minutes.
            message = f"this is nested more than {MAX_DEPTH} levels deep"
            self.fault("yaml-too-deep", message, event, "a record has at most four levels", loc)
            raise _Stop
        return self.mapping(loc) if isinstance(event, MappingStartEvent) else self.sequence(loc)

    def scalar(self, event: Any, loc: Loc) -> Any:
        plain, is_block = event.implicit[0], event.style in BLOCKS
        lines = self.lines[event.start_mark.line : event.end_mark.line + 1]
        if is_block:
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
        text = self.without_spaces(event, loc)
        self.odd_quotes(event, loc)
        if not plain:
            return text
        value = parse_scalar(text)
        if value.__class__ is not str:
            self.document.source_texts[loc] = text
        return value

    def swallowed_items(self, event: Any, lines: list[str], loc: Loc) -> None:
        """Note the fault of lines that look like list items, but that YAML reads as part of the
        text above.  In an item of a list it is a fault; elsewhere only if the field takes a list.
        """
        first = event.start_mark.line + 1
        items = (pair for pair in enumerate(lines[1:], first + 1) if _is_item(pair[1]))
        number, line = next(items, (0, ""))
        if not number:
            return
        in_list = isinstance(loc[-1], int)
        causes = [missing_space(text, n) for n, text in enumerate(lines, first)]
        if event.value.startswith("-") and causes[0] is not None:
            edits = tuple(edit for cause in causes if cause for edit in cause.edits)
            cause = causes[0]._replace(edits=edits if all(causes) else ())
            fault = _slip_fault("yaml-syntax", cause, loc)
        else:
            message = f'this line begins with "-", but {describe_field(loc)} has a text already'
            hint = f'begin each line below "{loc[-1]}:" with "- ", also the first item'
            if in_list:
                message = "this item is indented more than the item above"
                hint = "start all items of a list in the same column"
            at = number, len(line) - len(line.lstrip()) + 1
            message = f"{message}, so YAML reads both as one text"
            fault = Fault("yaml-syntax", message, loc, hint, at=at)
        if in_list:
            self.document.add(fault)
        else:
            self.document.list_faults[loc] = fault

    def unclosed_quote(self, event: Any, lines: list[str]) -> None:
        """Add a fault for a quoted text that includes the next field or item."""
        indent = len(lines[0]) - len(lines[0].lstrip(" "))
        for number, line in enumerate(lines[1:], event.start_mark.line + 2):
            key = leading_key(line)
            if key and len(line) - len(line.lstrip(" ")) <= indent:
                message = (
                    f'this quote is not closed before line {number}, which begins with "{key}"'
                )
                self.fault("yaml-syntax", message, event, "close the quote where the text ends")
                raise _Stop

    def without_spaces(self, event: Any, loc: Loc) -> str:
        """The value without the spaces at its ends, of which it warns.  A description is
        published as written: what has no width stays in it.
        """
        value: str = event.value
        before, after = odd_ends(value)
        if not before and not after:
            return value
        plain = value[before : len(value) - after]
        begin, end, quote = event.start_mark, event.end_mark, not event.implicit[0]
        last = end.line, end.column - quote - after
        if event.style in BLOCKS:  # its mark is below the text
            below = end.line + bool(end.column)
            line = below - 1
            while not self.lines[line].strip():
                line -= 1
            last = line, len(self.lines[line]) - after
        for text, (line, column), verb in (
            (value[:before], (begin.line, begin.column + quote), "begins"),
            (value[len(value) - after :], last, "ends"),
        ):
            if not text:
                continue
            if self.document.is_full:
                self.document.unmade += 1
                continue
            odd = next((c for c in text if c in ODD_SPACE_CHARACTERS), " ")
            message = f"this value {verb} with {describe_character(odd)}"
            message += ", which is invisible" * (odd != " ")
            at: tuple[int, int] | None = (line + 1, column + 1)
            fix = Fix("here", (len(text), ""))
            if self.lines[line][column : column + len(text)] != text:  # written as an escape
                at, fix = None, Fix("value", plain, loc)
            self.document.add(
                Fault("odd-space", message, loc, _UNREAD, at=at, severity="warning", fix=fix)
            )
        return value.strip(END_SPACES) if loc[-1:] == ("description",) else plain

    def odd_quotes(self, event: Any, loc: Loc) -> None:
        """Warn of odd quotes at the ends of a value."""
        odd = odd_quotes(event.value)
        if odd is None:
            return
        message, at = odd
        whole = message.endswith("around it")
        advice = "remove them" if whole else "remove it, or add the other quote"
        hint = f"{advice}; to quote a value, put \" or ' around all of it"
        sought = event.value[max(0, at - 8) : at + 1]
        fault = Fault("odd-quotes", message, loc, hint, severity="warning", search_text=sought)
        self.document.add(fault)

    def sequence(self, loc: Loc) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self.next(), SequenceEndEvent):
            items.append(self.node(event, (*loc, len(items))))
        return items

    def mapping(self, loc: Loc) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        second_record = False
        while not isinstance(key := self.next(), MappingEndEvent):
            name = self.key(key, loc)
            if name is None or name in fields:
                event = self.next()
                value = self.node(event, (*loc, f"{name}#again"))
                if name is not None and not second_record:
                    same = fields[name] == value
                    second_record = (*loc, name) == ("name",) and not same
                    self.repeated(key, event, same, (*loc, name), second_record=second_record)
                continue
            self.document.keys[*loc, name] = _at(key)
            fields[name] = self.node(self.next(), (*loc, name))
        return fields

    def repeated(
        self, key: Any, value: Any, same: bool, loc: Loc, *, second_record: bool = False
    ) -> None:
        """Add a fault for a key that occurs again; a line with the same value can be removed.

        Another name begins a `second_record`: its other fields are not reported.
        """
        first = self.document.keys[loc]
        line, end = key.start_mark.line, value.end_mark
        message = f'"{loc[-1]}" appears twice (first on line {first[0]})'
        hint = "both are the same: remove one of them" if same else "keep one of them"
        if second_record:
            hint = "keep one of them; if a second record begins here, write it in its own file"
        text = self.lines[line]
        alone = (
            isinstance(value, ScalarEvent)
            and text[: key.start_mark.column].isspace() + (not key.start_mark.column)
            and (end.line, text[end.column :].strip()) == (line, "")
        )
        fix = Fix("text", ((line + 1, 1, line + 2, 1, ""),)) if same and alone else None
        also = (Position("", *first),)
        fault = Fault("yaml-duplicate-key", message, loc, hint, at=_at(key), also=also, fix=fix)
        self.document.add(fault)

    def key(self, event: Any, loc: Loc) -> str | None:
        """The text of a key; None for a key that is not allowed."""
        if not isinstance(event, ScalarEvent):
            if not isinstance(event, AliasEvent):
                hint = "put a value that begins with [ or { in quotes"
                message = "a field name must be plain text"
                self.fault("yaml-key-not-text", message, event, hint, loc)
            self.node(event, (*loc, "#key"))
            return None
        if event.anchor is not None or event.tag is not None:
            self.node(event, (*loc, "#key"))
        if event.value == "<<" and event.implicit[0]:
            message = "the merge key << is not allowed"
            self.fault("yaml-merge-key", message, event, "write the fields out", loc)
            return None
        return str(event.value)
