"""A finding: a rule of the contract that a change breaks, or a guard that it trips; and the values
in published documents that are compared, whose reading never fails, whatever is there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

_MISSING = object()
#: The number of slugs in a message.
_NAMED = 3
#: Larger numbers are not exact in every JSON implementation (RFC 8259 section 6).
MAX_COUNT = 1 << 53

#: Keys that lead to a value, from the root of its document.
Keys = tuple[str | int, ...]


class Place(NamedTuple):
    """The path of a file, a JSON pointer in it (RFC 6901), and whether there is a value."""

    path: str
    pointer: str
    there: bool

    def __str__(self) -> str:
        return f"{self.path}#{self.pointer}"


class Node:
    """A value or its absence at a place; a missing value has no members and no items."""

    __slots__ = ("keys", "path", "value", "whole")

    def __init__(
        self, path: str, value: Any = _MISSING, keys: Keys = (), whole: Node | None = None
    ):
        self.path, self.value, self.keys = path, value, keys
        #: The document of this value.
        self.whole: Node = self if whole is None else whole

    def __getitem__(self, key: str | int) -> Node:
        value, member = self.value, _MISSING
        if isinstance(value, dict) and isinstance(key, str):
            member = value.get(key, _MISSING)
        elif isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
            member = value[key]
        return Node(self.path, member, (*self.keys, key), self.whole)

    def at(self, *keys: str | int) -> Node:
        node = self
        for key in keys:
            node = node[key]
        return node

    def filled(self, value: Any) -> Node:
        """This node, or one with `value` if there is none."""
        return self if self else Node(self.path, value, self.keys, self.whole)

    def missing_item(self) -> Node:
        """A missing item of an array, at the place of the array."""
        return Node(self.path, _MISSING, self.keys, self.whole)

    def __bool__(self) -> bool:
        """Whether there is a value; null is one."""
        return self.value is not _MISSING

    @property
    def members(self) -> dict[str, Node]:
        """The members of an object."""
        value = self.value
        return {key: self[key] for key in value} if isinstance(value, dict) else {}

    @property
    def items(self) -> list[Node]:
        return [self[n] for n in range(len(self.value))] if isinstance(self.value, list) else []

    def named(self, key: str) -> dict[str, Node]:
        """The objects of an array by the text of their member `key`."""
        return {item[key].text: item for item in self.items if item[key].text}

    @property
    def plain(self) -> Any:
        """The value; None if missing."""
        return self.value if self else None

    @property
    def text(self) -> str:
        """The value if it is a text, else ""."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def texts(self) -> list[str]:
        """The texts of an array."""
        value = self.value
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

    @property
    def count(self) -> int:
        """The value if it is a number of things, else 0."""
        return self.value if type(self.value) is int and 0 <= self.value < MAX_COUNT else 0

    @property
    def number(self) -> Any:
        """The value if it is a number, else None."""
        return self.value if type(self.value) in (int, float) else None

    @property
    def place(self) -> Place:
        return Place(self.path, pointer(self.keys), bool(self.whole.at(*self.keys)))


def pointer(keys: Keys) -> str:
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


# --- findings ---


class Finding(NamedTuple):
    """One break of a rule: its subject, a message, the places in both states, and both values."""

    rule: str
    subject: str
    words: str
    old: Place
    new: Place
    was: Any = None
    now: Any = None

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that identify this change, without its positions in lists,
        which shift with other changes.
        """
        places = (self.old.path, _without_positions(self.old.pointer),
                  self.new.path, _without_positions(self.new.pointer))  # fmt: skip
        parts = [self.rule, self.subject, *places, self.was, self.now]
        text = json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()[:16]


def _without_positions(pointer: str) -> str:
    return "/".join("-" if key.isdecimal() else key for key in pointer.split("/"))


def broken_rule(rule: str, subject: str, words: str, old: Node, new: Node, *values: Any) -> Finding:
    """A finding about two nodes; without `values`, was and now are the values of the nodes."""
    was, now = values or (old.plain, new.plain)
    return Finding(rule, subject, words, old.place, new.place, was, now)


def name_slugs(slugs: Sequence[str]) -> str:
    """The first three slugs, and how many more there are."""
    more = len(slugs) - _NAMED
    return ", ".join(slugs[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
