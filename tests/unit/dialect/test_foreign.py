"""YAML of other programs is read as plain data, within bounds."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from generator.dialect import foreign
from generator.dialect.foreign import NotYaml, read_yaml


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: 1\nb: 2026-01-20\nc: yes\nd: ~\n", {"a": 1, "b": "2026-01-20", "c": "yes", "d": None}),
        ("2026: x\ntrue: y\n", {"2026": "x", "true": "y"}),
        ("a: &x [1, 2]\nb: *x\n", {"a": [1, 2], "b": [1, 2]}),
        ("a: &x {b: 1, c: 2}\nd: {c: 3, <<: *x}\n", {"a": {"b": 1, "c": 2}, "d": {"c": 3, "b": 1}}),
        ("a: &x {b: 1}\nd: {<<: [*x, {c: 2}], b: 4}\n", {"a": {"b": 1}, "d": {"b": 4, "c": 2}}),
        ("a: !!python/object/apply:os.system [x]\n", {"a": ["x"]}),
        ("a: |\n  é\n", {"a": "é\n"}),
    ],
)
def test_data_is_plain(text: str, data: Any) -> None:
    assert read_yaml(text).documents == [data]


def test_each_mapping_has_its_place() -> None:
    text = "é: x\nrows:\n- name: ü\n- {name: b}\n---\nname: c\n"
    first, second = (found := read_yaml(text)).documents
    begins = [found.begins[id(row)] for row in (*first["rows"], second)]
    assert [text[begin:].split("\n")[0] for begin in begins] == ["name: ü", "{name: b}", "name: c"]


@pytest.mark.parametrize(
    ("text", "says", "at"),
    [
        ("a: 1\na: 2\n", 'the key "a" is there twice', (2, 1)),
        ("a: *b\n", 'no value before this has the anchor "&b"', (1, 4)),
        ("a: &a [*a]\n", 'no value before this has the anchor "&a"', (1, 8)),
        ("[" * 5000, "nested too deeply", (1, 21)),
        ("? [a]\n: b\n", "a key must be a text", (1, 5)),
        ("a: [1\n", "is not closed", (1, 4)),
    ],
)
def test_what_is_no_plain_data_has_a_place(text: str, says: str, at: tuple[int, int]) -> None:
    with pytest.raises(NotYaml, match=says.replace("[", r"\[")) as found:
        read_yaml(text)
    assert found.value.at == at


def test_aliases_count_for_all_that_they_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "MAX_NODES", 1000)
    names = "abcdefgh"
    lines = ["a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in pairwise(names)]
    with pytest.raises(NotYaml, match="these are more than 1,000 values"):
        read_yaml("\n".join(lines))
