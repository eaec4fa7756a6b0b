"""Texts are plain: HTML in one is shown as it is written.  Only a warning."""

import re
from collections.abc import Iterator
from typing import Any

from generator.records.faults import Fault
from generator.records.symbols import Frame, Kind

_TAGS = (
    "a|abbr|b|blockquote|br|code|div|em|font|h[1-6]|hr|i|iframe|img|li|ol|p|pre|s|script|small|span|strong|style|sub|sup|"
    "table|td|tr|u|ul"
)
_ENTITIES = "amp|apos|gt|lt|nbsp|quot|[lr][ds]quo|[mn]dash|hellip|#x?[0-9a-f]+"
_markup = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>|&(?:{_ENTITIES});", re.I).search


def check_record(kind: Kind, record: Any, frame: Frame) -> Iterator[Fault]:
    for field in ("name", "summary", "description"):
        text = getattr(record, field)
        if text is not None and ("<" in text or "&" in text):
            found = _markup(text)
            if found is not None:
                what = f'{field} holds HTML, "{found[0][:40]}", which is shown as it is written'
                hint = "write plain text" if found[0][0] == "<" else "write the character itself"
                sought = text[max(0, found.start() - 8) : found.start() + 1]
                yield Fault("html-in-text", what, (field,), hint, severity="warning", sought=sought)
