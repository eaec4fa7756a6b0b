"""Queries as regular expressions, compared with the engine, which parses them."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.grammar.grammar import MAX_VALUE, Collection, Grammar
from generator.hosts import _patterns as shapes
from generator.kinds import built_in
from support.parsing import Parser

# The name of one family begins with that of another; one name has a digit.
OWN = {
    "stage": {"label": "Stage", "type": "choice", "filter": True},
    "open": {"label": "Open", "type": "boolean", "filter": True},
    "funding": {"label": "Funding", "type": "number", "filter": True, "sort": True},
    "closed": {"label": "Closed", "type": "date", "filter": True, "sort": True},
}
GRAMMAR = Grammar(
    built_in().having({"projects": OWN, "events": OWN}),
    {"topic": "Topic", "topic_deep": "Deep topic", "t2": "Second"},
)
PARSER = Parser(GRAMMAR)
NAMES = sorted(
    {name for c in GRAMMAR.collections.values() for name in GRAMMAR.parameters(c)}
    | {"limit", "tag_top", "topic", ""}
)
VALUES = [
    "page", "name", "-year", "-projects", "starts", "relevance", "true", "1", "2", "0", "01",
    "2024", "2024-05", "2024-13", "acme", "us-ca", "active", "not_over", "", "PAGE", "a--b", "-",
    "2019..2024", "2020..", "..", "acme,us-ca", "all:acme", "not:active,public", "acme,", "1.5..",
    "2024-05-01", "2024-05-01..", "false", "-field_funding", "count",
    "p%61ge", "a=b", "a+b", "é", "999999999", "1000000000", "y" * MAX_VALUE,
    "y" * (MAX_VALUE + 1),
]  # fmt: skip
TOKENS = st.one_of(
    st.sampled_from(["mode=page", "mode=page", "mode=count"]),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)).map("=".join),
    st.sampled_from(["", "=", "mode", "page", "?mode=page", "mode=page;page=2"]),
)
QUERIES = st.lists(TOKENS, max_size=6).map("&".join)


def by_engine(collection: Collection, raw: str) -> str:
    """The path, or the code of a problem; search words do not count as words, and `by` and `per`
    do not count as filters.
    """
    raw = re.sub(r"(^|&)(q|like)=[^&]+", r"\1\2=word", raw)
    for name, counted in zip(("by", "per"), collection.filters, strict=False):
        raw = re.sub(rf"(^|&){name}=[^&]+", rf"\1{name}={counted}", raw)
    parsed = PARSER.parse(collection, raw)
    if parsed.problem is not None:
        return str(parsed.problem["code"])
    return parsed.page or "unsupported-combination"


def by_look_ahead(collection: Collection, raw: str) -> str:
    """As nginx and Apache do it: shapes, then refusals."""
    for route in shapes.query_routes(GRAMMAR, collection):
        pattern, groups = shapes.pcre_pattern(collection, route)
        if found := re.search(pattern, raw):
            return shapes.fill_placeholders(
                route.target, dict(zip(groups, found.groups(), strict=True)).__getitem__
            )
    return next(r.code for r in shapes.refusals(GRAMMAR, collection) if re.search(r.pcre, raw))


def by_tokens(collection: Collection, raw: str) -> str:
    """As Caddy does it: refusals, then shapes."""
    *refusals, last = shapes.refusals(GRAMMAR, collection)
    for refusal in refusals:
        if all(re.search(p, raw) for p in refusal.wanted) and not any(
            re.search(p, raw) for p in refusal.forbidden
        ):
            return refusal.code
    given = dict(token.partition("=")[::2] for token in raw.split("&"))
    for route in shapes.query_routes(GRAMMAR, collection):
        if re.search(shapes.token_pattern(collection, route.query), raw) and all(
            map(given.get, route.query)
        ):
            return shapes.fill_placeholders(route.target, given.__getitem__)
    return last.code


@pytest.mark.parametrize("name", GRAMMAR.collections)
@given(raw=QUERIES)
@example(raw="mode=page")
@example(raw="mode=page&page=2&page=2")
@example(raw="mode=page&mode=page")
@example(raw="page=2&mode=page&sort=-projects")
@example(raw="mode=page&tag_topic_deep=a&tag_topic=b")
@example(raw="mode=page&tag_t2=a&page=3")
@example(raw="mode=page&sort=relevance")
@example(raw="mode=page&sort=relevance&q=a")
@example(raw="mode=page&upcoming=true&sort=starts")
@example(raw="mode=count&by=year")
@example(raw="mode=count&by=page&per=page")
@example(raw="mode=count&like=a&q=a")
@example(raw="mode=page&year=2019..2024")
@example(raw="mode=page&year=2019..2024,2025")
@example(raw="mode=page&team_size=50")
@example(raw="mode=page&sort=-team_size&location=us,not")
@example(raw="mode=page&location=" + "y" * (MAX_VALUE + 1))
def test_both_kinds_of_patterns_agree_with_the_engine(name: str, raw: str) -> None:
    collection = GRAMMAR.collections[name]
    if raw:
        assert (
            by_look_ahead(collection, raw)
            == by_tokens(collection, raw)
            == by_engine(collection, raw)
        )


@pytest.mark.parametrize("name", GRAMMAR.collections)
def test_patterns_for_re2_have_no_look_ahead_and_no_back_reference(name: str) -> None:
    collection = GRAMMAR.collections[name]
    patterns = [p for r in shapes.refusals(GRAMMAR, collection) for p in (*r.wanted, *r.forbidden)]
    patterns += [
        shapes.token_pattern(collection, route.query)
        for route in shapes.query_routes(GRAMMAR, collection)
    ]
    assert len(patterns) > 20
    for pattern in patterns:
        assert not re.search(r"\(\?[=!<>P]|\\[1-9]", pattern)
        # RE2 repeats at most this often (github.com/google/re2/wiki/Syntax).
        assert all(int(n) <= 1000 for n in re.findall(r"\{(\d+)", pattern))


def test_a_name_that_begins_with_another_matches_whole() -> None:
    assert (
        shapes.fill_placeholders("/by/tag_topic_deep/:tag_topic_deep/page/:page.json", str.upper)
        == "/by/tag_topic_deep/TAG_TOPIC_DEEP/page/PAGE.json"
    )
