"""A record's YAML in the one layout: fields in their order, two blanks a level, LF, and no empty
lines but after a comment that stands apart; comments stay with what they are about.

Values are written as they stand: their quotes, their flow or block style and the lines of long
texts are the author's.  The result is read back; where it would mean another thing, or lose a
comment, the text stays as it is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from typing import Any

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from generator.dialect.folder import scan
from generator.dialect.parse import BOM
from generator.dialect.tree import UNSAFE, Tree, Unchangeable, data_of, last_part
from generator.dialect.values import ORDER, PLACE
from generator.edit.changes import Change, Plan, Refused
from generator.problems.diagnostic import Diagnostic

_WIDE = 100  # characters of a line
_comment = re.compile(r"[ \t]*(#.*)").fullmatch


def laid_out(raw: bytes) -> bytes:
    """The bytes in the one layout.  Raises Unchangeable where that cannot be had safely."""
    before = data_of(raw)
    tree = Tree(re.sub(b"\r\n?", b"\n", raw.removeprefix(BOM)))
    if tree.root.flow_style:
        return raw  # a record in JSON, or in one line
    with contextlib.suppress(Unchangeable):
        after = Tree(_Layout(tree).record().encode())
        if after.data == before and after.comments() == tree.comments():
            return after.raw
    raise Unchangeable(UNSAFE)


def plan(folder: str, paths: Sequence[str] = ()) -> Plan:
    """The changes that give these records, or all, the one layout.  Raises Refused where a path is
    no record's.
    """
    content = scan(folder)
    known = {source.path for sources in content.sources.values() for source in sources}
    for path in paths:
        if path not in known:
            raise Refused(f"{content.shown(path)} is not the file of a record")
    changes, left = [], []
    for path in sorted(paths or known):
        taken = content.take(path)
        try:
            if isinstance(taken, Diagnostic):
                raise Unchangeable(taken.message)
            after = laid_out(taken.raw)
        except Unchangeable as error:
            left.append((path, str(error)))
            continue
        if after != taken.raw:
            changes.append(Change(path, taken.raw, after))
    return Plan(changes, left)


class _Layout:
    """The lines of one text, written anew."""

    def __init__(self, tree: Tree):
        self.tree, self.lines = tree, tree.text.split("\n")

    def record(self) -> str:
        root = self.tree.root
        known = {name: number for number, name in enumerate(ORDER)}
        head: list[str] = []
        blocks: list[tuple[int, list[str]]] = []
        at = 0
        for number, (key, value) in enumerate(root.value):
            above, at = self._between(at, key.start_mark.line), self._after(value)
            if number == 0:
                head, above = self._head(above)
            else:
                above = self._given_back(above, root.value[number - 1][1], blocks[-1][1])
            rank = known.get(key.value, len(known))
            blocks.append((rank, [*self._kept(above), *self._pair(key, value, 0)]))
        below = self._between(at, len(self.lines))
        tail = self._kept(self._given_back(below, root.value[-1][1], blocks[-1][1]))
        blocks.sort(key=lambda block: block[0])
        lines = [*head, *(line for _, block in blocks for line in block), *tail]
        return "\n".join(self._single_spaced(lines)) + "\n"

    @staticmethod
    def _given_back(above: list[str], value: Any, block: list[str]) -> list[str]:
        """What stands above a field without the indented comments that belong to the block of the
        field before it.
        """
        if isinstance(value, ScalarNode) or value.flow_style:
            return above
        cut = next((i for i, line in enumerate(above) if line[:1] not in " \t"), len(above))
        while cut and not above[cut - 1]:
            cut -= 1
        block.extend("  " + line.strip() if line.strip() else "" for line in above[:cut])
        return above[cut:]

    def _head(self, above: list[str]) -> tuple[list[str], list[str]]:
        """What stands at the top of the file, up to the last empty line, and what is about the
        first field.
        """
        above = [line for line in above if line.strip() != "---"]
        last = max((i for i, line in enumerate(above) if not line.strip()), default=-1)
        kept = self._kept(above[: last + 1])
        return kept, above[last + 1 :]

    @staticmethod
    def _kept(lines: list[str]) -> list[str]:
        """Comments and empty lines, from the margin."""
        return [line.strip() for line in lines]

    @staticmethod
    def _single_spaced(lines: list[str]) -> list[str]:
        while lines and not lines[0]:
            lines = lines[1:]
        while lines and not lines[-1]:
            lines = lines[:-1]
        return lines

    def _between(self, begin: int, end: int) -> list[str]:
        """The comments between two values, and the empty lines after them, one each."""
        lines: list[str] = []
        for line in self.lines[begin:end]:
            if line.strip() or (lines and lines[-1].strip()):
                lines.append(line.rstrip())
        return lines

    def _after(self, node: Any) -> int:
        """The number of the line after a node's last one."""
        node = last_part(node)
        mark = node.end_mark
        whole = isinstance(node, ScalarNode) and node.style in ("|", ">")
        return int(mark.line) if whole and mark.column == 0 else int(mark.line) + 1

    def _pair(self, key: ScalarNode, value: Any, depth: int) -> list[str]:
        """A field at an indentation of `depth` levels."""
        return self._value(self.tree.source(key) + ":", value, depth, key.start_mark.line + 1)

    def _value(self, head: str, value: Any, depth: int, below: int = 0) -> list[str]:
        """A value after what introduces it, a key or a dash; `below` is the line after that."""
        blanks = "  " * depth
        if isinstance(value, ScalarNode):
            if value.start_mark.line == value.end_mark.line:
                source = self.tree.source(value)
                return [f"{blanks}{head} {source}".rstrip(" ") + self._note(value)]
            return self._long(head, value, depth)
        if value.flow_style:
            if value.start_mark.line == value.end_mark.line:
                line = f"{blanks}{head} {self._flow(value)}"
                if len(line) <= _WIDE or len(self.tree.source(value)) >= len(line):
                    return [line + self._note(value)]
            return self._long(head, value, depth)
        lines = [f"{blanks}{head}" + self._note_of_key(value)]
        lines += self._inside(value, depth + 1, below)
        return lines

    def _inside(self, value: Any, depth: int, at: int) -> list[str]:
        """The lines of a value in block style; `at` is the first that is not written yet."""
        lines: list[str] = []
        parts = value.value
        if isinstance(value, MappingNode) and depth and set(self._keys(value)) <= set(PLACE):
            spans = [pair[0].start_mark.line for pair in parts]
            if not any(
                self._between(self._after(p[1]), s) for p, s in zip(parts, spans[1:], strict=False)
            ):
                parts = sorted(parts, key=lambda pair: PLACE.index(pair[0].value))
                return [line for key, of in parts for line in self._pair(key, of, depth)]
        for part in parts:
            first = part[0] if isinstance(part, tuple) else part
            last = part[1] if isinstance(part, tuple) else part
            lines += [
                "  " * depth + line.strip() if line else ""
                for line in self._between(at, first.start_mark.line)
            ]
            at = self._after(last)
            if isinstance(part, tuple):
                lines += self._pair(part[0], part[1], depth)
            elif isinstance(part, ScalarNode) or part.flow_style or not part.value:
                lines += self._value("-", part, depth)
            else:
                inner = self._inside(part, depth + 1, part.start_mark.line)
                lines += [f"{'  ' * depth}- {inner[0].lstrip()}", *inner[1:]]
        return lines

    @staticmethod
    def _keys(value: MappingNode) -> list[str]:
        return [key.value for key, _ in value.value]

    def _long(self, head: str, value: Any, depth: int) -> list[str]:
        """A value over several lines, as it stands, but for its indentation."""
        first, last = value.start_mark.line, self._after(value)
        lines = self.lines[first:last]
        begin = lines[0][value.start_mark.column :]
        rest = [line.rstrip() if not isinstance(value, ScalarNode) else line for line in lines[1:]]
        if isinstance(value, ScalarNode) and value.style in ("|", ">"):
            while rest and not rest[-1].strip() and "+" not in begin.partition("#")[0]:
                rest.pop()
        inner = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip()), default=0)
        blanks = "  " * (depth + 1)
        if re.match(r"[|>][-+]?[1-9]", begin):
            blanks = " " * inner  # its indentation is told
        moved = [blanks + line[inner:] if line.strip() else line.strip(" ") for line in rest]
        return [f"{'  ' * depth}{head} {begin}".rstrip(" "), *moved]

    def _flow(self, value: Any) -> str:
        """A list or mapping on one line."""
        if isinstance(value, SequenceNode):
            return f"[{', '.join(map(self._flow, value.value))}]"
        if isinstance(value, MappingNode):
            pairs = (f"{self.tree.source(k)}: {self._flow(v)}".rstrip(" ") for k, v in value.value)
            return "{" + ", ".join(pairs) + "}"
        return self.tree.source(value)

    def _note(self, node: Any) -> str:
        """The comment after a value on its line."""
        line = self.lines[node.end_mark.line][node.end_mark.column :]
        found = _comment(line)
        return f"  {found[1].rstrip()}" if found else ""

    def _note_of_key(self, value: Any) -> str:
        """The comment after the colon, or the dash, of a value in block style."""
        line = self.lines[value.start_mark.line - 1] if value.start_mark.line else ""
        found = re.search(r":[ \t]+(#.*)$", line)
        return f"  {found[1].rstrip()}" if found else ""
