"""The fast lane: YAML bytes -> plain data by libyaml's nodes.

It raises `Unusual` at the first thing that may be a fault of the dialect.
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
from generator.dialect.parse import (
    BLOCKS,
    BOM,
    MAX_DEPTH,
    NUMERIC,
    Unusual,
    find_forbidden,
    parse_scalar,
)
from generator.problems.faults import Loc
from generator.text.characters import ODD_SPACE_CHARACTERS, QUOTES, odd_quotes, split_lines

_SPACES = frozenset(ODD_SPACE_CHARACTERS + " ")
_ODD = QUOTES | _SPACES
_FIRST = NUMERIC | frozenset("tTfFnN~") | _ODD  # first characters of odd texts and of other values

# A possible anchor, alias, tag or merge key, also after a byte order mark.
_unusual = re.compile(rb"""(?:[&*](?=\S)|!)(?<![^\s\[\]{},:?"'\xbf].)|<<""", re.S).search


def _deep(raw: bytes) -> bool:
    """Whether composing the nodes might exhaust the C stack."""
    return raw.count(b"[") + raw.count(b"{") + raw.count(b"-") + raw.count(b"?") > 500


_SCALAR: Any = ScalarNode
_MAPPING: Any = MappingNode


class _Composer(CParser):
    """libyaml's node composer.  The `tag` of a node is text if the file has a tag there, else a
    slice; the `step` of a scalar's slice is (True, False) if the scalar is plain.

    The composer calls these three for every node.  Built-in functions take a third of the time of
    Python functions: `slice` keeps its three arguments, the results of the others are not used.
    """

    resolve = slice
    descend_resolver = operator.is_
    ascend_resolver = bool


def parse(raw: bytes) -> dict[str, Any]:
    """The mapping in `raw`.  Raises Unusual if `examine.examine` finds, or may find, a fault."""
    if len(raw) > MAX_BYTES or _deep(raw):
        raise Unusual
    if (b"&" in raw or b"*" in raw or b"!" in raw or b"<<" in raw) and _unusual(raw):
        raise Unusual
    try:
        raw = raw.removeprefix(BOM)
        if not raw.isascii() and find_forbidden(raw.decode()):
            raise Unusual
        node = _Composer(raw).get_single_node()
        if node.__class__ is not MappingNode:
            raise Unusual
        data: dict[str, Any] = _plain(node, 0)
        return data
    except (UnicodeDecodeError, YAMLError, RecursionError, TypeError):
        raise Unusual from None


def root_node(raw: bytes) -> Any:
    """The node of the mapping in a file without faults, with the positions of all nodes."""
    return _Composer(raw.removeprefix(BOM)).get_single_node()


def _plain(node: Any, depth: int) -> Any:
    """The data of a node without tags.  Raises TypeError for a key that is not a scalar."""
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
    """The value of a scalar.  Raises Unusual if `examine.examine` may report a fault."""
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
    return parse_scalar(text) if plain else str(text)


_spaces_before_comment = re.compile("[ \\t]+(?=#)").match


def comments(raw: bytes) -> Iterator[tuple[Loc, tuple[int, int], str]]:
    """Texts without quotes, or empty values, with a comment on the same line: the location in the
    data, line and column of the "#", and the source text of both.  None for a file with faults.
    """
    if _deep(raw) or _unusual(raw):
        return
    try:
        lines = split_lines(raw.removeprefix(BOM).decode())
        todo: list[tuple[Loc, Any]] = [((), root_node(raw))]
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
            if end.line >= len(lines) or not node.tag.step[0]:
                continue
            spaces = _spaces_before_comment(lines[end.line], end.column)
            if spaces is not None and (not node.value or isinstance(parse_scalar(node.value), str)):
                written = (node.value + lines[end.line][end.column :]).strip()
                yield loc, (end.line + 1, spaces.end() + 1), written
        elif node is not None:
            todo += [((*loc, i), item) for i, item in enumerate(node.value)]
