"""The registry's dialect of YAML: what all its parsers share.

Three parsers ("lanes") give the same data for the same good file.  `simple.parse` reads most files.
If it gives up, `libyaml.parse` does.  If that raises `Unusual`, `examine.examine` finds all faults.

Scalars have the meaning of YAML 1.2's core schema: true/false, null, decimal integers and floats
are typed, and everything else is text.
"""

from __future__ import annotations

import re

MAX_DEPTH = 20  # levels; a record has four
BOM = b"\xef\xbb\xbf"
BLOCKS = ("|", ">")  # libyaml's styles of block scalars
_CORE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,39})(\.[0-9]+)?([eE][-+]?[0-9]{1,9})?").fullmatch
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}
NUMERIC = frozenset("-+0123456789")

#: Characters that libyaml does not read, or reads as line breaks although YAML 1.2 does not (§5.4):
#: they would end a comment or get lost unseen.  A byte order mark may only begin a file (§5.2).
find_forbidden = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"
).search


class Unusual(Exception):
    """A parser met something that it does not read, or that may be a fault."""


def parse_scalar(text: str) -> str | int | float | bool | None:
    """The value of a plain scalar in the core schema; integers of over 40 digits stay text."""
    if text in _WORDS:
        return _WORDS[text]
    number = _CORE(text) if text[0] in NUMERIC else None
    if number is None:
        return text
    return float(text) if number[1] or number[2] else int(text)


def has_no_items(raw: bytes, name: str) -> bool:
    """Whether a file for one list, such as removed.yaml, has only comments and at most its key."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    lines = raw.removeprefix(BOM).splitlines()
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    return not lines or (
        len(lines) == 1 and re.fullmatch(rb"%b:\s*(?:\s#.*)?" % name.encode(), lines[0]) is not None
    )
