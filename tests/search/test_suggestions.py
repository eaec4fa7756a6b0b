"""Suggestions for queries that find nothing: a few queries near the original, each with results."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest

from support.answers import differing, javascript, python
from support.brute import brute_of
from support.tokens import words

MOST = 5


@cache
def edits(first: str, second: str) -> int:
    """The number of letters dropped, added, replaced or swapped with a neighbour."""
    if not first or not second:
        return len(first) + len(second)
    if first[-1] == second[-1]:
        return edits(first[:-1], second[:-1])
    less = [edits(first[:-1], second), edits(first, second[:-1]), edits(first[:-1], second[:-1])]
    if first[-2:] == second[-2:][::-1]:
        less.append(edits(first[:-2], second[:-2]))
    return 1 + min(less)


def near(typed: str, word: str) -> bool:
    """Whether a word may be suggested for another: the longer must have the minimum length, or any
    length next to other words.
    """
    allowed = 2 if max(len(typed), len(word)) >= 8 else 1
    return abs(len(typed) - len(word)) <= allowed and edits(typed, word) <= allowed


def changes(query: tuple[str, ...], suggestion: tuple[str, ...]) -> int:
    """The number of words changed, joined or split between the two queries."""
    if not query or not suggestion:
        return 0 if query == suggestion else 99
    ways = [99]
    if query[0] == suggestion[0]:
        ways.append(changes(query[1:], suggestion[1:]))
    if near(query[0], suggestion[0]):
        ways.append(1 + changes(query[1:], suggestion[1:]))
    if "".join(query[:2]) == suggestion[0]:
        ways.append(1 + changes(query[2:], suggestion[1:]))
    if query[0] == "".join(suggestion[:2]):
        ways.append(1 + changes(query[1:], suggestion[2:]))
    return min(ways)


def mistyped(word: str, chance: random.Random) -> str:
    n = chance.randrange(1, len(word) - 1)
    return chance.choice((
        word[:n] + word[n + 1 :],
        word[:n] + word[n] + word[n:],
        word[:n] + word[n + 1] + word[n] + word[n + 2 :],
        word[:n] + chance.choice("aeiost") + word[n + 1 :],
    ))  # fmt: skip


def ask(out: Path, typed: list[str], root: str = "/api/projects") -> list[tuple[int, list[str]]]:
    """For each text, the number of records found and the suggestions."""
    targets = [f"{root}?mode=page&q={quote(text)}" for text in typed]
    answers = python(out, *targets)
    found = [(a.status, a.body) for a in javascript(out, *targets)]
    assert differing(targets, found, answers) == []
    documents = [json.loads(body) for _, body in answers]
    return [(d["page"]["total_items"], d["suggestions"]) for d in documents]


@pytest.mark.parametrize("root", ["/api/projects", "/api/programs", "/api/organizations"])
def test_suggestions_are_near_and_have_results(root: str, built_own: Path) -> None:
    chance = random.Random(root)
    names = [row["name"] for row in brute_of(built_own).lists[root].rows.values()]
    typed = []
    while len(typed) < 120:
        name_words = words(chance.choice(names))
        long = [n for n, word in enumerate(name_words) if len(word) > 3 and word.isascii()]
        for n in chance.sample(long, min(len(long), chance.choice((1, 1, 2)))):
            name_words[n] = mistyped(name_words[n], chance)
        if long and len(name_words) < 9:
            typed.append(" ".join(name_words))
    suggested: dict[str, list[str]] = {}
    for text, (total, suggestions) in zip(typed, ask(built_own, typed, root), strict=True):
        assert suggestions == [] or total == 0, text
        assert len(suggestions) == len(set(suggestions)) <= MOST, text
        suggested |= {text: suggestions} if suggestions else {}
    assert len(suggested) > 40
    for text, suggestions in suggested.items():
        for suggestion in suggestions:
            assert 1 <= changes(tuple(words(text)), tuple(words(suggestion))) <= 2, (
                text,
                suggestion,
            )
            assert max(len(text), len(suggestion)) > 3
    every = sorted({suggestion for suggestions in suggested.values() for suggestion in suggestions})
    assert all(total for total, _ in ask(built_own, every, root))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("robto", "robot"), ("machin learning", None), ("door dahs", "door dash"),
        ("solarr grid", "solar grid"), ("climat", None), ("machne lerning", "machine learning"),
    ],
)  # fmt: skip
def test_a_typing_error_is_corrected(typed: str, meant: str | None, built_own: Path) -> None:
    ((total, suggestions),) = ask(built_own, [typed])
    assert (total > 0) == (meant is None)
    assert meant is None or meant in suggestions, suggestions


@pytest.mark.parametrize("typed", ["zzzzqqqq", "zqx", "東京都", "robto " * 3 + "zzzqqq"])
def test_nothing_is_suggested_if_nothing_is_near(typed: str, built_own: Path) -> None:
    assert ask(built_own, [typed.strip()]) == [(0, [])]
