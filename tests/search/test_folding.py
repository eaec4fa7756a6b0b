"""Texts are split and folded as recorded in words.txt, in Python and JavaScript alike."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from folding_table import SPELLED, encoded, facts, table

from generator.search import js
from generator.search.found_in import words_of_name
from generator.text.folding import TABLE_FILE, folding_table
from generator.text.words import (
    fold,
    fold_name,
    index_words,
    name_words,
    query_words,
    singulars,
    slugify,
    split_runs,
    split_words,
)
from support.engines import need

FOLDING = Path(js.__file__).parent / "source/folding.mjs"
WORDS = Path(__file__).with_name("words.txt")
#: Blocks with characters that fold, compose, reorder or separate words.
_BLOCKS = [
    (0, 0x250), (0x2B0, 0x590), (0x590, 0x700), (0x900, 0x980), (0xE00, 0xE80), (0x1100, 0x1200),
    (0x13A0, 0x1400), (0x1000, 0x10A0), (0x1780, 0x1800), (0x1C80, 0x1CC0), (0x1D00, 0x2000),
    (0x2000, 0x2190), (0x3000, 0x3100), (0x4E00, 0x4E40), (0xAB70, 0xABC0), (0xAC00, 0xAC80),
    (0xF900, 0xFB50), (0xFE00, 0xFE10), (0xFE70, 0xFFF0), (0x10400, 0x10450), (0x1D400, 0x1D500),
    (0x1E900, 0x1E960), (0x1F1E0, 0x1F200),
]  # fmt: skip


def is_assigned(character: str) -> bool:
    return unicodedata.category(character) not in ("Cn", "Cs")


def drawn(characters: list[str]) -> list[str]:
    """Texts of letters, marks, signs and scripts without spaces."""
    rng = random.Random(3)
    marks = [c for c in map(chr, range(0x11000)) if is_assigned(c) and unicodedata.combining(c)]
    pairs = list("漢字カナーがไทยลาວខ្មែမြန် ''’")
    letters = list("aAiIsSßςΣσıİøŁæǽdlnuüÖo\u0308 \t--_'’0eÉ")
    pools = (characters, characters, marks, pairs, letters, letters)
    return [
        "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(1, 12)))
        for _ in range(4_000)
    ]


def in_javascript(texts: list[str], every: bool = False) -> dict[str, Any]:
    need()
    given = {"module": str(FOLDING), "folding": folding_table(), "texts": texts, "every": every}
    command = ["node", str(Path(__file__).with_name("fold.mjs"))]
    run = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def recorded_texts() -> list[str]:
    return [json.loads(line)[0] for line in WORDS.read_text("utf-8").splitlines()]


def test_texts_have_the_recorded_words(regenerate: bool) -> None:
    """Of each text: folded, with marks and signs, its words, runs and words as a query, its words
    in the index, in German and in other languages, and the ways to write it as a name.
    """
    before = WORDS.read_text("utf-8").rstrip("\n").split("\n")
    found = [
        [t, fold(t), fold_name(t), split_words(t), split_runs(t), query_words(t),
         index_words(t, "de"), index_words(t), name_words(t)]
        for t in recorded_texts()
    ]  # fmt: skip
    after = [json.dumps(one, ensure_ascii=False) for one in found]
    if regenerate:
        WORDS.write_text("\n".join(after) + "\n", "utf-8")
    else:
        assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]][:3] == []


def test_both_languages_fold_alike() -> None:
    """The recorded texts, each character of some blocks, and texts of them."""
    characters = [c for block in _BLOCKS for c in map(chr, range(*block)) if is_assigned(c)]
    texts = [*recorded_texts(), *characters, *drawn(characters)]
    wanted = [
        [
            fold(t),
            words := split_words(t),
            split_runs(t),
            query_words(t),
            list(map(singulars, words)),
            fold_name(t),
            {*index_words(t)},
            {*index_words(t, "de")},
            {*words_of_name(t, "de")},
        ]
        for t in texts
    ]
    found = [[*one[:-3], *map(set, one[-3:])] for one in in_javascript(texts)["texts"]]
    pairs = zip(texts, found, wanted, strict=True)
    assert [pair for pair in pairs if pair[1] != pair[2]][:5] == []


@pytest.mark.slow
def test_every_code_point_folds_alike_in_both_languages() -> None:
    """Including code points that no present Unicode version assigns."""
    found = {code: tuple(folded) for code, *folded in in_javascript([], True)["characters"]}
    wrong = []
    for code in range(sys.maxunicode + 1):
        c = chr(code)
        if not 0xD800 <= code < 0xE000:
            wanted = fold(c), split_words(c), fold_name(c)
            plain = (c, [], c if c != " " else "")
            if found.get(code, plain) != wanted:
                wrong.append((hex(code), found.get(code), wanted))
    assert wrong == []
    assert len(found) > 140_000


@pytest.mark.slow
def test_the_table_matches_its_unicode_version() -> None:
    """Python's Unicode version differs and folds the shared characters in the same way; Node's
    table is equal if its version is the same.
    """
    need()
    found = facts()
    characters = [chr(code) for code, *_ in found["characters"] if is_assigned(chr(code))]
    assert len(characters) > 280_000

    def folded(c: str) -> str:
        plain = (d for d in unicodedata.normalize("NFKD", c) if not unicodedata.combining(d))
        return "".join(plain).casefold().translate(SPELLED)

    assert [hex(ord(c)) for c in characters if fold(c) != folded(c)] == []
    if found["unicode"] == folding_table()["unicode"]:
        assert encoded(table(found).items()) == TABLE_FILE.read_text("ascii")


@pytest.mark.parametrize(
    ("names", "is_alike"),
    [
        ("C++|c++|C  ++ ", [True, False]),
        ("Müller|MU\u0308LLER|Muller", [True, False]),
        ("Tromsø|TROMSØ|Tromso", [True, False]),
        ("Straße|STRAẞE|Strasse", [True, False]),
        ("ΣΟΦΟΣ|σοφος|σοφός", [True, False]),
        ("ベ|ヘ", [False]),
    ],
)  # fmt: skip
def test_names_with_the_same_words_differ_by_their_marks_and_signs(
    names: str, is_alike: list[bool]
) -> None:
    first, *others = names.split("|")
    assert [fold_name(other) == fold_name(first) for other in others] == is_alike


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("robots", ["robot"]),
        ("boxes", ["boxe", "box"]),
        ("companies", ["companie", "compani", "company"]),
        ("gas", []),
        ("glass", []),
        ("robot", []),
    ],
)
def test_singulars(word: str, found: list[str]) -> None:
    assert singulars(word) == found


@pytest.mark.slow
def test_slugs_are_the_ascii_of_folded_texts() -> None:
    """By NFKD, except for letters that NFKD leaves whole."""

    def before(text: str) -> str:
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        return re.sub("[^a-z0-9]+", "-", plain.lower()).strip("-")

    points = [c for c in map(chr, range(sys.maxunicode + 1)) if is_assigned(c)]
    other = {c for c in points if slugify(f"a{c}b") != before(f"a{c}b")}
    whole = set("øłđħıðþæœß")
    decomposed = {c: unicodedata.normalize("NFKD", c).lower() for c in points}
    assert other == {c for c in points if not whole.isdisjoint(decomposed[c])}


def test_unassigned_characters_are_not_letters() -> None:
    assert split_words("a\U0003fffdb\U000e0fffc") == ["a", "b", "c"]
    assert fold("A\U0003fffdB") == "a\U0003fffdb"
