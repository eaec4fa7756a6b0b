"""Words of a query that finds nothing as filters."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote_plus

import pytest

from support.answers import function, served

#: The words of a query of projects -> the words, filters and number of records of the first
#: alternatives.
WORDS = {
    "open source in africa": [(None, {"tag_model": "open-source", "location": "africa"}, 1)],
    "companies from hong kong": [(None, {"location": "hk"}, 1)],
    "energy in switzerland": [
        (None, {"location": "ch"}, 4),
        (None, {"tag_topic": "energy"}, 10),
    ],
    "not a value": [],
    "energy -switzerland": [],
}


@pytest.mark.parametrize("words", WORDS)
def test_words_that_are_values_become_filters(words: str, built_content: Path) -> None:
    target = f"/api/projects?mode=count&q={quote_plus(words)}"
    [(status, body)] = served(built_content, target)
    document = json.loads(body)
    assert (status, document["total_items"]) == (200, 0)
    found = [(a["q"], a["filters"], a["total_items"]) for a in document["alternatives"]]
    assert found[: max(1, len(WORDS[words]))] == WORDS[words]
    for q, filters, total in found:
        pairs = [*filters.items(), *([("q", quote_plus(q))] if q else [])]
        asked = "&".join(f"{name}={value}" for name, value in pairs)
        [(_, again)] = served(built_content, f"/api/projects?mode=count&{asked}")
        assert json.loads(again)["total_items"] == total


def test_alternatives_keep_to_the_bounds_of_a_query(built_content: Path) -> None:
    [found] = function(built_content, "/api/projects?mode=count&q=energy+in+switzerland+zzzz")
    assert len(found.reads) < 30
