"""The thorough lane: YAML bytes -> plain data, all faults of the dialect, and all positions.

`examine` reads libyaml's events.  It runs only for files in which a faster lane gave up, or a later
check found a problem.
"""

from __future__ import annotations

import re
from dataclasses import replace
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
    WRITE_NAME,
    explain_error,
    explain_no_fields,
    find_fence,
    leading_key,
    wrong_space,
)
from generator.dialect.parse import BLOCKS, BOM, MAX_DEPTH, find_forbidden, parse_scalar
from generator.dialect.positions import Lines, Mend
from generator.problems.diagnostic import Edit, Fix, Position
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

_is_item = re.compile(r"[ \t]*-(?![-\d.])").match

_OUTSIDE = "\"' \t\r\n|>-+0123456789"  # around a text
_UNREAD = "remove it: the value is read without it"
_MAX_READ = 64 * 1024  # bytes that are read in all to mend errors
_find_conflict = re.compile(r"^(?:[<>|]{7}(?: .*)?|={7})\r?$", re.M).search
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
    stop = _unreadable(raw)
    if stop is None or stop.fix is not None:
        document.lines_of_text = Lines(raw.decode())
    try:
        if stop is None:
            _Examiner(raw, document).run()
            stop = document.faults[-1] if document.data is None else None
    except TooMany:
        document.data = None
    except _Stop:
        stop = document.faults[-1]
    except YAMLError as error:
        stop = explain_error(error, raw.decode())
        # Drop warnings in the same line, such as that about quotes around the text.
        document.faults = [
            other
            for other in document.faults
            if other.severity == "error"
            or (
                _line(other) != _line(stop)
                and stop.at != (other.search_text and document.values.get(other.loc))
            )
        ]
    if stop is not None:
        document.data, document.stop = None, stop
        if all(stop.at != other.at for other in document.faults):
            document.faults.append(stop)
    return document


def examine_mended(raw: bytes) -> YamlDocument:
    """Examine a file.  If errors with a fix within lines stop the reading, the document is that of
    the text without them, with the places of the file.  Never raises.

    Of a large file only the first errors are mended.
    """
    document, read = examine(raw), len(raw)
    lines, stops, edits = document.lines_of_text, list[Fault](), list[Edit]()
    mended = set[int]()
    while (stop := document.stop) is not None and stop.fix and read < _MAX_READ:
        edits += stop.fix.replacement
        mend = Mend(lines, lines.replacements(edits))
        further, read = examine(mend.after.text.encode()), read + len(raw)
        mended |= {first for first, *_ in edits}
        joined = any(first != last for first, _, last, *_ in edits)
        if joined or (further.stop and _line(further.stop) in mended):
            break  # a person decides
        stops.append(stop)
        further.mend = mend
        further.faults = stops + [f for f in further.faults if _line(f) not in mended]
        document = further
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
        message = f"{describe_character(match[0])} is not allowed"
        hint = hidden_hint(text, match.start())
        if match[0] in "\x85\u2028\u2029":
            message = f"the invisible line break U+{ord(match[0]):04X} is not allowed"
            hint = "begin a new line instead"
        return Fault("yaml-syntax", message, (), hint, Lines(text).place(match.start()))
    if marker := _find_conflict(text):
        hint = (
            "keep the lines of one version, and remove the lines that begin with <<<<<<<, =======, "
            "||||||| or >>>>>>>"
        )
        message = "git could not merge two versions of this file"
        return Fault("merge-conflict", message, (), hint, Lines(text).place(marker.start()))
    return find_fence(text)


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


def _line(fault: Fault) -> int:
    return fault.at[0] if fault.at is not None else 0


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
                self.not_a_mapping(first, data)
                if data is not None and not isinstance(first, SequenceStartEvent):
                    return  # anything after it is another fault of the same cause
        if not documents:
            message = "the file is empty"
            self.document.add(Fault("yaml-not-a-mapping", message, (), WRITE_NAME, at=(1, 1)))

    def second_document(self, event: Any) -> None:
        """Add the fault of what follows the first document: a text as in Markdown, or a record."""
        below = self.lines[event.start_mark.line + 1 :]
        first = next((line for line in below if line.strip()), "")
        is_text = first and not leading_key(first)
        message, hint = _FRONT_MATTER if is_text else _SECOND_RECORD
        self.fault("yaml-several-documents", message, event, hint)

    def not_a_mapping(self, first: Any, data: Any) -> None:
        """Add the fault of a file that has a list, a single value, or nothing."""
        if data is None:
            self.fault("yaml-not-a-mapping", "the file contains no fields", first, WRITE_NAME)
        else:
            self.document.add(explain_no_fields(self.lines, _at(first)))

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
        causes = [wrong_space(text, n) for n, text in enumerate(lines, first)]
        if event.value.startswith("-") and causes[0] is not None:
            fixes = [cause.fix for cause in causes if cause is not None and cause.fix is not None]
            edits = tuple(edit for fix in fixes for edit in fix.replacement)
            whole = Fix("text", edits) if len(fixes) == len(causes) else None
            fault = replace(causes[0], loc=loc, fix=whole)
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
        first, last = event.start_mark.index, event.end_mark.index
        text, place = self.document.lines_of_text.text, self.document.lines_of_text.place
        for odd, verb in ((value[:before], "begins"), (value[len(value) - after :], "ends")):
            if not odd:
                continue
            sign = next((c for c in odd if c in ODD_SPACE_CHARACTERS), " ")
            message = f"this value {verb} with {describe_character(sign)}"
            message += ", which is invisible" * (sign != " ")
            begins = verb == "begins"
            found = (text.find if begins else text.rfind)(odd, first, last)
            outside = text[first:found] if begins else text[found + len(odd) : last]
            at, fix = None, Fix("value", plain, loc)  # for a space that is written as an escape
            if found >= 0 and not outside.strip(_OUTSIDE):
                at, fix = place(found), Fix("here", (len(odd), ""))
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
        alone = isinstance(value, ScalarEvent) and end.line == line
        alone &= not f"{text[: key.start_mark.column]}{text[end.column :]}".strip()
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
