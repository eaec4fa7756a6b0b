"""For any file, the two lanes of the YAML loader agree with each other, and on structure with
PyYAML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from generator.dialect.examine import YamlDocument, examine
from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual
from generator.dialect.values import record
from generator.problems.faults import Fault
from support.trimmed import trimmed

# Characters of the dialect; U+FEFF at the beginning of a line is not part of the text.
CHARACTERS = st.characters(
    exclude_categories=["Cs", "Cc"],
    exclude_characters="\u2028\u2029\ufeff\ufffe\uffff",
    include_characters="\n\t",
)
TEXTS = st.text(CHARACTERS, max_size=12)
SCALARS = (
    TEXTS
    | st.integers(-(10**39), 10**39)
    | st.booleans()
    | st.none()
    | st.sampled_from(["no", "012", "1:30", "2026-01-01", "&x", "*", "!"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.dictionaries(TEXTS, VALUES, max_size=5)


class _Quoting(yaml.SafeDumper):
    """Write texts in quotes if YAML 1.1 or 1.2 could read them as another type."""


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style=None if text.isalpha() and len(text) > 5 else '"'
    )


_Quoting.add_representer(str, _quoted)


def written(data: object, *, flow: bool) -> bytes:
    text: str = yaml.dump(
        data, Dumper=_Quoting, allow_unicode=True, default_flow_style=flow, sort_keys=False
    )
    return text.encode()


def errors(document: YamlDocument) -> list[Fault]:
    """Odd quotes and odd spaces are only warnings, and possible in any text."""
    return [fault for fault in document.faults if fault.severity == "error"]


@given(RECORDS, st.booleans())
def test_dumped_data_is_read_by_both_lanes(record: dict[str, Any], flow: bool) -> None:
    raw = written(record, flow=flow)
    document = examine(raw)
    assert (document.data, errors(document)) == (trimmed(record), [])
    try:
        assert parse(raw) == trimmed(record)
    except Unusual:
        unusual = any(sign in raw for sign in (b"&", b"*", b"!", b"<<"))
        assert document.faults or document.lines or unusual


@given(RECORDS)
def test_json_is_yaml(record: dict[str, Any]) -> None:
    raw = json.dumps(record, ensure_ascii=False).replace("\x85", "\\x85").encode()
    document = examine(raw)
    assert (document.data, errors(document)) == (trimmed(record), [])


def _structure(node: yaml.Node | None) -> Any:
    """PyYAML's tree, with every scalar as text."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: _structure(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_structure(item) for item in node.value]
    return node.value if node is not None else None


def _as_text(value: Any, document: YamlDocument, loc: tuple[str | int, ...] = ()) -> Any:
    """Data with every scalar as written."""
    if isinstance(value, dict):
        return {key: _as_text(item, document, (*loc, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_text(item, document, (*loc, i)) for i, item in enumerate(value)]
    return value if isinstance(value, str) else document.source_texts[loc]


# YAML 1.2.2 §10.3.2, the tags of the core schema.
_CORE_VALUE = re.compile(
    r"|null|Null|NULL|~|true|True|TRUE|false|False|FALSE|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.nan|\.NaN|\.NAN"
).fullmatch
TYPED = """
    000000 001E62 0x1F 0X1f .5 .inf -.INF .NaN 007 012 5. +012 1:30 -1:30:59.5 0b11 0o17 1_000 1e5
    1E-5 -.5e+3 12e03 2027-01-31 2027-1-3T10:00:00Z y N yes No ON off = << ~ null True 685_230.15
""".split()  # noqa: SIM905
NEARLY_TYPED = st.sampled_from(TYPED) | st.text("0189_.:+-eExXobinfaNyY~=<?/ ", max_size=8)


@given(st.lists(NEARLY_TYPED | TEXTS, max_size=9))
@example(TYPED)
@example(["https://a.example/?q=1", "Who?"])
def test_written_texts_are_the_same_texts_in_yaml_1_1_and_1_2(texts: list[str]) -> None:
    fields = {"name": "x", "founders": texts, **{f"text_{n}": t for n, t in enumerate(texts)}}
    fields |= {"links": dict.fromkeys(texts, "x"), "locations": [{"city": t} for t in texts]}
    raw = record(fields)
    assert yaml.safe_load(raw) == fields
    assert examine(raw.encode()).data == trimmed(fields)
    for node, in_flow in _scalars(yaml.compose(raw, yaml.SafeLoader)):
        if not node.style:
            assert _CORE_VALUE(node.value) is None and node.value not in ("y", "Y", "n", "N")
            assert not (in_flow and "?" in node.value)


def _scalars(node: yaml.Node | None, *, in_flow: bool = False) -> Iterator[tuple[Any, bool]]:
    """Every scalar, and whether it is within brackets."""
    if isinstance(node, yaml.CollectionNode):
        parts = chain(*node.value) if isinstance(node, yaml.MappingNode) else node.value
        for part in parts:
            yield from _scalars(part, in_flow=in_flow or bool(node.flow_style))
    elif node is not None:
        yield node, in_flow


PIECES = st.sampled_from([
    "a", "b", "c: ", "d:\n", "\n", "\n  ", "\n- ", "- ", "[", "]", "{", "}", ", ", ": ", '"', "'",
    "&x", " *x", "!", "! ", "!!str ", "<<", "? ", "|\n", ">-\n", " # ", "%", "@", "~", "null",
    "true", "12", "1.5", "\t", "\\", "é", "\U0001f680", "\u2028", "\x85", "\ufeff", "---\n",
    "...\n", "\r\n", "\x00", "\x07",
])  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
def test_anything_is_read_or_refused_and_the_lanes_agree(text: str) -> None:
    raw = text.encode()
    document = examine(raw)
    for fault in document.faults:
        line, column = document.locate(fault)
        assert 1 <= line <= len(text.splitlines()) + 1
        assert column >= 1
    try:
        data = parse(raw)
    except Unusual:
        return
    assert (document.data, document.faults) == (data, [])
    assert _as_text(data, document) == _structure(
        yaml.compose(text.removeprefix("\ufeff"), yaml.CSafeLoader)
    )


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    document = examine(raw)
    assert document.data is not None or document.faults


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "lines, at",
    [(["name: a", "summary: b: c"], 2), (["tags:", "\t- x"], 2), (["name: a", "x y", "z: 1"], 2)],
)
def test_an_error_is_the_same_with_every_line_ending(
    lines: list[str], at: int, ending: str
) -> None:
    expected, found = (
        examine("".join(line + end for line in lines).encode()).faults for end in ("\n", ending)
    )
    assert found == expected and found[0].at is not None and found[0].at[0] == at
