"""A value in a published document, with its place: looked into without fear of what is there."""

from __future__ import annotations

from typing import Any, NamedTuple

_MISSING = object()

#: Keys that lead to a value, from the root of its document.
Keys = tuple[str | int, ...]


class Place(NamedTuple):
    """Where something stands: the path of a file, a JSON pointer in it (RFC 6901), and whether it
    is there.
    """

    path: str
    pointer: str
    there: bool

    def __str__(self) -> str:
        return f"{self.path}#{self.pointer}"


class Node:
    """A value, or that there is none, at a place.  Whatever the document is, asking fails never:
    what is not there, or is of another type, has no members.
    """

    __slots__ = ("keys", "path", "value", "whole")

    def __init__(
        self,
        path: str,
        value: Any = _MISSING,
        keys: Keys = (),
        whole: Node | None = None,
    ):
        self.path, self.value, self.keys = path, value, keys
        #: The document that this is in.
        self.whole: Node = self if whole is None else whole

    def __getitem__(self, key: str | int) -> Node:
        value, there = self.value, _MISSING
        if isinstance(value, dict) and isinstance(key, str):
            there = value.get(key, _MISSING)
        elif isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
            there = value[key]
        return Node(self.path, there, (*self.keys, key), self.whole)

    def at(self, *keys: str | int) -> Node:
        """What lies there, key by key."""
        node = self
        for key in keys:
            node = node[key]
        return node

    def filled(self, value: Any) -> Node:
        """Itself, or this value in its place if there is none."""
        return self if self else Node(self.path, value, self.keys, self.whole)

    def below(self, path: str) -> Node:
        """The value at keys with slashes between; itself at none."""
        return self.at(*path.split("/")) if path else self

    def absent(self) -> Node:
        """That an array has no such item: its place is that of the array."""
        return Node(self.path, _MISSING, self.keys, self.whole)

    def __bool__(self) -> bool:
        """Whether there is a value, null among them."""
        return self.value is not _MISSING

    @property
    def members(self) -> dict[str, Node]:
        """The members of an object."""
        value = self.value
        return {key: self[key] for key in value} if isinstance(value, dict) else {}

    def named(self, key: str) -> dict[str, Node]:
        """The objects of an array by the text that each has at a key."""
        value = self.value
        items = [self[number] for number in range(len(value))] if isinstance(value, list) else []
        return {item[key].text: item for item in items if item[key].text}

    @property
    def plain(self) -> Any:
        """The value; None where there is none."""
        return self.value if self else None

    @property
    def text(self) -> str:
        """The value where it is a text, else nothing."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def texts(self) -> list[str]:
        """The texts of an array."""
        value = self.value
        return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []

    @property
    def number(self) -> Any:
        """The value if it is a number, else None."""
        return self.value if type(self.value) in (int, float) else None

    def __format__(self, otherwise: str) -> str:
        """The text in a message; `otherwise` if there is none."""
        return self.text or otherwise

    @property
    def place(self) -> Place:
        return Place(self.path, pointer(self.keys), bool(self.whole.at(*self.keys)))


def pointer(keys: Keys) -> str:
    """Keys as a JSON pointer."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)
