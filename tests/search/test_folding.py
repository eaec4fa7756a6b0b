"""Texts are split and folded as recorded in words.txt, in Python, which writes the index, and in
JavaScript, which reads it.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from folding_table import SPELLED, encoded, facts, table

from generator import PACKAGE
from generator.text.folding import TABLE_FILE, folding_table
from generator.text.words import (
    fold,
    fold_name,
    index_words,
    name_words,
    query_words,
    split_runs,
    split_words,
)
from support.engines import need, node

SOURCES = PACKAGE / "search/js/source"
WORDS = Path(__file__).with_name("words.txt")


def is_assigned(character: str) -> bool:
    return unicodedata.category(character) not in ("Cn", "Cs")


def in_javascript(texts: list[str], every: bool = False) -> dict[str, Any]:
    given = {"sources": str(SOURCES), "folding": folding_table(), "texts": texts, "every": every}
    found: dict[str, Any] = node(Path(__file__).with_name("fold.mjs"), given=given)
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


def test_javascript_has_the_recorded_words() -> None:
    """Its words of a name have the parts at capitals only if every engine knows their case."""
    recorded = [json.loads(line) for line in WORDS.read_text("utf-8").splitlines()]
    found = in_javascript([text for text, *_ in recorded])["texts"]
    for (text, *wanted, (spellings, others)), own in zip(recorded, found, strict=True):
        *folded, german, index, names, _ = own
        assert folded == wanted[:5], text
        assert [set(german), set(index)] == [*map(set, wanted[5:])], text
        written, *divided = map(set, spellings)
        least = written.union(others)
        assert least <= set(names) <= least.union(*divided), text
        assert not text.isascii() or set(names) == least.union(*divided), text


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


def test_singulars() -> None:
    words = {
        "robots": ["robot"],
        "boxes": ["boxe", "box"],
        "companies": ["companie", "compani", "company"],
        "gas": [],
        "glass": [],
        "robot": [],
    }
    found = [each[-1] for each in in_javascript([*words])["texts"]]
    assert found == [[singulars] for singulars in words.values()]
