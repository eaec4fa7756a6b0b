"""Texts that generator.engine.packing makes short."""

from __future__ import annotations

import json

import pytest

from generator.engine.packing import pack
from generator.engine.table import routing
from generator.grammar.grammar import Grammar
from generator.kinds import built_in


def unpacked(text: str, short: str) -> str:
    """As search/js/source/packed.mjs does it."""
    for character in short:
        *parts, part = text.split(character)
        text = part.join(parts)
    return text


@pytest.mark.parametrize(
    "text",
    ["", "a", "aaaaaaaaaaaaaaaaaaaa", "abcabcabcabcabcabcabc" * 9, "Größe; größe, ' and \\ " * 5,
     json.dumps(routing(Grammar(built_in(), {"topic": ""})))],
)  # fmt: skip
def test_a_packed_text_is_the_same_unpacked(text: str) -> None:
    packed, short = pack(text)
    assert unpacked(packed, short) == text
    assert len(f"{packed}{short}".encode()) <= len(text.encode())
    assert not {"'", "\\"} & set(short), "a script has them in quotes"


def test_a_text_with_many_repeats_becomes_much_shorter() -> None:
    text = json.dumps(routing(Grammar(built_in(), {"topic": ""})))
    assert len("".join(pack(text)).encode()) < len(text) * 0.65
