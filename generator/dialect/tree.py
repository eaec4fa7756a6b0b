"""The YAML of a record as libyaml's nodes, with their positions in the text.

It is used to edit records (`text_edits.Text`), to format them and to find their comments.
"""

from __future__ import annotations

import re
from typing import Any

from yaml.nodes import MappingNode, ScalarNode

from generator.dialect.examine import examine
from generator.dialect.libyaml import parse, root_node
from generator.dialect.parse import BOM, Unusual
from generator.problems.faults import Loc


class Unchangeable(Exception):
    """A file cannot be changed safely because of its faults or its layout; the text says why."""


UNSAFE = "its layout cannot be changed safely by a program"


def parse_or_raise(raw: bytes) -> dict[str, Any]:
    """The data of a file.  Raises Unchangeable if it has a fault of the dialect."""
    try:
        return parse(raw)
    except Unusual:
        document = examine(raw)
    if not isinstance(document.data, dict) or any(
        fault.severity == "error" for fault in document.faults
    ):
        raise Unchangeable("it has errors, which `registry check` shows")
    return document.data


class SyntaxTree:
    """A file's data, text and nodes.  Raises Unchangeable if it has a fault of the dialect."""

    def __init__(self, raw: bytes):
        self.raw, self.data = raw, parse_or_raise(raw)
        self.text = raw.removeprefix(BOM).decode()
        self.root: MappingNode = root_node(raw)
        self._pairs: dict[int, dict[str, tuple[Any, Any]]] = {}

    def of(self, text: str) -> SyntaxTree:
        """The tree of another text; this one if the text is the same.  Raises Unchangeable."""
        return self if text == self.text else SyntaxTree(text.encode())

    def node(self, loc: Loc) -> Any:
        """The node of a value.  Raises LookupError."""
        node: Any = self.root
        for part in loc:
            node = self.pair(node, part)[1] if isinstance(node, MappingNode) else node.value[part]
        return node

    def pair(self, mapping: MappingNode, name: str | int) -> tuple[Any, Any]:
        """The nodes of a key and of its value.  Raises LookupError."""
        pairs = self._pairs.get(id(mapping))
        if pairs is None:
            pairs = self._pairs[id(mapping)] = {pair[0].value: pair for pair in mapping.value}
        return pairs[str(name)]

    def place(self, loc: Loc) -> tuple[int, int]:
        """Line and column of a value, 1-based."""
        mark = self.node(loc).start_mark
        return int(mark.line) + 1, int(mark.column) + 1

    def source(self, node: Any) -> str:
        return self.text[node.start_mark.index : node.end_mark.index]

    def line_start(self, node: Any) -> int:
        """The index at which the first line of a node begins."""
        return self.text.rfind("\n", 0, node.start_mark.index) + 1

    def line_end(self, node: Any) -> int:
        """The index at which the line after the last line of a node begins."""
        node = last_part(node)
        end = node.end_mark.index
        if self.text[end - 1 : end] in ("\n", "\r") and end > node.start_mark.index:
            return int(end)  # a block scalar ends with its line break
        newline = self.text.find("\n", end)
        return len(self.text) if newline < 0 else newline + 1

    def comments(self) -> list[str]:
        """All comments, sorted, each from its "#" on."""
        comments, at = [], 0
        if "#" not in self.text:
            return []
        for begin, end in [*sorted(_scalar_spans(self.root)), (len(self.text), len(self.text))]:
            gap = self.text[at:begin]
            comments += [c.strip() for c in re.findall(r"(?:^|(?<=[\s,\[\]{}:]))#[^\n]*", gap)]
            at = max(at, end)
        return sorted(comments)


def _scalar_spans(node: Any) -> list[tuple[int, int]]:
    """The indexes at which the scalars in a node begin and end."""
    spans, todo = [], [node]
    while todo:
        node = todo.pop()
        if isinstance(node, ScalarNode):
            spans.append((node.start_mark.index, node.end_mark.index))
        elif isinstance(node, MappingNode):
            todo += [part for pair in node.value for part in pair]
        else:
            todo += node.value
    return spans


def last_part(node: Any) -> Any:
    """The last scalar or flow collection within a node."""
    while not isinstance(node, ScalarNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(node, MappingNode) else last
    return node
