"""Alternatives to queries that find nothing: similar queries, each with at least one record."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from generator.search import reading
from support import commands, registries
from support.answers import differing, javascript, python
from support.brute import Brute, Collection, brute_of


def documents(out: Path, *targets: str) -> list[dict[str, Any]]:
    """The documents of both engines, after asserting that they are equal."""
    answers = python(out, *targets)
    found = [(a.status, a.body) for a in javascript(out, *targets)]
    assert differing(targets, found, answers) == []
    assert {status for status, _ in answers} == {200}
    return [json.loads(body) for _, body in answers]


def asked(out: Path, target: str) -> list[tuple[str | None, dict[str, str], int]]:
    """The alternatives of one query: words, filters and total."""
    (document,) = documents(out, target)
    return [(one["q"], one["filters"], one["total_items"]) for one in document["alternatives"]]


# --- many queries ---


def mistyped(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word) - 1)
    return word[:at] + chance.choice("aeiouxt") + word[at + 1 :]


def random_query(part: Collection, chance: random.Random) -> dict[str, str]:
    """Up to four filters of a list and up to three words, some mistyped, of different records."""
    pairs = {}
    for name in chance.sample([*part.filters], chance.choice((0, 1, 2, 2, 3, 3, 4))):
        known = ["true"] if name == "upcoming" else part.known(name)
        values = sorted(chance.sample(known, min(len(known), chance.choice((1, 1, 1, 2)))))
        if not values:
            continue
        how = chance.choice(("", "", "all:", "not:")) if len(values) > 1 else ""
        pairs[name] = how + ",".join(values)
        if name != "upcoming" and part.is_range(name) and chance.random() < 0.3:
            pairs[name] = f"..{min(values, key=part.key(name))}"
    if chance.random() < 0.6 or not pairs:
        levels = part.found[chance.choice([*part.rows])].levels
        words = chance.sample(sorted(levels), min(len(levels), chance.choice((1, 1, 2, 3))))
        pairs["q"] = " ".join(
            mistyped(word, chance) if len(word) > 4 and chance.random() < 0.7 else word
            for word in words
        )
    return pairs


def queries(brute: Brute, number: int, seed: int) -> Iterator[str]:
    """Lists and counts without a prepared page, most of them without records."""
    chance = random.Random(seed)
    parts = [part for part in brute.lists.values() if part.rows]
    while number:
        part = chance.choices(parts, [4 if "projects" in part.root else 1 for part in parts])[0]
        pairs = random_query(part, chance)
        filters = {name: pairs[name] for name in part.filters if name in pairs}
        if part.matching(filters, pairs.get("q", "")) and chance.random() < 0.9:
            continue
        mode = chance.choice(("page", "count"))
        if mode == "page" and chance.random() < 0.4:
            pairs["sort"] = chance.choice(part.sorts)
        if mode == "page" and brute.is_prepared(part, pairs):
            continue
        rest = "".join(f"&{name}={quote(text, ',:')}" for name, text in pairs.items())
        yield f"{part.root}?mode={mode}{rest}"
        number -= 1


def kind_of(document: dict[str, Any], one: dict[str, Any]) -> str:
    """What an alternative changes: a filter is left out, a tag replaced, or a word changed."""
    query = document["query"]
    if one["q"] != query["q"]:
        assert one["filters"] == query["filters"]
        return "word"
    kept = set(one["filters"].items()) & set(query["filters"].items())
    if kept == set(one["filters"].items()):
        assert len(kept) == len(query["filters"]) - 1
        return "filter"
    changed = (set(one["filters"].items()) | set(query["filters"].items())) - kept
    assert all(name.startswith("tag_") for name, _ in changed)
    return "twin"


def assert_right(out: Path, number: int, seed: int) -> Counter[str]:
    """Both engines give the same; each alternative changes one thing and has the total and address
    that brute force finds.  Returns how many there are of each kind.
    """
    brute = brute_of(out)
    targets = list(queries(brute, number, seed))
    kinds = Counter[str]()
    for target, document in zip(targets, documents(out, *targets), strict=True):
        found = [kind_of(document, one) for one in document["alternatives"]]
        assert found == sorted(found, key=["filter", "twin", "word"].index), target
        assert len({json.dumps(one) for one in document["alternatives"]}) == len(found), target
        brute.assert_right(target, document)
        kinds.update(found)
    return kinds


def test_alternatives_change_one_thing_and_find_records(built_own: Path) -> None:
    kinds = assert_right(built_own, 500, 21)
    assert kinds["filter"] > 100 and kinds["word"] > 40, kinds


def test_alternatives_of_this_registrys_own_content(built_content: Path) -> None:
    kinds = assert_right(built_content, 300, 22)
    assert kinds["filter"] > 60 and kinds["word"] > 10, kinds


@pytest.mark.slow
def test_alternatives_of_a_large_real_registry(built_real: Path) -> None:
    kinds = assert_right(built_real, 300, 23)
    assert kinds["filter"] > 60 and kinds["word"] > 40, kinds


# --- single queries ---


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registry with the same and similar tags in three families."""
    tags: list[tuple[int, dict[str, list[str]]]] = [
        (2001, {"topic": ["ai"]}),
        (2002, {"topic": ["artificial-intelligence"]}),
        (2003, {"topic": ["artificial-intelligence", "health"]}),
        (2003, {"industry": ["ai"]}),
        (2004, {"market": ["a-i"]}),
        (2001, {"market": ["a-intelligence"]}),
        (2005, {"topic": ["health", "food"]}),
        (2005, {"topic": ["ai", "food"]}),
    ]
    projects = {
        f"project-{n}": {"name": f"Project {n}", "year": year, "tags": given}
        for n, (year, given) in enumerate(tags)
    }
    families = {
        "topic": {"label": "Topic"},
        "industry": {"label": "Industry", "tags": {"ai": "Machine wits", "void": "Void"}},
        "market": {"label": "Market"},
    }
    records = registries.content(
        {"registry": {**registries.SMALL["registry"], "tag_families": families}}, projects=projects
    )
    folder = tmp_path_factory.mktemp("twins")
    return commands.build(registries.write(folder / "content", records), folder / "out")


def of_kind(out: Path, kind: str, raw: str) -> list[tuple[dict[str, str], int]]:
    (document,) = documents(out, f"/api/projects?{raw}")
    return [
        (one["filters"], one["total_items"])
        for one in document["alternatives"]
        if kind_of(document, one) == kind
    ]


@pytest.mark.parametrize("mode", ["page", "count"])
@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        # The same word in another family; a spelling in its own family, and in another.
        ("tag_topic=ai&year=2003", [
            {"tag_industry": "ai", "year": "2003"},
            {"tag_topic": "artificial-intelligence", "year": "2003"},
        ]),
        ("tag_topic=ai&year=2004", [{"tag_market": "a-i", "year": "2004"}]),
        # Of `all`, the other tags stay; of `any`, only in the same family.
        ("tag_topic=all:ai,health", [{"tag_topic": "all:artificial-intelligence,health"}]),
        ("tag_topic=ai,food&year=2003", [
            {"tag_industry": "ai", "year": "2003"},
            {"tag_topic": "artificial-intelligence,food", "year": "2003"},
        ]),
        # No tag is asked for, or its family has a constraint already.
        ("tag_topic=not:ai&year=2001", []),
        ("tag_topic=ai&tag_industry=not:ai&year=2003", [
            {"tag_topic": "artificial-intelligence", "tag_industry": "not:ai", "year": "2003"},
        ]),
        ("q=project&tag_topic=ai&year=2002", [
            {"tag_topic": "artificial-intelligence", "year": "2002"},
        ]),
    ],
)  # fmt: skip
def test_a_tag_is_replaced_by_its_twins(
    mode: str, raw: str, wanted: list[dict[str, str]], twins: Path
) -> None:
    found = of_kind(twins, "twin", f"mode={mode}&{raw}")
    assert [filters for filters, _ in found] == wanted
    assert {total for _, total in found} <= {1}


def test_spellings_in_the_own_family_come_first_and_there_are_five_at_most(twins: Path) -> None:
    """Two alternatives with a filter left out come before these; a fourth twin is too many."""
    found = of_kind(twins, "twin", "mode=count&tag_market=a-i&year=2001..2003")
    assert found == [
        ({"tag_market": "a-intelligence", "year": "2001..2003"}, 1),
        ({"tag_topic": "ai", "year": "2001..2003"}, 1),
        ({"tag_topic": "artificial-intelligence", "year": "2001..2003"}, 2),
    ]


def test_the_only_filter_may_be_left_out(twins: Path) -> None:
    (document,) = documents(twins, "/api/projects?mode=count&status=public")
    assert document["alternatives"] == [
        {"q": None, "filters": {}, "total_items": 8, "href": "/api/projects/page/1.json"}
    ]
    (document,) = documents(twins, "/api/projects?mode=page&year=..1999&sort=-year")
    assert document["alternatives"] == [
        {"q": None, "filters": {}, "total_items": 8, "href": "/api/projects/sort/-year/page/1.json"}
    ]


def test_an_answer_with_records_has_no_alternatives(twins: Path) -> None:
    targets = ["/api/projects?mode=page&q=project", "/api/projects?mode=count&tag_topic=ai"]
    assert [document["alternatives"] for document in documents(twins, *targets)] == [[], []]


def test_a_prepared_page_has_no_alternatives(twins: Path) -> None:
    ((status, body),) = python(twins, "/api/projects?mode=page&status=public")
    assert status == 200 and "alternatives" not in json.loads(body)


def test_an_unknown_value_is_refused_and_gets_no_alternatives(twins: Path) -> None:
    target = "/api/projects?mode=count&tag_topic=artificial&year=2001"
    ((status, body),) = python(twins, target)
    (found,) = javascript(twins, target)
    assert (status, json.loads(body)["code"]) == (404, "not-found") == (found.status, "not-found")


def test_a_word_is_changed_and_the_filters_stay(built_own: Path) -> None:
    found = asked(built_own, "/api/projects?mode=count&q=robto")
    assert [(q, filters) for q, filters, _ in found] == [("robot", {})]
    (single,) = documents(built_own, "/api/projects?mode=count&q=robot")
    assert found[0][2] == single["total_items"]
    (document,) = documents(built_own, "/api/projects?mode=page&q=robto")
    assert document["suggestions"] == ["robot"]
    assert [one["q"] for one in document["alternatives"]] == ["robot"]


def test_two_misspelt_words_are_suggested_but_no_alternative(built_own: Path) -> None:
    """An alternative changes one word; a suggestion may change two."""
    (document,) = documents(built_own, "/api/projects?mode=page&q=machne+lerning")
    assert "machine learning" in document["suggestions"]
    assert document["alternatives"] == []


def test_alternatives_beyond_the_limits_are_left_out(
    twins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The query is answered as before, with the alternatives that need no more files."""
    target = "/api/projects?mode=count&tag_topic=ai&year=2003"
    (every,) = documents(twins, target)
    few = []
    for limit in range(1, 12):
        monkeypatch.setattr(reading, "MAX_READS", limit)
        ((status, body),) = python(twins, target)
        few.append((status, len(json.loads(body).get("alternatives", ()))))
    assert len(every["alternatives"]) == 4
    assert {*few} == {(400, 0), (200, 2), (200, 4)}
    assert few == sorted(few, key=lambda one: (one[0] == 200, one[1]))
