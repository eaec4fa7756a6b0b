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

from generator.dialect.libyaml import parse
from generator.dialect.parse import BOM, Unusual
from generator.dialect.tree import UNSAFE, Tree, Unchangeable, data_of, spliced
from generator.dialect.values import ORDER, flow
from generator.dialect.values import field as written_field
from generator.problems.faults import Loc

#: What some versions of YAML take for a truth, or for nothing.
_names_a_truth = re.compile(r"y|n|yes|no|on|off|true|false|null", re.I).fullmatch
_is_word = re.compile(r"[a-z][a-z0-9-]*").fullmatch


class Text(Tree):
    """The text of a record that has no fault of the dialect, and the changes asked of it.

    Raises Unchangeable where it has one.
    """

    def __init__(self, raw: bytes):
        super().__init__(raw)
        self.wanted = deepcopy(self.data)
        self.ending = "\r\n" if "\r\n" in self.text else "\n"
        self.edits: list[tuple[int, int, str]] = []

    def replace(self, loc: Loc, value: str | int | float | list[str]) -> None:
        """Write another value in place of one."""
        node = self.node(loc)
        if isinstance(value, str):
            plain = isinstance(node, ScalarNode) and not node.style
            written = _scalar(value, plain=plain and not _names_a_truth(value))
        elif isinstance(value, list):
            written = f"[{', '.join(map(_scalar, value))}]"
        else:
            written = json.dumps(value)
        self._edit(node.start_mark.index, node.end_mark.index, written)
        self._at(loc[:-1])[loc[-1]] = value

    def put(self, loc: Loc, name: str, value: str) -> None:
        """Write a text into a field of a mapping, which gets the field if it has none."""
        held = self._at(loc)
        if name in held:
            self.replace((*loc, name), value)
        else:
            self._add_pair(self.node(loc), name, value)
            held[name] = value

    def rename_field(self, loc: Loc, name: str) -> None:
        """Write another name for a field, of plain letters."""
        *above, old = loc
        key = next(key for key, _ in self.node(tuple(above)).value if key.value == old)
        self._edit(key.start_mark.index, key.end_mark.index, name)
        held = self._at(tuple(above))
        if name in held:
            raise Unchangeable(f"{name} is there too: remove one of the two by hand")
        held[name] = held.pop(old)

    def remove_items(self, loc: Loc, which: Iterable[int]) -> None:
        """Take items out of a list, and with the last one the field."""
        gone = sorted(set(which))
        held = self.node(loc)
        if len(gone) == len(held.value):
            self.remove_field(loc)
            return
        for number in reversed(gone):
            del self._at(loc)[number]
        self._remove_items(held, gone)

    def _remove_items(self, held: SequenceNode, gone: Sequence[int]) -> None:
        for number in reversed(gone):
            here = held.value[number]
            if not held.flow_style:
                self._edit(self.line_of(here), self.end_of(here), "")
            elif gone[: number + 1] == list(range(number + 1)):  # none before it stays
                self._edit(here.start_mark.index, held.value[number + 1].start_mark.index, "")
            else:
                self._edit(held.value[number - 1].end_mark.index, here.end_mark.index, "")

    def remove_field(self, loc: Loc) -> None:
        """Take a field out of the record: its lines, and the comment lines right above it stay."""
        if len(loc) != 1 or self.root.flow_style:
            raise Unchangeable(f"{loc[0]}: remove it by hand")
        pairs = self.root.value
        at = next(i for i, (key, _) in enumerate(pairs) if key.value == loc[0])
        self._edit(self.line_of(pairs[at][0]), self.end_of(pairs[at][1]), "")
        del self.wanted[str(loc[0])]

    def append(self, name: str, values: Sequence[str | Mapping[str, str]]) -> None:
        """Put texts, or mappings of them, at the end of a list of the record, which is made where
        there is none.
        """
        if not values:
            return
        held = self.wanted.get(name)
        self.wanted[name] = [*(held or ()), *values]
        written = list(map(_item, values))
        pair = next((pair for pair in self.root.value if pair[0].value == name), None)
        if pair is None:
            self._add_list(name, f"{name}: [{', '.join(written)}]")
        elif not isinstance(pair[1], SequenceNode):  # no value
            begin, end = pair[1].start_mark.index, pair[1].end_mark.index
            self._edit(begin, end, f" [{', '.join(written)}]")
        else:
            self._add_items(pair[1], written)

    def become(self, after: Mapping[str, Any]) -> None:
        """Let the record say this and nothing else, with the text of what it says already."""
        self.wanted = deepcopy(dict(after))
        self._become(self.root, self.data, after)

    def _become(self, node: MappingNode, before: Any, after: Mapping[str, Any]) -> None:
        pairs = {key.value: (key, held) for key, held in node.value}
        for name, (key, held) in pairs.items():
            if name not in after:
                if node.flow_style:
                    raise Unchangeable(f"{name}: remove it by hand")
                self._edit(self.line_of(key), self.end_of(held), "")
                continue
            was, now = before[name], after[name]
            if repr(was) == repr(now):
                continue
            inside = isinstance(held, MappingNode) and not held.flow_style
            if inside and isinstance(now, dict) and was.keys() & now.keys():
                self._become(held, was, now)
            elif not self._changed_items(held, was, now):
                self._write_over(node, key, held, now)
        for name, value in after.items():
            if name not in pairs:
                self._add_pair(node, name, value)

    def _changed_items(self, held: Any, was: Any, now: Any) -> bool:
        """Take items out of a list of scalars and put others at its end, where that is all."""
        if not (isinstance(was, list) and isinstance(now, list)):
            return False
        if any(isinstance(item, dict | list) for item in (*was, *now)):
            return False
        kept = [item for item in was if item in now]
        added = [item for item in now if item not in was]
        if not kept or kept + added != now:
            return False
        self._remove_items(held, [i for i, item in enumerate(was) if item not in now])
        if added:
            self._add_items(held, list(map(flow, added)))
        return True

    def _add_items(self, held: SequenceNode, written: list[str]) -> None:
        """Put items, as they are written, at the end of a list."""
        if held.flow_style:
            end = held.end_mark.index - 1
            if held.value:
                end = held.value[-1].end_mark.index
                written = ["", *written]
            self._edit(end, end, ", ".join(written))
        else:
            last = held.value[-1]
            begin = self.line_of(last)
            head = self.text[begin : last.start_mark.index]
            lines = "".join(f"{head}{item}{self.ending}" for item in written)
            self._insert_line(self.end_of(last), lines)

    def _add_pair(self, within: MappingNode, name: str, value: Any) -> None:
        """Put a field into a mapping: into the record where it stands in the one layout, else at
        the end.
        """
        if within.flow_style:
            end = within.value[-1][1].end_mark.index if within.value else within.end_mark.index - 1
            self._edit(end, end, f"{', ' * bool(within.value)}{flow({name: value})[1:-1]}")
            return
        blanks = " " * within.value[0][0].start_mark.column
        lines = "".join(line + self.ending for line in written_field(name, value, blanks))
        self._insert_line(self._below(within, name), lines)

    def _below(self, within: MappingNode, name: str) -> int:
        """Where the line of a new field of a mapping begins."""
        before = [
            of for key, of in within.value if within is not self.root or _rank(key) <= _rank(name)
        ]
        first = within.value[0][0]
        return self.end_of(before[-1]) if before else self.line_of(first)

    def _write_over(self, within: MappingNode, key: Any, node: Any, value: Any) -> None:
        begin, end = node.start_mark, node.end_mark
        simple = not isinstance(value, dict | list) and "\n" not in str(value)
        if within.flow_style or (
            simple and isinstance(node, ScalarNode) and begin.line == end.line == key.end_mark.line
        ):
            blank = " " * (self.text[begin.index - 1 : begin.index] == ":")
            self._edit(begin.index, end.index, blank + flow(value))
            return
        blanks = " " * key.start_mark.column
        lines = "".join(line + self.ending for line in written_field(key.value, value, blanks))
        begin, end = self.line_of(key), self.end_of(node)
        if end == len(self.text) and not self.text.endswith("\n"):
            lines = lines.removesuffix(self.ending)
        self._edit(begin, end, lines)

    def changed(self) -> bytes:
        """The bytes with all changes.  Raises Unchangeable where they would mean anything else."""
        text = spliced(self.text, self.edits)
        raw = self.raw[: len(self.raw) - len(self.raw.removeprefix(BOM))] + text.encode()
        with contextlib.suppress(Unchangeable):
            if data_of(raw) == self.wanted:
                return raw
        raise Unchangeable(UNSAFE)

    def _add_list(self, name: str, line: str) -> None:
        if self.root.flow_style:
            end = self.root.value[-1][1].end_mark.index
            self._edit(end, end, f", {line}")
        else:
            self._insert_line(self._below(self.root, name), line + self.ending)

    def _insert_line(self, at: int, lines: str) -> None:
        """Put whole lines where a line begins, or where the text ends."""
        before = self.text[:at]
        if before and not before.endswith(("\n", "\r")):
            lines = self.ending + lines.removesuffix(self.ending)
        self._edit(at, at, lines)

    def _edit(self, begin: int, end: int, put: str) -> None:
        self.edits.append((begin, end, put))

    def _at(self, loc: Loc) -> Any:
        data: Any = self.wanted
        for part in loc:
            data = data[part]
        return data


def _rank(name: Any) -> int:
    """Where a field stands in the one layout: one that it does not know, at the end."""
    name = getattr(name, "value", name)
    return ORDER.index(name) if name in ORDER else len(ORDER)


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


def begun(raw: bytes, name: str, entries: Iterable[Mapping[str, str]]) -> bytes:
    """A file of one list, which has none yet (see is_bare), with its first items."""
    ending = b"\r\n" if b"\r\n" in raw else b"\n"
    lines = raw.splitlines()
    head = f"{name}:".encode()
    if not any(line.removeprefix(BOM).startswith(head) for line in lines):
        lines.append(head)
    at = next(i for i, line in enumerate(lines) if line.removeprefix(BOM).startswith(head))
    lines[at + 1 : at + 1] = [f"  - {flow(entry)}".encode() for entry in entries]
    return ending.join([*lines, b""])
