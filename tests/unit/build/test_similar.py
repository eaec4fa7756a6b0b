"""The most similar records of a collection."""

from __future__ import annotations

import pytest

from generator.grammar.filters import Facet
from generator.grammar.grammar import Grammar
from generator.kinds import built_in
from generator.model.tables.table import Row, Table, tabulate
from generator.model.tables.texts import TextRows
from generator.published import similar
from generator.published.similar import MAX_SIMILAR, Similar

#: Values that no other record of a test has, so that there are enough records.
OTHERS = 180


def table(records: dict[str, list[str]]) -> Table:
    """A table of projects with these values, and of others that share nothing."""
    every = records | {f"other-{i:03}": [f"tag_topic/own-{i}"] for i in range(OTHERS)}
    rows = [
        Row(
            slug,
            slug,
            slug,
            (None, None),
            "",
            tuple(map(Facet.parse, facets)),
            (),
            (),
            {},
            (),
            number,
        )
        for number, (slug, facets) in enumerate(every.items())
    ]
    size = {"label": "Size", "type": "choice", "filter": True, "values": {}}
    kinds = built_in().having({"projects": {"size": size}})
    texts = TextRows()
    texts.add((slug.encode(), b"", b"") for slug in every)
    return tabulate(Grammar(kinds, {"topic": "Topic"})["projects"], rows, texts)


def found(records: dict[str, list[str]], slug: str) -> list[str]:
    return [summary.decode() for summary in Similar(table(records)).of(slug)]


def test_records_with_more_shared_values_come_first() -> None:
    records = {
        "a": ["tag_topic/robots", "program/first", "location/ke"],
        "b": ["location/ke"],
        "c": ["tag_topic/robots", "program/first"],
        "d": ["tag_topic/robots", "program/first", "location/ke"],
    }
    assert found(records, "a") == ["d", "c", "b"]


def test_a_rare_value_counts_more_than_a_common_one() -> None:
    records = {f"common-{i}": ["tag_topic/web"] for i in range(12)}
    records |= {"a": ["tag_topic/web", "tag_topic/drones"], "z": ["tag_topic/drones"]}
    assert found(records, "a")[0] == "z"


def test_a_value_of_most_records_makes_nothing_similar() -> None:
    records = {f"usual-{i:03}": ["program/everybody"] for i in range(OTHERS)}
    assert found(records, "usual-001") == []


def test_a_shared_status_year_or_continent_makes_nothing_similar() -> None:
    values = ["status/acquired", "year/2011", "organization_category/fund", "field_size/small",
              "location/oceania"]  # fmt: skip
    assert found({"a": values, "b": values}, "a") == []


def test_equally_similar_records_are_those_that_follow_then_those_before() -> None:
    records = {f"r{i}": ["tag_topic/robots"] for i in range(9)}
    assert found(records, "r4") == ["r5", "r6", "r7", "r8", "r0", "r1"]
    assert len(found(records, "r8")) == MAX_SIMILAR
    assert "r8" not in found(records, "r8")


def test_records_of_a_large_collection_are_searched_in_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(similar, "RUN", 8)
    records = {f"r{i:02}": ["tag_topic/robots"] for i in range(12)}
    # They follow 180 others, and a run begins at 184.
    assert found(records, "r01") == ["r02", "r03", "r00"]
    assert found(records, "r05") == ["r06", "r07", "r08", "r09", "r10", "r11"]
