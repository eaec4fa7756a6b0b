"""Suggestions for queries that find nothing follow their definition."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generator import PACKAGE
from generator.search.vocabulary import files_with_word, word_files
from support.engines import ask, need

SCRIPT = Path(__file__).with_name("suggest.mjs")
MODULE = PACKAGE / "search/js/source/more/suggest.mjs"
NAMES = "harbor harbour heron nordlys kelpworks loom lumen sol solar solstice tidewater tide water"
KNOWN = {word: 3 * (len(word) % 4) + 1 for word in NAMES.split()} | {"čaj": 1, "𝔄𐐨𐐩𐐪": 2, "技術": 1}


def asked(known: Mapping[str, int], **more: Any) -> dict[str, Any]:
    """What suggest.mjs finds in the files of known words."""
    need()
    files = [part.decode() for part in word_files(known)]
    given = {"module": str(MODULE), "files": files, "numbers": [], "queries": [], "words": []}
    found: dict[str, Any] = ask(SCRIPT, given | more)
    return found


def suggested(known: Mapping[str, int], words: Sequence[str], bits: Sequence[int]) -> list[str]:
    [found] = asked(known, queries=[(words, bits)])["queries"]
    return list(found)


@cache
def edits(first: str, second: str) -> int:
    """The least number of letters dropped, added, replaced or swapped with a neighbour."""
    if not first or not second:
        return len(first) + len(second)
    least = (
        min(edits(first[1:], second), edits(first, second[1:]), edits(first[1:], second[1:])) + 1
    )
    if first[0] == second[0]:
        least = min(least, edits(first[1:], second[1:]))
    if len(first) > 1 and first[:2] == second[1::-1]:
        least = min(least, edits(first[2:], second[2:]) + 1)
    return least


def words(number: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices("abcé𐐨", k=rng.randint(1, 10))) for _ in range(number)]


def test_near_words_are_within_one_or_two_edits() -> None:
    """One edit for words of four letters; two for words of eight letters with the same first or
    last letter. The likeliest come first."""
    known = {word: 1 + len(word) % 3 for word in words(600, 1)}
    several, wrong = 0, words(100, 2)
    answers = asked(known, queries=[([word], [0]) for word in wrong])["queries"]
    for word, answer in zip(wrong, answers, strict=True):
        wanted = []
        for candidate, bits in known.items():
            letters = max(len(word), len(candidate))
            ends = candidate.startswith(word[:2]) or candidate.endswith(word[-2:])
            most = 2 if letters >= 8 and len(word) >= 6 and ends else letters >= 4
            # A difference in length takes at least as many edits.
            if abs(len(word) - len(candidate)) <= most and (
                1 <= (distance := edits(word, candidate)) <= most
            ):
                wanted.append((distance, -bits, candidate))
        found = [candidate for _, _, candidate in sorted(wanted)[:12]]
        assert [query for query in answer if " " not in query] == found, word
        several += len(found) > 1
    assert several > 10


@pytest.mark.parametrize(
    ("query", "frequencies", "first"),
    [
        ("herno", [0], "heron"),
        ("harbor", [0], "harbour"),
        ("solsticee", [0], "solstice"),
        ("sloar lumen", [0, 1], "solar lumen"),
        ("kelp works", [1, 0], "kelpworks"),
        ("kelp works", [1, 1], "kelpworks"),
        ("kelp works", [20, 20], "kelpworks"),
        ("tidewater", [0], "tide water"),
        ("solarheron", [0], "solar heron"),
        ("slo lumne", [0, 0], "sol lumen"),
        ("herons kelp", [4, 3], "heron kelp"),
        ("herons kelp", [5, 3], None),
        ("so", [0], None),
        ("nothing", [0], None),
        ("sloar lumne herno", [0, 0, 0], None),
    ],
)
def test_queries_differ_in_one_or_two_words(
    query: str, frequencies: list[int], first: str | None
) -> None:
    """A word that many records have is not replaced by a rarer word."""
    assert next(iter(suggested(KNOWN, query.split(), frequencies)), None) == first


def test_more_records_come_before_fewer_and_then_the_alphabet() -> None:
    known = {"tide": 2, "ride": 9, "hide": 2, "sides": 99}
    assert suggested(known, ["xide"], [0]) == ["ride", "hide", "tide"]


def test_a_word_with_one_typing_error_is_looked_up_in_a_file_that_has_the_word() -> None:
    known = dict.fromkeys(words(10_000, 3), 1)
    parts, right, wrong = word_files(known), list[str](), list[str]()
    assert len(parts) in (2, 4, 8, 16)
    for word in [word for word in known if len(word) > 4][:100]:
        for typed in (word[0] + word[2] + word[1] + word[3:], word[:-1], word[:2] + word[3:]):
            right.append(word)
            wrong.append(typed)
    places = asked({}, words=wrong, numbers=[len(parts)])["places"]
    for word, [found] in zip(right, places, strict=True):
        lines = [line for place in found for line in parts[place].decode().splitlines()]
        assert word in lines


def test_words_are_looked_up_in_the_files_in_which_they_are_written() -> None:
    several, numbers = [*words(200, 6), *KNOWN], [1, 2, 16, 1024]
    assert asked({}, words=several, numbers=numbers)["places"] == [
        [sorted(files_with_word(word, number)) for number in numbers] for word in several
    ]
