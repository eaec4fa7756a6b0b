"""The layout of a record's YAML (`registry fmt`).

Fields are in a fixed order, indented by two spaces a level, with LF.  Empty lines are removed
except after a comment.  A comment moves with its field.  Values keep their quotes, their flow or
block style and the lines of long texts; a text that other parsers would read as something else gets
quotes.  The result is read back: if its data or its comments differ, the text stays as it is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from generator.dialect.parse import BOM, parse_scalar
from generator.dialect.positions import Replacement, splice
from generator.dialect.tree import UNSAFE, SyntaxTree, Unchangeable, last_part, parse_or_raise
from generator.dialect.values import (
    ANY_FIELDS,
    PLACE_ORDER,
    FileFields,
    fields_at,
    is_dated,
    needs_quotes,
    quoted,
)
from generator.edit.changes import FileChange, Plan, Refused, Skipped
from generator.edit.workspace import scan_records
from generator.problems.diagnostic import Diagnostic

_MAX_WIDTH = 100  # characters of a line
_comment = re.compile(r"[ \t]*(#.*)").fullmatch


def format_record(raw: bytes, of: FileFields = ANY_FIELDS) -> bytes:
    """The file in the layout.  Raises Unchangeable if its data or a comment would change."""
    tree = SyntaxTree(re.sub(b"\r\n?", b"\n", raw.removeprefix(BOM)))
    before = tree.data if tree.raw == raw else parse_or_raise(raw)
    if tree.root.flow_style:
        return raw  # a record in JSON, or in one line
    with contextlib.suppress(Unchangeable):
        tree = tree.of(splice(tree.text, _quotes(tree.root, of.dated)))
        after = tree.of(_Layout(tree, of).record())
        if after.data == before and after.comments() == tree.comments():
            return after.raw
    raise Unchangeable(UNSAFE)


def plan_formatting(folder: str, paths: Sequence[str] = ()) -> Plan:
    """The changes that lay out these records, by default all.  Raises Refused."""
    content = scan_records(folder)
    known = {source.path for sources in content.sources.values() for source in sources}
    for path in paths:
        if path not in known:
            raise Refused(f"{content.display_path(path)} is not the file of a record")
    changes, left = [], []
    for path in sorted(paths or known):
        taken = content.read_content(path)
        try:
            if isinstance(taken, Diagnostic):
                raise Unchangeable(taken.message)
            after = format_record(taken, fields_at(path, content.kinds))
        except Unchangeable as error:
            left.append(Skipped(path, str(error)))
            continue
        if after != taken:
            changes.append(FileChange(path, taken, after))
    return Plan(changes, left)


def _quotes(
    node: Any, dates: Collection[str] = (), *, dated: bool = False, in_flow: bool = False
) -> Iterator[Replacement]:
    """The replacements that put quotes around the texts in a node that need them; `dates` are more
    of its fields with dates.
    """
    if isinstance(node, ScalarNode):
        text = node.value
        is_text = not node.style and "\n" not in text and isinstance(parse_scalar(text), str)
        if is_text and needs_quotes(text, dated=dated, in_flow=in_flow):
            yield node.start_mark.index, node.end_mark.index, quoted(text)
        return
    in_flow = in_flow or node.flow_style
    for part in node.value:
        if isinstance(part, tuple):
            yield from _quotes(part[0], in_flow=in_flow)
            is_date = dated or part[0].value in dates or is_dated((part[0].value,))
            yield from _quotes(part[1], dated=is_date, in_flow=in_flow)
        else:
            yield from _quotes(part, dated=dated, in_flow=in_flow)


class _Layout:
    def __init__(self, tree: SyntaxTree, of: FileFields):
        self.tree, self.of, self.lines = tree, of, tree.text.split("\n")

    def record(self) -> str:
        root = self.tree.root
        head: list[str] = []
        blocks: list[tuple[int, list[str]]] = []
        next_line = 0
        for number, (key, value) in enumerate(root.value):
            above = self._comments_between(next_line, key.start_mark.line)
            next_line = self._line_after(value)
            if number == 0:
                head, above = self._split_head(above)
            else:
                above = self._move_indented(above, root.value[number - 1][1], blocks[-1][1])
            blocks.append(
                (self.of.rank(key.value), [*map(str.strip, above), *self._field(key, value, 0)])
            )
        below = self._comments_between(next_line, len(self.lines))
        tail = map(str.strip, self._move_indented(below, root.value[-1][1], blocks[-1][1]))
        blocks.sort(key=lambda block: block[0])
        lines = [*head, *(line for _, block in blocks for line in block), *tail]
        return "\n".join(lines).strip("\n") + "\n"

    @staticmethod
    def _move_indented(above: list[str], value: Any, block: list[str]) -> list[str]:
        """The comments above a field, without indented ones, which go to the `block` before."""
        if isinstance(value, ScalarNode) or value.flow_style:
            return above
        cut = next((i for i, line in enumerate(above) if line[:1] not in " \t"), len(above))
        while cut and not above[cut - 1]:
            cut -= 1
        block.extend("  " + line.strip() if line.strip() else "" for line in above[:cut])
        return above[cut:]

    @staticmethod
    def _split_head(above: list[str]) -> tuple[list[str], list[str]]:
        """The comments of the file, up to the last empty line, and those of the first field."""
        above = [line for line in above if line.strip() != "---"]
        last = max((i for i, line in enumerate(above) if not line.strip()), default=-1)
        return [line.strip() for line in above[: last + 1]], above[last + 1 :]

    def _comments_between(self, begin: int, end: int) -> list[str]:
        """The comments in these lines, each with at most one empty line after it."""
        lines: list[str] = []
        for line in self.lines[begin:end]:
            if line.strip() or (lines and lines[-1].strip()):
                lines.append(line.rstrip())
        return lines

    @staticmethod
    def _line_after(node: Any) -> int:
        """The index of the line after a node."""
        node = last_part(node)
        mark = node.end_mark
        is_block = isinstance(node, ScalarNode) and node.style in ("|", ">")
        return int(mark.line) if is_block and mark.column == 0 else int(mark.line) + 1

    def _field(self, key: ScalarNode, value: Any, depth: int) -> list[str]:
        return self._value(self.tree.source(key) + ":", value, depth, key.start_mark.line + 1)

    def _value(self, head: str, value: Any, depth: int, below: int = 0) -> list[str]:
        """A value after its `head`, a key or a dash; `below` is the line after the head."""
        indent = "  " * depth
        if isinstance(value, ScalarNode):
            if value.start_mark.line == value.end_mark.line:
                source = self.tree.source(value)
                return [f"{indent}{head} {source}".rstrip(" ") + self._comment_after(value)]
            return self._several_lines(head, value, depth)
        if value.flow_style:
            if value.start_mark.line == value.end_mark.line:
                line = f"{indent}{head} {self._flow(value)}"
                if len(line) <= _MAX_WIDTH or len(self.tree.source(value)) >= len(line):
                    return [line + self._comment_after(value)]
            return self._several_lines(head, value, depth)
        block = self._block(value, depth + 1, below)
        return [f"{indent}{head}" + self._comment_after_key(value), *block]

    def _block(self, value: Any, depth: int, next_line: int) -> list[str]:
        """The lines of a value in block style; `next_line` is the first that is not written yet."""
        if self._is_place(value):
            pairs = sorted(value.value, key=lambda pair: PLACE_ORDER.index(pair[0].value))
            return [line for key, inner in pairs for line in self._field(key, inner, depth)]
        lines: list[str] = []
        for part in value.value:
            first, last = part if isinstance(part, tuple) else (part, part)
            lines += [
                "  " * depth + line.strip() if line else ""
                for line in self._comments_between(next_line, first.start_mark.line)
            ]
            next_line = self._line_after(last)
            if isinstance(part, tuple):
                lines += self._field(first, last, depth)
            elif isinstance(part, ScalarNode) or part.flow_style or not part.value:
                lines += self._value("-", part, depth)
            else:
                inner = self._block(part, depth + 1, part.start_mark.line)
                lines += [f"{'  ' * depth}- {inner[0].lstrip()}", *inner[1:]]
        return lines

    def _is_place(self, value: Any) -> bool:
        return (
            isinstance(value, MappingNode)
            and {key.value for key, _ in value.value} <= set(PLACE_ORDER)
            and not any(
                self._comments_between(self._line_after(before), key.start_mark.line)
                for (_, before), (key, _) in pairwise(value.value)
            )
        )

    def _several_lines(self, head: str, value: Any, depth: int) -> list[str]:
        """A value over several lines; only its indentation changes."""
        lines = self.lines[value.start_mark.line : self._line_after(value)]
        begin = lines[0][value.start_mark.column :]
        rest = [line.rstrip() if not isinstance(value, ScalarNode) else line for line in lines[1:]]
        if isinstance(value, ScalarNode) and value.style in ("|", ">"):
            while rest and not rest[-1].strip() and "+" not in begin.partition("#")[0]:
                rest.pop()
        margin = min(
            (len(line) - len(line.lstrip(" ")) for line in rest if line.strip()), default=0
        )
        indent = "  " * (depth + 1)
        if re.match(r"[|>][-+]?[1-9]", begin):  # an indentation indicator
            indent = " " * margin
        moved = [indent + line[margin:] if line.strip() else line.strip(" ") for line in rest]
        return [f"{'  ' * depth}{head} {begin}".rstrip(" "), *moved]

    def _flow(self, value: Any) -> str:
        if isinstance(value, SequenceNode):
            return f"[{', '.join(map(self._flow, value.value))}]"
        if isinstance(value, MappingNode):
            pairs = (f"{self.tree.source(k)}: {self._flow(v)}".rstrip(" ") for k, v in value.value)
            return "{" + ", ".join(pairs) + "}"
        return self.tree.source(value)

    def _comment_after(self, node: Any) -> str:
        found = _comment(self.lines[node.end_mark.line][node.end_mark.column :])
        return f"  {found[1].rstrip()}" if found else ""

    def _comment_after_key(self, value: Any) -> str:
        """The comment after the colon, or the dash, of a value in block style."""
        line = self.lines[value.start_mark.line - 1] if value.start_mark.line else ""
        found = re.search(r":[ \t]+(#.*)$", line)
        return f"  {found[1].rstrip()}" if found else ""
