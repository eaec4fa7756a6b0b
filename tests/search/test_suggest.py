"""Suggestions for queries that find nothing follow their definition in both languages."""

from __future__ import annotations

import json
import random
import subprocess
from functools import cache
from pathlib import Path

import pytest

from generator.search import js
from generator.search.suggest import (
    files_with_word,
    near_words,
    parse_words,
    suggested_queries,
    word_files,
)
from support.engines import need

MODULE = Path(js.__file__).parent / "source/suggest.mjs"
NAMES = "harbor harbour heron nordlys kelpworks loom lumen sol solar solstice tidewater tide water"
KNOWN = {word: 3 * (len(word) % 4) + 1 for word in NAMES.split()} | {"čaj": 1, "𝔄𐐨𐐩𐐪": 2, "技術": 1}


def known_words() -> dict[str, int]:
    return parse_words(word_files(KNOWN))


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
    several = 0
    for word in words(100, 2):
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
        found = [(distance, candidate) for distance, _, candidate in sorted(wanted)[:12]]
        assert near_words(word, known) == found, word
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
    found = suggested_queries(query.split(), known_words(), frequencies)
    assert next(iter(found), None) == first


class Counted(dict[str, int]):
    """Words that count how often one is looked up."""

    looked_up = 0

    def __contains__(self, key: object) -> bool:
        self.looked_up += 1
        return super().__contains__(key)


@pytest.mark.parametrize(
    ("word", "parts", "most"),
    [("x" * 199, 0, 10), ("tide" * 49, 49, 500), ("solar" * 20 + "x" * 90, 0, 400)],
)
def test_a_long_word_is_split_at_known_words_alone(word: str, parts: int, most: int) -> None:
    known = Counted(known_words())
    found = suggested_queries([word], known, [0])
    assert [len(query.split()) for query in found] == [parts] * bool(parts)
    assert known.looked_up <= most


def test_more_records_come_before_fewer_and_then_the_alphabet() -> None:
    known = parse_words(word_files({"tide": 2, "ride": 9, "hide": 2, "sides": 99}))
    assert suggested_queries(["xide"], known, [0]) == ["ride", "hide", "tide"]


def test_a_word_with_one_typing_error_is_looked_up_in_the_shard_of_the_word() -> None:
    known = dict.fromkeys(words(10_000, 3), 1)
    parts = word_files(known)
    assert len(parts) in (2, 4, 8, 16)
    for word in [word for word in known if len(word) > 4][:100]:
        for wrong in (word[0] + word[2] + word[1] + word[3:], word[:-1], word[:2] + word[3:]):
            shared = files_with_word(wrong, len(parts)) & files_with_word(word, len(parts))
            assert shared
            assert word in parse_words(parts[place] for place in shared)


def test_suggestions_are_the_same_in_both_languages() -> None:
    need()
    rng = random.Random(4)
    known = KNOWN | {word: rng.randint(1, 9) for word in words(400, 5)}
    parts, numbers = word_files(known), [1, 2, 16, 1024]
    texts = ("herno", "kelp works", "技術", "tidewater", "tidewater" * 22, f"{'x' * 190}solar")
    queries = [(text.split(), [0] * len(text.split())) for text in texts]
    for _ in range(400):
        several = rng.choices([*words(200, 6), *KNOWN], k=rng.randint(1, 4))
        queries.append((several, [rng.choice([0, 0, 1, 3, 5, 9]) for _ in several]))
    given = {"module": str(MODULE), "files": [part.decode() for part in parts], "numbers": numbers}
    run = subprocess.run(
        ["node", str(Path(__file__).with_name("suggest.mjs"))],
        input=json.dumps(given | {"asked": queries}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    found = json.loads(run.stdout)
    wanted = [suggested_queries(several, parse_words(parts), bits) for several, bits in queries]
    assert found["queries"] == wanted
    assert sum(map(bool, wanted)) > 100
    assert found["places"] == [
        [[sorted(files_with_word(word, number)) for number in numbers] for word in several]
        for several, _ in queries
    ]
