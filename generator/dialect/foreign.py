"""YAML as other programs write it: plain data, with the place of each mapping.

Records have the strict dialect of this package.  Here anchors, aliases, merge keys and several
documents are read too, within bounds: nothing is built but texts, numbers, truth values, lists and
mappings.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from generator.dialect.mistakes import explain_error
from generator.dialect.parse import MAX_DEPTH, parse_scalar

#: Values of a text, where an alias counts for all that it repeats.
MAX_NODES = 5_000_000
_NO_KEY = object()


class NotYaml(ValueError):
    """A text is no YAML, or too large; `at` is the line and the column."""

    def __init__(self, message: str, hint: str | None, at: tuple[int, int]):
        super().__init__(message)
        self.hint, self.at = hint, at


class ForeignYaml(NamedTuple):
    """The documents of a text, and the index of the first character of each mapping, by `id`."""

    documents: list[Any]
    begins: dict[int, int]


class _Open:
    """A list or mapping that is still being read, and the number of values before it."""

    __slots__ = ("anchor", "before", "key", "merged", "node")

    def __init__(self, node: Any, anchor: str | None, before: int):
        self.node, self.anchor, self.before, self.key = node, anchor, before, _NO_KEY
        self.merged: list[dict[str, Any]] = []  # mappings of merge keys, which own keys override


def read_yaml(text: str) -> ForeignYaml:
    """The data in a text.  Raises NotYaml."""
    try:
        return _read(text)
    except YAMLError as error:
        fault = explain_error(error, text)
        raise NotYaml(fault.message, fault.hint, fault.at or (1, 1)) from None


def _read(text: str) -> ForeignYaml:
    found, stack, count = ForeignYaml([], {}), list[_Open](), 0
    anchors: dict[str, tuple[Any, int]] = {}
    next_event: Any = CParser(text).get_event
    while (kind := (event := next_event()).__class__) is not StreamEndEvent:
        size = 1
        if kind is ScalarEvent:
            is_plain = event.implicit[0] and not event.style
            is_key = bool(stack) and stack[-1].key is _NO_KEY and isinstance(stack[-1].node, dict)
            value = parse_scalar(event.value) if is_plain and not is_key else event.value
            anchor = event.anchor
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            stack.append(_Open({} if kind is MappingStartEvent else [], event.anchor, count))
            found.begins[id(stack[-1].node)] = event.start_mark.index
            if len(stack) > MAX_DEPTH:
                raise _error(event, f"this is nested too deeply, in more than {MAX_DEPTH} levels")
            continue
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            closed = stack.pop()
            for merged in closed.merged:
                closed.node.update({k: v for k, v in merged.items() if k not in closed.node})
            value, anchor, size = closed.node, closed.anchor, count - closed.before + 1
            count = closed.before
        elif kind is AliasEvent:
            if event.anchor not in anchors:
                raise _error(event, f'no value before this has the anchor "&{event.anchor}"')
            (value, size), anchor = anchors[event.anchor], None
        else:
            continue  # the begin or the end of a document
        count += size
        if count > MAX_NODES:
            raise _error(event, f"these are more than {MAX_NODES:,} values", "split the file")
        if anchor is not None:
            anchors[anchor] = value, size
        if stack:
            _put(stack[-1], value, event)
        else:
            found.documents.append(value)
    return found


def _put(parent: _Open, value: Any, event: Any) -> None:
    """Add a value to a list, or a key or its value to a mapping."""
    if isinstance(parent.node, list):
        parent.node.append(value)
    elif parent.key is _NO_KEY:
        if not isinstance(value, str):
            raise _error(event, "a key must be a text")
        if value in parent.node:
            raise _error(event, f'the key "{value}" is there twice')
        parent.key = value
    else:
        merged = value if isinstance(value, list) else [value]
        if parent.key == "<<" and all(isinstance(each, dict) for each in merged):
            parent.merged += merged
        else:
            parent.node[parent.key] = value
        parent.key = _NO_KEY


def _error(event: Any, message: str, hint: str | None = None) -> NotYaml:
    return NotYaml(message, hint, (event.start_mark.line + 1, event.start_mark.column + 1))
