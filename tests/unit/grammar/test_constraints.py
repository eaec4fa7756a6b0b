"""Filters in a query and the parameters of a count: their canonical spelling and their errors."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

import pytest

from generator.grammar.filters import MAX_VALUES, Filter
from generator.grammar.grammar import Collection, Grammar
from generator.kinds.declare import own_field
from generator.reader.deployment import Deployment
from support import registries
from support.answers import asked
from support.commands import build
from support.parsing import Parser

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
PARSER = Parser(GRAMMAR)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    folder = tmp_path_factory.mktemp("constraints")
    fields = {
        "funding": {"label": "Funding", "type": "number", "filter": True},
        "bootstrapped": {"label": "Bootstrapped", "type": "boolean", "filter": True},
        "closed": {"label": "Closed", "type": "date", "filter": True},
    }
    records = registries.content(
        registry={**registries.SMALL["registry"], "fields": {"projects": fields}}
    )
    for project in records["projects"].values():
        project["fields"] = {"bootstrapped": True}
    return Deployment.open(build(registries.write(folder / "content", records), folder / "out"))


def spelled(site: Deployment, raw: str) -> tuple[dict[str, str], str]:
    """The filters that a count has in its answer, and its own address."""
    [(status, body)] = asked(site, f"/api/projects?mode=count&{raw}")
    assert status == 200, body
    document = json.loads(body)
    return document["query"]["filters"], unquote(document["links"]["self"])


def refusal(collection: Collection, raw: str) -> dict[str, Any]:
    problem = PARSER.parse(collection, raw).problem
    assert problem is not None, raw
    assert problem["code"] == "invalid-parameter"
    return problem


@pytest.mark.parametrize(
    ("name", "text", "canonical"),
    [
        ("status", "active", "active"),
        ("status", "public,active", "active,public"),
        ("status", "active,active", "active"),
        ("tag_topic", "all:health,climate", "all:climate,health"),
        ("tag_topic", "all:climate", "climate"),
        ("tag_topic", "not:climate", "not:climate"),
        ("tag_topic", "not:health,climate,health", "not:climate,health"),
        ("year", "2019..2024", "2019..2024"),
        ("year", "2020..", "2020.."),
        ("year", "..2010", "..2010"),
        ("year", "2020..2020", "2020..2020"),
        ("team_size", "50", "50"),
        ("team_size", "-3..50", "-3..50"),
        ("team_size", "9..50", "9..50"),
        ("field_funding", "1.50..1e6", "1.5..1e6"),
        ("field_funding", "1.0,1", "1"),
        ("field_closed", "2024-01-31..2024-02-01", "2024-01-31..2024-02-01"),
        ("field_bootstrapped", "true", "true"),
    ],
)
def test_a_constraint_has_one_spelling(
    site: Deployment, name: str, text: str, canonical: str
) -> None:
    for written in (text, canonical):
        filters, own = spelled(site, f"{name}={written}")
        assert filters == {name: canonical}
        assert own == f"/api/projects?mode=count&{name}={canonical}"


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
    assert message in refusal(PROJECTS, f"mode=page&{name}={text}")["detail"]


def test_the_largest_number_of_values_may_be_repeated() -> None:
    values = ",".join(f"a{n}" for n in range(MAX_VALUES))
    assert PARSER.parse(PROJECTS, f"mode=page&tag_topic={values},{values}").problem is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0", "0"), ("-0", "0"), ("0.0", "0"), ("-0.00e7", "0"), ("10", "10"), ("1.50", "1.5"),
        ("-1.0", "-1"),
        ("1e+06", "1e6"), ("1E-05", "1e-5"), ("1e0", "1"), ("1.20e00", "1.2"),
        ("100.010", "100.01"),
    ],
)  # fmt: skip
def test_a_number_has_one_spelling(site: Deployment, text: str, plain: str) -> None:
    filters, _ = spelled(site, f"field_funding={text.replace('+', '%2B')}")
    assert filters == {"field_funding": plain}
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
    [
        ("all%3Ahealth%2Cclimate", "all:climate,health"),
        ("health%2cclimate", "climate,health"),
        ("all:health,climate", "all:climate,health"),
        ("not%3aclimate", "not:climate"),
    ],
)
def test_punctuation_may_be_percent_encoded(site: Deployment, encoded: str, text: str) -> None:
    filters, own = spelled(site, f"tag_topic={encoded}")
    assert filters == {"tag_topic": text}
    assert own == f"/api/projects?mode=count&tag_topic={text}"


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
    assert message in refusal(PROJECTS, raw)["detail"]


def test_upcoming_takes_only_true() -> None:
    for value in ("true,true", "not:true", "all:true", "false"):
        found = refusal(EVENTS, f"mode=page&upcoming={value}")
        assert "upcoming can only be true" in found["detail"]
    found = refusal(EVENTS, "mode=count&by=upcoming")
    assert 'There is no filter "upcoming" to count by' in found["detail"]
