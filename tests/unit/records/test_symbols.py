"""What symbols remember of small texts that repeat."""

from __future__ import annotations

import pickle
from pathlib import Path

import orjson
import pytest

from generator.model import symbols as module
from tests.support import registries


@pytest.fixture
def symbols(tmp_path: Path) -> module.Symbols:
    return registries.registry(tmp_path / "content").symbols


def test_a_reference_is_encoded_once(symbols: module.Symbols) -> None:
    slug = next(iter(symbols.programs))
    reference = symbols.reference("programs", slug)
    assert orjson.loads(orjson.dumps(reference)) == {
        "slug": slug,
        "name": symbols.programs[slug].name,
        "href": f"/api/programs/slug/{slug}.json",
    }
    assert symbols.reference("programs", slug) is reference
    assert symbols.reference("programs", None) is None


def test_no_more_than_so_much_is_remembered(
    symbols: module.Symbols, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_MEMO", 3)
    for number in range(20):
        assert symbols.keep(("x", number), number) == number
        assert symbols.memo["x", number] == number and len(symbols.memo) <= 3


def test_nothing_of_it_goes_to_another_process(symbols: module.Symbols) -> None:
    symbols.reference("programs", next(iter(symbols.programs)))
    assert symbols.memo
    there = pickle.loads(pickle.dumps(symbols))
    assert there.memo == {} and there.programs == symbols.programs
