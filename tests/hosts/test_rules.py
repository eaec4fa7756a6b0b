"""Answers of nginx, Caddy and Apache with their generated rules, compared request by request with
the grammar.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

import generator.hosts
from generator.contract.addresses import page_policies
from generator.contract.artifact import module_names
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.headers import (
    CACHE,
    CATALOG,
    CDN_CACHE,
    COMMON_HEADERS,
    IMMUTABLE,
    MEDIA_POLICY,
    MEDIA_TYPES,
    METHODS,
    NOT_ALLOWED,
    POLICY,
    PREFLIGHT,
    PROBLEM,
    REVALIDATE,
)
from generator.grammar.paths import PRIVATE
from generator.grammar.refusals import PROBLEMS
from generator.hosts import nginx
from generator.kinds import built_in
from generator.model.symbols import Symbols
from support import awkward, commands, registries, servers
from support.asked import EXACT, SAFE, Request, kinds, requests

PREFIX, DASHBOARD = "/registry", "/api/dashboard.json"
#: Keywords of nginx's and Caddy's maps, and a word that is too long for nginx's default bucket
#: size.
AWKWARD_ALIASES = ["default", "hostnames", "include", "volatile", "z" * 100]


class Difference(NamedTuple):
    """Requests with a right refusal but another problem than expected.  `wanted` and `code` may be
    None.
    """

    engines: tuple[str, ...]
    target: str  # a pattern, searched in targets without the prefix
    wanted: tuple[int, str | None]
    status: int
    code: str | None
    why: str


EVERY = ("nginx", "caddy", "apache", "htaccess")
APACHE = ("apache", "htaccess")
#: All known differences.  An unused row fails, and so does a difference without a row.
DIFFERENCES = (
    Difference(EVERY, r"[?&]q=", (400, "invalid-parameter"), 400, "unsupported-combination",
               "words are never answered here, so they are not looked at"),
    Difference(EVERY, r"[?&]by=(?:colour|mode|upcoming)$", (400, "invalid-parameter"), 400,
               "unsupported-combination",
               "nothing is counted here, so what by names is not looked at"),
    Difference(EVERY, r"=all:[^,&]+(?:&|$)|=([^,&]+),\1(?:&|$)", (200, None), 400,
               "unsupported-combination",
               "one value that is spelled as several has its page where that spelling is read"),
    Difference(EVERY, r"%3A|%2C", (400, "unsupported-combination"), 400, "invalid-parameter",
               "nothing is decoded here, marks between values neither"),
    Difference(("nginx",), r"%00$", (404, "not-found"), 400, None,
               "nginx refuses a path with a zero byte itself"),
    Difference(APACHE, r"%(?:2F|2f|00)", (404, "not-found"), 404, None,
               "Apache refuses a path with an encoded slash or a zero byte itself"),
    Difference(("htaccess",), r"x{256}", (404, "not-found"), 403, None,
               "Apache refuses a name that no file system has before it reads a .htaccess"),
    Difference(APACHE, r"^//", (404, None), 404, "not-found",
               "Apache joins slashes, so this is below the API for it"),
)  # fmt: skip


class Site(NamedTuple):
    """A build and its content."""

    content: Path
    out: Path
    grammar: Grammar


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Site]:
    made: dict[str, Site] = {}

    def built(prefix: str) -> Site:
        if prefix not in made:
            folder = tmp_path_factory.mktemp("rules")
            base = f"https://registry.example.org{prefix}" if prefix else None
            records = registries.content(awkward.CONTENT, registry={"base_url": base})
            records["projects"]["project-1"]["aliases"] = AWKWARD_ALIASES
            source = registries.write(folder / "content", records)
            hosts = [part for name in ("apache", "nginx", "caddy") for part in ("--host", name)]
            out = commands.build(
                source, folder / "out", "--as-of", awkward.AS_OF, *hosts, site=True
            )
            logo = out / "media" / ("0" * 32)
            for path, text in {
                out / "embed/years/index.html": "<!doctype html><title>For a frame</title>",
                logo.with_suffix(".svg"): "<svg/>",
                logo.with_suffix(".png"): "<svg/>",
                out / "admin/index.html": "<!doctype html><title>To edit</title>",
                out / "admin/config.yml": "backend: {}\n",
            }.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            for name in PRIVATE:
                if not (out / name).exists():
                    (out / name).write_text("for another host")
            made[prefix] = Site(source, out, awkward.grammar(prefix))
        return made[prefix]

    return built


class Running(NamedTuple):
    """An engine that serves a site."""

    engine: str
    site: Site
    client: servers.Client

    def ask(self, target: str, method: str = "GET", **headers: str) -> servers.Answer:
        return self.client.ask(
            method, target, {name.replace("_", "-"): value for name, value in headers.items()}
        )


@pytest.fixture(scope="session")
def start(
    built: Callable[[str], Site], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str, str], Running]]:
    with contextlib.ExitStack() as stack:
        running: dict[tuple[str, str], Running] = {}

        def start(engine: str, prefix: str) -> Running:
            program = servers.PROGRAMS[engine]
            if servers.find(program) is None:
                commands.lacking(f"{program} is not installed: make test HOSTS=1")
            if (engine, prefix) not in running:
                site, folder = built(prefix), tmp_path_factory.mktemp(engine)
                client = stack.enter_context(
                    servers.serve(engine, site.content, site.out, folder, prefix)
                )
                running[engine, prefix] = Running(engine, site, client)
            return running[engine, prefix]

        yield start


@pytest.fixture(params=EVERY)
def server(request: pytest.FixtureRequest, start: Callable[[str, str], Running]) -> Running:
    return start(request.param, "")


# --- every request ---


def _difference(
    engine: str, prefix: str, asked: Request, answer: servers.Answer
) -> Difference | None:
    code = None
    if answer.headers.get("content-type") == PROBLEM:
        code = json.loads(answer.body)["code"]
    target = asked.target.removeprefix(prefix)
    known = ((asked.status, asked.problem), answer.status, code)
    for row in DIFFERENCES:
        same = engine in row.engines and (row.wanted, row.status, row.code) == known
        if same and re.search(row.target, target):
            return row
    return None


def sample(asked: list[Request]) -> list[Request]:
    """A third of the kinds of requests."""
    return kinds(asked)[::3]


def few(asked: list[Request]) -> list[Request]:
    """A ninth, for the path of a base URL: without it, the engine has the same rules."""
    return kinds(asked)[::9]


@pytest.mark.parametrize(
    ("engine", "prefix", "select"),
    [
        ("nginx", "", kinds),
        ("caddy", "", kinds),
        ("apache", "", sample),
        *((engine, PREFIX, few) for engine in ("nginx", "caddy", "apache")),
        pytest.param("nginx", "", list, marks=pytest.mark.slow),
        pytest.param("htaccess", "", kinds, marks=pytest.mark.slow),
    ],
)
def test_every_request_is_answered_as_the_grammar_says_or_refused(
    engine: str,
    prefix: str,
    select: Callable[[list[Request]], list[Request]],
    start: Callable[[str, str], Running],
) -> None:
    """Every request of nginx, one of each kind of Caddy and Apache, and a sample with a prefix."""
    server = start(engine, prefix)
    asked = select(requests(server.site.grammar, server.site.out))
    assert len(asked) > 300
    bad, seen, exact = [], set(), 0
    for request, answer in server.client.answers(asked):
        outcome = answer.compared(request, server.site.out)
        exact += outcome == EXACT
        row = _difference(engine, prefix, request, answer) if outcome == SAFE else None
        seen.add(row)
        if outcome != EXACT and row is None:
            said = (request.method, request.target, request[2:], answer.status, answer.body[:80])
            bad.append((outcome, *said))
    assert bad == [], "\n".join(map(str, bad))
    if select is list:
        assert seen - {None} == {row for row in DIFFERENCES if engine in row.engines}
        assert exact > 0.97 * len(asked)


def test_former_slugs_redirect_for_every_name(server: Running) -> None:
    root = server.site.grammar["projects"].root
    for alias in AWKWARD_ALIASES:
        answer = server.ask(f"{root}/{alias}")
        assert (answer.status, answer.headers["location"]) == (308, f"{root}/project-1")


def test_many_former_slugs_work(start: Callable[[str, str], Running], tmp_path: Path) -> None:
    many = [f"former-{n}" for n in range(3_000)]
    records = registries.content(awkward.CONTENT)
    for n in range(60):
        aliases = many[n * 50 : n * 50 + 50]
        records["projects"][f"renamed-{n}"] = {"name": f"Renamed {n}", "aliases": aliases}
    source = registries.write(tmp_path / "content", records)
    out = commands.build(source, tmp_path / "out", "--as-of", awkward.AS_OF)
    for engine in ("nginx", "caddy", "apache"):
        start(engine, "")
        with servers.serve(engine, source, out, tmp_path / engine) as client:
            root = awkward.grammar()["projects"].root
            answer = client.ask("GET", f"{root}/former-2999")
            assert (answer.status, answer.headers["location"]) == (308, f"{root}/renamed-59")


# --- what answers say of themselves ---


_JSON, _HTML, _TEXT = (MEDIA_TYPES[ending] for ending in ("json", "html", "md"))
_LOGO = f"/media/{'0' * 32}"
#: Status, type, cache and policy of the answers to targets; None if the policy may be any, and
#: `{asset}` is the first file that is named by its content.
ANSWERS: list[tuple[int, str, str, str | None, str]] = [
    (200, _JSON, CACHE, "", """/api/dashboard.json /api/v1/agent/catalog.json
        /api/projects?mode=page /api/projects/page /api/manifest/snapshot.json"""),
    (200, _JSON, REVALIDATE, "", "/api/manifest/root.json"),
    (200, _TEXT, CACHE, "", "/skill.md /api/v1/agent/context/overview.md"),
    (200, MEDIA_TYPES["ics"], CACHE, "", "/api/calendar/events.ics"),
    (200, MEDIA_TYPES["xml"], CACHE, "", "/sitemap.xml"),
    (200, CATALOG, CACHE, "", "/.well-known/api-catalog"),
    (200, PROBLEM, CACHE, "", "/api/problems/not-found.json"),
    (200, "application/yaml", CACHE, "", "/admin/config.yml"),
    (200, "", CACHE, "", "/api/manifest/bins/0.json"),
    (308, "", CACHE, None, "/api/projects/old-name /projects"),
    (404, PROBLEM, CACHE, "", """/api/projects?mode=page&page=99 /api/projects/nobody
        /api/index.jsonx /api/reconcile/people"""),
    # Words, names and selections are answered by functions only.
    (400, PROBLEM, CACHE, "", """/api/projects?mode=page&x=1 /api/projects?mode=all
        /api/reconcile/projects /api/reconcile/events?queries={}
        /api/reconcile/projects/suggest?prefix=a /api/reconcile/events/properties
        /api/calendar/selection.ics /api/calendar/selection.ics?kind=deadline
        /api/calendar/selection.ics?kind=deadline&alarm=7d"""),
    # Pages for people, in frames of other sites, and to edit.
    (200, _HTML, CACHE, POLICY, "/ /projects/ /404.html"),
    (404, _HTML, CACHE, POLICY, "/nothing /embed/nothing/ /admin/nothing/"),
    (200, _HTML, CACHE, page_policies()["/embed"], "/embed/years/"),
    (200, _HTML, CACHE, page_policies()["/admin"], "/admin/"),
    # Files named by their content, logos among them.
    (200, "", IMMUTABLE, None, "/assets/{asset}"),
    (200, "image/svg+xml", IMMUTABLE, MEDIA_POLICY, f"{_LOGO}.svg"),
    (200, "image/png", IMMUTABLE, MEDIA_POLICY, f"{_LOGO}.png"),
    (404, _HTML, CACHE, None, "/assets/nothing.css /media/nothing.svg"),
]  # fmt: skip


def has(answer: servers.Answer, wanted: Mapping[str, str]) -> bool:
    return {name: answer.headers.get(name.lower()) for name in wanted} == wanted


def test_answers_have_their_types_caches_and_policies(server: Running) -> None:
    asset = min(path.name for path in (server.site.out / "assets").iterdir())
    for status, kind, cache, policy, target in (
        (*row[:4], target.replace("{asset}", asset)) for row in ANSWERS for target in row[4].split()
    ):
        answers = [server.ask(target), server.ask(target, Accept_Encoding="gzip")]
        if status == 200:
            answers.append(server.ask(target, If_None_Match=answers[0].headers["etag"]))
        assert [answer.status for answer in answers] == [status, status, 304][: len(answers)]
        for answer in answers:
            headers = answer.headers
            sent = CDN_CACHE if cache == CACHE else cache
            wanted = COMMON_HEADERS | {"Cache-Control": cache, "CDN-Cache-Control": sent}
            assert has(answer, wanted), target
            if answer.status == 304:  # nginx sends a 304 without a type and without a policy
                continue
            assert policy in (None, headers.get("content-security-policy", "")), target
            assert kind in ("", headers.get("content-type")), target
    assert MEDIA_POLICY == "default-src 'none'; sandbox"
    assert "frame-ancestors *" in page_policies()["/embed"] and "frame-ancestors 'none'" in POLICY


#: A document, a list and a record.
SOME = (DASHBOARD, "/api/projects?mode=page", "/api/projects/page")


def test_options_lists_what_scripts_may_request(server: Running) -> None:
    asked = {"Origin": "https://a.example", "Access_Control_Request_Method": "GET"}
    for target in SOME:
        answer = server.ask(target, "OPTIONS", **asked)
        said = (answer.status, answer.body, answer.headers["allow"])
        assert said == (204, b"", ", ".join(METHODS))
        assert has(answer, PREFLIGHT)
    assert "access-control-allow-methods" not in server.ask(DASHBOARD).headers


def test_other_methods_are_refused_with_the_allowed_methods(server: Running) -> None:
    answer = server.ask(DASHBOARD, "DELETE")
    # Apache adds the methods that it allows itself.
    assert set(answer.headers["allow"].split(", ")) - {"TRACE", ""} == set(METHODS)
    said = (answer.status, answer.headers["content-type"], answer.body.decode())
    assert said == (405, PROBLEM, NOT_ALLOWED) and has(answer, COMMON_HEADERS)


# --- caches ---


def test_an_unchanged_file_is_not_sent_again(server: Running) -> None:
    for target in SOME:
        tag = server.ask(target).headers["etag"]
        assert re.fullmatch(r'"[^"]+"', tag), "a strong validator (RFC 9110 section 8.8.1)"
        again = server.ask(target, If_None_Match=tag)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["access-control-allow-origin"] == "*"
        assert server.ask(target, If_None_Match='"other"').status == 200


def test_two_pages_have_two_validators(server: Running) -> None:
    grammar = server.site.grammar
    tags = {server.ask(f"/api/projects?mode=page&page={n}").headers["etag"] for n in (1, 2)}
    assert len(tags) == 2
    assert server.ask(Slice(grammar["projects"]).path()).headers["etag"] in tags


def test_an_unchanged_compressed_file_is_not_sent_again(server: Running) -> None:
    index = [
        f"/{p.relative_to(server.site.out)}"
        for p in (server.site.out / "api/index/projects").rglob("*")
        if p.is_file()
    ]
    large = [path for path in index if (server.site.out / path[1:]).stat().st_size > 512]
    assert any("/keys/" in path for path in large)
    files = [
        "/skill.md",
        "/llms.txt",
        "/api/calendar/events.ics",
        "/api/search.js",
        "/sitemap.xml",
        "/.well-known/api-catalog",
        "/404.html",
        "/api/v1/agent/context/overview.md",
    ]
    for target in ("/api/projects?mode=page", *files, *large):
        answer = server.ask(target, Accept_Encoding="gzip")
        assert answer.headers.get("content-encoding") == "gzip", target
        assert "accept-encoding" in answer.headers["vary"].lower()
        assert gzip.decompress(answer.body) == server.ask(target).body
        again = server.ask(target, Accept_Encoding="gzip", If_None_Match=answer.headers["etag"])
        assert again.status == 304


@pytest.mark.parametrize(
    "headers",
    [
        {"If_None_Match": "*"},
        {"If_Modified_Since": "Fri, 31 Dec 2100 00:00:00 GMT"},
        {"Range": "bytes=0-9"},
        {"If_Match": '"x"'},
        {"If_Unmodified_Since": "Fri, 31 Dec 1999 00:00:00 GMT"},
        {"If_Range": '"x"', "Range": "bytes=0-9"},
    ],
)
def test_a_condition_or_a_range_does_not_change_a_refusal(
    server: Running, headers: dict[str, str]
) -> None:
    for raw, code in (("mode=all", "mode-required"), ("mode=page&page=99", "not-found")):
        answer = server.ask(f"/api/projects?{raw}", **headers)
        assert (answer.status, json.loads(answer.body)["code"]) == (PROBLEMS[code][0], code)


def test_a_range_of_a_list_is_a_part_of_it(server: Running) -> None:
    target = "/api/projects?mode=page"
    answer = server.ask(target, Range="bytes=0-9")
    assert (answer.status, answer.body) == (206, server.ask(target).body[:10])


def test_a_condition_that_fails_has_every_header_once(server: Running) -> None:
    for target in (DASHBOARD, "/api/projects?mode=page"):
        for status, asked in ((412, {"If_Match": '"other"'}), (416, {"Range": "bytes=99999999-"})):
            answer = server.ask(target, **asked)
            assert answer.status == status and has(answer, COMMON_HEADERS)


# --- what else may be tried ---


@pytest.mark.parametrize(
    "target", ["?mode=page#", "?mode=page#&year=2024", "#?mode=page", "#",
               "?mode=page%23&year=2024", "?mode=page&year=2024#&page=2"]
)  # fmt: skip
def test_a_fragment_in_the_request_line_hides_nothing(server: Running, target: str) -> None:
    answer = server.ask("/api/projects" + target)
    assert 400 <= answer.status < 500


def test_a_folder_is_never_listed(server: Running) -> None:
    folders = [
        path.relative_to(server.site.out).as_posix()
        for path in server.site.out.rglob("*")
        if path.is_dir()
    ]
    assert len(folders) > 30
    folders = folders[:: 7 if server.engine == "htaccess" else 1]
    paged = {path for path in folders if (server.site.out / path / "index.html").is_file()}
    for path in paged:
        assert server.ask(f"/{path}/").body == (server.site.out / path / "index.html").read_bytes()
    targets = [
        *(f"/{path}{end}" for path in folders if path not in paged for end in ("/", "/?mode=page")),
        *(f"/{path}//" for path in folders),
    ]
    for asked in ("//", "/api", "/.well-known", *targets):
        answer = server.ask(asked)
        assert answer.status == 404, asked
        assert answer.headers["content-type"] in (PROBLEM, MEDIA_TYPES["html"]), asked
        assert has(answer, COMMON_HEADERS)


def test_files_for_other_hosts_are_not_published(server: Running) -> None:
    ends = [(before, after) for before in ("", "/", "/x/..") for after in ("", "/", "/x.js")]
    targets = [f"{before}/{name}{after}" for name in PRIVATE for before, after in ends]
    targets += ["/" + name.replace("_", "%5F").replace(".", "%2E") for name in PRIVATE]
    for target in targets:
        answer = server.ask(target)
        # Apache's default configuration refuses files named like its own.
        own = server.engine in APACHE and "htaccess" in target
        assert (answer.status, b"another host" in answer.body) in (
            (404, False),
            *([(403, False)] if own else []),
        ), target


def test_every_file_for_one_host_is_among_those_that_servers_refuse(tmp_path: Path) -> None:
    alone = ("netlify", "cloudflare", "gitlab-pages")  # hosts that have a file of the same name
    others = [name for name in module_names(generator.hosts) if name not in alone]
    found = [
        {path.name for path in awkward.build(tmp_path / str(n), *hosts).iterdir()}
        for n, hosts in enumerate((["nginx"], others, *([name] for name in alone)))
    ]
    assert set().union(*found) - found[0] == set(PRIVATE)


def test_apache_does_not_show_its_own_rules(start: Callable[[str, str], Running]) -> None:
    assert start("htaccess", "").ask("/.htaccess").status in (403, 404)


def test_a_request_line_with_a_host_is_the_same_request(server: Running) -> None:
    same = server.ask("http://registry.example.org" + "/api/projects?mode=page&page=2")
    assert same.body == server.ask("/api/projects?mode=page&page=2").body
    assert server.ask("http://registry.example.org" + "/api/projects?mode=page&x=1").status == 400


def test_a_proxy_that_speaks_http_is_not_seen_in_a_redirect(
    start: Callable[[str, str], Running],
) -> None:
    for engine in EVERY:
        server = start(engine, "")
        location = server.ask("/api/projects/old-name").headers["location"]
        assert location.startswith("/"), engine


# --- what belongs where ---


def test_only_apache_puts_rules_into_the_output(built: Callable[[str], Site]) -> None:
    site = built("")
    assert (site.out / ".htaccess").is_file()
    others = {"maps.conf", "server.conf", "registry.caddy", "registry.conf"}
    assert others.isdisjoint(path.name for path in site.out.rglob("*"))


@pytest.mark.parametrize("families", [1, 40, 300])
def test_no_word_of_the_rules_is_too_long_for_nginx(families: int) -> None:
    grammar = Grammar(built_in(), {f"a_family_of_tags_{n}": "Tags" for n in range(families)})
    symbols = Symbols(grammar, {}, frozenset(), {}, {})
    maps, server = (artifact.data.decode() for artifact in nginx.outside(symbols, []))
    for text in (maps, server):
        assert max(map(len, re.findall(r'"[^"]*"|\S+', text))) < 4_096
    # Problems are less specific, but no shape is missing.
    assert all(f"/by/tag_{name}/" in maps for name in grammar.tag_families)


@pytest.fixture(scope="module")
def compressed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The content and the output of a build that compresses."""
    folder = tmp_path_factory.mktemp("compressed")
    source = registries.write(folder / "content", registries.content(awkward.CONTENT))
    options = ("--as-of", awkward.AS_OF, "--host", "apache", "--precompress", "gzip")
    return source, commands.build(source, folder / "out", *options)


@pytest.mark.parametrize("engine", EVERY)
def test_files_compressed_by_the_build_are_sent_unchanged(
    engine: str,
    start: Callable[[str, str], Running],
    compressed: tuple[Path, Path],
    tmp_path: Path,
) -> None:
    start(engine, "")
    source, out = compressed
    root = awkward.grammar()["projects"].root
    with servers.serve(engine, source, out, tmp_path / engine) as client:
        for target, file, kind, status in (
            (DASHBOARD, DASHBOARD, "json", 200),
            (f"{root}?mode=page", Slice(awkward.grammar()["projects"]).path(), "json", 200),
            ("/skill.md", "/skill.md", "md", 200),
            ("/nothing", "/404.html", "html", 404),
        ):
            packed = (out / f"{file[1:]}.gz").read_bytes()
            answer = client.ask("GET", target, {"Accept-Encoding": "br;q=0, gzip"})
            assert (answer.status, answer.headers["content-type"]) == (status, MEDIA_TYPES[kind])
            assert (answer.body, answer.headers["content-encoding"]) == (packed, "gzip"), target
            assert answer.headers["vary"].lower() == "accept-encoding"
            plain = client.ask("GET", target, {"Accept-Encoding": "gzip;q=0"})
            said = (plain.body, plain.headers.get("content-encoding"))
            assert said == (gzip.decompress(packed), None)
            if status == 200:
                tag = answer.headers["etag"]
                again = client.ask("GET", target, {"Accept-Encoding": "gzip", "If-None-Match": tag})
                assert (again.status, tag != plain.headers["etag"]) == (304, True)
