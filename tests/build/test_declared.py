"""A field, and a kind of records, are declared once: everything that is published, written and
asked has them without another line.

The tests copy the package, declare a field of each type for projects and a fifth kind, investors,
and build a registry that has both.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.hosts import netlify
from support import browser, commands, copies
from support.copies import Copy

pytestmark = pytest.mark.slow

#: What is added to the class of projects: a field of each type.
FIELDS = """
    motto: Annotated[Line | None, Listed(), Words("A few words.")] = None
    story: Annotated[Text | None, Words("How it began.")] = None
    prizes: Annotated[Names | None, Words("What it won.")] = None
    stars: Annotated[Count | None, Ranged(), Sorted("", "-stars stars"), Listed(),
        Words("Its stars.")] = None
    hiring: Annotated[Flag | None, Filtered(), Listed(), Words("Whether it hires.")] = None
    closed: Annotated[Date | None, Ranged(), Sorted("", "-closed"), Listed(),
        Words("The day it closed.")] = None
    blog: Annotated[Url | None, Listed(), Words("Where it writes.")] = None
    sector: Annotated[Literal["energy", "food"] | None, Filtered(),
        Labels({"energy": "Energy", "food": "Food"}), Listed(), Words("What it works in.")] = None
    backers: Annotated[Slugs | None, Refers("organizations"), Filtered("backer"), Listed(),
        Words("Who backs it.")] = None
"""
#: Relations between a first kind and a fifth one, in both directions.
ANGELS = copies.REFERRING["project"]
PORTFOLIO = """
    portfolio: Annotated[Slugs | None, Refers("projects"), Filtered("project"), Listed(),
        Words("What is invested in.")] = None
"""
#: The only module of the fifth kind, with its relation.
INVESTOR = copies.modules("house")["investor"]
#: The only module of a sixth one, which refers to the fifth.
DEAL = '''"""Deals between investors and projects."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Listed, Refers, Words
from generator.kinds.record import Record
from generator.kinds.types import Slug


class Deal(Record):
    """A deal with every field."""

    investor: Annotated[Slug, Refers("investors"), Filtered(), Listed(), Words("Who invests.")]
    event: Annotated[Slug | None, Refers("events"), Filtered(), Listed(),
        Words("Where it was made.")] = None


KIND = Declared(Deal, "deals", "deal")
'''
NEW: dict[str, Any] = {
    "motto": "Warm homes",
    "story": "It began\nin a shed.",
    "prizes": ["Golden Pump"],
    "stars": 12_000,
    "hiring": True,
    "closed": "2026-05-31",
    "blog": "https://blog.example/",
    "sector": "energy",
    "backers": ["fund"],
}
#: Those that lists show.
SHOWN = [name for name in NEW if name not in ("story", "prizes")]
CONTENT: dict[str, dict[str, Any]] = {
    "registry": {
        "name": "Grown",
        "description": "It has a fifth kind.",
        "organization_categories": {"fund": "Fund"},
        "data": ["csv", "sqlite"],
        "repository": "https://github.com/example/grown",
        "cms": True,
    },
    "organizations/fund": {"name": "Big Fund", "category": "fund"},
    "projects/acme": {"name": "Acme", **NEW, "angels": ["north"]},
    "projects/bolt": {"name": "Bolt", "stars": 3, "sector": "food"},
    "investors/north": {
        "name": "North", "organization": "fund", "since": "2021-05-01", "focus": "seed",
        "portfolio": ["acme"],
    },
    "investors/south": {"name": "South", "organization": "fund"},
    "deals/first": {"name": "First deal", "investor": "north", "event": "fair"},
    "events/fair": {"name": "Fair", "kind": "event", "starts": "2026-07-01"},
}  # fmt: skip
#: Queries, and the slugs of the records that they find.
QUERIES = {
    "/api/projects?mode=page&hiring=true": ["acme"],
    "/api/projects?mode=page&sector=energy&backer=fund": ["acme"],
    "/api/projects?mode=page&stars=10..&sort=-stars": ["acme"],
    "/api/projects?mode=page&closed=2026-01-01..2026-12-31&sort=-closed": ["acme"],
    "/api/projects?mode=page&sector=energy,food&sort=stars": ["bolt", "acme"],
    f"/api/projects?mode=rows&sort=-stars&fields={','.join(SHOWN)}".replace("backers", "backer"): [
        "acme", "bolt",
    ],
    "/api/investors?mode=page&focus=seed&organization=fund": ["north"],
    "/api/investors?mode=page&since=2020-01-01..&sort=since": ["north"],
    "/api/investors?mode=rows&fields=organization,since,focus&sort=-since": ["north", "south"],
    "/api/investors?mode=page&q=big+fund": ["north", "south"],
    "/api/investors?mode=page&project=acme": ["north"],
    "/api/projects?mode=page&investor=north": ["acme"],
    "/api/deals?mode=page&event=fair": ["first"],
}  # fmt: skip


def declared(root: Path, fields: str, kinds: dict[str, str], content: dict[str, Any]) -> Copy:
    """A copy of the package with fields of projects and modules of kinds; its registry is built."""
    made = copies.copied(root, kinds, {"project": fields})
    projects = root / "generator" / "kinds" / "project.py"
    text = projects.read_text().replace("Refers,\n", "Ranged, Refers,\n")
    types = r"\g<0>, Date, Line, Text, Url"
    projects.write_text(re.sub("(?m)^from generator.kinds.types import .*", types, text))
    copies.write(made.content, content)
    assert "Wrote schema.lock.json" in made.run("schema", "--write")
    assert f"{len(content) - 1} records, no problem." in made.run("check")
    for day in ("2026-05-31", "2026-06-01"):
        assert "Built build" in made.run("build", "--as-of", day)
    return made


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    kinds = {"investor": INVESTOR, "deal": DEAL}
    return declared(tmp_path_factory.mktemp("house"), FIELDS + ANGELS, kinds, CONTENT)


@pytest.mark.parametrize("relation", ["portfolio", "angels", "neither"])
def test_a_kind_may_be_on_either_side_of_a_relation(relation: str, tmp_path: Path) -> None:
    fields = ANGELS if relation == "angels" else ""
    module = INVESTOR if relation == "portfolio" else INVESTOR.replace(PORTFOLIO, "\n")
    records = ("registry", "organizations/fund", "projects/acme", "investors/north")
    content = {name: dict(CONTENT[name]) for name in records}
    for values in content.values():
        for name in {*NEW, "angels", "portfolio"} - {relation}:
            values.pop(name, None)
    made = declared(tmp_path, fields, {"investor": module}, content)
    assert ": as published" in made.run("verify", made.out)
    links = {
        kind: made.json(f"/api/{kind}s/slug/{slug}.json")["links"]
        for kind, slug in (("project", "acme"), ("investor", "north"))
    }
    lists = {
        "portfolio": links["project"].get("investors"), "angels": links["investor"].get("projects")
    }  # fmt: skip
    expected = {
        "portfolio": "/api/investors/by/project/acme/page/1.json",
        "angels": "/api/projects/by/investor/north/page/1.json",
        "neither": None,
    }
    assert lists == {name: expected[relation] if name == relation else None for name in lists}
    assert "North" in made.run("list", "investors", "--format", "table")


#: Commands that say something about each kind, and what they say.
ASKED = {
    "list investors --format table": "north",
    "list investors --format csv": "north",
    "list deals --format table": "First deal",
    "list events --format table": "fair",
    "list projects --filter investor=north --format table": "1 project",
    "list investors --filter project=acme --all --format ndjson": '"slug":"north"',
    "count investors --by focus": "Seed money",
    "count projects --by investor": "North",
    "rows investors": "north",
    "get investors north --format table": "fund",
    "get projects acme --format csv": "north",
    "get events fair --format table": "Fair",
    "get deals first": "First deal",
    "search north --format table": "north",
    "calendar": "Fair",
    "dashboard --format table": "as of 2026-06-01",
    "export deal": "first,",
    "schema --input deal": '"investor"',
    "new investor --name East --set organization=fund --dry-run": "organization: fund",
    "diff build build": "",
    "explain unknown-reference": "",
    "rename investor north nord --dry-run": "projects/acme.yaml",
    "rename project acme acme-2 --dry-run": "investors/north.yaml",
    "rename event fair messe --dry-run": "deals/first.yaml",
    "remove investor south --dry-run": "south.yaml",
    "verify build": ": as published",
}  # fmt: skip


@pytest.mark.parametrize("command", ASKED)
def test_each_command_knows_the_kinds(command: str, house: Copy) -> None:
    assert ASKED[command] in house.run(*command.split())


def test_contexts_tell_the_relations(house: Copy) -> None:
    folder = house.out / "api/v1/agent/context"
    assert (
        "- Projects: listed at /api/projects/by/investor/north/page/1.json"
        in (folder / "investors/north.md").read_text()
    )
    assert {path.name for path in folder.iterdir()} == {
        "overview.md", "investors", "organizations",
    }, "kinds that others refer to have contexts only if they say so"  # fmt: skip


def test_records_and_lists_have_the_fields(house: Copy) -> None:
    fund = {"slug": "fund", "name": "Big Fund", "href": "/api/organizations/slug/fund.json"}
    record = house.json("/api/projects/slug/acme.json")["data"]
    assert {name: record[name] for name in NEW} == NEW | {"backers": [fund]}
    summary, other = house.json("/api/projects/page/1.json")["data"]
    assert {name: summary[name] for name in SHOWN} == {name: NEW[name] for name in SHOWN}
    assert summary.keys() & NEW.keys() == set(SHOWN)
    assert (other["motto"], other["hiring"], other["backers"]) == (None, False, [])
    north = house.json("/api/investors/slug/north.json")["data"]
    assert (north["organization"], north["since"], north["focus"]) == (fund, "2021-05-01", "seed")
    links = house.json("/api/organizations/slug/fund.json")["links"]
    assert links["investors"] == "/api/investors/by/organization/fund/page/1.json"


def test_a_kind_can_refer_to_a_kind_that_was_added(house: Copy) -> None:
    deal = house.json("/api/deals/slug/first.json")["data"]
    north = {"slug": "north", "name": "North", "href": "/api/investors/slug/north.json"}
    assert deal["investor"] == north
    links = house.json("/api/investors/slug/north.json")["links"]
    assert links["deals"] == "/api/deals/by/investor/north/page/1.json"
    context = (house.out / "api/v1/agent/context/investors/north.md").read_text()
    assert "- Run by: Big Fund" in context and "- Since: 2021-05-01" in context
    assert "- What it is: Seed money" in context and "- Deals: listed at " in context
    assert "First deal" in house.text("investors/north")
    (house.content / "deals/wrong.yaml").write_text("name: Wrong\ninvestor: fund\n")
    said = house.run("check")
    (house.content / "deals/wrong.yaml").unlink()
    assert 'investor: there is no investor "fund"' in said
    assert '"fund" is in organizations/, not in investors/' in said
    assert "no problem" in house.run("check")
    assert ": as published" in house.run("verify", house.out)


def test_schemas_have_the_fields_and_documents_fit_them(house: Copy) -> None:
    from jsonschema import Draft202012Validator

    for kind, slug, names in (("project", "acme", NEW), ("investor", "north", ["since", "focus"])):
        schema = house.json(f"/api/schemas/{kind}.json")
        shape = schema["$defs"][f"{kind.capitalize()}Record"]
        assert shape["properties"].keys() >= set(names) <= set(shape["required"])
        document = house.json(f"/api/{kind}s/slug/{slug}.json")
        Draft202012Validator(schema).validate(document)
    fields = {
        kind["kind"]: {field["name"]: field["words"] for field in kind["fields"]}
        for kind in house.json("/api/v1/agent/schema.json")["data"]["kinds"]
    }
    assert fields["project"]["stars"] == "Its stars."
    assert fields["investor"]["since"] == "The day of the first investment."


def test_filters_have_their_values(house: Copy) -> None:
    filters = house.json("/api/projects/filters.json")["data"]
    found = {name: filters[name]["values"] for name in ("hiring", "sector", "backer")}
    counts = {n: {v["label"]: v["count"] for v in values} for n, values in found.items()}
    assert counts == {
        "hiring": {"yes": 1}, "sector": {"Energy": 1, "Food": 1}, "backer": {"Big Fund": 1}
    }  # fmt: skip
    assert house.json("/api/investors/by/focus/seed/page/1.json")["page"]["total_items"] == 1


def test_queries_by_the_fields_are_answered(house: Copy) -> None:
    found = house.answers(QUERIES)
    for target, slugs in QUERIES.items():
        assert found[target].slugs == slugs, target
    functions = house.root / "functions"  # node needs the name of a module; hosts do not
    functions.mkdir()
    for file in (house.out / netlify.EDGE_FUNCTION[1:]).parent.glob("*.js"):
        shutil.copy(file, functions / f"{file.stem}.mjs")
    given = {
        "host": "netlify",
        "script": str(functions),
        "site": str(house.out),
        "requests": [["GET", target] for target in QUERIES],
    }
    script = commands.ROOT / "tests" / "hosts" / "edge.mjs"
    done = subprocess.run(
        ["node", str(script)], input=json.dumps(given), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    bodies = [answer["body"] for answer in json.loads(done.stdout)]
    assert bodies == [sha256(found[target].body.encode()).hexdigest() for target in QUERIES]


def test_tables_go_out_and_come_in(house: Copy, tmp_path: Path) -> None:
    table = house.run("export", "project", "--content", house.content)
    (acme, bolt) = csv.DictReader(table.splitlines(keepends=True))
    assert (acme["stars"], acme["hiring"], acme["backers"], acme["story"]) == (
        "12000", "true", "fund", "It began\nin a shed.",
    )  # fmt: skip
    assert (bolt["motto"], bolt["sector"]) == ("", "food")
    content = shutil.copytree(house.content, tmp_path / "content")
    file = tmp_path / "investors.csv"
    file.write_text("name,organization,since,focus\nEast,Big Fund,2022-01-31,Growth money\n")
    assert "1 new" in house.run(
        "import", file, "--kind", "investor", "--write", "--content", content
    )
    east = yaml.safe_load((content / "investors/east.yaml").read_text())
    assert east["organization"] == "fund" and east["focus"] == "growth"
    assert str(east["since"]) == "2022-01-31"


def test_data_files_have_the_fields(house: Copy) -> None:
    table = (house.out / "data/projects.csv").read_text()
    (acme, _) = csv.DictReader(table.splitlines(keepends=True))
    assert {name: acme[name] for name in ("motto", "stars", "closed")} == {
        "motto": "Warm homes", "stars": "12000", "closed": "2026-05-31"
    }  # fmt: skip
    with closing(sqlite3.connect(house.out / "data/registry.sqlite")) as database:
        rows = database.execute("SELECT slug, organization, since, focus FROM investors").fetchall()
    assert rows == [("north", "fund", "2021-05-01", "seed"), ("south", "fund", None, None)]


def test_the_site_shows_the_fields(house: Copy) -> None:
    page, rows = house.text("projects/acme"), house.text("projects")
    for label, value in {
        "Motto": "Warm homes", "Prizes": "Golden Pump", "Stars": "12,000", "Hiring": "Yes",
        "Closed": "31 May 2026", "Blog": "blog.example", "Sector": "Energy",
    }.items():  # fmt: skip
        assert f" {label} {value} " in re.sub(r" +", " ", page), label
        assert f"{label}: {value}" in rows or label == "Prizes", label
    assert "Big Fund" in page and "Big Fund" in rows
    investor = house.text("investors/north")
    assert "Organization Big Fund" in investor and "Since 1 May 2021" in investor
    assert "Focus Seed money" in investor
    assert "North" in house.text("investors/focus/seed") and "Seed money" in house.text("investors")
    assert "Investors" in house.text("organizations/fund")


def test_the_script_of_lists_draws_the_same_rows(house: Copy) -> None:
    if browser.executable() is None:
        commands.lacking("Chromium is not installed")
    with browser.launched() as chromium, browser.served(house.out) as origin:
        visit = browser.Visit(chromium, origin)
        page = visit.go("/projects/")
        rows = page.locator("li:has(> .what)")
        published = rows.all_inner_texts()
        page = visit.go("/projects/?stars=1..100000&sector=energy,food")
        page.get_by_text("Stars: 1 to 100000").first.wait_for()
        drawn = rows.all_inner_texts()
        visit.close()
    assert len(published) == 2 and drawn == published


def test_authors_are_helped_with_the_fields(house: Copy, tmp_path: Path) -> None:
    content = shutil.copytree(house.content, tmp_path / "content")
    schema = json.loads(house.run("schema", "--input", "project", "--content", content))
    properties = schema["properties"]
    assert properties.keys() >= NEW.keys() and properties["stars"]["description"] == "Its stars."
    assert "organization" in json.loads(house.run("schema", "--input", "investor"))["required"]
    cms = yaml.safe_load((house.out / "admin/config.yml").read_text())
    of = {c["name"]: [field["name"] for field in c["fields"]] for c in cms["collections"]}
    assert {*NEW} <= {*of["projects"]} and {"since", "focus"} <= {*of["investors"]}
    house.run("forms", tmp_path, "--content", content)
    forms = "".join(f.read_text() for f in (tmp_path / ".github/ISSUE_TEMPLATE").glob("*.yml"))
    assert "Motto" in forms and "Name of the investor" in forms
    wrong = content / "projects/crab.yaml"
    wrong.write_text("name: Crab\nmotto: One\nstarz: 3\nsector: enrgy\nbackers: [fnd]\n")
    said = house.run("check", "--content", content)
    assert '"stars"' in said or "stars?" in said, said
    assert "energy" in said and 'there is no organization "fnd"' in said
    wrong.write_text("sector: food\nbackers: [fund]\nname: Crab\nmotto: One\n")
    house.run("fmt", "--content", content, wrong)
    assert wrong.read_text().startswith("name: Crab\n")
    documented = (house.root / "docs/authoring.md").read_text()
    assert "| `stars` | a whole number, 0 to 100,000,000 | its stars |" in documented
    assert "\n## Investors\n" in documented
    assert (
        "| `organization` * | slug of an organization | the organization that invests |"
        in documented
    )


def test_names_are_matched_with_the_fields(house: Copy) -> None:
    found = house.value(
        "from pathlib import Path\n"
        "from generator.reader.deployment import Deployment\n"
        "from generator.grammar.routes import query_paths\n"
        "read = Deployment.open(Path('build'))\n"
        "c = read.grammar.collections\n"
        "print(json.dumps([[*c['projects'].row_fields], query_paths(read.grammar)]))\n"
    )
    assert {"motto", "stars", "sector", "backer"} <= {*found[0]}
    assert "/api/reconcile/investors" in found[1]
