"""Write values as YAML, in the layout that `registry format` gives to records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual
from generator.kinds import Kinds, built_in
from generator.problems.faults import Loc
from generator.text.numbers import in_digits

#: The order of fields in files; fields that the generator does not declare follow.
FIELD_ORDER = built_in().written
#: The order of a place's fields.
PLACE_ORDER = ("country", "region", "city")
_WIDE = 100  # maximum characters of a list on one line
#: Texts that are surely read as themselves without quotes: after a key, as a key, and in a list.
_is_plain = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*").fullmatch
_may_be_plain = re.compile(r"[^\s\"'#&*!|>%@`{}\[\],?:-][^\n#,\[\]{}]*").fullmatch
#: Plain scalars that are no text in YAML 1.1 (https://yaml.org/type/) or in the core schema of YAML
#: 1.2 (§10.3.2): constants, numbers in every base, with `_` or in base 60, and times.
_is_typed = re.compile(
    r"""y|yes|n|no|on|off|true|false|null|~|=|<<
    | [-+]?(?:0b[01_]+ | 0o[0-7]+ | 0x[0-9a-f_]+ | \.inf | \.nan)
    | [-+]?(?:[0-9][0-9_]*(?:\.[0-9._]*)? | \.[0-9][0-9._]*)(?:e[-+]?[0-9]+)?
    | [-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}
      (?:(?:t|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:z|[-+][0-9:]+))?)?
    """,
    re.I | re.X | re.A,
).fullmatch
_is_date = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}:[0-9]{2})?").fullmatch
#: The fields with a date or a time; the registry's own fields may have dates too.
_DATED = frozenset(
    (
        "date",
        "fields",
        *(
            f.name
            for kind in built_in().values()
            for f in kind.written.values()
            if f.type in ("date", "time")
        ),
    )
)


class FileFields(NamedTuple):
    """The order of the fields of a file, and the own fields with dates."""

    order: tuple[str, ...] = FIELD_ORDER
    dated: frozenset[str] = frozenset()

    def rank(self, name: str) -> int:
        """The place of a field in the order; unknown fields come last."""
        return self.order.index(name) if name in self.order else len(self.order)

    def is_dated(self, loc: Loc) -> bool:
        """Whether a value is in a field with dates."""
        return is_dated(loc) or loc[0] in self.dated


#: Those of a file that is no record.
ANY_FIELDS = FileFields()


def fields_at(path: str, kinds: Kinds) -> FileFields:
    """The fields of the file at a path of a content folder."""
    collection = path.partition("/")[0]
    return _fields_of(kinds, collection) if collection in kinds else ANY_FIELDS


@lru_cache(maxsize=64)
def _fields_of(kinds: Kinds, collection: str) -> FileFields:
    dates = (f.place for f in kinds[collection].own if f.type == "date")
    dated = frozenset(place[0] for place in dates if len(place) == 1)
    return FileFields(kinds.order_of(collection), dated)


#: Escape characters that YAML forbids, or reads as line breaks, in quotes.
_escape = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]").sub


def record(fields: Mapping[str, Any], of: FileFields = ANY_FIELDS) -> str:
    """The file of a record."""
    lines = [
        line
        for name in sorted(fields, key=of.rank)
        for line in yaml_field_lines(name, fields[name], dated=name in of.dated)
    ]
    return "\n".join(lines) + "\n"


def yaml_field_lines(
    name: str, value: Any, indent: str = "", *, dated: bool = False
) -> Iterator[str]:
    """The lines of a field; `dated` says that it is within a field with dates."""
    dated = dated or is_dated((name,))
    name = scalar(name)
    if isinstance(value, str) and (lines := _literal(value)):
        yield f"{indent}{name}: {lines[0]}"
        yield from (f"{indent}{line}" if line else "" for line in lines[1:])
    elif isinstance(value, dict) and value:
        yield f"{indent}{name}:"
        for key, inner in value.items():
            yield from yaml_field_lines(key, inner, f"{indent}  ", dated=dated)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        yield f"{indent}{name}:"
        for item in value:
            first, *rest = [
                line for key in _ordered(item) for line in yaml_field_lines(key, item[key])
            ]
            yield f"{indent}  - {first}"
            yield from (f"{indent}    {line}" for line in rest)
    else:
        line = f"{indent}{name}: {flow(value, dated=dated)}".rstrip(" ")
        if isinstance(value, list) and value and len(line) > _WIDE:
            yield f"{indent}{name}:"
            yield from (f"{indent}  - {scalar(item, dated=dated)}" for item in value)
        else:
            yield line


def flow(value: Any, *, dated: bool = False) -> str:
    """A value on one line."""
    if isinstance(value, list):
        return f"[{', '.join(flow_item(item, dated=dated) for item in value)}]"
    if isinstance(value, dict):
        pairs = (flow_pair(key, value[key], dated=dated) for key in _ordered(value))
        return "{" + ", ".join(pairs) + "}"
    return scalar(value, dated=dated)


def flow_pair(key: str, value: Any, *, dated: bool = False) -> str:
    """A key and its value within braces."""
    dated = dated or is_dated((key,))
    return f"{flow_item(key)}: {flow_item(value, dated=dated)}".rstrip(" ")


def flow_item(value: Any, *, dated: bool = False) -> str:
    """A value within brackets."""
    if isinstance(value, str) and needs_quotes(value, dated=dated, in_flow=True):
        return quoted(value)
    return flow(value, dated=dated)


def scalar(value: Any, *, dated: bool = False) -> str:
    """A scalar, without quotes if that means the same after a key, as a key and in a list."""
    if value is None:
        return ""
    if isinstance(value, float):
        return in_digits(value)
    if not isinstance(value, str):
        return json.dumps(value)
    return quoted(value) if needs_quotes(value, dated=dated) else _text(value)


def needs_quotes(text: str, *, dated: bool = False, in_flow: bool = False) -> bool:
    """Whether a parser of YAML 1.1 or 1.2 may read a text without quotes as something else.

    With `dated`, it is in a field with dates, where a date of YAML 1.1 is as good.  `in_flow` is
    within brackets, where some parsers end a text at a "?".
    """
    return (
        "\t" in text
        or (in_flow and "?" in text)
        or bool(_is_typed(text) and not (dated and _is_date(text)))
    )


@lru_cache(maxsize=1 << 14)
def _text(value: str) -> str:
    if _is_plain(value):
        return value
    if (
        _may_be_plain(value)
        and not value.endswith((" ", ":"))
        and ": " not in value
        and _is_parsed_as(f"a: [{value}]\nb: {value}\n", {"a": [value], "b": value})
    ):
        return value
    return quoted(value)


def quoted(value: str) -> str:
    """A text in double quotes, on one line."""
    escaped = json.dumps(value, ensure_ascii=False)
    return _escape(lambda match: f"\\u{ord(match[0]):04x}", escaped)


def _is_parsed_as(text: str, data: Any) -> bool:
    try:
        return bool(parse(text.encode()) == data)
    except (Unusual, UnicodeEncodeError):
        return False


def is_dated(loc: Loc) -> bool:
    """Whether a value is in a field with dates."""
    return not _DATED.isdisjoint(loc)


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
