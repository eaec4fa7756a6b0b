"""Cases of the two lanes: a few for every run, the others marked slow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sample(fast: Iterable[Any], every: Iterable[Any]) -> list[Any]:
    """Parameters of a test: those in `fast`, and the others of `every` with the mark `slow`."""
    chosen = list(fast)
    return [*chosen, *(_slow(case) for case in every if case not in chosen)]


def fast_first(count: int, cases: Iterable[Any]) -> list[Any]:
    """The parameters of a test, of which all but the first `count` are slow."""
    return [case if number < count else _slow(case) for number, case in enumerate(cases)]


def _slow(case: Any) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
