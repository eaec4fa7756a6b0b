"""Cases of the two lanes: a few for every run, the others marked slow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sample(fast: Iterable[Any], every: Iterable[Any]) -> list[Any]:
    """Parameters of a test: those in `fast`, and the others of `every` with the mark `slow`."""
    chosen = list(fast)
    others = [case for case in every if case not in chosen]
    return [
        *chosen,
        *(
            pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
            for case in others
        ),
    ]
