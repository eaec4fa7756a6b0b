"""count_records with `per` and with the filter `tag`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from support.mcp_sites import Published
from support.talk import message


@pytest.fixture
def twins(published: Callable[[str], Published]) -> Published:
    return published("twins")


def count(site: Published, **more: Any) -> dict[str, Any]:
    """The answer to a call about the projects, or its refusal."""
    arguments = {"collection": "projects", **more}
    body = json.dumps(message("tools/call", name="count_records", arguments=arguments))
    [(_, text)] = site.posted([body])
    [content] = json.loads(text)["result"]["content"]
    answer: dict[str, Any] = json.loads(content["text"])
    return answer


def test_each_value_has_the_values_of_the_other_filter(twins: Published) -> None:
    found = count(twins, by=["tag_market"], per="year")
    assert found["query"]["per"] == "year"
    [value] = found["data"]["tag_market"]["values"]
    assert (value["value"], value["per"]) == ("ai", {"2020": 3, "2021": 3})
    assert "&by=tag_market&per=year" in found["source"]


def test_values_in_a_range_have_them_too(twins: Published) -> None:
    found = count(twins, filters={"year": "2020..2030"}, by=["year"], per="tag_topic")
    selected = found["data"]["year"]["selected"]
    assert [(each["value"], each["per"]) for each in selected] == [
        ("2020", {"air": 4, "ai": 2}),
        ("2021", {"air": 4, "ai": 2}),
    ]


def test_a_tag_of_any_family_counts_each_record_once(twins: Published) -> None:
    families = [count(twins, filters={name: "ai"}) for name in ("tag_market", "tag_topic")]
    assert [found["total_items"] for found in families] == [6, 4]
    assert count(twins, filters={"tag": "ai"})["total_items"] == 8
    assert count(twins, filters={"tag": "not:ai"})["total_items"] == 0


@pytest.mark.parametrize(
    ("more", "detail"),
    [
        ({"per": "year"}, '"per" needs "by" too.'),
        ({"by": ["year", "status"], "per": "tag_topic"}, "per needs exactly one filter in by"),
        ({"by": ["year"], "per": "year"}, "per needs exactly one filter in by"),
        ({"by": ["year"], "per": "tag"}, 'There is no filter "tag" to count per.'),
    ],
)
def test_a_call_that_cannot_be_counted_is_refused(
    twins: Published, more: dict[str, Any], detail: str
) -> None:
    assert count(twins, **more)["detail"].startswith(detail)


def test_an_unknown_tag_leads_to_the_values_of_all_families(twins: Published) -> None:
    refused = count(twins, filters={"tag": "aii"})
    assert refused["code"] == "not-found"
    arguments = {"collection": "projects", "like": "aii"}
    assert refused["next"] == {"tool": "find_values", "arguments": arguments}
