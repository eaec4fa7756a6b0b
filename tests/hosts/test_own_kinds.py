"""Registries with own kinds on every host that tests can run: each answers queries as the engine
does, or refuses those that it has no file for.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from generator.reader.deployment import Deployment
from generator.serve import answer as development
from support import commands, engines, own_kinds, registries, servers

pytestmark = pytest.mark.slow

EDGE = commands.ROOT / "tests" / "hosts" / "edge.mjs"
REGISTRIES = {"investors": own_kinds.INVESTORS, "tools": own_kinds.TOOLS}
ASKED = {
    "investors": """
        /api/investors /api/investors?mode=page /api/investors?mode=page&page=2
        /api/investors/birch-capital /api/investors/quay /api/investors/nobody
        /api/investors?mode=page&stage=seed /api/investors?mode=page&stage=late
        /api/investors?mode=page&owner=harbour-fund /api/investors?mode=page&location=us
        /api/investors?mode=page&assets=99.5 /api/investors?mode=page&assets=..1000&sort=-assets
        /api/investors?mode=page&sort=-rounds_lead /api/investors?mode=page&q=birch
        /api/investors?mode=page&lead=birch-capital /api/investors?mode=count&by=stage
        /api/rounds?mode=page&lead=birch-capital /api/rounds?mode=page&lead=quay
        /api/rounds?mode=page&lead=idle-money /api/rounds?mode=page&lead=nobody
        /api/rounds?mode=page&project_location=us /api/rounds?mode=page&investor=quay
        /api/rounds?mode=page&investor=all:birch-capital,quay-ventures
        /api/rounds?mode=page&day=2024-03-01.. /api/rounds?mode=rows&fields=lead,amount
        /api/projects?mode=page&investor=quay /api/projects?mode=page&investor=birch-capital
        /api/projects?mode=page&investor=idle-money /api/projects?mode=page&investor_stage=seed
        /api/projects?mode=page&lead=quay-ventures /api/projects?mode=page&investor=quay&page=2
        /api/projects?mode=count&by=investor&investor=quay /api/search?q=birch
    """,
    "tools": """
        /api/tools /api/tools?mode=page /api/tools/mapper /api/tools/map-it
        /api/tools?mode=page&q=maps /api/tools?mode=page&sort=-stars
        /api/tools?mode=page&licence=mit /api/tools?mode=page&licence=MIT
        /api/tools?mode=page&licence=apache /api/tools?mode=page&archived=false
        /api/tools?mode=page&stars=12.. /api/tools?mode=page&dependency=parse-it
        /api/tools?mode=page&dependency=map-it /api/tools?mode=page&dependency=lone-wolf
        /api/tools?mode=page&program=parse-it /api/tools?mode=page&status=active
        /api/papers?mode=page&tool=map-it /api/papers?mode=page&tool=mapper
        /api/papers?mode=page&tool_licence=mit /api/papers?mode=page&venue=empty-hall
        /api/papers?mode=count&by=venue,tool_licence /api/papers?mode=page&published=2019-01-31
        /api/venues?mode=page&location=ke /api/venues?mode=page&location=ke-nairobi
        /api/projects /api/projects?mode=page /api/programs?mode=page&page=1 /api/projects/acme
        /api/organizations?mode=count&by=year /api/calendar/events /api/calendar/events?mode=page
    """,
}


class Came(NamedTuple):
    """An answer of a host or of the engine."""

    status: int
    location: str | None
    digest: str
    code: str | None

    @classmethod
    def of(cls, status: int, headers: Mapping[str, str], body: bytes) -> Came:
        refused = status >= 400 and body.startswith(b"{")
        code = json.loads(body)["code"] if refused else None
        location = headers.get("location", headers.get("Location"))
        digest = sha256(body).hexdigest() if status < 300 else ""
        return cls(status, location, digest, code)


class Hosted(NamedTuple):
    """The builds of a registry for hosts, and the engine's answers to what is asked."""

    content: Path
    folder: Path
    right: Mapping[str, Came]

    def outside(self, host: str, content: Path | None = None, folder: Path | None = None) -> Path:
        path = (folder or self.folder) / f"outside-{host}"
        commands.run_forked("host", host, "--content", self.content, "--out", path)
        return path

    @property
    def files(self) -> set[str]:
        """The digests of all files that an address of a query may be answered with."""
        out = self.folder / "netlify"
        return {sha256(path.read_bytes()).hexdigest() for path in out.glob("api/**/*.json")}

    def wrong(self, ask: Callable[[Sequence[str]], Sequence[Came | None]], tier: bool) -> list[Any]:
        """The answers of a host that are not those of the engine; None is the answer of a file of
        the host.  A host without a query tier says that it cannot combine what no file answers.
        """
        found = []
        for (target, right), came in zip(self.right.items(), ask([*self.right]), strict=True):
            prepared = tier or right.status != 200 or right.digest in self.files
            if came is None:
                same = right.code == "not-found"
            elif tier or (prepared and came.code != "unsupported-combination"):
                same = came == right or (self.leads_nowhere(came) and right.code == "not-found")
            else:
                same = came.code == "unsupported-combination" and right.status != 308
            if not same:
                found.append((target, came, right))
        return found

    def leads_nowhere(self, came: Came) -> bool:
        """Whether an answer leads from a former slug to a list that has no file: rules do not know
        that nothing refers to the record.
        """
        is_list = "/by/" in (came.location or "")
        return is_list and not (self.folder / "netlify" / str(came.location)[1:]).exists()


def made(folder: Path, content: Path, targets: Sequence[str]) -> Hosted:
    for host in ("netlify", "cloudflare", "apache"):
        commands.build(content, folder / host, "--host", host, "--as-of", commands.TODAY)
    served = Deployment.open(folder / "netlify")
    answers = [development.answer("GET", target, served) for target in targets]
    right = [Came.of(answer.status, answer.headers, answer.body) for answer in answers]
    return Hosted(content, folder, dict(zip(targets, right, strict=True)))


@pytest.fixture(scope="module", params=REGISTRIES)
def hosted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Hosted:
    folder = tmp_path_factory.mktemp(request.param)
    content = registries.write(folder / "content", REGISTRIES[request.param])
    return made(folder, content, ASKED[request.param].split())


def in_node(host: str, script: Path, site: Path, targets: Sequence[str]) -> list[Came | None]:
    asked = [["GET", target] for target in targets]
    given = {"host": host, "script": str(script), "site": str(site), "requests": asked}
    answers = engines.node(EDGE, given=given)
    return [came and _of_node(**came) for came in answers]


def _of_node(status: int, headers: Mapping[str, str], body: str, text: str) -> Came:
    code = json.loads(text)["code"] if text.startswith("{") else None
    return Came(status, headers.get("location"), body if status < 300 else "", code)


def of_netlify(hosted: Hosted, targets: Sequence[str]) -> list[Came | None]:
    functions = hosted.folder / "functions"
    functions.mkdir(exist_ok=True)
    for file in (hosted.folder / "netlify/.netlify/edge-functions").glob("*.js"):
        shutil.copy(file, functions / f"{file.stem}.mjs")
    return in_node("netlify", functions, hosted.folder / "netlify", targets)


def of_vercel(hosted: Hosted, targets: Sequence[str]) -> list[Came | None]:
    script = shutil.copy(hosted.outside("vercel") / "middleware.js", hosted.folder / "vercel.mjs")
    return in_node("vercel", Path(script), hosted.folder / "netlify", targets)


def of_cloudflare(hosted: Hosted, targets: Sequence[str]) -> list[Came | None]:
    site = hosted.folder / "cloudflare"
    script = shutil.copy(site / "_worker.js", hosted.folder / "worker.mjs")
    asked: list[Any] = [["GET", target, {}, None] for target in targets]
    given = {"script": str(script), "site": str(site), "requests": asked}
    found = engines.ask(EDGE.with_name("mcp.mjs"), given)
    return [Came.of(came["status"], came["headers"], came["text"].encode()) for came in found]


def of_cloudfront(hosted: Hosted, targets: Sequence[str]) -> list[Came | None]:
    return in_node("cloudfront", hosted.outside("aws"), hosted.folder / "apache", targets)


@pytest.mark.parametrize("host", ["netlify", "vercel", "cloudflare"])
def test_a_function_answers_as_the_engine_does(host: str, hosted: Hosted) -> None:
    ask = {"netlify": of_netlify, "vercel": of_vercel, "cloudflare": of_cloudflare}[host]
    assert hosted.wrong(lambda targets: ask(hosted, targets), tier=True) == []


def test_cloudfront_answers_what_is_prepared(hosted: Hosted) -> None:
    assert hosted.wrong(lambda targets: of_cloudfront(hosted, targets), tier=False) == []


@pytest.mark.parametrize("engine", servers.PROGRAMS)
def test_a_server_answers_what_is_prepared(engine: str, hosted: Hosted, tmp_path: Path) -> None:
    if servers.find(servers.PROGRAMS[engine]) is None:
        commands.lacking(f"{engine} is not installed: make test HOSTS=1")
    site = hosted.folder / "apache"
    with servers.serve(engine, hosted.content, site, tmp_path, outside=hosted.outside) as client:

        def ask(targets: Sequence[str]) -> list[Came | None]:
            answers = [client.ask("GET", target) for target in targets]
            return [Came.of(came.status, came.headers, came.body) for came in answers]

        assert hosted.wrong(ask, tier=False) == []
