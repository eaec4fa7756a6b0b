"""A document of the API as a page shows it: shortened where it says so, its keys marked.

"…" as the last item of a list stands for the rest of it, "…" as the last key of an object for its
other keys, and a text that ends with … for a longer one.  What is shown so is JSON still.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from markupsafe import Markup

REST = "…"
#: Items of a list that are shown: of texts and numbers, and of anything larger.
_PLAIN, _NESTED = 4, 1
_KEYS = 24  # of one object
_CHARACTERS = 120  # of one text
_LINES = 12  # of a file that is no JSON
_WIDTH = 76  # up to which what is short stands in one line

# A list or an object with nothing nested in it, over several lines.
_flat = re.compile(r"([\[{])\n *([^\[\]{}]*?)\n *([\]}])")
_breaks = re.compile(r"\n *")
# As they stand in HTML.
_key = re.compile(r"&#34;(?:(?!&#34;)[^\n])*&#34;(?=: )")
_rest = re.compile(r"&#34;…&#34;(?!:|</)")


def excerpt(body: bytes) -> Markup:
    """A document as HTML: of JSON, or of another text its first lines."""
    from markupsafe import Markup, escape

    try:
        value = orjson.loads(body)
    except ValueError:
        lines = body.decode(errors="replace").splitlines()
        return escape("\n".join([*map(_cut, lines[:_LINES]), *[REST] * (len(lines) > _LINES)]))
    text = str(escape(pretty(shortened(value))))
    html = _key.sub(r'<span class="key">\g<0></span>', text)
    return Markup(_rest.sub(r'<span class="rest">\g<0></span>', html))


def pretty(value: Any) -> str:
    """JSON for people: indented, with what is short in one line."""
    return _flat.sub(_in_one_line, orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def _in_one_line(match: re.Match[str]) -> str:
    line = match[1] + _breaks.sub(" ", match[2]) + match[3]
    return line if len(line) <= _WIDTH else match[0]


def shortened(value: Any) -> Any:
    """A value of JSON with the beginnings of its lists and texts."""
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, list):
        most = _NESTED if any(isinstance(item, dict | list) for item in value) else _PLAIN
        return [*map(shortened, value[:most]), *[REST] * (len(value) > most)]
    if isinstance(value, dict):
        shown = {key: shortened(value[key]) for key in [*value][:_KEYS]}
        return shown | ({REST: REST} if len(value) > _KEYS else {})
    return value


def _cut(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[: _CHARACTERS - 1].rstrip()}{REST}"
