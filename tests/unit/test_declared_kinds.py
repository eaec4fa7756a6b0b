"""What is known of a field comes from its declaration, in kinds that only these tests have."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import orjson
import pytest

from generator.contract.artifact import Artifact
from generator.dialect.folder import Content, Source
from generator.edit.new import parse_value, path_rule
from generator.engine.context import Request
from generator.grammar.grammar import Grammar
from generator.kinds import organization
from generator.kinds.declare import (
    Declared,
    Default,
    Filtered,
    Label,
    Labels,
    Listed,
    Refers,
    Searched,
    Words,
    read_fields,
)
from generator.kinds.record import Record
from generator.kinds.types import Names, Places, Slug, Slugs, Year
from generator.model.symbols import Symbols, Target
from generator.model.tables.table import tabulate
from generator.model.tables.texts import TextRows
from generator.outputs.context import record_context
from generator.reader import deployment
from generator.search.format import WRITTEN
from generator.search.terms import by_level, terms_from_model
from generator.site.meta import record_object
from support.answers import asked, deployed
from support.kinds import kinds_with


class Fund(Record):
    organization: Annotated[Slug, Refers("organizations"), Filtered(), Listed(), Words("Its.")]
    stage: Annotated[Literal["seed", "growth"] | None, Filtered("focus"), Searched(3),
        Labels({"seed": "Early money", "growth": "Late money"}), Default("seed"), Listed(),
        Words("What it pays for.")] = None  # fmt: skip
    opened: Annotated[Year | None, Listed(), Words("Its first year.")] = None


class Deal(Record):
    lead: Annotated[Slug | None, Refers("funds"), Filtered(), Label("Lead investor"), Listed(),
        Words("Who leads it.")] = None  # fmt: skip
    others: Annotated[Slugs | None, Refers("funds"), Filtered("fund"), Listed(),
        Words("Who else invests.")] = None  # fmt: skip
    signed_in: Annotated[Places | None, Words("Where it was signed.")] = None
    nicknames: Annotated[Names | None, Searched(9), Words("What people call it.")] = None


FUNDS = Declared(Fund, "funds", "fund", contexts=True, schema_org="Organization")
DEALS = Declared(Deal, "deals", "deal")
CLUBS = replace(DEALS, schema_org="Organization")
ALL = kinds_with(FUNDS, DEALS)
GRAMMAR = Grammar(ALL, {"topic": "Topic"}, nouns={"funds": ("backer", "backers")})


REFERRED = {
    "funds": {"north": Target("Northern Lights", ())},
    "organizations": {"acme": Target("Acme Bank", (), "acme", "")},
}
SYMBOLS = Symbols(GRAMMAR, {"topic": {}}, frozenset(), {}, REFERRED)


def read_in(files: Mapping[str, Any]) -> Any:
    def read(paths: Sequence[str]) -> list[bytes | None]:
        return [orjson.dumps(files[path]) if path in files else None for path in paths]

    return read


def moved(path: str) -> dict[str, Any]:
    return {
        "schema_version": "1.3", "kind": "moved", "links": {"replaced_by": path},
        "data": {"slug": "old", "replaced_by": "new"},
    }  # fmt: skip


def test_filters_are_called_by_their_labels_or_by_the_kind() -> None:
    filters = GRAMMAR["deals"].filters
    assert (filters["lead"].label, filters["fund"].label) == ("Lead investor", "Backer")


def test_a_table_has_the_first_fields_of_summaries() -> None:
    assert ALL["funds"].columns == (
        "slug", "name", "website", "organization", "stage", "opened", "summary"
    )  # fmt: skip
    assert ALL["programs"].columns[-1] == "projects"


def test_new_records_are_named_and_read_by_what_fields_declare() -> None:
    content = Content("content", ALL)
    content.sources["funds"] = [Source("a", "funds/acme/a.yaml"), Source("c", "funds/x/c.yaml")]
    path_of = path_rule(content, "funds")
    assert path_of("b", {"organization": "acme"}) == "funds/acme/b.yaml"
    assert path_of("b", {"organization": "other"}) == "funds/b.yaml"
    assert [ALL.owner_field(name) for name in ("funds", "deals", "organizations")] == [
        "organization", "", "",
    ]  # fmt: skip
    fields = ALL["deals"].written
    assert parse_value(fields["lead"], "2024") == "2024"
    assert parse_value(fields["others"], "[a, b]") == ["a", "b"]


@pytest.mark.parametrize("name", ["lead", "fund"])
def test_a_list_of_a_former_slug_is_that_of_the_new_one(name: str) -> None:
    lists = {value: f"/api/deals/by/{name}/{value}/page/1.json" for value in ("old", "new")}
    pages: Any = {lists["old"]: moved(lists["new"])}, {lists["new"]: {}}
    for files in pages:  # on a host with all files, and on one with rules for these
        files = {"/api/funds/slug/old.json": moved("/api/funds/slug/new.json"), **files}
        site = deployed(GRAMMAR, read_in(files))
        found = site.respond(Request(f"/api/deals?mode=page&{name}=old"))
        assert (found.status, found.headers.get("location")) == (308, lists["new"])
        assert asked(site, "/api/deals?mode=page&focus=old")[0][0] == 400


def test_words_are_searched_by_what_fields_declare() -> None:
    deal = record(
        Deal, name="Big deal", lead="north", others=["gone"], nicknames=["The Whopper"],
        signed_in=[SimpleNamespace(country="NO", region=None, city="Oslo")],
    )  # fmt: skip
    found = words_of("deals", deal)
    assert found.keys() >= {"big", "northern", "lights", "whopper", "oslo", "norway"}
    assert found["big"] < found["whopper"] < found["oslo"] < found["norway"] == found["lights"]
    stages = [words_of("funds", record(Fund, name="A", stage=s)) for s in ("seed", "growth")]
    assert stages[0].keys() == {"a"} and stages[1].keys() == {"a", "late", "money"}


def record(model: type[Record], **values: Any) -> Any:
    return SimpleNamespace(**{name: values.get(name) for name in read_fields(model)})


def words_of(collection: str, of: Any) -> dict[str, int]:
    """The levels of the words of a record, less for a greater weight."""
    levels = by_level(terms_from_model(collection, of, SYMBOLS))
    return {word: level for level, words in levels if level < WRITTEN for word in words}


def reference(collection: str, slug: str) -> dict[str, str]:
    name = SYMBOLS.name(collection, slug)
    return {"slug": slug, "name": name, "href": f"/api/{collection}/slug/{slug}.json"}


def test_contexts_have_the_labels_of_fields_and_relations() -> None:
    data: dict[str, Any] = {
        **dict.fromkeys(read_fields(Fund)), "slug": "north", "name": "North",
        "href": "/api/funds/slug/north.json", "organization": reference("organizations", "acme"),
        "stage": "growth", "opened": 1999, "sources": [], "links": {}, "locations": [],
        "tags": {}, "fields": {},
    }  # fmt: skip
    links = {key: f"/{key}" for key, *_ in ALL.relations["funds"]}
    file = Artifact("", json.dumps({"data": data, "links": links}).encode())
    settings: Any = SimpleNamespace(name="Money", origin="")
    events: Any = tabulate(GRAMMAR["events"], (), TextRows())
    lines = record_context(file, "funds", settings, SYMBOLS, events).data.decode().splitlines()
    assert lines[0] == "# The backer `north`" and [line for line in lines if line[:2] == "- "] == [
        "- Name: North",
        "- What it is: Late money",
        "- Run by: Acme Bank (/api/organizations/slug/acme.json)",
        "- Deals: listed at /deals",
        "- Deals (Lead investor): listed at /deals_lead",
        "- The whole record: /api/funds/slug/north.json",
        "- Source of these facts: none is given",
        "- Opened: 1999",
    ]


def test_json_ld_has_the_type_that_a_kind_declares() -> None:
    settings = SimpleNamespace(origin="", label=lambda kind, name: "")
    site: Any = SimpleNamespace(grammar=GRAMMAR, symbols=SYMBOLS, settings=settings, theme=None)
    common = {"name": "A", "summary": "B", "website": None, "links": {}, "locations": []}
    fund = common | {"organization": reference("organizations", "acme")}
    deal = common | {"lead": reference("funds", "north"), "others": [reference("funds", "north")]}
    assert record_object(site, ALL["funds"], fund, "/") == {
        "@type": "Organization", "name": "A", "description": "B",
        "parentOrganization": {"@type": "Organization", "name": "Acme Bank"},
    }  # fmt: skip
    things = [record_object(site, kind, deal, "/") for kind in (ALL["deals"], CLUBS)]
    assert things[0] == {"@type": "Thing", "name": "A", "description": "B"}
    member = {"@type": "Organization", "name": "Northern Lights"}
    assert (things[1]["memberOf"], things[1]["parentOrganization"]) == ([member], member)


def test_a_registry_without_projects_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = kinds_with(DEALS, FUNDS, organization.KIND, first=())
    monkeypatch.setattr(deployment, "published_kinds", lambda index: kinds)
    monkeypatch.setattr(deployment, "parse_document", lambda raw, kind, of=None: json.loads(raw))
    index: dict[str, Any] = {"fields": {}, "surfaces": [], "left_out": []}
    files = {
        "/api/index.json": {"links": {"self": "/r/api/index.json"}, "data": index},
        "/api/deals/filters.json": {"data": {
            "tag_topic": {"label": "Theme"}, "lead": {"label": "Lead investor"},
            "fund": {"label": "Backer"},
        }},
    }  # fmt: skip
    grammar = deployment.read_grammar(read_in(files))
    assert (grammar.prefix, grammar.tag_families) == ("/r", {"topic": "Theme"})
    assert (grammar["funds"].one, grammar["deals"].one) == ("Backer", "deal")
