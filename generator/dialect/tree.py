"""The YAML of a record as a tree of nodes that know where they stand in its text.

What edits a record (`text.Text`), lays it out (`layout`) or looks for its comments asks this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from yaml.nodes import MappingNode, ScalarNode

from generator.dialect.examine import examine
from generator.dialect.libyaml import nodes, parse
from generator.dialect.parse import BOM, Unusual
from generator.problems.faults import Loc


class Unchangeable(Exception):
    """A file has faults, or a layout, with which a program does not change it; the text says so."""


UNSAFE = "its layout cannot be changed safely by a program"


def data_of(raw: bytes) -> dict[str, Any]:
    """What a text means that has no fault of the dialect.  Raises Unchangeable where it has one."""
    try:
        return parse(raw)
    except Unusual:
        document = examine(raw)
    if not isinstance(document.data, dict) or any(
        fault.severity == "error" for fault in document.faults
    ):
        raise Unchangeable("it has errors: run registry check and fix them")
    return document.data


class Tree:
    """A text without a fault of the dialect: what it means, and where everything stands in it.

    Raises Unchangeable where it has one.
    """

    def __init__(self, raw: bytes):
        self.raw, self.data = raw, data_of(raw)
        self.text = raw.removeprefix(BOM).decode()
        self.root: MappingNode = nodes(raw)

    def node(self, loc: Loc) -> Any:
        node: Any = self.root
        for part in loc:
            if isinstance(node, MappingNode):
                node = next(value for key, value in node.value if key.value == part)
            else:
                node = node.value[part]
        return node

    def place(self, loc: Loc) -> tuple[int, int]:
        """The line and the column, from 1, of a value."""
        mark = self.node(loc).start_mark
        return int(mark.line) + 1, int(mark.column) + 1

    def source(self, node: Any) -> str:
        return self.text[node.start_mark.index : node.end_mark.index]

    def line_of(self, node: Any) -> int:
        """Where the line begins on which a node does."""
        return self.text.rfind("\n", 0, node.start_mark.index) + 1

    def end_of(self, node: Any) -> int:
        """Where the line after a node's last one begins; of a collection in block style, its last
        item's.
        """
        node = last_part(node)
        end = node.end_mark.index
        if self.text[end - 1 : end] in ("\n", "\r") and end > node.start_mark.index:
            return int(end)  # a block scalar ends with its line break
        newline = self.text.find("\n", end)
        return len(self.text) if newline < 0 else newline + 1

    def comments(self) -> list[str]:
        """Every comment, sorted: what stands after a "#" that no value holds."""
        found, at = [], 0
        for begin, end in [*sorted(_scalars(self.root)), (len(self.text), len(self.text))]:
            gap = self.text[at:begin]
            found += [one.strip() for one in re.findall(r"(?:^|(?<=[\s,\[\]{}:]))#[^\n]*", gap)]
            at = max(at, end)
        return sorted(found)


def _scalars(node: Any) -> list[tuple[int, int]]:
    """Where the scalars in a node begin and end."""
    if isinstance(node, ScalarNode):
        return [(node.start_mark.index, node.end_mark.index)]
    parts = node.value
    if isinstance(node, MappingNode):
        parts = [part for pair in parts for part in pair]
    return [span for part in parts for span in _scalars(part)]


def last_part(node: Any) -> Any:
    """The last scalar, or value in flow style, of a node in block style."""
    while not isinstance(node, ScalarNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(node, MappingNode) else last
    return node


def spliced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """A text with what stands from one index up to another replaced, at places apart; what is put
    at one place stands in the order of the edits.
    """
    for begin, end, put in sorted(edits, key=lambda edit: edit[:2])[::-1]:
        text = text[:begin] + put + text[end:]
    return text
