"""Answers, held against those that a check without any code of this package computes from the
content (support/independent.py); where it is not there, these tests are skipped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support import commands, independent
from support.answers import differing, javascript, python

Cases = list[dict[str, Any]]


def assert_agrees(cases: Cases, out: Path) -> None:
    targets = [case["url"] for case in cases]
    answers = python(out, *targets)
    found = [(a.status, a.body) for a in javascript(out, *targets)]
    assert differing(targets, found, answers) == []
    for case, (status, body) in zip(cases, answers, strict=True):
        document = json.loads(body)
        independent.assert_right(case, status, document)
        if case.get("tier") == "page":
            assert body == (out / document["links"]["self"][1:]).read_bytes(), case


def test_this_registrys_own_content(oracle: Path, built_content: Path) -> None:
    assert_agrees(independent.queries(oracle, commands.ROOT / "content", 4, 600), built_content)


def test_a_large_real_registry(oracle: Path, real_content: Path, built_real: Path) -> None:
    assert_agrees(independent.queries(oracle, real_content, 5, 500), built_real)
