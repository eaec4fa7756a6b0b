"""YAML bytes -> plain data, strictly by the registry's dialect.

`composed.parse` is the fast lane, which is loaded with libyaml when the first file needs it.  What
it gives up (`Unusual`) is read again by `examine`, the thorough lane.  Both give the same data for
the same good file.

The dialect is YAML 1.2's core meaning: true/false, null, decimal integers and floats are typed, all
else is text.  Reads bytes, knows nothing of fields.
"""

from __future__ import annotations

import re

MAX_DEPTH = 20  # a record nests four deep

BOM = b"\xef\xbb\xbf"

BLOCKS = ("|", ">")  # libyaml's styles of scalars that are blocks of lines

_CORE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,39})(\.[0-9]+)?([eE][-+]?[0-9]{1,9})?").fullmatch
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}
NUMERIC = frozenset("-+0123456789")

# What libyaml does not read, and what it takes for a line break where YAML 1.2 does not (§5.4):
# text that ends a comment or loses a character without anybody seeing it; a byte order mark stands
# at the beginning of a file only (§5.2).
forbidden = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]").search


class Unusual(Exception):
    """The fast lane met something to be examined."""


def scalar(text: str) -> str | int | float | bool | None:
    """What a plain scalar means in the core schema; integers of more than 40 digits stay text."""
    if text in _WORDS:
        return _WORDS[text]
    number = _CORE(text) if text[0] in NUMERIC else None
    if number is None:
        return text
    return float(text) if number[1] or number[2] else int(text)


def is_bare(raw: bytes, name: str) -> bool:
    """Whether a file of one list has none yet: nothing but comments, and its name at most."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    lines = raw.removeprefix(BOM).splitlines()
    said = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    return not said or (
        len(said) == 1 and re.fullmatch(rb"%b:\s*(?:\s#.*)?" % name.encode(), said[0]) is not None
    )
