"""The cache of symbols for small repeated texts."""

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
    slug = next(iter(symbols.series))
    reference = symbols.reference("programs", slug)
    assert orjson.loads(orjson.dumps(reference)) == {
        "slug": slug,
        "name": symbols.series[slug].name,
        "href": f"/api/programs/slug/{slug}.json",
    }
    assert symbols.reference("programs", slug) is reference
    assert symbols.reference("programs", None) is None


def test_the_cache_is_bounded(symbols: module.Symbols, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_MEMO", 3)
    for number in range(20):
        assert symbols.memoize(("x", number), number) == number
        assert symbols.memo["x", number] == number and len(symbols.memo) <= 3


def test_the_cache_is_not_sent_to_another_process(symbols: module.Symbols) -> None:
    symbols.reference("programs", next(iter(symbols.series)))
    assert symbols.memo
    there = pickle.loads(pickle.dumps(symbols))
    assert there.memo == {} and there.series == symbols.series
