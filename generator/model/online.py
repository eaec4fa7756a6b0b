"""Words for what is online, among the words of places."""

from __future__ import annotations

import re

from generator.kinds.declare import Declared

#: The fields of events and of projects for what is online.
ONLINE_PATHS = (("online",), ("remote",))
_ONLINE = (
    r"(?:(?:100 ?%|fully|completely|entirely|only|nur|rein) )?"
    r"(?:online|virtual(?:ly)?|remote(?:ly)?|virtuell|en ligne|virtuel|à distance"
    r"|en línea|オンライン|线上|線上|온라인|онлайн)(?:[ -](?:only|event|conference|edition))?"
)
_AND = r"\s*(?:[,;/+&|(]|\b(?:and|und|et|y|or|oder|ou|plus)\b)[\s,;/+&|(]*(?:(?:and|und|et|y)\s+)?"
_is_online = re.compile(
    rf"{_ONLINE}|(?P<before>.+?){_AND}{_ONLINE}\)?|{_ONLINE}{_AND}(?P<behind>.+)", re.I
).fullmatch


def online_field(declared: Declared) -> str:
    """The field of a kind for what has no place or another one, too; "" without one."""
    return next((path[0] for path in ONLINE_PATHS if path[0] in declared.fields), "")


def without_online(text: str) -> str | None:
    """The place in a text that says online, too, "" without a place; None if it does not."""
    match = _is_online(" ".join(text.split()))
    if match is None:
        return None
    return match["before"] or (match["behind"] or "").rstrip(")")
