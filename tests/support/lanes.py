"""Which cases of a table run in the fast lane."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def fast_first(count: int, cases: Iterable[Any]) -> list[Any]:
    """The parameters of a test, of which all but the first `count` are slow."""
    return [
        case
        if number < count
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for number, case in enumerate(cases)
    ]
