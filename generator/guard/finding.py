"""A finding: a rule of the contract that a change breaks, or a guard that it trips."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from generator.guard.node import Node, Place

#: The number of slugs in a message.
_NAMED = 3


class Finding(NamedTuple):
    """One break of a rule: its subject by name, a message, the places in both states, and both
    values.
    """

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
