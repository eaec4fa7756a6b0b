"""A document of the API as HTML: shortened, with its keys highlighted.

"…" as the last item of a list, the last key of an object or the end of a text stands for the rest.
The shortened document is still JSON.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from markupsafe import Markup

REST = "…"
#: The number of list items shown: of plain values, and of objects or lists.
_PLAIN, _NESTED = 4, 1
_KEYS = 24  # of one object
_CHARACTERS = 120  # of one text
_LINES = 12  # of a file that is not JSON
_WIDTH = 76  # characters of the longest list or object on one line

# A list or object on several lines that contains no other.
_FLAT = re.compile(r"([\[{])\n *([^\[\]{}]*?)\n *([\]}])")
_BREAKS = re.compile(r"\n *")
# Keys and "…" in escaped HTML.
_KEY = re.compile(r"&#34;(?:(?!&#34;)[^\n])*&#34;(?=: )")
_REST_MARK = re.compile(r"&#34;…&#34;(?!:|</)")


def excerpt(body: bytes) -> Markup:
    """A document as HTML; if it is not JSON, its first lines."""
    from markupsafe import Markup, escape

    try:
        value = orjson.loads(body)
    except ValueError:
        lines = body.decode(errors="replace").splitlines()
        return escape("\n".join([*map(_cut, lines[:_LINES]), *[REST] * (len(lines) > _LINES)]))
    text = str(escape(format_json(shorten(value))))
    html = _KEY.sub(r'<span class="key">\g<0></span>', text)
    return Markup(_REST_MARK.sub(r'<span class="rest">\g<0></span>', html))


def format_json(value: Any) -> str:
    """Indented JSON with short lists and objects on one line."""
    return _FLAT.sub(_in_one_line, orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def _in_one_line(match: re.Match[str]) -> str:
    line = match[1] + _BREAKS.sub(" ", match[2]) + match[3]
    return line if len(line) <= _WIDTH else match[0]


def shorten(value: Any) -> Any:
    """A JSON value with its lists, objects and texts cut."""
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, list):
        most = _NESTED if any(isinstance(item, dict | list) for item in value) else _PLAIN
        return [*map(shorten, value[:most]), *[REST] * (len(value) > most)]
    if isinstance(value, dict):
        shown = {key: shorten(value[key]) for key in [*value][:_KEYS]}
        return shown | ({REST: REST} if len(value) > _KEYS else {})
    return value


def _cut(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[: _CHARACTERS - 1].rstrip()}{REST}"
