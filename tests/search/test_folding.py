"""JavaScript and Python split and fold texts alike: for every code point and for random texts."""

from __future__ import annotations

import functools
import json
import random
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from folding_table import encoded, facts, table

from generator.grammar.folding import TABLE_FILE, folding_table
from generator.grammar.text import fold, fold_name, singulars, slugify, split_runs, split_words
from generator.search import js
from support import tokens
from support.engines import need

FOLDING = Path(js.__file__).parent / "source/folding.mjs"
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


@functools.cache
def texts() -> list[str]:
    rng = random.Random(3)
    characters = [c for block in _BLOCKS for c in map(chr, range(*block)) if is_assigned(c)]
    combining = [c for c in map(chr, range(0x11000)) if is_assigned(c) and unicodedata.combining(c)]
    signs = [c for c in characters if tokens.is_sign(c)]
    pairs = list("漢字カナーがไทยลาວខ្មែမြန် '’")
    letters = list("aAiIsSßςΣσıİøŁæǽ \t-_'’0")
    pools = (characters, characters, combining, signs, pairs, letters, letters)
    return [
        "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(1, 12)))
        for _ in range(20_000)
    ]


@pytest.fixture(scope="module")
def javascript() -> dict[str, Any]:
    need()
    given = json.dumps({"module": str(FOLDING), "folding": folding_table(), "texts": texts()})
    command = ["node", str(Path(__file__).with_name("fold.mjs"))]
    run = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.slow
def test_every_code_point_folds_alike_in_both_languages(javascript: dict[str, Any]) -> None:
    """Including code points that no present Unicode version assigns."""
    found = {code: (*folded,) for code, *folded in javascript["characters"]}
    points = [code for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    wanted = {
        code: (fold(chr(code)), split_words(chr(code)), fold_name(chr(code))) for code in points
    }
    plain = {code: (chr(code), [], chr(code) if code != 32 else "") for code in points}
    assert [
        (hex(c), found.get(c), wanted[c]) for c in points if found.get(c, plain[c]) != wanted[c]
    ] == []
    assert len(found) > 140_000


def test_every_text_folds_alike(javascript: dict[str, Any]) -> None:
    pairs = zip(texts(), javascript["texts"], strict=True)
    assert [
        (text, found)
        for text, found in pairs
        if found
        != [
            fold(text),
            split_words(text),
            split_runs(text),
            [singulars(w) for w in split_words(text)],
            fold_name(text),
        ]
    ][:5] == []


def test_words_are_those_of_the_contract() -> None:
    found = [(text, split_words(text), split_runs(text)) for text in texts()]
    wanted = [(text, tokens.words(text), tokens.runs(text)) for text in texts()]
    assert [pair for pair in zip(found, wanted, strict=True) if pair[0] != pair[1]][:5] == []
    assert sum(len(parts) > 2 for _, parts, _ in found) > 2000


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Tromsø Łódź Đà Ħal ısı", "tromso lodz da hal isi"),
        ("Ðað Þór Ærø Œuvre Straße ẞ", "dad thor aero oeuvre strasse ss"),
        ("Ǿ ǽ 𝚤", "o ae i"),
        ("Women's women’s rock'n'roll 'tis dogs' o''c", "womens womens rocknroll tis dogs o c"),
        ("हिन्दी कंपनी", "हिनदी कंपनी"),
        ("技術株式会社 AI東京2 字", "技術 術株 株式 式会 会社 ai 東京 2 字"),
        ("ไทย ຄຳ ខ្មែរ", "ไท ทย ຄໍ ໍາ ខម មែ ែរ"),
        ("トウキョウ・カ", "トウ ウキ キョ ョウ カ"),
        ("⚡️Automate 1️⃣", "\ufe0fautomate 1️⃣"),
        ("한국어", "한국어"),
    ],
)  # fmt: skip
def test_words_of_many_scripts(text: str, parts: str) -> None:
    assert split_words(text) == unicodedata.normalize("NFKD", parts).split()


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


def test_a_stretch_without_spaces_is_one_run() -> None:
    assert split_runs("AI技術株式会社 x") == ["ai", "技術株式会社", "x"]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("robots", ["robot"]),
        ("boxes", ["boxe", "box"]),
        ("companies", ["companie", "compani", "company"]),
        ("gas", []),
        ("glass", []),
        ("buss", []),
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
    spelled = {c for c in points if not set("øłđħıðþæœß").isdisjoint(_decomposed(c))}
    assert other == spelled
    assert slugify("Tromsø – Łódź, Straße") == "tromso-lodz-strasse"


def _decomposed(character: str) -> str:
    return unicodedata.normalize("NFKD", character).lower()


@pytest.mark.slow
def test_the_table_matches_its_unicode_version() -> None:
    """Python's Unicode version differs and folds the shared characters in the same way; Node's
    table is equal if its version is the same.
    """
    need()
    found = facts()
    characters = [chr(code) for code, *_ in found["characters"] if is_assigned(chr(code))]
    assert len(characters) > 280_000
    wanted = {c: (tokens.fold(c), tokens.words(c)) for c in characters}
    assert [hex(ord(c)) for c in characters if (fold(c), split_words(c)) != wanted[c]] == []
    if found["unicode"] == folding_table()["unicode"]:
        assert encoded(table(found).items()) == TABLE_FILE.read_text("ascii")


def test_unassigned_characters_are_not_letters() -> None:
    assert split_words("a\U0003fffdb\U000e0fffc") == ["a", "b", "c"]
    assert fold("A\U0003fffdB") == "a\U0003fffdb"
