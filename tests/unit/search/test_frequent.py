"""The first rows of words that are made ahead: those that the engine answers."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from generator.search.frequent import first_rows
from support import registries
from support.answers import asked, deployed

#: Words that others begin with, their plurals, and names that other names are like.
WORDS = (
    *("com", "commerce", "commercial", "community", "companies", "company", "computer"),
    *("robot", "robots", "box", "boxes", "class", "classes", "solar", "solarpunk"),
)
NAMES = ("OpenAI", "Open AI", "open-ai", "Openai", "DoorDash", "Doordash", "Box", "BOX", "box",
         "Robots", "Robot", "SolarPunk", "Solar", "Company", "Companies")  # fmt: skip
RECORDS = 1500


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_rows_of_each_word_are_those_that_the_engine_answers(
    tmp_path: Path, language: str
) -> None:
    chance = random.Random(language)
    records = registries.api_alone({"language": language})
    for n in range(RECORDS):
        name = NAMES[n] if n < len(NAMES) else " ".join(chance.sample(WORDS, chance.randint(1, 2)))
        text = " ".join(chance.choices(WORDS, k=chance.randint(1, 9)))
        records["projects"][f"p-{n}"] = {"name": name, "summary": text}
    published = registries.published(tmp_path, records)
    site = deployed(published.grammar, published.read_for_queries)
    index = published.index.index("projects")
    assert any(group[0] != "/" for group in index.layout.split)  # words begin by keys of their own
    made = list(first_rows(index, 1000))
    assert {*WORDS, "openai", "doordash", "door"} <= {word for word, _, _ in made}
    assert [total for _, total, _ in first_rows(index, 5)] == [total for _, total, _ in made[:5]]
    for word, total, rows in made:
        [(_, body)] = asked(site, f"/api/projects?mode=page&q={word}")
        answer = json.loads(body)
        assert (total, [json.loads(row) for row in rows]) == (
            answer["page"]["total_items"],
            answer["data"][:10],
        ), word
