"""Edit the YAML of a record at single places; everything else stays byte for byte.

A change is made to the data, and in the text at the position that libyaml gives.  The new text is
parsed before it is used: if its data is not the changed data, it is rejected.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from generator.dialect.parse import BOM
from generator.dialect.positions import Replacement, splice
from generator.dialect.tree import UNSAFE, SyntaxTree, Unchangeable, parse_or_raise
from generator.dialect.values import (
    ANY_FIELDS,
    FileFields,
    flow,
    flow_item,
    flow_pair,
    quoted,
    yaml_field_lines,
)
from generator.problems.faults import Loc, describe_field


class Text(SyntaxTree):
    """The text of a record, and the changes to make.

    Raises Unchangeable if it has a fault of the dialect.
    """

    def __init__(self, raw: bytes, of: FileFields = ANY_FIELDS):
        super().__init__(raw)
        self.fields = of
        self.wanted = deepcopy(self.data)
        self.ending = "\r\n" if "\r\n" in self.text else "\n"
        self.edits: list[Replacement] = []

    def replace(self, loc: Loc, value: Any) -> None:
        """Replace a value."""
        node = self.node(loc)
        if isinstance(value, str) and self.root.flow_style:
            written = quoted(value)  # the record may be JSON
        else:
            write = flow_item if self.node(loc[:-1]).flow_style else flow
            written = write(value, dated=self.fields.is_dated(loc))
        self._edit(node.start_mark.index, node.end_mark.index, written)
        self._data_at(loc[:-1])[loc[-1]] = value

    def put(self, loc: Loc, name: str, value: str) -> None:
        """Set a field of the mapping at `loc` to a text, and add the field if it is missing."""
        fields = self._data_at(loc)
        if name in fields:
            self.replace((*loc, name), value)
        else:
            self._add_pair(self.node(loc), (*loc, name), value)
            fields[name] = value

    def rename_field(self, loc: Loc, name: str) -> None:
        """Rename a field; the new name must be a plain word."""
        *parent, old = loc
        key, _ = self.pair(self.node(tuple(parent)), old)
        quote = key.style or ""  # the record may be JSON
        self._edit(key.start_mark.index, key.end_mark.index, f"{quote}{name}{quote}")
        fields = self._data_at(tuple(parent))
        if name in fields:
            raise Unchangeable(f"{name} is there too: remove one of the two by hand")
        fields[name] = fields.pop(old)

    def remove_items(self, loc: Loc, which: Iterable[int]) -> None:
        """Remove items from a list; if none are left, remove the field."""
        numbers = sorted(set(which))
        node = self.node(loc)
        if len(numbers) == len(node.value):
            self.remove_fields(loc[:-1], [str(loc[-1])])
            return
        for number in reversed(numbers):
            del self._data_at(loc)[number]
        self._cut_items(node, numbers)

    def _cut_items(self, node: SequenceNode, numbers: Sequence[int]) -> None:
        """Remove some of the items, by ascending number, from the text of a list."""
        if node.flow_style:
            self._cut_in_flow([(item, item) for item in node.value], numbers)
            return
        for number in reversed(numbers):
            item = node.value[number]
            self._edit(self.line_start(item), self.line_end(item), "")

    def _cut_in_flow(self, parts: Sequence[tuple[Any, Any]], numbers: Sequence[int]) -> None:
        """Remove some parts, not all, within brackets; each has its first and its last node."""
        for number in reversed(numbers):
            first, last = parts[number]
            if numbers[: number + 1] == list(range(number + 1)):  # no part before it stays
                self._edit(first.start_mark.index, parts[number + 1][0].start_mark.index, "")
            else:
                self._edit(parts[number - 1][1].end_mark.index, last.end_mark.index, "")

    def remove_fields(self, within: Loc, names: Collection[str]) -> None:
        """Remove fields of the mapping at `within`, which goes, too, if it has no other.  Comment
        lines above them stay.
        """
        node, data = self.node(within), self._data_at(within)
        if within and len(names) == len(data):
            *above, name = within
            self.remove_fields(tuple(above), [str(name)])
            return
        if self.root.flow_style:
            raise Unchangeable(f"{describe_field((*within, *names))}: remove it by hand")
        numbers = [i for i, (key, _) in enumerate(node.value) if key.value in names]
        if node.flow_style:
            self._cut_in_flow(node.value, numbers)
        else:
            for key, value in (node.value[i] for i in numbers):
                self._edit(self.line_start(key), self.line_end(value), "")
        for name in names:
            del data[name]

    def append(self, name: str, values: Sequence[str | Mapping[str, str]]) -> None:
        """Append texts, or mappings of texts, to a list of the record.  A missing list is added."""
        if not values:
            return
        self.wanted[name] = [*(self.wanted.get(name) or ()), *values]
        flow_list = flow(list(values))
        node = next((node for key, node in self.root.value if key.value == name), None)
        if isinstance(node, SequenceNode):
            self._add_items(node, values)
        elif node is not None:  # a field without a value
            self._edit(node.start_mark.index, node.end_mark.index, f" {flow_list}")
        elif self.root.flow_style:
            end = self.root.value[-1][1].end_mark.index
            self._edit(end, end, f", {name}: {flow_list}")
        else:
            self._insert_line(self._place_for(self.root, name), f"{name}: {flow_list}{self.ending}")

    def change_to(self, after: Mapping[str, Any]) -> None:
        """Change the record's data to `after`; the text of unchanged values stays."""
        self.wanted = deepcopy(dict(after))
        self._change_mapping((), self.data, after)

    def _change_mapping(self, loc: Loc, before: Any, after: Mapping[str, Any]) -> None:
        node: MappingNode = self.node(loc)
        pairs = {key.value: (key, value_node) for key, value_node in node.value}
        for name, (key, value_node) in pairs.items():
            if name not in after:
                if node.flow_style:
                    raise Unchangeable(f"{name}: remove it by hand")
                self._edit(self.line_start(key), self.line_end(value_node), "")
                continue
            old, new = before[name], after[name]
            if repr(old) == repr(new):
                continue
            is_block = isinstance(value_node, MappingNode) and not value_node.flow_style
            if is_block and isinstance(new, dict) and old.keys() & new.keys():
                self._change_mapping((*loc, name), old, new)
            elif not self._change_items(value_node, old, new):
                self._overwrite((*loc, name), key, value_node, new)
        for name, value in after.items():
            if name not in pairs:
                self._add_pair(node, (*loc, name), value)

    def _change_items(self, node: Any, old: Any, new: Any) -> bool:
        """Remove items from a list of scalars and append others, if that is the whole change.
        Returns whether it is.
        """
        if not (isinstance(old, list) and isinstance(new, list)):
            return False
        if any(isinstance(item, dict | list) for item in (*old, *new)):
            return False
        kept = [item for item in old if item in new]
        added = [item for item in new if item not in old]
        if not kept or kept + added != new:
            return False
        self._cut_items(node, [i for i, item in enumerate(old) if item not in new])
        if added:
            self._add_items(node, added)
        return True

    def _add_items(self, node: SequenceNode, items: Sequence[Any]) -> None:
        """Append items to the text of a list."""
        if node.flow_style:
            end = node.value[-1].end_mark.index if node.value else node.end_mark.index - 1
            self._edit(end, end, ", " * bool(node.value) + flow(list(items))[1:-1])
        else:
            last = node.value[-1]
            head = self.text[self.line_start(last) : last.start_mark.index]
            lines = "".join(f"{head}{flow(item)}{self.ending}" for item in items)
            self._insert_line(self.line_end(last), lines)

    def _add_pair(self, within: MappingNode, loc: Loc, value: Any) -> None:
        """Add a field to the text of a mapping, in a record at its usual place, else at the end."""
        name = str(loc[-1])
        if within.flow_style:
            end = within.value[-1][1].end_mark.index if within.value else within.end_mark.index - 1
            pair = flow_pair(name, value, dated=self.fields.is_dated(loc))
            self._edit(end, end, f"{', ' * bool(within.value)}{pair}")
            return
        lines = self._lines(within.value[0][0], loc, value)
        self._insert_line(self._place_for(within, name), lines)

    def _lines(self, key: Any, loc: Loc, value: Any) -> str:
        """The lines of a field, indented like another key."""
        lines = yaml_field_lines(
            str(loc[-1]), value, " " * key.start_mark.column, dated=self.fields.is_dated(loc)
        )
        return "".join(line + self.ending for line in lines)

    def _place_for(self, within: MappingNode, name: str) -> int:
        """The index at which the line of a new field of a mapping begins."""
        before = [
            node
            for key, node in within.value
            if within is not self.root or self.fields.rank(key.value) <= self.fields.rank(name)
        ]
        return self.line_end(before[-1]) if before else self.line_start(within.value[0][0])

    def _overwrite(self, loc: Loc, key: Any, node: Any, value: Any) -> None:
        begin, end = node.start_mark, node.end_mark
        simple = not isinstance(value, dict | list) and "\n" not in str(value)
        in_flow = self.node(loc[:-1]).flow_style
        if in_flow or (
            simple and isinstance(node, ScalarNode) and begin.line == end.line == key.end_mark.line
        ):
            space = " " * (self.text[begin.index - 1 : begin.index] == ":")
            write = flow_item if in_flow else flow
            self._edit(
                begin.index, end.index, space + write(value, dated=self.fields.is_dated(loc))
            )
            return
        lines = self._lines(key, loc, value)
        begin, end = self.line_start(key), self.line_end(node)
        if end == len(self.text) and not self.text.endswith("\n"):
            lines = lines.removesuffix(self.ending)
        self._edit(begin, end, lines)

    def changed(self) -> bytes:
        """The bytes with all changes.  Raises Unchangeable if their data is not the wanted data."""
        text = splice(self.text, self.edits)
        raw = self.raw[: len(self.raw) - len(self.raw.removeprefix(BOM))] + text.encode()
        with contextlib.suppress(Unchangeable):
            if parse_or_raise(raw) == self.wanted:
                return raw
        raise Unchangeable(UNSAFE)

    def _insert_line(self, at: int, lines: str) -> None:
        """Insert whole lines at the start of a line or at the end of the text."""
        before = self.text[:at]
        if before and not before.endswith(("\n", "\r")):
            lines = self.ending + lines.removesuffix(self.ending)
        self._edit(at, at, lines)

    def _edit(self, begin: int, end: int, replacement: str) -> None:
        self.edits.append((begin, end, replacement))

    def _data_at(self, loc: Loc) -> Any:
        data: Any = self.wanted
        for part in loc:
            data = data[part]
        return data


def add_first_items(raw: bytes, name: str, entries: Iterable[Mapping[str, str]]) -> bytes:
    """Add the first items to a file for one list that has none yet (see `parse.has_no_items`)."""
    ending = b"\r\n" if b"\r\n" in raw else b"\n"
    head, lines = f"{name}:".encode(), raw.splitlines()
    numbers = (n for n, line in enumerate(lines) if line.removeprefix(BOM).startswith(head))
    at = next(numbers, len(lines))
    if at == len(lines):
        lines.append(head)
    lines[at + 1 : at + 1] = [f"  - {flow(entry)}".encode() for entry in entries]
    return ending.join([*lines, b""])
