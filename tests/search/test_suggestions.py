"""What is suggested where nothing is found: few queries, near the one that was asked, each of which
finds something.
"""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest

from support.answers import differing, javascript, python
from support.brute import Brute
from support.tokens import words

MOST = 5


@cache
def edits(one: str, other: str) -> int:
    """How many letters are dropped, put in, replaced or swapped with the next."""
    if not one or not other:
        return len(one) + len(other)
    if one[-1] == other[-1]:
        return edits(one[:-1], other[:-1])
    less = [edits(one[:-1], other), edits(one, other[:-1]), edits(one[:-1], other[:-1])]
    if one[-2:] == other[-2:][::-1]:
        less.append(edits(one[:-2], other[:-2]))
    return 1 + min(less)


def near(typed: str, word: str) -> bool:
    """Whether a word may be suggested for another: the longer of them is that long, or, beside
    other words, of any length.
    """
    allowed = 2 if max(len(typed), len(word)) >= 8 else 1
    return abs(len(typed) - len(word)) <= allowed and edits(typed, word) <= allowed


def changes(asked: tuple[str, ...], said: tuple[str, ...]) -> int:
    """How many words were changed, joined or split on the way from one to the other."""
    if not asked or not said:
        return 0 if asked == said else 99
    ways = [99]
    if asked[0] == said[0]:
        ways.append(changes(asked[1:], said[1:]))
    if near(asked[0], said[0]):
        ways.append(1 + changes(asked[1:], said[1:]))
    if "".join(asked[:2]) == said[0]:
        ways.append(1 + changes(asked[2:], said[1:]))
    if asked[0] == "".join(said[:2]):
        ways.append(1 + changes(asked[1:], said[2:]))
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
    """Of each text how many records are found, and what is suggested."""
    targets = [f"{root}?mode=page&q={quote(text)}" for text in typed]
    answers = python(out, *targets)
    found = [(a.status, a.body) for a in javascript(out, *targets)]
    assert differing(targets, found, answers) == []
    documents = [json.loads(body) for _, body in answers]
    return [(d["page"]["total_items"], d["suggestions"]) for d in documents]


@pytest.mark.parametrize("root", ["/api/projects", "/api/programs", "/api/organizations"])
def test_what_is_suggested_is_near_and_finds_something(root: str, built_own: Path) -> None:
    chance = random.Random(root)
    names = [row["name"] for row in Brute(built_own).lists[root].rows.values()]
    typed = []
    while len(typed) < 120:
        held = words(chance.choice(names))
        long = [n for n, word in enumerate(held) if len(word) > 3 and word.isascii()]
        for n in chance.sample(long, min(len(long), chance.choice((1, 1, 2)))):
            held[n] = mistyped(held[n], chance)
        if long and len(held) < 9:
            typed.append(" ".join(held))
    suggested: dict[str, list[str]] = {}
    for text, (total, said) in zip(typed, ask(built_own, typed, root), strict=True):
        assert said == [] or total == 0, text
        assert len(said) == len(set(said)) <= MOST, text
        suggested |= {text: said} if said else {}
    assert len(suggested) > 40
    for text, said in suggested.items():
        for one in said:
            assert 1 <= changes(tuple(words(text)), tuple(words(one))) <= 2, (text, one)
            assert max(len(text), len(one)) > 3
    every = sorted({one for said in suggested.values() for one in said})
    assert all(total for total, _ in ask(built_own, every, root))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("robto", "robot"), ("machin learning", None), ("door dahs", "door dash"),
        ("solarr grid", "solar grid"), ("climat", None), ("machne lerning", "machine learning"),
    ],
)  # fmt: skip
def test_a_typing_error_is_taken_back(typed: str, meant: str | None, built_own: Path) -> None:
    ((total, said),) = ask(built_own, [typed])
    assert (total > 0) == (meant is None)
    assert meant is None or meant in said, said


@pytest.mark.parametrize("typed", ["zzzzqqqq", "zqx", "東京都", "robto " * 3 + "zzzqqq"])
def test_where_nothing_is_near_nothing_is_suggested(typed: str, built_own: Path) -> None:
    assert ask(built_own, [typed.strip()]) == [(0, [])]
