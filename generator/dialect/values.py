"""Values as YAML: the text of a record's fields, in the one layout."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual

#: Of a record: what it is, then what belongs to it, then where it is told of.
ORDER = (
    "name", "summary", "kind", "type", "category", "status", "year", "description",
    "organization", "program", "parent", "programs", "organizations",
    "opens", "closes", "due", "starts", "ends", "timezone",
    "founders", "former_names", "aliases", "remote", "team_size",
    "tags", "locations", "website", "links", "sources", "fields",
)  # fmt: skip
#: Of a place.
PLACE = ("country", "region", "city")
_WIDE = 100  # characters of a line
#: What needs no proof that it means itself, after a key, as one, and in a list.
_is_plain = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*").fullmatch
_may_be_plain = re.compile(r"[^\s\"'#&*!|>%@`{}\[\],?:-][^\n#,\[\]{}]*").fullmatch
_NO_TEXTS = ("true", "false", "null")
#: What YAML takes for a line break, or does not take, in quotes.
_escaped = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]").sub


def record(fields: Mapping[str, Any]) -> str:
    """A record as YAML, in the one layout."""
    ranks = {name: number for number, name in enumerate(ORDER)}
    ordered = sorted(fields, key=lambda name: ranks.get(name, len(ranks)))
    lines = [line for name in ordered for line in field(name, fields[name])]
    return "\n".join(lines) + "\n"


def field(name: str, value: Any, blanks: str = "") -> Iterator[str]:
    """The lines of a field, each after these blanks."""
    name = scalar(name)
    if isinstance(value, str) and (lines := _literal(value)):
        yield f"{blanks}{name}: {lines[0]}"
        yield from (f"{blanks}{line}" if line else "" for line in lines[1:])
    elif isinstance(value, dict) and value:
        yield f"{blanks}{name}:"
        for key, inner in value.items():
            yield from field(key, inner, f"{blanks}  ")
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        yield f"{blanks}{name}:"
        for item in value:
            first, *rest = [line for key in _ordered(item) for line in field(key, item[key])]
            yield f"{blanks}  - {first}"
            yield from (f"{blanks}    {line}" for line in rest)
    elif isinstance(value, list):
        one_line = f"{blanks}{name}: {flow(value)}"
        if len(one_line) <= _WIDE or not value:
            yield one_line
        else:
            yield f"{blanks}{name}:"
            yield from (f"{blanks}  - {scalar(item)}" for item in value)
    else:
        yield f"{blanks}{name}: {flow(value)}".rstrip(" ")


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    if isinstance(value, dict):
        pairs = (f"{scalar(key)}: {flow(value[key])}".rstrip(" ") for key in _ordered(value))
        return "{" + ", ".join(pairs) + "}"
    return scalar(value)


def scalar(value: Any) -> str:
    """One value: plain where it means the same after a key, as a key and in a list."""
    if value is None:
        return ""
    return _text(value) if isinstance(value, str) else json.dumps(value)


@lru_cache(maxsize=1 << 14)
def _text(value: str) -> str:
    if _is_plain(value) and value.lower() not in _NO_TEXTS:
        return value
    if (
        _may_be_plain(value)
        and not value.endswith((" ", ":"))
        and ": " not in value
        and _kept(f"a: [{value}]\nb: {value}\n", {"a": [value], "b": value})
    ):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _escaped(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _kept(text: str, meant: Any) -> bool:
    try:
        return bool(parse(text.encode()) == meant)
    except (Unusual, UnicodeEncodeError):
        return False


def _literal(value: str) -> list[str]:
    """A text over several lines as it stands after `|`; nothing where it would mean another."""
    if "\n" not in value.strip("\n"):
        return []
    lines = [f"|{'' if value.endswith(chr(10)) else '-'}"]
    lines += [f"  {line}" if line else "" for line in value.rstrip("\n").split("\n")]
    return lines if _kept("a: " + "\n".join(lines) + "\n", {"a": value}) else []


def _ordered(of: Mapping[str, Any]) -> list[str]:
    """The keys of a mapping in a list: of a place in their order, of another as they come."""
    return sorted(of, key=lambda key: PLACE.index(key) if key in PLACE else len(PLACE))
