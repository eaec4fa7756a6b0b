"""A record's YAML as a text that is changed at single places; all else stays, byte for byte.

A change is worked out on the data first, then made in the text where libyaml says that the value
stands, and the text is read back: what does not mean just what was to come of it is not written.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from generator.edit.values import flow
from generator.records.dialect import BOM, Unusual, nodes, parse
from generator.records.examine import examine
from generator.records.faults import Loc

#: What some versions of YAML take for a truth, or for nothing.
_names_a_truth = re.compile(r"y|n|yes|no|on|off|true|false|null", re.I).fullmatch
_is_word = re.compile(r"[a-z][a-z0-9-]*").fullmatch


class Unchangeable(Exception):
    """A file has faults, or a layout, with which a program does not change it; the text says so."""


def data_of(raw: bytes) -> dict[str, Any]:
    """What a text means that has no fault of the dialect.  Raises Unchangeable where it has one."""
    try:
        return parse(raw)
    except Unusual:
        document = examine(raw)
    if not isinstance(document.data, dict) or any(
        fault.severity == "error" for fault in document.faults
    ):
        raise Unchangeable("it has faults: mend what registry check tells of it")
    return document.data


class Text:
    """The text of a record that has no fault of the dialect, and the changes asked of it.

    Raises Unchangeable where it has one.
    """

    def __init__(self, raw: bytes):
        self.data = data_of(raw)
        self.raw, self.wanted = raw, deepcopy(self.data)
        self.text = raw.removeprefix(BOM).decode()
        self.ending = "\r\n" if "\r\n" in self.text else "\n"
        self.root: MappingNode = nodes(raw)
        self.edits: list[tuple[int, int, str]] = []

    def replace(self, loc: Loc, value: str | int | float | list[str]) -> None:
        """Write another value in place of one."""
        node = self._node(loc)
        if isinstance(value, str):
            plain = isinstance(node, ScalarNode) and not node.style
            written = _scalar(value, plain=plain and not _names_a_truth(value))
        elif isinstance(value, list):
            written = f"[{', '.join(map(_scalar, value))}]"
        else:
            written = json.dumps(value)
        self._edit(node.start_mark.index, node.end_mark.index, written)
        self._at(loc[:-1])[loc[-1]] = value

    def rename_field(self, loc: Loc, name: str) -> None:
        """Write another name for a field, of plain letters."""
        *above, old = loc
        key = next(key for key, _ in self._node(tuple(above)).value if key.value == old)
        self._edit(key.start_mark.index, key.end_mark.index, name)
        held = self._at(tuple(above))
        if name in held:
            raise Unchangeable(f"{name} stands there too: take one of the two out by hand")
        held[name] = held.pop(old)

    def remove_items(self, loc: Loc, which: Iterable[int]) -> None:
        """Take items out of a list, and with the last one the field."""
        gone = sorted(set(which))
        held = self._node(loc)
        if len(gone) == len(held.value):
            self.remove_field(loc)
            return
        for number in reversed(gone):
            del self._at(loc)[number]
            here = held.value[number]
            if not held.flow_style:
                self._edit(self._line_of(here.start_mark.index), self._end_of(here), "")
            elif gone[: number + 1] == list(range(number + 1)):  # none before it stays
                self._edit(here.start_mark.index, held.value[number + 1].start_mark.index, "")
            else:
                self._edit(held.value[number - 1].end_mark.index, here.end_mark.index, "")

    def remove_field(self, loc: Loc) -> None:
        """Take a field out of the record: its lines, and the comment lines right above it stay."""
        if len(loc) != 1 or self.root.flow_style:
            raise Unchangeable(f"{loc[0]}: take it out by hand")
        pairs = self.root.value
        at = next(i for i, (key, _) in enumerate(pairs) if key.value == loc[0])
        self._edit(self._line_of(pairs[at][0].start_mark.index), self._end_of(pairs[at][1]), "")
        del self.wanted[str(loc[0])]

    def place(self, loc: Loc) -> tuple[int, int]:
        """The line and the column, from 1, of a value."""
        mark = self._node(loc).start_mark
        return int(mark.line) + 1, int(mark.column) + 1

    def append(self, name: str, values: Sequence[str | Mapping[str, str]]) -> None:
        """Put texts, or mappings of them, at the end of a list of the record, which is made where
        there is none.
        """
        if not values:
            return
        held = self.wanted.get(name)
        self.wanted[name] = [*(held or ()), *values]
        written = ", ".join(map(_item, values))
        pair = next((pair for pair in self.root.value if pair[0].value == name), None)
        if pair is None:
            self._add_field(f"{name}: [{written}]")
        elif not isinstance(pair[1], SequenceNode):  # no value
            self._edit(pair[1].start_mark.index, pair[1].end_mark.index, f" [{written}]")
        elif pair[1].flow_style:
            end = pair[1].end_mark.index - 1
            if pair[1].value:
                end = pair[1].value[-1].end_mark.index
                written = f", {written}"
            self._edit(end, end, written)
        else:
            last = pair[1].value[-1]
            begin = self._line_of(last.start_mark.index)
            head = self.text[begin : last.start_mark.index]
            lines = "".join(f"{head}{_item(value)}{self.ending}" for value in values)
            self._insert_line(self._end_of(last), lines)

    def changed(self) -> bytes:
        """The bytes with all changes.  Raises Unchangeable where they would mean anything else."""
        text = spliced(self.text, self.edits)
        raw = self.raw[: len(self.raw) - len(self.raw.removeprefix(BOM))] + text.encode()
        with contextlib.suppress(Unchangeable):
            if data_of(raw) == self.wanted:
                return raw
        raise Unchangeable("its layout is one that a program cannot change safely")

    def _add_field(self, line: str) -> None:
        if self.root.flow_style:
            end = self.root.value[-1][1].end_mark.index
            self._edit(end, end, f", {line}")
        else:
            self._insert_line(self._end_of(self.root.value[-1][1]), line + self.ending)

    def _insert_line(self, at: int, lines: str) -> None:
        """Put whole lines where a line begins, or where the text ends."""
        before = self.text[:at]
        if before and not before.endswith(("\n", "\r")):
            lines = self.ending + lines.removesuffix(self.ending)
        self._edit(at, at, lines)

    def _end_of(self, node: Any) -> int:
        """Where the line after a node's last one begins; of a collection in block style, its last
        item's.
        """
        node = last_part(node)
        end = node.end_mark.index
        if self.text[end - 1 : end] in ("\n", "\r") and end > node.start_mark.index:
            return int(end)  # a block scalar ends with its line break
        newline = self.text.find("\n", end)
        return len(self.text) if newline < 0 else newline + 1

    def _line_of(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def _edit(self, begin: int, end: int, put: str) -> None:
        self.edits.append((begin, end, put))

    def _node(self, loc: Loc) -> Any:
        node: Any = self.root
        for part in loc:
            if isinstance(node, MappingNode):
                node = next(value for key, value in node.value if key.value == part)
            else:
                node = node.value[part]
        return node

    def _at(self, loc: Loc) -> Any:
        data: Any = self.wanted
        for part in loc:
            data = data[part]
        return data


def spliced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """A text with what stands from one index up to another replaced, at places apart."""
    for begin, end, put in sorted(edits, reverse=True):
        text = text[:begin] + put + text[end:]
    return text


def last_part(node: Any) -> Any:
    """The last scalar, or value in flow style, of a node in block style."""
    while not isinstance(node, ScalarNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(node, MappingNode) else last
    return node


def _item(value: str | Mapping[str, str]) -> str:
    return _scalar(value) if isinstance(value, str) else flow(value)


def _scalar(value: str, *, plain: bool = False) -> str:
    """A text as YAML: plain where every reader of YAML takes that for the same text, or this one
    does and that is asked for.
    """
    quoted = json.dumps(value, ensure_ascii=False)
    plain = plain or bool(_is_word(value) and not _names_a_truth(value))
    for spelled in (value, quoted) if plain else (quoted,):
        try:
            if parse(f"a: [{spelled}]\nb: {spelled}\n".encode()) == {"a": [value], "b": value}:
                return spelled
        except Unusual:
            continue
    raise Unchangeable(f"{value!r} cannot be written on one line")
