"""The YAML dialect: the meaning of scalars, the errors of the fast lane and of the thorough lane,
and the places of errors.
"""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from generator.dialect.document import MAX_FAULTS, TooMany
from generator.dialect.examine import YamlDocument, examine
from generator.dialect.folder import MAX_BYTES
from generator.dialect.libyaml import parse
from generator.dialect.mistakes import slip
from generator.dialect.parse import BOM, MAX_DEPTH, Unusual, parse_scalar
from generator.problems.faults import Fault
from support.commands import ROOT

#: Plain texts that other readers of YAML take for something else.
TEXTS = """
    tRUE yes no NO on off y nUll none 012 0o14 0x1F 0b1 1_000 1,000 1:30 1. .5 .inf .nan 1e + - ٣
    2026-11-21 = <<
""".split()  # noqa: SIM905


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        *((text, text) for text in (*TEXTS, "2026-11-21 10:00", "9" * 41)),
        *((text, None) for text in ("", "~", "null", "Null")),
        *((text, True) for text in ("true", "True")),
        ("FALSE", False),
        ("0", 0),
        ("-0", 0),
        ("12", 12),
        ("+12", 12),
        ("-12", -12),
        ("1.5", 1.5),
        ("-1.50", -1.5),
        ("1e3", 1000.0),
        ("1.5E-2", 0.015),
        ("18446744073709551616", 2**64),
        ("9" * 40, int("9" * 40)),
    ],
)
def test_plain_scalars_follow_the_core_schema(text: str, meaning: object) -> None:
    found = parse_scalar(text)
    assert (found, type(found)) == (meaning, type(meaning))


@pytest.mark.parametrize("text", ["true", "~", "12", "1.5", "2026-11-21", "", "no"])
def test_quoted_values_are_text(text: str) -> None:
    raw = f"double: \"{text}\"\nsingle: '{text}'\nliteral: |-\n  {text}\n".encode()
    assert parse(raw) == examine(raw).data == {"double": text, "single": text, "literal": text}


@pytest.mark.parametrize(
    ("raw", "data"),
    [
        (b"a: 1", {"a": 1}),
        (b"a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
        (b"a: 1\rb: 2\r", {"a": 1, "b": 2}),
        (b"---\na: 1\n", {"a": 1}),
        (b"a: 1\n...\n", {"a": 1}),
        (b"%YAML 1.2\n---\na: 1\n", {"a": 1}),
        (BOM + b"a: 1", {"a": 1}),
        (b"{a: 1, b: [x, y]}", {"a": 1, "b": ["x", "y"]}),
        (b'{"a": {"b": null}}', {"a": {"b": None}}),
        (b"? a\n: b\n", {"a": "b"}),
        (b"a:\n- x\n- y\n", {"a": ["x", "y"]}),
        (b"a: >-\n  one\n  two\n\n  three\n", {"a": "one two\nthree"}),
        (b"a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
        (b"a: one\n  two\n", {"a": "one two"}),
        (b"a: it's # a comment\nb: x#y\n", {"a": "it's", "b": "x#y"}),
        (b"2024: x\n~: y\ntrue: z\n", {"2024": "x", "~": "y", "true": "z"}),
        (b'"": x', {"": "x"}),
        (
            b"a: R&D & sons\nb: 2 * 3 *x\nc: wow! !\n",
            {"a": "R&D & sons", "b": "2 * 3 *x", "c": "wow! !"},
        ),
        (b'a: "&x"\nb: "*x"\nc: "!"\n"<<": d\n', {"a": "&x", "b": "*x", "c": "!", "<<": "d"}),
        ("a: \U0001f680 日本語 \u202eعربي\n".encode(), {"a": "\U0001f680 日本語 \u202eعربي"}),
        (b'a: "\\u65e5\\U0001F680\\x41\\/"\n', {"a": "日\U0001f680A/"}),
        (b"{}", {}),
    ],
)
def test_plain_yaml_is_the_same_in_both_lanes(raw: bytes, data: dict[str, Any]) -> None:
    document = examine(raw)
    assert (document.data, document.faults) == (data, [])
    try:
        assert parse(raw) == data
    except Unusual:
        # If something may be unusual, the thorough lane decides.
        assert any(sign in raw for sign in (b"&", b"*", b"!", b"<<"))


CASES = [
    raw
    for path in (ROOT / "tests" / "content" / "bad").glob("yaml-*.yaml")
    for raw in re.split(rb"^(?=# at: )", path.read_bytes(), flags=re.M)[1:]
]
#: Files that no editor saves.
ODD = [
    BOM + b"&x a: 1",
    b"--- &x\na: 1",
    b"",
    b"# nothing\n",
    BOM,
    b"---\n\n  ",
    b"a: \xff",
    b"a: \xed\xa0\x80",
    b"a: x\x00y",
    "# a\u2028b: 1\n".encode(),
    'a: "b\x85c"\n'.encode(),
    "a: \ufeffb\n".encode(),
    BOM + BOM + b"a: b\n",
    b"#" * (MAX_BYTES + 1),
]


def test_yaml_outside_of_the_dialect_is_refused_by_both_lanes() -> None:
    """What the thorough lane reports of each case is recorded beside it."""
    refused = 0
    for raw in (*ODD, *CASES):
        errors = [fault for fault in examine(raw).faults if fault.severity == "error"]
        assert errors or raw in CASES
        if errors:
            refused += 1
            with pytest.raises(Unusual):
                parse(raw)
    assert refused > 100


@pytest.mark.parametrize(
    ("begin", "end"),
    [(b"[", b"]"), (b"{a: ", b"}"), (b"- ", b"")],
    ids=["lists", "mappings", "dashes"],
)
def test_both_lanes_have_the_same_limit_of_nesting(begin: bytes, end: bytes) -> None:
    def nested(depth: int) -> bytes:
        return b"a:\n " + begin * depth + b"x" + end * depth + b"\n"

    assert parse(nested(MAX_DEPTH)) == examine(nested(MAX_DEPTH)).data is not None
    assert [fault.code for fault in examine(nested(MAX_DEPTH + 1)).faults] == ["yaml-too-deep"]
    with pytest.raises(Unusual):
        parse(nested(MAX_DEPTH + 1))


def test_a_file_of_the_largest_size_is_read() -> None:
    raw = b"a: 1\n".ljust(MAX_BYTES, b"#")
    assert parse(raw) == examine(raw).data == {"a": 1}


def test_every_error_of_a_file_is_found() -> None:
    raw = b"a: &x 1\nb: !t 2\nc: *x\na: 3\n<<: {d: 4}\n[e]: 5\n"
    assert [(fault.code, fault.at) for fault in examine(raw).faults] == [
        ("yaml-anchor", (1, 4)),
        ("yaml-tag", (2, 4)),
        ("yaml-alias", (3, 4)),
        ("yaml-duplicate-key", (4, 1)),
        ("yaml-merge-key", (5, 1)),
        ("yaml-key-not-text", (6, 1)),
    ]


def test_deep_nesting_is_not_parsed_to_its_end() -> None:
    """libyaml takes time quadratic in the depth of flow collections: 39 s for 200,000."""
    for opening in (b"[", b"{", b"{a: ", b"- ", b"? ", b"[{a: ["):
        found = {
            fault.code for fault in examine(b"a:\n " + opening * (200_000 // len(opening))).faults
        }
        assert found <= {"yaml-too-deep", "yaml-key-not-text", "yaml-syntax"}
        assert "yaml-too-deep" in found


PLACES = b"""\
name: Acme
tags:
  topic: [climate, "health"]
locations:
  - country: NO
    city: Troms\xc3\xb8
  - {country: SE}
# a comment
links: {code: https://code.example/}
"""


@pytest.mark.parametrize(
    ("loc", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("name",), (1, 7), (1, 1)),
        (("tags", "topic"), (3, 10), (3, 3)),
        (("tags", "topic", 1), (3, 20), (3, 20)),
        (("locations", 0), (5, 5), (5, 5)),
        (("locations", 0, "city"), (6, 11), (6, 5)),
        (("locations", 1, "country"), (7, 15), (7, 6)),
        (("links", "code"), (9, 15), (9, 9)),
        # A missing value has the place of its parent.
        (("summary",), (1, 1), (1, 1)),
        (("locations", 1, "city"), (7, 5), (7, 5)),
        (("locations", 7), (5, 3), (4, 1)),
    ],
)
def test_errors_are_at_their_field(
    loc: tuple[str | int, ...], value: tuple[int, int], key: tuple[int, int]
) -> None:
    document = examine(PLACES)
    assert document.locate(Fault("x", "", loc)) == value
    assert document.locate(Fault("x", "", loc, on_key=True)) == key


def test_columns_count_characters() -> None:
    raw = 'a: {"\U0001f680é": 1, b: 2}'.encode()
    assert examine(raw).values["a", "b"] == (1, 17)


def test_of_many_faults_warnings_are_counted_and_an_error_stops_reading() -> None:
    document = YamlDocument(faults=[Fault("x", "")] * MAX_FAULTS)
    document.add(Fault("y", "", severity="warning"))
    assert (len(document.faults), document.unmade) == (MAX_FAULTS, 1)
    with pytest.raises(TooMany):
        document.add(Fault("z", ""))
    assert (document.faults[-1].code, document.unmade) == ("z", 1)


def test_an_empty_document_has_a_place() -> None:
    assert YamlDocument().locate(Fault("x", "", ("a",))) == (1, 1)


@pytest.mark.parametrize("part", ["- ", "-", " ", "[", "a ", "a: ", " #", "{ #", "''"])
def test_slips_in_a_long_line_are_found_in_time(part: str) -> None:
    began = time.process_time()
    slip(["x: 1", part * (200_000 // len(part)), " y"], 2, 3)
    assert time.process_time() - began < 2
