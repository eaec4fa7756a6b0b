"""Registries of other kinds: one with six kinds beside the first four and relations in all
directions, and one with none of the four.

A copy of the package (support.copies) builds each, and everything is tried on both: builds, the
server, commands, the engine, hosts, the server of MCP, and the site.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import mcp
import pytest
from mcp.client.stdio import StdioServerParameters, stdio_client

from support import commands, copies, engines, fake_host, git, pages, servers
from support.copies import Answer, Copy
from support.serving import Server

pytestmark = pytest.mark.slow

DAY, NEXT = "2026-11-30", "2026-12-01"
EDGE = commands.ROOT / "tests" / "hosts" / "edge.mjs"


class Asked(NamedTuple):
    """What is asked of a registry, and the answers."""

    #: A command and what it says.
    said: Mapping[str, str]
    #: A query, and the slugs of the records that it finds.
    found: Mapping[str, Sequence[str]]
    #: An address with a former slug, and where it leads.
    moved: Mapping[str, str]
    #: The kind, the file and the name of a record, another name, and pages and files that have it.
    name: tuple[str, str, str, str]
    shown: Sequence[str]
    #: A table of records of its first kind: a new one, and one that is there.
    table: str


#: Commands that say the same of both registries.
BOTH = {
    "fmt --dry-run": "All files are formatted",
    "fix --dry-run": "0 files would be written.",
    "diff HEAD content": "Nothing published has changed.",
    "explain unknown-reference": "refers to",
    "verify build": ": as published",
}
HOUSE = Asked(
    said=BOTH | {
        "list people --format table": "Ida Berg",
        "list rounds --filter lead=north --format csv": "acme-a,",
        "list rounds --filter investor=south --format csv": "acme-a,",
        "list rounds --filter investor=northern": 'The investor "northern" is now called "north".',
        "list rounds --filter lead=northern": 'is now called "north".',
        "list people --filter mentor=ida-b": 'is now called "ida".',
        "list events --filter speaker=ida --format table": "Fair",
        "list organizations --filter head=ida --format table": "Big Fund",
        "count rounds --by lead,project": "Acme",
        "count projects --by investor --per status": "North",
        "rows rounds --fields slug,lead,investor": '["acme-a","north",["north","south"]]',
        "get labs grid --format table": "heat",
        "get investors northern": 'The investor "northern" is called "north" now.',
        "search heat --format table": "Heat Lab",
        "calendar --format table": "Fair",
        "dashboard --format table": "as of 2026-12-01",
        "match names.csv --collection people": "ida",
        "export round": "acme-a,Acme A,",
        "export event": "2026-12-20",
        "import new.csv --kind person": "2 rows → people: 1 new, 1 changed",
        "schema --input deal": '"investor"',
        "schema person_list": '"mentor"',
        "new round --name New --set project=bolt --dry-run": "rounds/new.yaml",
        "new person --name New --set mentor=ida-b --dry-run": 'is now called "ida"',
        "rename person ida ada --dry-run": "5 files would be written, 1 removed.",
        "rename lab heat warmth --dry-run": "people/ida.yaml",
        "rename grant first-grant one --dry-run": "events/fair.yaml",
        "rename project acme best --dry-run": "rounds/acme-a.yaml",
        "rename program school schule --dry-run": "grants/first-grant.yaml",
        "merge investor south north --dry-run": "rounds/bolt-seed.yaml",
        "remove round acme-a --dry-run": "content/deals/acme-deal.yaml:2:8: round",
        "remove lab grid --unlink --dry-run": "people/jon.yaml",
        "links --stalest 99": "people/ida.yaml",
    },
    found={
        "/api/people?mode=page&lab=heat": ["ida"],
        "/api/people?mode=page&mentor=ida&lab=grid": ["jon"],
        "/api/people?mode=page&q=heat": ["ida"],
        "/api/rounds?mode=page&lead=north&investor=all:north,south": ["acme-a"],
        "/api/rounds?mode=page&amount=1000..&sort=-amount": ["acme-a"],
        "/api/rounds?mode=rows&fields=lead,investor&sort=-amount": ["acme-a", "bolt-seed"],
        "/api/projects?mode=page&investor=south": ["bolt"],
        "/api/projects?mode=page&investor=north&status=active&sort=-year": ["acme", "bolt"],
        "/api/programs?mode=page&lab=heat": ["school"],
        "/api/organizations?mode=page&head=ida&category=fund": ["fund"],
        "/api/calendar/events?mode=page&speaker=ida": ["fair"],
        "/api/labs?mode=page&grant=first-grant": ["heat"],
        "/api/grants?mode=page&recipient=jon&open=true": ["first-grant"],
        "/api/deals?mode=page&round=acme-a": ["acme-deal"],
    },
    moved={
        "/api/people/ida-b": "/api/people/ida",
        "/api/labs/net-lab": "/api/labs/grid",
        "/api/rounds?mode=page&investor=northern": "/api/rounds/by/investor/north/page/1.json",
        "/api/rounds?mode=page&lead=northern": "/api/rounds/by/lead/north/page/1.json",
        "/api/people?mode=page&mentor=ida-b": "/api/people/by/mentor/ida/page/1.json",
        "/api/people?mode=page&lab=net-lab": "/api/people/by/lab/grid/page/1.json",
        "/api/rounds?mode=page&project=screw": "/api/rounds/by/project/bolt/page/1.json",
        "/api/calendar/events?mode=page&speaker=ida-b":
            "/api/calendar/events/by/speaker/ida/page/1.json",
    },
    name=("person", "people/ida.yaml", "Ida Berg", "Ida Fjell"),
    shown=(
        "/people/", "/people/ida/", "/people/jon/", "/grants/first-grant/", "/calendar/fair/",
        "/organizations/fund/", "/projects/acme/", "/labs/heat/", "/api/people/slug/jon.json",
        "/api/people?mode=page&q=fjell", "/api/organizations/filters.json",
    ),
    table="name,mentor,lab\nEva,Ida Berg,Heat Lab\nJon Vik,Ida Berg,Heat Lab\n",
)  # fmt: skip
KITCHEN = Asked(
    said=BOTH | {
        "list recipes --format table": "Kra Pao",
        "list recipes --filter ingredient=basil --format csv": "kra-pao,",
        "list recipes --filter garnish=basil --format csv": "egg-rice,",
        "list recipes --filter ingredient=hen-egg": 'The ingredient "hen-egg" is now called "egg".',
        "list recipes --filter variant=rice-with-egg": 'is now called "egg-rice".',
        "list cooks --filter favourite=kra-pao --format table": "Ben",
        "list projects": "recipes",
        "count recipes --by cook,cuisine": "Thai",
        "count recipes --by tag_course": "Side dish",
        "rows recipes --fields slug,minutes,ingredient": '["kra-pao",10,["basil","egg"]]',
        "get cooks benny": 'The cook "benny" is called "ben" now.',
        "get recipes kra-pao --format table": "basil",
        "search basil --format table": "Basil",
        "match names.csv --collection ingredients": "basil",
        "export recipe": "kra-pao,Kra Pao,",
        "import new.csv --kind recipe": "2 rows → recipes: 1 new, 1 changed",
        "schema --input recipe": '"cuisine"',
        "schema recipe_list": '"garnish"',
        "new recipe --name New --set cook=ana --dry-run": "recipes/new.yaml",
        "new cook --name New --set teacher=benny --dry-run": 'is now called "ben"',
        "rename ingredient basil holy-basil --dry-run": "recipes/egg-rice.yaml",
        "rename recipe kra-pao krapow --dry-run": "tools/wok.yaml",
        "merge ingredient dill basil --dry-run": "recipes/dill-rice.yaml",
        "remove recipe egg-rice --dry-run": "content/tools/wok.yaml:2:20: recipes",
        "remove cook ana --unlink --dry-run": "recipes/kra-pao.yaml",
        "links --stalest 99": "tools/wok.yaml",
    },
    found={
        "/api/recipes?mode=page&ingredient=all:basil,egg&cuisine=thai": ["kra-pao"],
        "/api/recipes?mode=page&garnish=basil&sort=-minutes": ["egg-rice", "kra-pao"],
        "/api/recipes?mode=page&minutes=..12": ["kra-pao"],
        "/api/recipes?mode=page&q=chilli": ["kra-pao"],
        "/api/recipes?mode=page&variant=egg-rice": ["dill-rice"],
        "/api/recipes?mode=rows&fields=cook,minutes&sort=minutes": [
            "kra-pao", "egg-rice", "dill-rice",
        ],
        "/api/recipes?mode=page&tag_course=side": ["dill-rice"],
        "/api/cooks?mode=page&location=th": ["ana"],
        "/api/cooks?mode=page&favourite=kra-pao&teacher=ana": ["ben"],
        "/api/tools?mode=page&recipe=egg-rice": ["wok"],
        "/api/ingredients?mode=page&vegan=true": ["basil"],
    },
    moved={
        "/api/cooks/benny": "/api/cooks/ben",
        "/api/recipes?mode=page&cook=benny": "/api/recipes/by/cook/ben/page/1.json",
        "/api/recipes?mode=page&ingredient=hen-egg": "/api/recipes/by/ingredient/egg/page/1.json",
        "/api/recipes?mode=page&variant=rice-with-egg":
            "/api/recipes/by/variant/egg-rice/page/1.json",
    },
    name=("ingredient", "ingredients/basil.yaml", "Basil", "Holy basil"),
    shown=(
        "/ingredients/", "/ingredients/basil/", "/recipes/kra-pao/",
        "/recipes/", "/api/recipes/slug/kra-pao.json", "/api/recipes/filters.json",
        "/api/ingredients?mode=page&q=holy",
    ),
    table="name,cook\nSoup,Ana\nEgg rice,Ana\n",
)  # fmt: skip


REGISTRIES = {"house": (copies.house, HOUSE), "kitchen": (copies.kitchen, KITCHEN)}


class Made(NamedTuple):
    """A copy whose registry was built twice, and what is asked of it."""

    name: str
    copy: Copy
    asked: Asked


@pytest.fixture(scope="module", params=REGISTRIES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    make, asked = REGISTRIES[request.param]
    copy = make(tmp_path_factory.mktemp(request.param))
    (copy.root / "names.csv").write_text("name\nIda Berg\nBasil\n")
    git.git(copy.root, "init", "-q")
    git.git(copy.root, "add", "content")
    git.git(copy.root, "commit", "-q", "-m", "Begin")
    assert "no problem" in copy.run("check")
    for day in (DAY, NEXT):
        assert "Built build" in copy.run("build", "--as-of", day)
    return Made(request.param, copy, asked)


def each(what: str) -> list[Any]:
    """The names of registries, each with one thing of `Asked`."""
    return [(name, one) for name, (_, asked) in REGISTRIES.items() for one in getattr(asked, what)]


@pytest.mark.parametrize(("made", "command"), each("said"), indirect=["made"], scope="module")
def test_each_command_knows_the_kinds(made: Made, command: str) -> None:
    (made.copy.root / "new.csv").write_text(made.asked.table)
    done = made.copy.done(*command.split())
    assert "Traceback" not in done.stderr, done.stderr
    assert made.asked.said[command] in done.stdout + done.stderr


def test_a_later_build_is_what_a_clean_build_gives(made: Made, tmp_path: Path) -> None:
    """After a record was changed, renamed and removed."""
    copy = Copy(tmp_path)
    shutil.copytree(made.copy.root, copy.root, dirs_exist_ok=True)
    kind, path, name, other = made.asked.name
    file = copy.content / path

    def change() -> None:
        file.write_text(file.read_text().replace(f"name: {name}", f"name: {other}"))

    def rename() -> None:
        assert "is other" in copy.run("rename", kind, file.stem, "other")

    def remove() -> None:
        assert "removed.yaml" in copy.run("remove", kind, "other", "--unlink")

    for step in (change, rename, remove):
        step()
        assert "Built build" in copy.run("build", "--as-of", NEXT)
        assert "Built clean" in copy.run("build", "--as-of", NEXT, "--out", "clean")
        of = commands.files(copy.out), commands.files(copy.root / "clean")
        assert set(commands.differing(*of)) <= set(commands.OF_BUILDS)
        assert "as published" in copy.run("verify", copy.out)
        shutil.rmtree(copy.root / "clean")


def test_the_server_shows_saves(made: Made, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    shutil.copytree(made.copy.root, copy.root, dirs_exist_ok=True)
    _, path, name, other = made.asked.name
    text = (copy.content / path).read_text()
    with Server(copy.root).running() as server:
        for target in made.asked.shown:
            assert server.get(target).status in (200, 404), target
            assert other not in server.get(target).body.decode()
        server.save(path, text.replace(name, other))
        server.until(lambda: len(server.reads) == 1)
        for target in made.asked.shown:
            answer = server.get(target)
            assert answer.status == 200 and other in answer.body.decode(), target
        for query, slugs in made.asked.found.items():
            assert Answer(200, None, server.get(query).body.decode()).slugs == slugs, query
        server.save(path, f"{text}nothing: 1\n")
        server.until(lambda: len(server.reads) == 2)
        assert "nothing" in server.told and "Without 1 record" in server.told
        (copy.content / path).unlink()
        server.until(lambda: len(server.reads) == 3)
        assert f'"{Path(path).stem}"' in server.told, "others refer to it"
        server.save(path, text)
        server.until(lambda: len(server.reads) == 4)
        assert other not in server.get(made.asked.shown[0]).body.decode()


# --- the engine, hosts and MCP --------------------------------------------------------------------


@pytest.fixture(scope="module")
def right(made: Made) -> Mapping[str, Answer]:
    """The engine's answer to each query and each former address."""
    return made.copy.answers((*made.asked.found, *made.asked.moved))


@pytest.fixture(scope="module")
def hosted(made: Made) -> Path:
    """A folder with builds for hosts, by name."""
    for name in ("cloudflare", "apache"):
        made.copy.run("build", "--as-of", NEXT, "--no-site", "--out", name, "--host", name)
    return made.copy.root


def test_the_engine_answers(made: Made, right: Mapping[str, Answer]) -> None:
    for query, slugs in made.asked.found.items():
        assert (right[query].status, right[query].slugs) == (200, slugs), query
    led = {target: right[target].location for target in made.asked.moved}
    assert led == made.asked.moved
    assert {right[target].status for target in made.asked.moved} == {308}


def test_hosts_with_functions_answer_the_same(
    made: Made, right: Mapping[str, Answer], hosted: Path, tmp_path: Path
) -> None:
    functions = tmp_path / "netlify"  # node needs the name of a module; hosts do not
    functions.mkdir()
    for file in (made.copy.out / ".netlify/edge-functions").glob("*.js"):
        shutil.copy(file, functions / f"{file.stem}.mjs")
    made.copy.run("host", "vercel", "--out", tmp_path / "vercel")
    middleware = shutil.copy(tmp_path / "vercel/middleware.js", tmp_path / "vercel.mjs")
    for host, script in (("netlify", functions), ("vercel", middleware)):
        given = {"host": host, "script": str(script), "site": str(made.copy.out),
                 "requests": [["GET", target] for target in right]}  # fmt: skip
        for (target, wanted), came in zip(
            right.items(), engines.node(EDGE, given=given), strict=True
        ):
            assert came is not None, f"{target} is not for the function of {host}"
            assert wanted.is_like(came["status"], came["headers"], came["body"]), (host, target)
    worker = shutil.copy(hosted / "cloudflare/_worker.js", tmp_path / "worker.mjs")
    asked = [["GET", target, {}, None] for target in right]
    given = {"script": str(worker), "site": str(hosted / "cloudflare"), "requests": asked}
    found = engines.ask(EDGE.with_name("mcp.mjs"), given)
    for (target, wanted), came in zip(right.items(), found, strict=True):
        body = sha256(came["text"].encode()).hexdigest()
        assert wanted.is_like(came["status"], came["headers"], body), target


def test_cloudfront_answers_what_is_prepared(
    made: Made, right: Mapping[str, Answer], hosted: Path, tmp_path: Path
) -> None:
    function = tmp_path / "function.js"
    made.copy.run("host", "aws", "--out", function)
    given = {"host": "cloudfront", "script": str(function), "site": str(hosted / "apache"),
             "requests": [["GET", target] for target in right]}  # fmt: skip
    for target, came in zip(right, engines.node(EDGE, given=given), strict=True):
        if is_prepared(target):
            assert right[target].is_like(came["status"], came["headers"], came["body"]), target
        else:
            assert came["status"] == 400, target


@pytest.mark.parametrize("engine", servers.PROGRAMS)
def test_servers_answer_what_is_prepared(
    engine: str, made: Made, right: Mapping[str, Answer], hosted: Path, tmp_path: Path
) -> None:
    if servers.find(servers.PROGRAMS[engine]) is None:
        commands.lacking(f"{engine} is not installed: make test HOSTS=1")

    def outside(name: str, content: Path, folder: Path) -> Path:
        made.copy.run("host", name, "--out", folder / name)
        return folder / name

    content = made.copy.content
    with servers.serve(engine, content, hosted / "apache", tmp_path, outside=outside) as client:
        for target, wanted in right.items():
            came = client.ask("GET", target)
            body = sha256(came.body).hexdigest()
            if is_prepared(target):
                assert wanted.is_like(came.status, came.headers, body), target
            else:
                assert came.status == 400, target


def is_prepared(target: str) -> bool:
    """Whether a file answers a request: that of a record, or a page of a list with one value."""
    return "?" not in target or bool(re.search(r"mode=page&(?!q=)\w+=[a-z0-9-]+$", target))


def test_a_client_of_mcp_reads_the_kinds(made: Made) -> None:
    arguments = ["-m", "generator", "mcp", "--from", "build"]
    server = StdioServerParameters(
        command=sys.executable, args=arguments, cwd=made.copy.root, env=commands.environment()
    )
    collections = [*made.copy.json("/api/build.json")["counts"]]

    async def talk() -> None:
        async with stdio_client(server) as pipes, mcp.ClientSession(*pipes) as client:
            await client.initialize()
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            listed = tools["search_records"].input_schema["properties"]["collection"]["enum"]
            assert listed == collections
            assert ("calendar_events" in tools) is ("events" in collections)
            for resource in (await client.list_resources()).resources:
                [content] = (await client.read_resource(resource.uri)).contents
                assert content.text
            for name in collections:
                await of_each_kind(client, name)

    async def of_each_kind(client: mcp.ClientSession, name: str) -> None:
        asked = {"collection": name}
        for tool in ("dataset_catalog", "describe_schema", "count_records"):
            assert not (await client.call_tool(tool, asked)).is_error, tool
        path = min((made.copy.content / name).glob("*.yaml"))
        asked = {"collection": name, "slug": path.stem}
        [content] = (await client.call_tool("get_record", asked)).content
        assert json.loads(content.text)["data"]["slug"] == path.stem

    anyio.run(talk)


# --- readers and the site -------------------------------------------------------------------------


def test_readers_copy_the_registry(made: Made, tmp_path: Path) -> None:
    copy = made.copy
    with fake_host.serving(copy.out) as host:
        assert ": as published" in copy.run("verify", host.base)
        for said in ("files fetched", "nothing changed"):
            assert said in copy.run("mirror", host.base, tmp_path / "mirror")
        for target in ("folder", "file.sqlite"):
            said = copy.run("sync", tmp_path / target, "--from", host.base)
            count = sum(1 for _ in copy.content.glob("*/*.yaml"))
            assert f"{count} records" in said and f"{count} added" in said
        assert ": as published" in copy.run("verify", tmp_path / "mirror")
        assert "Nothing published has changed" in copy.run("diff", tmp_path / "mirror", copy.out)
        store = f"file://{tmp_path}/store"
        assert "this is the first publish" in copy.run("publish", copy.out, store)
        assert "was published already" in copy.run("publish", copy.out, store)
        against = ("--against", host.base, "--out", tmp_path / "next", "--no-site")
        assert "Built" in copy.run("build", *against, "--as-of", NEXT)


def test_guards_stop_what_is_lost(made: Made, tmp_path: Path) -> None:
    """All records of the kind that no record refers to, compared with the published build."""
    content = shutil.copytree(made.copy.content, tmp_path / "content")
    (name,) = (name for name in ("deals", "tools") if (content / name).is_dir())
    shutil.rmtree(content / name)
    options = ("--out", tmp_path / "out", "--no-site", "--against", made.copy.out)
    said = made.copy.run("build", "--content", content, *options)
    assert f"{name}:1:1: error[records-lost]" in said and "Nothing was written" in said


def test_pages_lead_to_pages_and_have_words(made: Made) -> None:
    copy = made.copy
    bare = copy.value(
        "from pathlib import Path\n"
        "from generator.grammar.paths import SEARCH\n"
        "from generator.grammar.routes import routes\n"
        "from generator.reader.deployment import Deployment\n"
        "read = Deployment.open(Path('build'))\n"
        "print(json.dumps([SEARCH, *(route.path for route in routes(read.grammar))]))\n"
    )
    every = pages.read(copy.out)
    broken = pages.broken(copy.out, f"https://{made.name}.example", {*bare})
    assert [link for link in broken if not link.startswith("/admin/")] == []
    records = {path.relative_to(copy.content).with_suffix("") for path in copy.content.glob("*/*")}
    assert {f"/{path}/".replace("/events/", "/calendar/") for path in records} <= every.keys()
    for path, page in every.items():
        if not page.redirects and path != "/admin/":
            assert re.search(r"<h1[^>]*>\s*\w", (copy.out / pages.file_of(path)).read_text()), path
