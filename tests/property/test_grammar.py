"""Slice <-> path, and what the engine makes of query strings, for all queries and slices; no part
of a query is ever ignored.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable
from urllib.parse import quote, quote_plus

from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.grammar.filters import MAX_VALUES
from generator.grammar.grammar import (
    MAX_VALUE,
    Collection,
    Count,
    Filter,
    Grammar,
    Query,
    Slice,
)
from generator.grammar.limits import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.parameters import MAX_BY, ROWS_PARAMETERS
from generator.grammar.refusals import PROBLEMS, QueryError
from generator.kinds import built_in
from generator.text.words import split_words
from support.parsing import Parsed, Parser

PATIENT = settings(deadline=None, max_examples=30)

OWN = {
    "stage": {"label": "Stage", "type": "choice", "many": True, "filter": True},
    "open": {"label": "Open", "type": "boolean", "filter": True},
    "funding": {"label": "Funding", "type": "number", "filter": True, "sort": True},
    "closed": {"label": "Closed", "type": "date", "filter": True, "sort": True},
}
GRAMMAR = Grammar(
    built_in().having({"projects": OWN, "events": {"funding": OWN["funding"]}}),
    {"topic": "Topic", "a1_b": "Letters, digits and _"},
)
PARSER = Parser(GRAMMAR)
COLLECTIONS = st.sampled_from(list(GRAMMAR.collections.values()))
PAGES = st.integers(1, 999_999_999)
TEXTS = (
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=MAX_QUERY_CHARACTERS)
    | st.lists(
        st.sampled_from(["heat", "pump", "é", "日本", "+", "&", "=", "%", "%41", "x2"]), min_size=1
    ).map(" ".join)
).filter(
    lambda text: (
        len(text) <= MAX_QUERY_CHARACTERS and 1 <= len(split_words(text)) <= MAX_QUERY_WORDS
    )
)


def texts(marks: str) -> st.SearchStrategy[str]:
    """Letters and digits, separated by punctuation; long texts too."""
    long = st.integers(1, MAX_VALUE).map(lambda length: "a" * length)
    drawn = st.text("abcxyz0189" + marks, min_size=1, max_size=MAX_VALUE)
    return long | drawn.map(
        lambda text: re.sub(f"[{marks}]+", lambda found: found[0][0], text).strip(marks) or "a"
    )


#: Strategies for forms whose regular expression would be drawn piece by piece.
AT_ONCE = {
    "slug": texts("-"),
    "word": texts("_-"),
    "year": st.integers(0, 9999).map("{:04}".format),
    "month": st.integers(0, 10_000 * 12 - 1).map(lambda n: f"{n // 12:04}-{n % 12 + 1:02}"),
    "date": st.integers(0, 10_000 * 372 - 1).map(
        lambda n: f"{n // 372:04}-{n // 31 % 12 + 1:02}-{n % 31 + 1:02}"
    ),
}


@functools.cache  # a strategy draws faster the second time
def values(kind: Filter) -> st.SearchStrategy[str]:
    """Values of a filter, up to the longest."""
    whole = re.compile(kind.pattern, re.ASCII)
    every = AT_ONCE[kind.form] if kind.form in AT_ONCE else st.from_regex(whole, fullmatch=True)
    return every.filter(lambda value: len(value) <= MAX_VALUE and bool(whole.fullmatch(value)))


@st.composite
def slices(draw: st.DrawFn) -> Slice:
    collection = draw(COLLECTIONS)
    upcoming = ["upcoming"] * (collection is GRAMMAR["events"])
    name = draw(st.sampled_from([None, *collection.prepared_filters, *upcoming]))
    if name is None:
        return Slice(collection, sort=draw(st.sampled_from(["", *collection.prepared_sorts[1:]])))
    value = "true" if name == "upcoming" else draw(values(collection.filters[name]))
    return Slice(collection, name, value)


def constraints(kind: Filter) -> st.SearchStrategy[str]:
    """Constraints of a filter: one condition, or one of each kind."""
    how = {
        "plain": conditions(kind),
        "all": conditions(kind, "all:"),
        "not": conditions(kind, "not:"),
    }
    return st.fixed_dictionaries({}, optional=how).filter(bool).map(lambda d: ";".join(d.values()))


@st.composite
def conditions(draw: st.DrawFn, kind: Filter, operator: str = "") -> str:
    least = 2 if operator == "all:" else 1
    chosen = draw(st.lists(values(kind), min_size=least, max_size=MAX_VALUES, unique=True))
    if not operator and kind.range_form and draw(st.booleans()):
        low, high = sorted((chosen[0], chosen[-1]), key=float if kind.form == "number" else str)
        return draw(st.sampled_from([f"{low}..{high}", f"{low}..", f"..{high}"]))
    return operator + ",".join(sorted(chosen))


@st.composite
def filtered(draw: st.DrawFn) -> tuple[Collection, tuple[tuple[str, str], ...]]:
    """A collection, and filters of a canonical query for it."""
    collection = draw(COLLECTIONS)
    upcoming = ["upcoming"] * (collection is GRAMMAR["events"])
    names = draw(st.sets(st.sampled_from([*collection.filters, *upcoming])))
    return collection, tuple(
        (name, "true" if name == "upcoming" else draw(constraints(kind)))
        for name, kind in collection.query_filters.items()
        if name in names
    )


@st.composite
def queries(draw: st.DrawFn) -> Query:
    collection, filters = draw(filtered())
    q = draw(st.none() | TEXTS)
    sort = draw(st.sampled_from(["", *collection.sorts, *([] if q is None else ["relevance"])]))
    return Query(collection, filters, sort, q, draw(PAGES))


@st.composite
def counts(draw: st.DrawFn) -> Count:
    collection, filters = draw(filtered())
    by = draw(st.lists(st.sampled_from(list(collection.filters)), unique=True, max_size=MAX_BY))
    like = draw(st.none() | TEXTS) if by else None
    return Count(collection, filters, draw(st.none() | TEXTS), tuple(by), like)


def parse(query: Query | Count, raw: str | None = None) -> Parsed:
    return PARSER.parse(query.collection, query.query_string if raw is None else raw)


@PATIENT
@given(queries() | counts())
def test_the_engine_takes_every_query(query: Query | Count) -> None:
    """A query that prepared pages answer is answered by its page, others by the query tier."""
    parsed = parse(query)
    assert parsed.problem is None
    part = query.slice if isinstance(query, Query) else None
    assert parsed.page == (part and part.path(query.page))  # type: ignore[union-attr]


@PATIENT
@given(
    st.data(),
    st.sampled_from([(c, f) for c in GRAMMAR.collections.values() for f in c.filters.values()]),
)
def test_the_pattern_of_a_constraint_has_every_spelling(
    data: st.DataObject, of: tuple[Collection, Filter]
) -> None:
    collection, kind = of
    text = data.draw(constraints(kind))
    assert re.fullmatch(kind.constraint_pattern, text, re.ASCII)
    assert PARSER.parse(collection, f"mode=page&{kind.name}={text}").problem is None
    head, colon, rest = text.rpartition(":")
    if ".." not in text and ";" not in text:
        written = rest.split(",")
        data.draw(st.randoms(use_true_random=False)).shuffle(written)
        shuffled = f"{head}{colon}{','.join([*written, written[0]])}"
        assert re.fullmatch(kind.constraint_pattern, shuffled, re.ASCII)
        found = PARSER.parse(collection, f"mode=page&{kind.name}={shuffled}")
        assert found == PARSER.parse(collection, f"mode=page&{kind.name}={text}")


@PATIENT
@given(queries(), st.randoms(use_true_random=False), st.sampled_from([quote, quote_plus]))
def test_the_order_of_parameters_and_the_spelling_of_blanks_do_not_matter(
    query: Query, chance: random.Random, spell: Callable[[str], str]
) -> None:
    tokens = [token for token in query.query_string.split("&") if not token.startswith("q=")]
    if query.q is not None:
        tokens.append(f"q={spell(query.q)}")
    if query.page == 1:
        tokens.append("page=1")
    chance.shuffle(tokens)
    assert parse(query, "&".join(tokens)) == parse(query)


@PATIENT
@given(slices(), PAGES)
def test_the_path_of_a_slice_names_that_slice(part: Slice, page: int) -> None:
    assert GRAMMAR.parse_path(part.path(page)) == (part, page)


@PATIENT
@given(queries())
def test_an_extra_parameter_is_never_ignored(query: Query) -> None:
    for extra in ("limit=10", "x", "", "=", "mode=page", "MODE=page", "page_size=5", "q%20=a"):
        for raw in (f"{query.query_string}&{extra}", f"{extra}&{query.query_string}"):
            problem = parse(query, raw).problem
            assert problem is not None, f"{raw} was answered"
            codes = ("unknown-parameter", "repeated-parameter", "invalid-parameter")
            assert problem["code"] in codes


@PATIENT
@given(queries().filter(lambda query: len(query.filters) > 0), st.data())
def test_keys_and_values_are_not_percent_decoded(query: Query, data: st.DataObject) -> None:
    tokens = query.query_string.split("&")
    index = data.draw(
        st.integers(0, len(tokens) - 1).filter(lambda i: not tokens[i].startswith("q="))
    )
    at = data.draw(
        st.integers(0, len(tokens[index]) - 1).filter(lambda i: tokens[index][i] not in "=,:;+")
    )
    letter = tokens[index][at]
    tokens[index] = tokens[index][:at] + f"%{ord(letter):02X}" + tokens[index][at + 1 :]
    assert parse(query, "&".join(tokens)).problem is not None


#: A string similar to a query string, and mostly invalid.
TOKENS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="# "), max_size=8
) | st.sampled_from([
    "mode=page", "mode=all", "mode", "mode=", "", "=", "page=1", "page=2", "page=0", "q=heat", "q=",
    "q=a+b", "q=%E9", "q=%C3%A9", "year=2024", "year=2025", "year=", "month=2026-11",
    "month=2026-13", "tag_topic=ai", "tag_topic=AI", "tag_topic=a--b", "sort=name", "sort=-year",
    "mode=count", "mode=count&by=year", "by=year", "by=year,kind", "by=year%2Ckind", "by=year,year",
    "by=", "like=x", "like=-", "year=2019..2024", "year=2020..2019", "year=..", "tag_topic=b,a",
    "tag_topic=all:b,a", "tag_topic=not%3Aa", "team_size=1.50..",
    "sort=starts", "sort=relevance", "upcoming=true", "upcoming=false", "kind=event",
    "status=active", "tag_a1_b=x", "program=y-combinator", "organization=..", "limit=10",
])  # fmt: skip


@PATIENT
@given(COLLECTIONS, st.lists(TOKENS, max_size=5).map("&".join))
@example(GRAMMAR["projects"], "mode=page&tag_topic=ai&tag_topic=ai")
@example(GRAMMAR["events"], "")
def test_any_string_is_refused_or_fully_answered(collection: Collection, raw: str) -> None:
    problem, reads = parsed = PARSER.parse(collection, raw)
    if problem is not None:
        assert problem["code"] in PROBLEMS
        return
    keys = [token.partition("=")[0] for token in raw.split("&")] if raw else []
    assert len(keys) == len(set(keys))
    known = {*GRAMMAR.parameters(collection), *ROWS_PARAMETERS}
    assert set(keys) <= known and all(token.partition("=")[2] for token in raw.split("&") if raw)
    if parsed.page is None:
        assert reads[0] == collection.manifest_path
        return
    part, number = GRAMMAR.parse_path(parsed.page)
    named = {part.filter} if part.filter and raw else set()
    assert set(keys) - {"mode", "sort", "page"} == named
    if "page" in keys:
        assert f"page={number}" in raw.split("&")


PARTS = st.sampled_from(["/api/projects", "/api/calendar/events", "/by", "/year", "/2024", "/page",
                         "/1.json", "/..", "/", "%2e"])  # fmt: skip


@PATIENT
@given(st.text(max_size=30) | st.lists(PARTS).map("".join))
def test_any_path_is_not_found_or_is_canonical(path: str) -> None:
    try:
        part, page = GRAMMAR.parse_path(path)
    except QueryError as refused:
        assert refused.code == "not-found"
        return
    assert part.path(page) == path
