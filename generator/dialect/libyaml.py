"""YAML bytes -> plain data by libyaml's nodes: the fast lane.

It keeps no positions and gives up (`Unusual`) at the first thing that is not plain.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.nodes import MappingNode, ScalarNode

from generator.dialect.folder import MAX_BYTES
from generator.dialect.parse import BLOCKS, BOM, MAX_DEPTH, NUMERIC, Unusual, forbidden, scalar
from generator.dialect.texts import ODD_BLANKS, QUOTES, lines_of, odd_quotes
from generator.problems.faults import Loc

_SPACES = frozenset(ODD_BLANKS)
_ODD = QUOTES | _SPACES
_FIRST = NUMERIC | frozenset("tTfFnN~") | _ODD  # of what may be no text, or an odd one

# An anchor, an alias, a tag or a merge key could stand here, after a byte order mark too; the
# thorough lane decides.
_unusual = re.compile(rb"""(?:[&*](?=\S)|!)(?<![^\s\[\]{},:?"'\xbf].)|<<""", re.S).search


def _deep(raw: bytes) -> bool:
    """Whether so many nodes could be nested that composing them might exhaust the C stack."""
    return raw.count(b"[") + raw.count(b"{") + raw.count(b"-") + raw.count(b"?") > 500


_SCALAR: Any = ScalarNode
_MAPPING: Any = MappingNode


class _Composer(CParser):
    """libyaml's node composer; a node's `tag` is text where one is written, else a slice whose
    `step` says whether a scalar is plain.

    The composer asks these three for every node.  Built-in functions answer at a third of the cost
    of our own: `slice` keeps its three arguments, the others are harmless.
    """

    resolve = slice
    descend_resolver = operator.is_
    ascend_resolver = bool


def parse(raw: bytes) -> dict[str, Any]:
    """The mapping in `raw`.  Raises Unusual where `examine` has, or may have, something to say."""
    if len(raw) > MAX_BYTES or _deep(raw):
        raise Unusual
    if (b"&" in raw or b"*" in raw or b"!" in raw or b"<<" in raw) and _unusual(raw):
        raise Unusual
    try:
        raw = raw.removeprefix(BOM)
        if not raw.isascii() and forbidden(raw.decode()):
            raise Unusual
        node = _Composer(raw).get_single_node()
        if node.__class__ is not MappingNode:
            raise Unusual
        data: dict[str, Any] = _plain(node, 0)
        return data
    except (UnicodeDecodeError, YAMLError, RecursionError, TypeError):
        raise Unusual from None


def nodes(raw: bytes) -> Any:
    """The node of the mapping in bytes that `parse` takes: where everything stands in the text."""
    return _Composer(raw.removeprefix(BOM)).get_single_node()


def _plain(node: Any, depth: int) -> Any:
    """Data of a node without tags; a key that is no scalar cannot be a key here either, and raises
    TypeError.
    """
    if node.__class__ is _SCALAR:
        return _scalar(node)
    if depth > MAX_DEPTH:
        raise Unusual
    depth += 1
    if node.__class__ is _MAPPING:
        mapping: dict[str, Any] = {}
        for key, value in node.value:
            mapping[key.value] = (
                _scalar(value) if value.__class__ is _SCALAR else _plain(value, depth)
            )
        if len(mapping) != len(node.value):
            raise Unusual
        return mapping
    return [_plain(item, depth) for item in node.value]


def _scalar(node: Any) -> str | int | float | bool | None:
    """What a scalar means.  Raises Unusual if `examine` may report something about it."""
    text, plain = node.value, node.tag.step[0]
    if not text:
        return None if plain else ""
    looks_split = " -" in text or "\n-" in text if plain else ":" in text or "-" in text
    if looks_split and node.start_mark.line != node.end_mark.line and node.style not in BLOCKS:
        raise Unusual  # one of its lines may be an item of a list, or a field
    if text[0] in _ODD or text[-1] in _ODD:
        if text[0] in _SPACES or text[-1] in _SPACES or odd_quotes(text):
            raise Unusual
    elif text[0] not in _FIRST:
        return str(text)
    return scalar(text) if plain else str(text)


_comment = re.compile("[ \\t]+(?=#)").match


def comments(raw: bytes) -> Iterator[tuple[Loc, tuple[int, int], str]]:
    """Each text without quotes that a comment follows, or takes the place of: where it is in the
    data, the place of the "#", and both as they are written.

    Nothing of a file that the dialect refuses.
    """
    if _deep(raw) or _unusual(raw):
        return
    try:
        lines = lines_of(raw.removeprefix(BOM).decode())
        todo: list[tuple[Loc, Any]] = [((), _Composer(raw.removeprefix(BOM)).get_single_node())]
    except (UnicodeDecodeError, YAMLError, RecursionError):
        return
    while todo:
        loc, node = todo.pop()
        if node.__class__ is _MAPPING:
            todo += [
                ((*loc, key.value), value) for key, value in node.value if key.__class__ is _SCALAR
            ]
        elif node.__class__ is _SCALAR:
            end = node.end_mark
            begin = (
                _comment(lines[end.line], end.column)
                if end.line < len(lines) and node.tag.step[0]
                else None
            )
            if begin is not None and (not node.value or isinstance(scalar(node.value), str)):
                yield (
                    loc,
                    (end.line + 1, begin.end() + 1),
                    (node.value + lines[end.line][end.column :]).strip(),
                )
        elif node is not None:
            todo += [((*loc, i), item) for i, item in enumerate(node.value)]
