"""What refusals propose in registries with own kinds, and without the first four."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.answers import served

#: A wrong query, what is proposed instead, and what is said to be allowed.
GUESSES = {
    "investors": {
        "/api/rounds?mode=page&leed=quay": ("/api/rounds?mode=page&lead=quay-ventures", ["lead"]),
        "/api/projects?mode=page&backed_by=quay": (
            "/api/projects?mode=page&investor=quay-ventures", ["investor", "by"],
        ),
        "/api/projects?mode=page&stage=seed": (
            "/api/projects?mode=page&investor_stage=seed", ["investor_stage"],
        ),
        "/api/rounds?mode=page&lead=idle-money": (None, ["birch-capital", "quay-ventures"]),
        "/api/rounds?mode=page&sort=largest": (
            "/api/rounds?mode=page&sort=-amount", ["name", "-amount", "amount", "-day", "day"],
        ),
        "/api/rounds?mode=page&sort=newest": (
            "/api/rounds?mode=page&sort=-day", ["name", "-amount", "amount", "-day", "day"],
        ),
        "/api/investors/birch-capital/rounds": (
            "/api/rounds?mode=page&investor=birch-capital", None,
        ),
        "/api/investors/birch-capital/projects": (
            "/api/projects?mode=page&investor=birch-capital", None,
        ),
        "/api/startups?mode=page": ("/api/projects?mode=page", None),
    },
    "tools": {
        "/api/tools": ("/api/tools?mode=page", None),
        "/api/tools?mode=page&license=mit": ("/api/tools?mode=page&licence=mit", ["licence"]),
        "/api/tools?mode=page&depends_on=parse-it": (
            "/api/tools?mode=page&dependency=parse-it", ["dependency"],
        ),
        "/api/papers?mode=page&about=mapper": ("/api/papers?mode=page&tool=mapper", ["tool"]),
        "/api/papers?mode=count&by=about": ("/api/papers?mode=count&by=tool", ["tool"]),
        "/api/papers?mode=page&sort=newest": (
            "/api/papers?mode=page&sort=-published", ["name", "-published", "published"],
        ),
        "/api/items": ("/api/tools?mode=page", None),
        "/api/startups?mode=page": (None, None),
        "/api/projects?mode=page": (None, None),
        "/api/calendar/events?mode=page": (None, None),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", GUESSES)
def test_a_refusal_proposes_what_the_registry_has(
    name: str, built_own_kinds: dict[str, Path]
) -> None:
    answers = served(built_own_kinds[name], *GUESSES[name])
    found = {}
    for target, (status, body) in zip(GUESSES[name], answers, strict=True):
        refused = json.loads(body)
        assert status in (400, 404), target
        found[target] = refused["try"], refused["allowed"]
    assert found == GUESSES[name]


def test_a_time_is_asked_by_a_date_of_the_kind(built_own_kinds: dict[str, Path]) -> None:
    [(_, body)] = served(built_own_kinds["tools"], "/api/papers?mode=page&after=2020")
    assert json.loads(body)["try"] == "/api/papers?mode=page&published=2020-01-01.."


def test_a_kind_of_several_words_is_told_in_words(built_own_kinds: dict[str, Path]) -> None:
    targets = ("/api/rounds/none", "/api/rounds?mode=page&lead=idle-money")
    details = [
        json.loads(body)["detail"] for _, body in served(built_own_kinds["investors"], *targets)
    ]
    assert details[0] == 'There is no round of money "none".'
    assert details[1].startswith('No round of money has the lead "idle-money"; ')
