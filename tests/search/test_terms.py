"""The words by which records are found, and their weights, follow their definition, and names that
are the query come first.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from generator.grammar.text import index_words, name_words
from support import commands, registries, tokens
from support.answers import javascript, python

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


# --- countries, statuses and names ---

LONG = "Many more words than any other record of this registry has, which makes each weigh less."
PROJECTS: dict[str, dict[str, Any]] = {
    "apart": {"name": "Stack AI", "description": LONG},
    "hyphenated": {"name": "Stack-AI", "description": f"{LONG} {LONG}"},
    "joined": {"name": "StackAI"},
    "longer": {"name": "Stack AI Tools"},
    "former": {"name": "Piles", "former_names": ["Stack AI"]},
    "three-joined": {"name": "YouTube TV"},
    "three-apart": {"name": "You Tube TV", "description": LONG},
    "lagos": {"name": "Kobo", "locations": [{"country": "NG", "city": "Lagos"},
                                            {"country": "NG", "city": "Abuja"}]},
    "seoul": {"name": "Won", "status": "acquired", "locations": [{"country": "KR"}]},
    "bissau": {"name": "Peso", "status": "active", "locations": [{"country": "GW"}]},
    "said": {"name": "Franc", "description": "Nigeria."},
}  # fmt: skip
EVENTS = {
    slug: {"name": slug.title(), "kind": "deadline", "due": "2027-01-01", "status": slug}
    for slug in ("confirmed", "tentative", "extended", "cancelled")
}


def registry(folder: Path, language: str) -> Path:
    content = registries.content(
        projects=PROJECTS,
        events={slug: {**event, "name": "Call"} for slug, event in EVENTS.items()},
        registry={"language": language},
    )
    made = registries.write(folder / "content", content)
    return commands.build(made, folder / "build", "--as-of", commands.TODAY)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return registry(tmp_path_factory.mktemp("terms"), "en")


def found(out: Path, q: str, root: str = "/api/projects") -> list[str]:
    """The slugs that both engines find, the best first."""
    target = f"{root}?mode=page&q={quote(q)}"
    ((status, body),) = python(out, target)
    assert (status, body) == javascript(out, target)[0][::2]
    return [row["slug"] for row in json.loads(body)["data"]]


@pytest.mark.parametrize(
    ("q", "slugs"),
    [
        ("nigeria", ["said", "lagos"]),
        ("south korea", ["seoul"]),
        ("Guinea-Bissau", ["bissau"]),
        ("guineabissau", ["bissau"]),
        ("acquired", ["seoul"]),
        ("acquired korea", ["seoul"]),
        ("active", []),
    ],
)
def test_the_labels_of_countries_and_of_a_status_are_words(
    q: str, slugs: list[str], built: Path
) -> None:
    assert found(built, q) == slugs


def test_the_default_status_of_an_event_is_no_word(built: Path) -> None:
    statuses = {q: found(built, q, "/api/calendar/events") for q in EVENTS}
    assert statuses == {slug: [slug] if slug != "confirmed" else [] for slug in EVENTS}


def test_countries_are_words_in_english_in_every_registry(tmp_path: Path) -> None:
    german = registry(tmp_path, "de")
    labels = json.loads((german / "api/projects/filters/location.json").read_bytes())
    assert "Nigeria" in {value["label"] for value in labels["data"]["values"]}
    assert found(german, "south korea") == ["seoul"]
    assert found(german, "Südkorea") == []


@pytest.mark.parametrize(
    ("q", "slugs"),
    [
        ("stack ai", ["apart", "hyphenated", "joined", "longer", "former"]),
        ("Stack-AI", ["hyphenated", "apart", "joined", "longer", "former"]),
        ("AI stack", ["apart", "hyphenated", "joined", "longer", "former"]),
        ("stackai", ["joined", "longer", "former", "apart", "hyphenated"]),
        ("STACKAI", ["joined", "longer", "former", "apart", "hyphenated"]),
        ("stack", ["longer", "joined", "former", "apart", "hyphenated"]),
        ("you tube tv", ["three-apart", "three-joined"]),
        ("youtube tv", ["three-joined", "three-apart"]),
    ],
)
def test_a_name_that_is_the_query_comes_before_a_name_that_is_split_at_capitals(
    q: str, slugs: list[str], built: Path
) -> None:
    assert found(built, q) == slugs
