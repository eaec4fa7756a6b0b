"""A rule of the contract that a change breaks, or a guard that it trips."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from generator.guard.node import Node, Place

#: Slugs that a message names.
_NAMED = 3


class Finding(NamedTuple):
    """One break of one rule: what it is about, by names; both places; and what was and is there.

    `rule` is of the catalogue (generator.guard.rules).
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
        """Sixteen hexadecimal digits that stand for this change and for no other.

        Positions in lists are left out: they are others when something else comes or goes.
        """
        told = [
            self.rule,
            self.subject,
            self.old.path,
            _named(self.old.pointer),
            self.new.path,
            _named(self.new.pointer),
            self.was,
            self.now,
        ]
        text = json.dumps(told, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()[:16]


def _named(pointer: str) -> str:
    return "/".join("-" if key.isdecimal() else key for key in pointer.split("/"))


def broken(rule: str, subject: str, words: str, old: Node, new: Node, *values: Any) -> Finding:
    """A finding about two nodes; what was and is there are their values, unless said."""
    was, now = values or (old.plain, new.plain)
    return Finding(rule, subject, words, old.place, new.place, was, now)


def went(was: Sequence[str], now: Sequence[str]) -> list[str]:
    """The words that are gone, in their order."""
    return [word for word in was if word not in now]


def named(slugs: Sequence[str], number: int) -> str:
    """The first of `number` slugs, and how many more there are."""
    more = number - _NAMED
    return ", ".join(slugs[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
