"""Texts are plain: HTML in one is shown as it is written.  Only a warning."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from generator.model.settings import own_fields
from generator.model.symbols import Kind, Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, spell

_TAGS = (
    "a|abbr|article|audio|b|blockquote|br|button|center|code|dd|del|div|dl|dt|em|figure|font|footer|form|h[1-6]|hr|i|iframe|img|"
    "input|ins|li|nav|ol|p|pre|s|script|section|small|span|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|u|ul|video"
)
_ENTITIES = (
    "amp|apos|bull|copy|deg|euro|gt|hellip|laquo|lt|middot|nbsp|pound|quot|raquo|reg|shy|szlig|trade|[lr][ds]quo|[mn]dash|"
    "[a-z](?:acute|caron|cedil|circ|grave|ring|slash|tilde|uml)|(?:ae|oe)lig|#x?[0-9a-f]+"
)
_MARKUP = rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>|<!--|&(?:{_ENTITIES});"


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    held = record.__dict__  # fields that a kind has not are missed sooner here
    texts = [record.name, record.summary or "", record.description or ""]
    texts += held.get("founders") or ()
    texts += held.get("former_names") or ()
    every = "".join(texts)
    if "<" in every or "&" in every or record.fields is not None:
        return _of_each(record)
    return ()


def _of_each(record: Any) -> Iterator[Fault]:
    for field in ("name", "summary", "description"):
        yield from _told(getattr(record, field), (field,))
    for field in ("founders", "former_names"):
        for i, name in enumerate(getattr(record, field, None) or ()):
            yield from _told(name, (field, i))
    for key, value in own_fields.values(record):
        for i, text in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(text, str):
                yield from _told(text, ("fields", key, i)[: 2 + isinstance(value, list)])


def _told(text: str | None, loc: Loc) -> Iterator[Fault]:
    if text is not None and ("<" in text or "&" in text):
        match = re.search(_MARKUP, text, re.I)
        if match is not None:
            what = f'{spell(loc)} contains HTML, "{match[0][:40]}", which readers see as typed'
            hint = "write plain text" if match[0][0] == "<" else "write the character itself"
            sought = text[max(0, match.start() - 8) : match.start() + 1]
            from html import unescape

            meant = unescape(match[0])
            # A mark of HTML that an entity stands for would be told of next.
            fix = Fix("here", (len(match[0]), meant)) if meant not in (match[0], "<", ">") else None
            yield Fault("html-in-text", what, loc, hint, severity="warning", sought=sought, fix=fix)
