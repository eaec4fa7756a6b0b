"""Filters in a query and the parameters of a count: their canonical spelling and their errors."""

from __future__ import annotations

import pytest

from generator.grammar.filters import MAX_VALUES, Constraint, Filter, shortest_number
from generator.grammar.grammar import Grammar
from generator.grammar.refusals import QueryError
from generator.kinds.declare import own_field

FIELDS = {
    "funding": own_field("funding", "Total funding", "number", unit="USD", filter=True, sort=True),
    "stage": own_field(
        "stage", "Stage", "choice", many=True, filter=True, values={"seed": "Seed round"}
    ),
    "bootstrapped": own_field("bootstrapped", "Bootstrapped", "boolean", filter=True),
    "closed": own_field("closed", "Closed", "date", filter=True, sort=True),
    "motto": own_field("motto", "Motto", "text", summary=True),
    "stars": own_field("stars", "Stars", "number", sort=True),
}
GRAMMAR = Grammar({"topic": "Topic"}, fields={"projects": FIELDS})
PROJECTS, EVENTS = GRAMMAR.projects, GRAMMAR.events


def parse(name: str, text: str) -> Constraint:
    return PROJECTS.query_filters[name].parse_constraint(text)


@pytest.mark.parametrize(
    ("name", "text", "constraint", "canonical"),
    [
        ("status", "active", Constraint("any", ("active",)), "active"),
        ("status", "public,active", Constraint("any", ("active", "public")), "active,public"),
        ("status", "active,active", Constraint("any", ("active",)), "active"),
        ("tag_topic", "all:b,a", Constraint("all", ("a", "b")), "all:a,b"),
        ("tag_topic", "all:a", Constraint("any", ("a",)), "a"),
        ("tag_topic", "not:a", Constraint("not", ("a",)), "not:a"),
        ("tag_topic", "not:b,a,b", Constraint("not", ("a", "b")), "not:a,b"),
        ("year", "2019..2024", Constraint("range", (), "2019", "2024"), "2019..2024"),
        ("year", "2020..", Constraint("range", (), "2020", None), "2020.."),
        ("year", "..2010", Constraint("range", (), None, "2010"), "..2010"),
        ("year", "2020..2020", Constraint("range", (), "2020", "2020"), "2020..2020"),
        ("team_size", "50", Constraint("any", ("50",)), "50"),
        ("team_size", "-3..50", Constraint("range", (), "-3", "50"), "-3..50"),
        ("team_size", "9..50", Constraint("range", (), "9", "50"), "9..50"),
        ("field_funding", "1.50..1e6", Constraint("range", (), "1.5", "1e6"), "1.5..1e6"),
        ("field_funding", "1.0,1", Constraint("any", ("1",)), "1"),
        (
            "field_closed",
            "2024-01-31..2024-02-01",
            Constraint("range", (), "2024-01-31", "2024-02-01"),
            "2024-01-31..2024-02-01",
        ),
        ("field_bootstrapped", "true", Constraint("any", ("true",)), "true"),
    ],
)
def test_a_constraint_has_one_spelling(
    name: str, text: str, constraint: Constraint, canonical: str
) -> None:
    assert parse(name, text) == constraint
    assert constraint.text == canonical
    assert parse(name, canonical) == constraint


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("status", "active,", "invalid value"),
        ("status", ",active", "invalid value"),
        ("status", ",", "invalid value"),
        ("status", "all:", "invalid value"),
        ("status", "not:", "invalid value"),
        ("status", "none:active", "invalid value"),
        ("status", "ALL:active", "invalid value"),
        ("status", "not:all:active", "invalid value"),
        ("status", "active..public", "invalid value"),
        ("tag_topic", "a..b", "invalid value"),
        ("tag_topic", ",".join(f"a{n}" for n in range(MAX_VALUES + 1)), "at most 10 different"),
        ("tag_topic", "not:" + ",".join(f"a{n}" for n in range(MAX_VALUES + 1)), "at most 10"),
        ("year", "..", "no start and no end"),
        ("year", "2020..2019", "ends before it begins"),
        ("year", "2019..2020..2021", "invalid value"),
        ("year", "2019...2020", "invalid value"),
        ("year", "not:2019..2020", "invalid value"),
        ("year", "2019..2020,2023", "invalid value"),
        ("year", "19..20", "invalid value"),
        ("team_size", "10..9", "ends before it begins"),
        ("team_size", "2e1..19", "ends before it begins"),
        ("team_size", "050", "invalid value"),
        ("team_size", "+5", "invalid value"),
        ("team_size", "NaN", "invalid value"),
        ("team_size", "Infinity..", "invalid value"),
        ("field_closed", "2024..", "invalid value"),
        ("field_closed", "2024-13-01..", "invalid value"),
        ("field_bootstrapped", "yes", "invalid value"),
    ],
)
def test_an_invalid_constraint_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message) as refused:
        parse(name, text)
    assert refused.value.code == "invalid-parameter"


def test_the_largest_number_of_values_may_be_repeated() -> None:
    values = ",".join(f"a{n}" for n in range(MAX_VALUES))
    assert parse("tag_topic", f"{values},{values}").text == values


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0", "0"), ("-0", "0"), ("0.0", "0"), ("-0.00e7", "0"), ("10", "10"), ("1.50", "1.5"),
        ("-1.0", "-1"),
        ("1e+06", "1e6"), ("1E-05", "1e-5"), ("1e0", "1"), ("1.20e00", "1.2"),
        ("100.010", "100.01"),
    ],
)  # fmt: skip
def test_a_number_has_one_spelling(text: str, plain: str) -> None:
    assert shortest_number(text) == plain
    assert float(plain) == float(text)


def test_own_fields_come_after_the_collections_own() -> None:
    names = ["field_funding", "field_stage", "field_bootstrapped", "field_closed"]
    assert list(PROJECTS.filters)[-4:] == names
    assert [PROJECTS.filters[name].prepared for name in names] == [False, True, True, False]
    assert PROJECTS.filters["field_stage"] == Filter(
        "field_stage",
        "Stage",
        vocabulary="fields/projects/stage",
        labels={"seed": "Seed round"},
    )
    assert PROJECTS.sorts == (
        "name", "-year", "year", "-team_size", "-field_funding", "field_funding", "-field_closed",
        "field_closed", "-field_stars", "field_stars",
    )  # fmt: skip
    assert PROJECTS.prepared_sorts == ("name", "-year")
    assert not [name for name in GRAMMAR.programs.filters if name.startswith("field_")]


@pytest.mark.parametrize(
    ("encoded", "text"),
    [("all%3Ab%2Ca", "all:a,b"), ("b%2ca", "a,b"), ("all:b,a", "all:a,b"), ("not%3aa", "not:a")],
)
def test_punctuation_may_be_percent_encoded(encoded: str, text: str) -> None:
    query = GRAMMAR.parse(PROJECTS, f"mode=page&tag_topic={encoded}")
    assert query.filters == (("tag_topic", text),)
    assert query.query_string == f"mode=page&tag_topic={text}"
    assert [constraint.text for _, constraint in query.constraints] == [text]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("mode=count&page=2", "page cannot be used with mode=count"),
        ("mode=count&page=1", "page cannot be used with mode=count"),
        ("mode=count&sort=name", "sort cannot be used with mode=count"),
        ("mode=page&by=year", "by cannot be used with mode=page"),
        ("mode=page&like=x", "like cannot be used with mode=page"),
        ("mode=count&like=x", "together with by"),
        ("mode=count&by=year&like=-", "like takes 1 to 8 words"),
        ("mode=count&by=year&like=%E9", "like must be percent-encoded UTF-8"),
        ("mode=count&by=colour", 'There is no filter "colour" to count by'),
        ("mode=count&by=year,", 'There is no filter "" to count by'),
        ("mode=count&by=,", 'There is no filter "" to count by'),
        ("mode=count&by=year,year", "by takes at most 3 different filters"),
        ("mode=count&by=year,status,location,program", "by takes at most 3 different filters"),
        ("mode=count&by=mode", 'There is no filter "mode" to count by'),
        ("mode=count&by=", "has no value"),
        ("mode=count&q=-", "q takes 1 to 8 words"),
        ("mode=count&year=20", "invalid value: write 2019, or a range such as 2019..2024"),
        (
            "mode=count&team_size=many",
            "invalid value: write 10, or a range such as 10..250",
        ),
    ],
)
def test_a_count_that_is_not_allowed_is_refused(raw: str, message: str) -> None:
    with pytest.raises(QueryError, match=message) as refused:
        GRAMMAR.parse(PROJECTS, raw)
    assert refused.value.code == "invalid-parameter"


def test_upcoming_takes_only_true() -> None:
    for value in ("true,true", "not:true", "all:true", "false"):
        with pytest.raises(QueryError, match="upcoming can only be true"):
            GRAMMAR.parse(EVENTS, f"mode=page&upcoming={value}")
    with pytest.raises(QueryError, match='There is no filter "upcoming" to count by'):
        GRAMMAR.parse(EVENTS, "mode=count&by=upcoming")
