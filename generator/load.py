"""YAML bytes -> plain data, strictly by the registry's dialect, with the line and column of every node on demand.

`parse` is the fast lane over libyaml's nodes: it keeps no positions and gives up (`Unusual`) at the first thing that
is not plain.  `examine` is the thorough lane over libyaml's events: it finds every fault, keeps every position, and is
run only for files that something was found in.  Both give the same data for the same good file.

The dialect is YAML 1.2's core meaning: true/false, null, decimal integers and floats are typed, all else is text.
Reads bytes, knows nothing of fields.
"""

from __future__ import annotations

import re
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
from yaml.nodes import MappingNode, Node, ScalarNode

MAX_BYTES = 256 * 1024
MAX_DEPTH = 20  # a record nests four deep

Loc = tuple[str | int, ...]
BOM = b"\xef\xbb\xbf"

_CORE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,39})(\.[0-9]+)?([eE][-+]?[0-9]{1,9})?").fullmatch
_WORDS = {**dict.fromkeys(("true", "True", "TRUE"), True), **dict.fromkeys(("false", "False", "FALSE"), False),
          **dict.fromkeys(("", "~", "null", "Null", "NULL"), None)}  # fmt: skip
_TYPED = frozenset("-+0123456789tTfFnN~")
# An anchor, an alias, a bare "!" or a merge key could stand here; the thorough lane decides.
_unusual = re.compile(rb"(?:^|[\s\[{,])(?:[&*]\S|!\s)|<<", re.M).search


def _deep(raw: bytes) -> bool:
    """Whether so many nodes could be nested that composing them might exhaust the C stack."""
    return raw.count(b"[") + raw.count(b"{") + raw.count(b"-") + raw.count(b"?") > 500


class Unusual(Exception):
    """The fast lane met something to be examined."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem of one file, placed by field or, in `at`, by line and column."""

    code: str
    message: str
    loc: Loc = ()
    hint: str | None = None
    at: tuple[int, int] | None = None
    on_key: bool = False
    severity: str = "error"


@dataclass(slots=True)
class Document:
    """A file examined: its data as far as it could be read, its dialect faults, and where everything stands."""

    data: Any = None
    faults: list[Fault] = field(default_factory=list)
    values: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Loc, tuple[int, int]] = field(default_factory=dict)

    def locate(self, fault: Fault) -> tuple[int, int]:
        """Line and column, 1-based, of the fault's field, else of the nearest thing around it."""
        if fault.at is not None:
            return fault.at
        loc, first, second = fault.loc, self.values, self.keys
        if fault.on_key:
            first, second = second, first
        while True:
            place = first.get(loc) or second.get(loc)
            if place or not loc:
                return place or (1, 1)
            loc = loc[:-1]


class _Composer(CParser):  # type: ignore[misc]
    """libyaml's node composer; a scalar's `tag` becomes True when it is plain, a real tag stays text."""

    def resolve(self, kind: type[Node], value: Any, implicit: Any) -> bool:
        return kind is ScalarNode and implicit[0]

    def descend_resolver(self, parent: Any, index: Any) -> None: ...

    def ascend_resolver(self) -> None: ...


def parse(raw: bytes) -> dict[str, Any]:
    """The mapping in `raw`.  Raises Unusual wherever `examine` has, or may have, something to say."""
    if len(raw) > MAX_BYTES or _deep(raw):
        raise Unusual
    if (b"&" in raw or b"*" in raw or b"!" in raw or b"<<" in raw) and _unusual(raw):
        raise Unusual
    try:
        raw.isascii() or raw.decode()
        node = _Composer(raw.removeprefix(BOM)).get_single_node()
    except (UnicodeDecodeError, YAMLError, RecursionError):
        raise Unusual from None
    if node.__class__ is not MappingNode:
        raise Unusual
    data: dict[str, Any] = _plain(node)
    return data


def _plain(node: Any) -> Any:
    if node.__class__ is MappingNode:
        mapping: dict[str, Any] = {}
        for key, value in node.value:
            if key.__class__ is not ScalarNode or key.tag.__class__ is str:
                raise Unusual
            if value.__class__ is ScalarNode:
                text = value.value
                if value.tag:  # plain, or tagged
                    if value.tag.__class__ is str:
                        raise Unusual
                    if not text or text[0] in _TYPED:
                        text = scalar(text)
                mapping[key.value] = text
            else:
                mapping[key.value] = _plain(value)
        if len(mapping) != len(node.value) or node.tag:
            raise Unusual
        return mapping
    if node.__class__ is ScalarNode:
        if node.tag.__class__ is str:
            raise Unusual
        return scalar(node.value) if node.tag else node.value
    if node.tag:
        raise Unusual
    return [_plain(item) for item in node.value]


def scalar(text: str) -> str | int | float | bool | None:
    """What a plain scalar means in the core schema; integers of more than 40 digits stay text."""
    if text in _WORDS:
        return _WORDS[text]
    number = _CORE(text)
    if number is None:
        return text
    return float(text) if number[1] or number[2] else int(text)


def examine(raw: bytes) -> Document:
    """Everything that can be said of one file; never raises."""
    document = Document()
    if len(raw) > MAX_BYTES:
        size = f"{len(raw):,} bytes; a record file holds at most {MAX_BYTES:,}"
        document.faults.append(Fault("file-too-large", size, hint="move long texts to the website it links to", at=(1, 1)))
        return document
    raw = raw.removeprefix(BOM)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        where = _after(raw[: error.start].decode())
        what = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        document.faults.append(Fault("not-utf8", what, hint="save the file as UTF-8", at=where))
        return document
    control = _control(text)
    if control:
        what = f"the control character U+{ord(control[0]):04X} is not allowed"
        hint = "remove it, or write it as an escape in double quotes"
        document.faults.append(Fault("yaml-syntax", what, hint=hint, at=_after(text[: control.start()])))
        return document
    try:
        _Examiner(raw, document).run()
    except YAMLError as error:
        document.faults.append(_syntax(error))
        document.data = None
    return document


_control = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]").search


def _after(text: str) -> tuple[int, int]:
    """Line and column of what follows `text`."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")


_HINTS = (
    ("mapping values are not allowed", 'a value that holds ": " is written in quotes'),
    ("found character '\\t'", "indent with spaces, not with tabs"),
    ("cannot start any token", "a value that begins with this character is written in quotes"),
    ("could not find expected ':'", 'a field is written "name: value"'),
    ("did not find expected key", "fields of one mapping begin in the same column; quotes inside quotes are doubled"),
    ("did not find expected '-' indicator", "items of one list begin in the same column"),
    ("did not find expected ',' or", "close the bracket"),
    ("found unexpected end of stream", "close the quote"),
)


def _syntax(error: YAMLError) -> Fault:
    """A libyaml error; one about something left open is placed where that was opened."""
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error).strip()
    context = str(getattr(error, "context", None) or "")
    mark = getattr(error, "problem_mark", None)
    if getattr(error, "context_mark", None) and ("flow" in context or "quoted" in context or "simple key" in context):
        mark = error.context_mark  # type: ignore[attr-defined]
    hint = next((hint for text, hint in _HINTS if text in problem), None)
    place = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    return Fault("yaml-syntax", f"{context}, {problem}" if context else problem, hint=hint, at=place)


def _at(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


class _Examiner:
    """One pass over the events of a file; fills the document as it goes."""

    def __init__(self, raw: bytes, document: Document):
        self.next = CParser(raw).get_event
        self.document = document

    def fault(self, code: str, message: str, event: Any, hint: str | None = None) -> None:
        self.document.faults.append(Fault(code, message, hint=hint, at=_at(event)))

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
                    self.document.data = data
                elif not isinstance(first, AliasEvent):
                    kind = "a list" if isinstance(first, SequenceStartEvent) else "a single value" if data is not None else "empty"
                    self.fault("yaml-not-a-mapping", f"the top level is {kind}, not fields", first, 'write "name: …" on the first line')
        if not documents:
            where = Fault("yaml-not-a-mapping", "the file is empty", hint='write "name: …" on the first line', at=(1, 1))
            self.document.faults.append(where)

    def node(self, event: Any, loc: Loc) -> Any:
        self.document.values[loc] = _at(event)
        if isinstance(event, AliasEvent):
            self.fault("yaml-alias", f"the alias *{event.anchor} is not allowed", event, "write the value out, or in quotes")
            return None
        if event.anchor is not None:
            self.fault("yaml-anchor", f"the anchor &{event.anchor} is not allowed", event, "remove it, or write the value in quotes")
        if event.tag is not None:
            self.fault("yaml-tag", f"the tag {event.tag} is not allowed", event, "remove it, or write the value in quotes")
        if isinstance(event, ScalarEvent):
            return scalar(event.value) if event.implicit[0] else event.value
        if len(loc) > MAX_DEPTH:
            self.fault("yaml-too-deep", f"more than {MAX_DEPTH} levels of nesting", event, "a record nests four deep at most")
            self.skip()
            return None
        return self.mapping(loc) if isinstance(event, MappingStartEvent) else self.sequence(loc)

    def skip(self) -> None:
        depth = 1
        while depth:
            event = self.next()
            depth += isinstance(event, MappingStartEvent | SequenceStartEvent)
            depth -= isinstance(event, MappingEndEvent | SequenceEndEvent)

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
                    self.fault("yaml-duplicate-key", f'the key "{name}" stands here again (first on line {first})', key, "keep one of them")
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
            self.fault("yaml-key-not-text", "a key is plain text", event, "a value that begins with [ or { is written in quotes")
            self.node(event, (*loc, "#key"))
            return None
        if event.anchor is not None or event.tag is not None:
            self.node(event, (*loc, "#key"))
        if event.value == "<<" and event.implicit[0]:
            self.fault("yaml-merge-key", "the merge key << is not allowed", event, "write the fields out")
            return None
        return str(event.value)
