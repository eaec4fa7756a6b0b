"""The words by which records are found, and their weights, follow their definition."""

from __future__ import annotations

import random

from generator.grammar.text import index_words, name_words
from support import tokens

_LETTERS = list("aAbB-'’ .é") + list("漢字ไทย⚡\ufe0f\u093eक") + ["- ", "--", "Ǆ", "\u0301", "－"]


def texts(number: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(_LETTERS, k=rng.randint(1, 12))) for _ in range(number)]


def test_words_of_records_are_those_of_the_contract() -> None:
    for text in texts(5000, 1):
        assert sorted(index_words(text)) == sorted(tokens.all_words(text)), text


def test_words_of_names_are_those_of_the_contract() -> None:
    for name in texts(5000, 2):
        ways, other_words = name_words(name)
        wanted, more = tokens.name_words(name)
        assert (ways, sorted(other_words)) == (wanted, sorted(more)), name
