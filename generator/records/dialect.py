"""YAML bytes -> plain data, strictly by the registry's dialect, with the line and column of every node on demand.

`parse` is the fast lane over libyaml's nodes: it keeps no positions and gives up (`Unusual`) at the first thing that
is not plain.  `examine` is the thorough lane over libyaml's events: it finds every fault, keeps every position, and is
run only for files that something was found in.  Both give the same data for the same good file.

The dialect is YAML 1.2's core meaning: true/false, null, decimal integers and floats are typed, all else is text.
Reads bytes, knows nothing of fields.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
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
from yaml.nodes import MappingNode, ScalarNode

from generator.records.folder import MAX_BYTES
from generator.records.slips import conflict, slip
from generator.records.texts import ODD_SPACES, QUOTES, called, instead, odd_quotes

MAX_DEPTH = 20  # a record nests four deep

Loc = tuple[str | int, ...]
BOM = b"\xef\xbb\xbf"

_CORE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,39})(\.[0-9]+)?([eE][-+]?[0-9]{1,9})?").fullmatch
_WORDS = {**dict.fromkeys(("true", "True", "TRUE"), True), **dict.fromkeys(("false", "False", "FALSE"), False),
          **dict.fromkeys(("", "~", "null", "Null", "NULL"), None)}  # fmt: skip
_NUMERIC = frozenset("-+0123456789")
_SPACES = frozenset("\xa0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000")
_ODD = QUOTES | _SPACES
_FIRST = _NUMERIC | frozenset("tTfFnN~") | _ODD  # of what may be no text, or an odd one
# An anchor, an alias, a tag or a merge key could stand here, after a byte order mark too; the thorough lane decides.
_unusual = re.compile(rb"""(?:[&*](?=\S)|!)(?<![^\s\[\]{},:?"'\xbf].)|<<""", re.S).search


def _deep(raw: bytes) -> bool:
    """Whether so many nodes could be nested that composing them might exhaust the C stack."""
    return raw.count(b"[") + raw.count(b"{") + raw.count(b"-") + raw.count(b"?") > 500


class Unusual(Exception):
    """The fast lane met something to be examined."""


class _TooDeep(Exception):
    """Nesting that is not worth reading on."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem of one file, placed by field or, in `at`, by line and column.

    `mend` is the hint, or what finds it: to look for the nearest word takes long, so it is done for what is told only.
    `given` is what stands where a slug is meant; `sought` is a part of the field's text, of which the last character is the place.
    """

    code: str
    message: str
    loc: Loc = ()
    mend: str | Callable[[], str | None] | None = None
    at: tuple[int, int] | None = None
    on_key: bool = False
    severity: str = "error"
    sought: str = ""
    given: str = ""

    @property
    def hint(self) -> str | None:
        return self.mend() if callable(self.mend) else self.mend


@dataclass(slots=True)
class Document:
    """A file examined: its data as far as it could be read, its dialect faults, and where everything stands."""

    data: Any = None
    faults: list[Fault] = field(default_factory=list)
    values: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    written: dict[Loc, str] = field(default_factory=dict)  # scalars that are not text, as they are written

    def locate(self, fault: Fault, raw: bytes = b"") -> tuple[int, int]:
        """Line and column, 1-based, of the fault's field, else of the nearest thing around it.

        Where the fault seeks a part of the field's text, `raw` tells where that stands.
        """
        if fault.at is not None:
            return fault.at
        place = self._locate(fault)
        if fault.sought:
            text = raw.removeprefix(BOM).decode()
            here = _offset(text, place)
            found = text.find(fault.sought, here)
            if found >= 0:
                return _after(text[: found + len(fault.sought) - 1])
        return place

    def _locate(self, fault: Fault) -> tuple[int, int]:
        loc, first, second = fault.loc, self.values, self.keys
        if fault.on_key:
            first, second = second, first
        while True:
            place = first.get(loc) or second.get(loc)
            if place or not loc:
                return place or (1, 1)
            loc = loc[:-1]


_SCALAR: Any = ScalarNode
_MAPPING: Any = MappingNode


class _Composer(CParser):
    """libyaml's node composer; a node's `tag` is text where one is written, else a slice whose `step` says whether a
    scalar is plain.

    The composer asks these three for every node.  Built-in functions answer at a third of the cost of our own: `slice`
    keeps its three arguments, the others are harmless.
    """

    resolve = slice
    descend_resolver = operator.is_
    ascend_resolver = bool


def parse(raw: bytes) -> dict[str, Any]:
    """The mapping in `raw`.  Raises Unusual wherever `examine` has, or may have, something to say."""
    if len(raw) > MAX_BYTES or _deep(raw):
        raise Unusual
    if (b"&" in raw or b"*" in raw or b"!" in raw or b"<<" in raw) and _unusual(raw):
        raise Unusual
    try:
        raw = raw.removeprefix(BOM)
        if not raw.isascii() and _forbidden(raw.decode()):
            raise Unusual
        node = _Composer(raw).get_single_node()
        if node.__class__ is not MappingNode:
            raise Unusual
        data: dict[str, Any] = _plain(node, 0)
        return data
    except (UnicodeDecodeError, YAMLError, RecursionError, TypeError):
        raise Unusual from None


def _plain(node: Any, depth: int) -> Any:
    """Data of a node without tags; a key that is no scalar cannot be a key here either, and raises TypeError."""
    if node.__class__ is _SCALAR:
        text = node.value
        if not text or text[0] in _FIRST or text[-1] in QUOTES:
            return _odd(text, node.tag.step[0])
        if " - " in text and node.tag.step[0] and node.start_mark.line != node.end_mark.line:
            raise Unusual
        return text
    if depth > MAX_DEPTH:
        raise Unusual
    depth += 1
    if node.__class__ is _MAPPING:
        mapping: dict[str, Any] = {}
        for key, value in node.value:
            if value.__class__ is _SCALAR:
                text = value.value
                if not text or text[0] in _FIRST or text[-1] in QUOTES:
                    text = _odd(text, value.tag.step[0])
                mapping[key.value] = text
            else:
                mapping[key.value] = _plain(value, depth)
        if len(mapping) != len(node.value):
            raise Unusual
        return mapping
    return [_plain(item, depth) for item in node.value]


def _odd(text: str, plain: bool) -> str | int | float | bool | None:
    """What a scalar means.  Raises Unusual where its quotes are odd."""
    if text and (text[0] in _ODD or text[-1] in QUOTES) and (odd_quotes(text) or (plain and text[0] in _SPACES)):
        raise Unusual
    return scalar(text) if plain else text


def scalar(text: str) -> str | int | float | bool | None:
    """What a plain scalar means in the core schema; integers of more than 40 digits stay text."""
    if text in _WORDS:
        return _WORDS[text]
    number = _CORE(text) if text[0] in _NUMERIC else None
    if number is None:
        return text
    return float(text) if number[1] or number[2] else int(text)


def examine(raw: bytes) -> Document:
    """Everything that can be said of one file; never raises."""
    document = Document()
    if len(raw) > MAX_BYTES:
        size = f"the file is longer than {MAX_BYTES:,} bytes"
        document.faults.append(Fault("file-too-large", size, mend="move long texts to the website it links to", at=(1, 1)))
        return document
    raw = raw.removeprefix(BOM)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        where = _after(raw[: error.start].decode())
        what = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        utf16 = "this looks like UTF-16: " if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        document.faults.append(Fault("not-utf8", what, mend=f"{utf16}save the file as UTF-8", at=where))
        return document
    found = _forbidden(text)
    if found:
        what, hint = f"{called(found[0])} is not allowed", instead(text, found.start())
        if found[0] in "\x85\u2028\u2029":
            what = f"the invisible line break U+{ord(found[0]):04X} is not allowed"
            hint = "begin a new line instead"
        document.faults.append(Fault("yaml-syntax", what, mend=hint, at=_after(text[: found.start()])))
        return document
    if "<<<<<<<" in text or ">>>>>>>" in text or "=======" in text:
        unmerged = conflict(text.splitlines())
        if unmerged is not None:
            document.faults.append(Fault("merge-conflict", unmerged.message, mend=unmerged.hint, at=unmerged.at))
            return document
    try:
        _Examiner(raw, document).run()
    except _TooDeep:
        document.data = None
    except YAMLError as error:
        fault = _syntax(error, text)
        if all(fault.at != other.at for other in document.faults):
            document.faults.append(fault)
        document.data = None
    return document


# What libyaml does not read, and what it takes for a line break where YAML 1.2 does not (§5.4): text that ends a comment
# or loses a character without anybody seeing it; a byte order mark stands at the beginning of a file only (§5.2).
_forbidden = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]").search


def _offset(text: str, place: tuple[int, int]) -> int:
    """How many characters stand before a place."""
    return sum(map(len, text.split("\n", place[0] - 1)[: place[0] - 1])) + place[0] - 1 + place[1] - 1


def _after(text: str) -> tuple[int, int]:
    """Line and column of what follows `text`."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")


_QUOTES = "a value that begins with this character is written in quotes"
#: Part of libyaml's problem -> what is said instead, a hint, and whether it stands where the surrounding thing begins.
#: `{here}` is the character at the place, `{where}` the line on which libyaml noticed.
_SYNTAX = (
    ("mapping values are not allowed", 'a ": " cannot stand here',
     'a value that holds ": " is written in quotes; fields of one mapping begin in the same column', False),
    ("could not find expected ':'", 'there is no ":" in this line',
     'a field is written "name: value"; a text that goes on is indented', True),
    ("did not find expected key", "no field can begin here",
     "fields of one mapping begin in the same column; a quote inside quotes is doubled", False),
    ("did not find expected '-' indicator", "no list item can begin here",
     "items of one list begin in the same column", False),
    ("did not find expected ',' or ']'", 'this "[" is not closed, or a "," is missing (noticed {where})',
     "close the bracket", True),
    ("did not find expected ',' or '}'", 'this "{{" is not closed, or a "," is missing (noticed {where})',
     "close the bracket", True),
    ("found unexpected end of stream", "this quote is not closed", "close the quote", True),
    ("found unexpected document indicator", "this quote is not closed (noticed {where})", "close the quote", True),
    ("found unknown escape character", "double quotes know no such escape",
     "write a backslash as two, or use single quotes", False),
    ("invalid Unicode character escape", "this escape is no character", "write the character itself", False),
    ("hexdecimal", "this escape is cut short", "write a backslash as two, or use single quotes", False),
    ("did not find expected alphabetic", 'a value cannot begin with "{here}"', _QUOTES, True),
    ("cannot start any token", 'a value cannot begin with "{here}"', _QUOTES, False),
    ("block sequence entries are not allowed", "no list item can begin here",
     'items of a list stand on lines of their own; a value that begins with "- " is written in quotes', False),
    ("did not find expected comment or line break", "nothing can follow on this line",
     "a text begins on the line after | or >; a value that begins with | or > is written in quotes", False),
    ("found a tab character", "a tab cannot indent", "indent with spaces", False),
    ("did not find expected node content", "a value is missing here", "write one, or remove the comma", False),
    ("<document start>", "the document has ended before this line", "one record per file", False),
)  # fmt: skip


def _syntax(error: YAMLError, text: str) -> Fault:
    """A libyaml error in words; one about something left open is placed where that was opened."""
    problem = str(getattr(error, "problem", None) or error).strip()
    context = str(getattr(error, "context", None) or "")
    mark = getattr(error, "problem_mark", None)
    noticed = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    begin = getattr(error, "context_mark", None) or mark
    cause = slip(text.split("\n"), min(begin.line + 1, noticed[0]), noticed[0]) if begin is not None else None
    if cause is not None:
        return Fault("yaml-syntax", cause.message, mend=cause.hint, at=cause.at)
    for part, message, hint, around in _SYNTAX:
        if part in problem:
            begin = getattr(error, "context_mark", mark) if around else mark
            line, column = (begin.line + 1, begin.column + 1) if begin is not None else noticed
            here = _character(text, line, column)
            if part == "could not find expected ':'" and ":" in text.split("\n")[line - 1]:
                message = 'no ": " stands in this line'
            if here == "\t":
                message, hint = "a tab cannot indent", "indent with spaces"
            where = f"on line {noticed[0]}" if noticed[0] <= len(text.splitlines()) else "at the end of the file"
            return Fault("yaml-syntax", message.format(here=here, where=where), mend=hint, at=(line, column))
    return Fault("yaml-syntax", f"{context}, {problem}" if context else problem, at=noticed)


def _character(text: str, line: int, column: int) -> str:
    """What stands at a place; "" at the end of the line."""
    lines = text.splitlines()
    return lines[line - 1][column - 1 : column] if line <= len(lines) else ""


_odd_space = re.compile(f"[{ODD_SPACES}]").match
_comment = re.compile("[ \\t]+(?=#)").match


def comments(raw: bytes) -> Iterator[tuple[Loc, tuple[int, int], str]]:
    """Each text without quotes that a comment follows: where it is in the data, the place of the "#", and both as they are written.

    Nothing of a file that the dialect refuses.
    """
    if _deep(raw) or _unusual(raw):
        return
    try:
        lines = re.split("\r\n|\r|\n", raw.removeprefix(BOM).decode())
        todo: list[tuple[Loc, Any]] = [((), _Composer(raw.removeprefix(BOM)).get_single_node())]
    except (UnicodeDecodeError, YAMLError, RecursionError):
        return
    while todo:
        loc, node = todo.pop()
        if node.__class__ is _MAPPING:
            todo += [((*loc, key.value), value) for key, value in node.value if key.__class__ is _SCALAR]
        elif node.__class__ is _SCALAR:
            end = node.end_mark
            begin = _comment(lines[end.line], end.column) if end.line < len(lines) and node.tag.step[0] else None
            if begin is not None and isinstance(scalar(node.value), str):
                yield loc, (end.line + 1, begin.end() + 1), node.value + lines[end.line][end.column :].rstrip()
        elif node is not None:
            todo += [((*loc, i), item) for i, item in enumerate(node.value)]


def _at(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


class _Examiner:
    """One pass over the events of a file; fills the document as it goes."""

    def __init__(self, raw: bytes, document: Document):
        self.next = CParser(raw).get_event
        self.lines = raw.decode().split("\n")
        self.document = document

    def fault(self, code: str, message: str, event: Any, hint: str | None = None, loc: Loc = ()) -> None:
        self.document.faults.append(Fault(code, message, loc, hint, at=_at(event)))

    def run(self) -> None:
        documents = 0
        while not isinstance(event := self.next(), StreamEndEvent):
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.fault("yaml-several-documents", "a second YAML document begins here", event, "one record per file")
                    return
                first = self.next()
                self.document.values[()] = _at(first)
                data = self.node(first, ())
                if isinstance(first, MappingStartEvent):
                    merged = any(f.code == "yaml-merge-key" and not f.loc for f in self.document.faults)
                    self.document.data = None if merged else data
                elif not isinstance(first, AliasEvent):
                    kind = "a list" if isinstance(first, SequenceStartEvent) else "a single value" if data is not None else "empty"
                    what, hint = f"the top level is {kind}, not fields", 'write "name: …" on the first line'
                    line = _at(first)[0]
                    cause = slip(self.lines, line, line) if kind != "empty" else None
                    if cause is not None:
                        self.document.faults.append(Fault("yaml-not-a-mapping", cause.message, mend=cause.hint, at=cause.at))
                    else:
                        self.fault("yaml-not-a-mapping", what, first, hint)
        if not documents:
            where = Fault("yaml-not-a-mapping", "the file is empty", mend='write "name: …" on the first line', at=(1, 1))
            self.document.faults.append(where)

    def node(self, event: Any, loc: Loc) -> Any:
        self.document.values[loc] = _at(event)
        if isinstance(event, AliasEvent):
            self.fault("yaml-alias", f"the alias *{event.anchor} is not allowed", event, "write the value out, or in quotes", loc)
            return None
        if event.anchor is not None:
            self.fault(
                "yaml-anchor", f"the anchor &{event.anchor} is not allowed", event, "remove it, or write the value in quotes", loc
            )
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.fault("yaml-tag", f"the tag {tag} is not allowed", event, "remove it, or write the value in quotes", loc)
        if isinstance(event, ScalarEvent):
            if event.implicit[0] and _odd_space(event.value):
                what = f"{called(event.value[0])} stands before the text, which YAML does not take for a blank"
                warning = Fault("odd-space", what, loc, "write a usual blank instead", at=_at(event), severity="warning")
                self.document.faults.append(warning)
            if event.implicit[0] and loc and isinstance(loc[-1], int):
                self.item(event, loc)
            odd = odd_quotes(event.value)
            if odd is not None:
                self.odd_quotes(event, loc, *odd)
            if not event.implicit[0]:
                return event.value
            value = scalar(event.value)
            if value.__class__ is not str:
                self.document.written[loc] = event.value
            return value
        if len(loc) > MAX_DEPTH:
            # libyaml's time grows with the square of the depth: reading on could take minutes.
            self.fault("yaml-too-deep", f"more than {MAX_DEPTH} levels of nesting", event, "a record nests four deep at most", loc)
            raise _TooDeep
        return self.mapping(loc) if isinstance(event, MappingStartEvent) else self.sequence(loc)

    def item(self, event: Any, loc: Loc) -> None:
        """An item of a list that swallows the next, because that is indented more."""
        for number in range(event.start_mark.line + 1, event.end_mark.line + 1):
            line = self.lines[number] if number < len(self.lines) else ""
            if line.lstrip(" ").startswith("- "):
                what, hint = (
                    "this item is indented more than the one above, so it goes on its text",
                    "items of one list begin in the same column",
                )
                self.document.faults.append(Fault("yaml-syntax", what, loc, hint, at=(number + 1, line.index("-") + 1)))

    def odd_quotes(self, event: Any, loc: Loc, what: str, at: int) -> None:
        hint = "write it without, or close it; quotes that belong to YAML are \" or ', and stand around the whole value"
        sought = event.value[max(0, at - 8) : at + 1]
        self.document.faults.append(Fault("odd-quotes", what, loc, hint, severity="warning", sought=sought))

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
                if name is not None:
                    first = self.document.keys[*loc, name][0]
                    what = f'the key "{name}" stands here again (first on line {first})'
                    self.fault("yaml-duplicate-key", what, key, "keep one of them", (*loc, name))
                self.node(self.next(), (*loc, f"{name}#again"))
                continue
            self.document.keys[*loc, name] = _at(key)
            fields[name] = self.node(self.next(), (*loc, name))
        return fields

    def key(self, event: Any, loc: Loc) -> str | None:
        if not isinstance(event, ScalarEvent):
            if isinstance(event, AliasEvent):
                self.node(event, (*loc, "#key"))
                return None
            hint = "a value that begins with [ or { is written in quotes"
            self.fault("yaml-key-not-text", "a key is plain text", event, hint, loc)
            self.node(event, (*loc, "#key"))
            return None
        if event.anchor is not None or event.tag is not None:
            self.node(event, (*loc, "#key"))
        if event.value == "<<" and event.implicit[0]:
            self.fault("yaml-merge-key", "the merge key << is not allowed", event, "write the fields out", loc)
            return None
        return str(event.value)
