"""Write values as YAML, in the layout that `registry format` gives to records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual

#: The order of a record's fields.
ORDER = (
    "name", "summary", "kind", "type", "category", "status", "year", "description",
    "organization", "program", "parent", "programs", "organizations",
    "stage", "round", "opens", "closes", "rolling", "due", "starts", "ends", "timezone",
    "founders", "former_names", "aliases", "remote", "team_size",
    "tags", "locations", "online", "website", "logo", "links", "identifiers",
    "sources", "verified", "accept", "fields",
)  # fmt: skip
#: The order of a place's fields.
PLACE_ORDER = ("country", "region", "city")
_WIDE = 100  # maximum characters of a list on one line
#: Texts that are surely read as themselves without quotes: after a key, as a key, and in a list.
_is_plain = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*").fullmatch
_may_be_plain = re.compile(r"[^\s\"'#&*!|>%@`{}\[\],?:-][^\n#,\[\]{}]*").fullmatch
_NO_TEXTS = ("true", "false", "null")
#: Escape characters that YAML forbids, or reads as line breaks, in quotes.
_escape = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]").sub


def record(fields: Mapping[str, Any]) -> str:
    """The file of a record."""
    ranks = {name: number for number, name in enumerate(ORDER)}
    ordered = sorted(fields, key=lambda name: ranks.get(name, len(ranks)))
    lines = [line for name in ordered for line in yaml_field_lines(name, fields[name])]
    return "\n".join(lines) + "\n"


def yaml_field_lines(name: str, value: Any, indent: str = "") -> Iterator[str]:
    """The lines of a field."""
    name = scalar(name)
    if isinstance(value, str) and (lines := _literal(value)):
        yield f"{indent}{name}: {lines[0]}"
        yield from (f"{indent}{line}" if line else "" for line in lines[1:])
    elif isinstance(value, dict) and value:
        yield f"{indent}{name}:"
        for key, inner in value.items():
            yield from yaml_field_lines(key, inner, f"{indent}  ")
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        yield f"{indent}{name}:"
        for item in value:
            first, *rest = [
                line for key in _ordered(item) for line in yaml_field_lines(key, item[key])
            ]
            yield f"{indent}  - {first}"
            yield from (f"{indent}    {line}" for line in rest)
    else:
        line = f"{indent}{name}: {flow(value)}".rstrip(" ")
        if isinstance(value, list) and value and len(line) > _WIDE:
            yield f"{indent}{name}:"
            yield from (f"{indent}  - {scalar(item)}" for item in value)
        else:
            yield line


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    if isinstance(value, dict):
        pairs = (f"{scalar(key)}: {flow(value[key])}".rstrip(" ") for key in _ordered(value))
        return "{" + ", ".join(pairs) + "}"
    return scalar(value)


def scalar(value: Any) -> str:
    """A scalar, without quotes if that means the same after a key, as a key and in a list."""
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
        and _is_parsed_as(f"a: [{value}]\nb: {value}\n", {"a": [value], "b": value})
    ):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _escape(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _is_parsed_as(text: str, data: Any) -> bool:
    try:
        return bool(parse(text.encode()) == data)
    except (Unusual, UnicodeEncodeError):
        return False


def _literal(value: str) -> list[str]:
    """The lines of a text of several lines as a block scalar; empty if it cannot be written so."""
    if "\n" not in value.strip("\n"):
        return []
    lines = [f"|{'' if value.endswith(chr(10)) else '-'}"]
    lines += [f"  {line}" if line else "" for line in value.rstrip("\n").split("\n")]
    return lines if _is_parsed_as("a: " + "\n".join(lines) + "\n", {"a": value}) else []


def _ordered(item: Mapping[str, Any]) -> list[str]:
    """The keys of a mapping in a list: those of a place in their order, others unchanged."""
    return sorted(
        item, key=lambda key: PLACE_ORDER.index(key) if key in PLACE_ORDER else len(PLACE_ORDER)
    )
