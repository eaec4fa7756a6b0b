"""Answers of hosts with JavaScript at their edge, compared with asked.py and the development
server.

The script of each host runs in node with the host stubbed (edge.mjs).  Cloudflare's script runs in
workerd, Cloudflare's own engine: for Workers with the configuration that wrangler reads, for Pages
by `wrangler pages dev`.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import orjson
import pytest

from generator import PACKAGE
from generator.contract.artifact import Alias
from generator.engine.scripts import module
from generator.features.buckets.publish import publish
from generator.features.buckets.store import Store
from generator.features.buckets.tree import object_headers
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.headers import COMMON_HEADERS, POLICY, PROBLEM, UNAVAILABLE
from generator.grammar.paths import problem_path
from generator.grammar.refusals import PROBLEMS
from generator.hosts import HostLimit, aws, cloudflare, netlify, r2, vercel
from generator.kinds import built_in
from generator.reader import deployment as reader
from generator.search.format import with_seal
from generator.serve import answer as development
from support import commands, registries
from support.asked import EXACT, LIST, SAFE, Request, kinds, line_of, listed
from support.edges import RESOLVER, Site, fallback, worst
from support.engines import Raw, need, node, workerd, wrangler
from support.lanes import fast_first
from support.stores import pointed

HERE = Path(__file__).parent
SOURCE = PACKAGE / "search/js/source"
DOCUMENTATION = HERE.parent.parent / "docs" / "hosts.md"
#: Both sites; the fast tests of the resolver have the prefix too.
prefix_is_slow = pytest.mark.parametrize(
    "site", fast_first(1, ["", "/registry"]), ids=["root", "prefix"], indirect=True
)


def edge_function(site: Site) -> Path:
    """The folder of Netlify's function."""
    return (site.out / netlify.EDGE_FUNCTION[1:]).parent


# --- the list, and the resolver ---


@pytest.mark.slow  # fast: tests/unit/serve/test_answer.py compares the same answers with the list
def test_the_list_has_the_answers_of_the_development_server(plain: Site, regenerate: bool) -> None:
    served = reader.Deployment.open(plain.out)
    before = LIST.read_text("utf-8").rstrip("\n").split("\n")
    requests = iter(listed(site=True))
    after = [
        line_of(decided(next(requests), plain, served)) if line and line[0] != "#" else line
        for line in before
    ]
    if regenerate:
        LIST.write_text("\n".join(after) + "\n", "utf-8")
    else:
        assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]][:9] == []


def decided(request: Request, plain: Site, served: reader.Deployment) -> Request:
    """A request with its answer by prepared pages."""
    lists = {*(collection.root for collection in plain.grammar.collections.values()), "/api/search"}
    asked = Request(request.method, request.target, 0)
    found = development.answer(request.method, request.target, served)
    got = found if request.method == "GET" else development.answer("GET", request.target, served)
    body = got.body
    files = plain.paths.get(hashlib.sha256(body).hexdigest(), {""})
    is_query = request.method == "GET" and unquote(request.path) in lists
    # The index also knows that there is nothing to find, or a page of it.
    is_empty = found.status == 404 and request.problem == "unsupported-combination"
    if is_query and ((found.status == 200 and files == {""}) or is_empty):  # no prepared page
        return asked._replace(status=400, problem="unsupported-combination")
    if found.status == 200:
        file = request.file if request.file in files else min(files)
        return asked._replace(status=200, file=file)
    code = None
    if found.status in (400, 404) and found.headers["Content-Type"] == PROBLEM:
        code = json.loads(body)["code"]
    location = found.headers.get("Location")
    return asked._replace(status=found.status, problem=code, location=location)


def test_the_resolver_answers_every_request(site: Site) -> None:
    judged = {r: site.judge(r, answer) for r, answer in site.resolved.items()}
    assert worst(judged, EXACT) == {}


def test_a_refusal_is_the_published_problem_with_its_details(plain: Site) -> None:
    seen = set()
    for request in (r for r in plain.requests if r.problem and r.method == "GET"):
        answer = plain.resolved[request]
        given = json.loads(answer["text"])
        published = json.loads((plain.out / problem_path(str(request.problem))[1:]).read_bytes())
        assert list(given) == list(published)
        assert {**given, "detail": "", "allowed": None, "try": None} == {**published, "detail": ""}
        assert len(answer["text"]) < 1500, "what was asked is shown cut"
        seen.add(request.problem)
    assert seen == set(PROBLEMS)


def test_every_answer_of_the_api_may_be_read_by_any_site(plain: Site) -> None:
    asked = [r for r in plain.requests if "/api/" in r.path and not r.path.startswith(("//", "/x"))]
    assert {r.status for r in asked} == {200, 204, 308, 400, 404, 405}
    for request in asked:
        headers = plain.resolved[request]["headers"]
        common = {name: headers.get(name.lower()) for name in COMMON_HEADERS}
        assert common == COMMON_HEADERS, request
        if request.status in (204, 405):
            assert headers["allow"] == "GET, HEAD, OPTIONS"
        if request.status == 204:
            assert headers["access-control-allow-methods"] == headers["allow"]


def test_a_file_names_its_address_and_is_not_sent_again(plain: Site) -> None:
    for url, path in (
        ("/api/projects?mode=page&page=2", "/api/projects/page/2.json"),
        ("/api/projects/page", "/api/projects/slug/page.json"),
    ):
        (first,) = plain.ask("respond", RESOLVER, [["GET", url]])
        assert first["headers"]["content-location"] == path
        assert first["headers"]["content-type"] == "application/json"
        etag = first["headers"]["etag"]
        (again,) = plain.ask("respond", RESOLVER, [["GET", url, {"if-none-match": etag}]])
        assert (again["status"], again["body"], again["headers"]["etag"]) == (304, "", etag)
        assert again["headers"]["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("more", [{"if-match": '"other"'}, {"range": "bytes=999999999-"}])
def test_a_304_or_206_of_the_host_is_not_a_miss(plain: Site, more: dict[str, str]) -> None:
    targets = ["/api/projects?mode=page", "/api/projects/page", "/api/projects/page/1.json"]
    answers = plain.ask("respond", RESOLVER, [["GET", target, more] for target in targets])
    # A record may be a redirect, so it is read in full.
    statuses = [412] * 3 if "if-match" in more else [416, 200, 416]
    assert [answer["status"] for answer in answers] == statuses
    for answer in answers:
        assert answer["headers"]["access-control-allow-origin"] == "*"
        assert "no page" not in answer["text"]


QUERIES = (
    "projects?mode=page&q=project",
    "projects?mode=page&q=project&page=2",
    "projects?mode=page&year=2024&sort=-year",
    "search?q=space",
)


def test_an_unchanged_answer_of_the_query_tier_is_not_sent_again(plain: Site) -> None:
    """Of all files, only manifests are read."""
    module = plain.outside(vercel)["/middleware.js"]
    asked = [[method, f"/api/{query}"] for query in QUERIES for method in ("GET", "HEAD")]
    first = plain.ask("vercel", module, asked)
    assert [answer["status"] for answer in first] == [200] * len(asked)
    tags = [answer["headers"]["etag"] for answer in first]
    assert len(set(tags)) == len(QUERIES)
    assert all(re.fullmatch(r'"[0-9a-f-]{10,90}"', tag) for tag in tags)
    for known in ("{}", "W/{}", '"other", W/{}', "*", '"other"'):
        pairs = zip(asked, tags, strict=True)
        asking = [[*one, {"if-none-match": known.format(tag)}] for one, tag in pairs]
        status = 200 if known == '"other"' else 304
        for answer, tag in zip(plain.ask("vercel", module, asking), tags, strict=True):
            assert (answer["status"], answer["headers"]["etag"]) == (status, tag)
            assert status == 200 or answer["body"] == ""
            assert answer["headers"]["access-control-allow-origin"] == "*"
    # A refusal has no ETag, even if the client sends one.
    wrong = ["GET", "/api/projects?mode=page&q=-", {"if-none-match": "*"}]
    (refused,) = plain.ask("vercel", module, [wrong])
    assert refused["status"] == 400 and "etag" not in refused["headers"]


def test_the_etag_changes_with_the_index(plain: Site, tmp_path: Path) -> None:
    module = plain.outside(vercel)["/middleware.js"]
    ask = [["GET", f"/api/{QUERIES[0]}"]]
    (before,) = plain.ask("vercel", module, ask)
    out = tmp_path / "out"
    shutil.copytree(plain.out, out)
    manifest = out / plain.grammar["projects"].manifest_path[1:]
    # The same index except for a part that no answer contains.
    found = {**json.loads(manifest.read_bytes()), "more": 1}
    del found["check"]
    manifest.write_bytes(with_seal(orjson.dumps(found)))
    other = SimpleNamespace(out=out, grammar=plain.grammar, folder=tmp_path)
    (after,) = Site.ask(other, "vercel", module, ask)  # type: ignore[arg-type]
    assert after["body"] == before["body"] and after["headers"]["etag"] != before["headers"]["etag"]


def test_the_documentation_has_the_size_of_the_resolver() -> None:
    (told,) = re.findall(r"([\d.]+) KB gzipped", DOCUMENTATION.read_text())
    script = module(Grammar(built_in(), dict.fromkeys(("topic", "technology"), "")), "")
    assert float(told) == round(len(gzip.compress(script)) / 1000, 1)


# --- hosts ---


@pytest.mark.parametrize("host", ["netlify", "vercel"])
def test_the_function_answers_at_addresses_that_take_a_post(site: Site, host: str) -> None:
    script = site.outside(vercel)["/middleware.js"] if host == "vercel" else edge_function(site)
    paths = dict.fromkeys(
        f"{prefix}/mcp{end}" for prefix in ("", site.grammar.prefix) for end in ("", "/")
    )
    asked = [[method, path] for path in paths for method in ("OPTIONS", "GET", "POST")]
    found = site.ask(host, script, asked)
    assert [answer["status"] for answer in found] == [204, 405, 415] * len(paths)
    assert {answer["headers"].get("allow") for answer in found} == {"POST, OPTIONS", None}
    paths = [site.grammar.url(f"/api/reconcile/{name}") for name in ("projects", "nope")]
    asked = [[method, path] for path in paths for method in ("OPTIONS", "DELETE", "POST")]
    found = site.ask(host, script, asked)
    assert [answer["status"] for answer in found] == [204, 405, 400, 204, 405, 404]
    allowed = "GET, HEAD, OPTIONS, POST"
    assert [answer["headers"].get("allow") for answer in found] == [allowed, allowed, None] * 2


@prefix_is_slow
def test_netlify_answers_every_request(site: Site) -> None:
    need("netlify-redirector")
    judged = site.judged("netlify", edge_function(site), site.tiered)
    assert worst(judged, EXACT) == {}
    roots = [c.root for c in site.grammar.collections.values()]
    lists = {prefix + root for root in roots for prefix in ("", site.grammar.prefix)}
    assert {r.path for r in judged} >= lists
    rest = [r for r in site.tiered if r not in judged and r.method == "GET"]
    by_rules = {r: site.judge(r, a) for r, a in zip(rest, fallback(site, rest), strict=True)}
    assert worst(by_rules, EXACT, SAFE) == {}
    assert len(judged) > len(by_rules) > 20


ENCODED = [
    ("/%61pi/projects?mode=page&colour=red", 400),
    ("/api%2Fprojects?mode=page&colour=red", 404),
    ("/api/%64ashboard?year=2024", 400),
    ("/api/project%73/page?mode=page", 400),
    ("/api/calendar%2fevents?colour=red", 404),
    ("/API%2Fprojects?mode=page&colour=red", 404),
    ("/%2561pi/projects?mode=page&colour=red", 404),
    ("/x/%2e%2e/api/projects?mode=page&colour=red", 400),
    ("/x/../api/projects?mode=page&colour=red", 400),
    ("/./api/projects?mode=page&colour=red", 400),
    ("//api/projects?mode=page&colour=red", 404),
    ("/api//projects?mode=page&colour=red", 404),
]


@pytest.mark.parametrize("prefix", ["", "/registry"])
def test_netlify_calls_the_function_for_every_spelling_of_a_path(site: Site, prefix: str) -> None:
    """Its rules decode a path before they match, and would ignore the rest of the query."""
    if prefix not in ("", site.grammar.prefix):
        pytest.skip("another base URL")
    asked = [["GET", prefix + target] for target, _ in ENCODED]
    answers = site.ask("netlify", edge_function(site), asked)
    assert [answer and answer["status"] for answer in answers] == [status for _, status in ENCODED]
    rules = fallback(site, [Request("GET", prefix + ENCODED[0][0], 400)])
    assert rules[0]["status"] == 200, "were it not for the function"


def test_netlify_uses_expressions_unchanged(site: Site) -> None:
    """An expression with `^` and `$` stays unchanged; look-ahead is not supported."""
    script = (site.out / netlify.EDGE_FUNCTION[1:]).read_text()
    config = re.search(r"pattern: (\[.*?\]), excludedPattern: (\".*?\"), onError", script)
    assert config is not None
    for pattern in [*json.loads(config[1]), json.loads(config[2])]:
        assert re.fullmatch(r"\^((?!\(\?[=!]).)*\$", pattern)


def test_netlify_takes_the_function_from_the_folder_that_its_configuration_names() -> None:
    import tomllib

    build = tomllib.loads((HERE.parent.parent / "netlify.toml").read_text())["build"]
    for function in (netlify.EDGE_FUNCTION, netlify.PREFLIGHT_FUNCTION):
        assert f"/{build['edge_functions']}" == f"/{build['publish']}{Path(function).parent}"
        # Netlify does not publish folders with a dot, except .well-known.
        assert function.startswith("/.")


@prefix_is_slow
def test_cloudfront_answers_every_request(site: Site) -> None:
    judged = site.judged("cloudfront", site.outside(aws)["/cloudfront-function.js"])
    # The function fetches nothing, so a miss is always the distribution's own answer.  It has no
    # words of q, ignores counts, and hands a single value spelled as several to a query tier.
    assert worst(judged, EXACT, SAFE) == {}
    safe = [r for r, outcome in judged.items() if outcome == SAFE]
    spelled = r"mode=count|=all:[^,&]+(?:&|$)|=([^,&]+),\1(?:&|$)"
    safe = [r for r in safe if not re.search(spelled, r.query)]
    api = f"{site.grammar.prefix}/api/"
    assert all("q=" in r.query or not r.path.startswith((api, "/api/")) for r in safe)
    assert len(safe) < len(judged) / 20


def test_cloudfront_answers_no_rules_of_other_hosts(site: Site) -> None:
    """A build without a host's name is for Netlify, and a bucket serves every file in it."""
    files = ["/_redirects", "/_headers", netlify.EDGE_FUNCTION, "/.nojekyll", "/.htaccess",
             "/_worker.js"]  # fmt: skip
    assert (site.out / "_redirects").is_file()
    script = site.outside(aws)["/cloudfront-function.js"]
    prefixes = {"", site.grammar.prefix}
    asked = [["GET", prefix + path] for path in (*files, "/%5fredirects") for prefix in prefixes]
    for answer in site.ask("cloudfront", script, asked):
        assert (answer["status"], json.loads(answer["text"])["code"]) == (404, "not-found")
        # CloudFront does not keep the answers of a function, so no header says how long it may.
        names = {name.lower() for name in answer["headers"]}
        assert "access-control-allow-origin" in names and "cdn-cache-control" not in names
    (found,) = site.ask("cloudfront", script, [["GET", "/.well-known/api-catalog"]])
    assert found["status"] == 200


@pytest.mark.slow
def test_the_bundles_match_their_sources(tmp_path: Path) -> None:
    """The committed bundles equal esbuild's output; esbuild stops at syntax that CloudFront may not
    support.
    """
    need("esbuild")
    subprocess.run(["node", str(HERE / "bundle.mjs"), str(tmp_path)], check=True)
    made = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.js")}
    package = SOURCE.parents[2]
    folders = ("search/js", "site/scripts", "features/*/templates/site/assets")
    committed = {
        str(path.relative_to(package)): path.read_text()
        for folder in folders
        for path in package.glob(f"{folder}/*.js")
    }
    assert made == committed, "run: make bundle"


def test_the_map_of_the_world_is_what_its_script_writes(tmp_path: Path) -> None:
    """To update it after a change: node tests/hosts/world.mjs templates/site/world.json"""
    need("world-atlas")
    subprocess.run(["node", HERE / "world.mjs", tmp_path / "world.json"], check=True)
    written = (tmp_path / "world.json").read_bytes()
    assert written == (commands.ROOT / "templates/site/world.json").read_bytes()


def test_the_cloudfront_function_uses_only_features_of_its_runtime(plain: Site) -> None:
    """No later words and functions, which bundlers do not replace."""
    script = plain.outside(aws)["/cloudfront-function.js"].read_text()
    code = re.sub(r"^//.*|^const packed=.*", "", script, flags=re.MULTILINE)
    code = re.sub(r'"(?:[^"\\]|\\.)*"|`[^`]*`|/\^?\[.*?\$/', "", code, flags=re.DOTALL)
    words = [r"\b(?:of|class|async|await|import|export|Symbol|Proxy|globalThis)\b"]
    forms = [r"\.\.\.", r"\?\?", r"\?\.(?!\d)", r"\([\[{][^()]*\)=>", r"\b(?:const|let) ?[{\[]",
             r"catch\{"]  # fmt: skip
    functions = [r"\.(?:includes|startsWith|endsWith|flat|at|padStart)\(",
                 r"Object\.(?:entries|values|assign)", "RegExp\\([^)]*,"]  # fmt: skip
    for later in (*words, *forms, *functions):
        assert not re.search(later, code), later
    assert "for(" in code and script.endswith(
        "function handler(event){return edge.handler(event)}\n"
    )


@pytest.mark.parametrize("families", fast_first(1, (2, 0, 10, 30)))
def test_the_cloudfront_function_fits_with_the_most_former_slugs(families: int) -> None:
    grammar = Grammar(built_in(), {f"family_{n}": "" for n in range(families)})
    aliases = [Alias("projects", f"old-{n:05}", "new") for n in range(9_999)]
    (function,) = aws.outside(SimpleNamespace(grammar=grammar), SimpleNamespace(), aliases)  # type: ignore[arg-type]
    assert aws.MAX_FUNCTION - 40 < len(function.data) <= aws.MAX_FUNCTION
    assert b"projects/old-00000" in function.data


def test_a_cloudfront_function_may_have_as_many_bytes_as_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grammar = Grammar(built_in(), {})
    (function,) = aws.outside(SimpleNamespace(grammar=grammar), SimpleNamespace(), [])  # type: ignore[arg-type]
    monkeypatch.setattr(aws, "MAX_FUNCTION", len(function.data))
    assert aws.find_excess(grammar) is None
    monkeypatch.setattr(aws, "MAX_FUNCTION", len(function.data) - 1)
    assert aws.find_excess(grammar) is not None


def test_more_routes_than_vercel_takes_are_an_error_with_the_lists_that_have_most() -> None:
    choice = {"label": "Choice", "type": "choice", "values": {"x": "X"}, "filter": True}
    fields = {f"choice_{number}": choice for number in range(50)}
    names = ("tool", "paper", "venue", "book", "game")
    kinds = {f"{name}s": {"one": name, "fields": fields} for name in names}
    few = Grammar(built_in().having({}, {"tools": kinds["tools"]}))
    many = Grammar(built_in().having({}, kinds))
    assert vercel.find_excess(few) is None
    problem, hint = vercel.find_excess(many) or ("", "")
    assert re.fullmatch(r"vercel\.json has 1,\d\d\d routes, and Vercel takes 1,024", problem)
    assert "tools have 204, papers have 204" in hint
    with pytest.raises(HostLimit, match="and Vercel takes 1,024"):
        list(vercel.outside(SimpleNamespace(grammar=many), SimpleNamespace(), []))  # type: ignore[arg-type]


#: Kinds of a registry, and the names of their fields, which have little in common.
KINDS = """
investor: status stage sector employment
deal: region licence level role
person: language season climate continent
grant: habitat cuisine meal hosting
paper: audience genre publisher runtime
tool: discipline method protocol kingdom
venue: certification grade delivery transport
animal: material sourcing colour lighting
recipe: family_of outline pricing seating
book: support security market campus
machine: channel quality warranty credits
course: storage allergen texture equipment
"""


def test_cloudfront_takes_as_many_kinds_as_a_registry_may_have() -> None:
    """Twelve, with ten filters each, and more that go through their relations."""
    choice = {"label": "Choice", "type": "choice", "values": {"x": "X"}, "filter": True}
    lines = (line.split(": ") for line in KINDS.strip().splitlines())
    chosen = {f"{one}s": keys.split() for one, keys in lines}
    kinds = list(chosen)

    def fields(one: str, first: str, second: str) -> dict[str, Any]:
        return {
            **dict.fromkeys(chosen[f"{one}s"], choice),
            f"{one}_open": {"label": "Open", "type": "boolean", "filter": True},
            f"{one}_amount": {"label": "Amount", "type": "number", "filter": True, "sort": True},
            f"{one}_since": {"label": "Since", "type": "date", "filter": True, "sort": True},
            f"{one}_score": {"label": "Score", "type": "number", "filter": True, "sort": True},
            "about": {"label": "About", "type": "record", "of": first, "filter": True,
                      "through": chosen[first][:2]},
            "beside": {"label": "Beside", "type": "record", "of": second, "filter": True,
                       "through": chosen[second][:1]},
        }  # fmt: skip

    own = {
        kind: {"one": kind[:-1], "has": ["website"],
               "fields": fields(kind[:-1], kinds[n - 1], kinds[n - 5])}
        for n, kind in enumerate(kinds)
    }  # fmt: skip
    grammar = Grammar(built_in().having({}, own), {"topic": ""})
    assert [len(c.filters) for c in grammar.collections.values() if c.declared.is_own] == [13] * 12
    assert aws.find_excess(grammar) is None
    rules, *_ = netlify.render(SimpleNamespace(grammar=grammar), [])  # type: ignore[arg-type]
    assert rules.data.count(b"\n") < 7_000


@pytest.mark.parametrize("filters", fast_first(1, [25, 0]))
def test_a_cloudfront_function_that_is_too_large_is_an_error(filters: int, tmp_path: Path) -> None:
    """With what to leave out."""
    own = {"label": "Property", "type": "choice", "values": {"x": "X"}, "filter": True}

    def fields(of: str) -> dict[str, Any]:
        """Names that have little in common, which packing would shorten."""
        numbers = (hashlib.sha256(f"{of}{n}".encode()).hexdigest() for n in range(filters))
        return {f"p{number[:40]}": own for number in numbers}

    kind = {"one": "tool", "fields": fields("tools")}
    settings = {"fields": {"projects": fields("projects")}, "kinds": {"tools": kind}}
    content = registries.write(
        tmp_path / "content", registries.api_alone({**settings, "hosts": ["aws"]})
    )
    done = commands.run_forked("host", "aws", "--content", content)
    built = commands.run_forked("build", "--content", content, "--out", tmp_path / "out")
    checked = commands.run_forked("check", "--content", content)
    assert built.status == checked.status == 0
    if not filters:
        assert "no problem" in checked.out
        assert done.status == 0 and len(done.out.encode()) <= aws.MAX_FUNCTION
        assert "CloudFront" not in built.err
        return
    assert done.status == 2 and done.out == ""
    for said in (done.err, built.err, checked.out + checked.err):
        assert "bytes, and CloudFront takes 10,240" in said
        place = r"(?:kinds\.tools\.fields|fields\.projects)\.p\w+"
        assert re.search(rf"`filter` of {place} takes about \d+ bytes; ", said)


def test_vercels_middleware_never_fetches_from_itself(site: Site) -> None:
    """Also if paths match in any case: edge.mjs ignores case, and fails if a fetched address is one
    that the middleware handles.
    """
    middleware = site.outside(vercel)["/middleware.js"]
    targets = {r.target for r in kinds(site.tiered) if r.method == "GET"}
    strange = {target.swapcase() for target in targets} | {target.upper() for target in targets}
    strange |= {"/API/dashboard", "/Api/Projects?mode=page", "/api/PROJECTS/x", "/caf%C3%A9",
                "/%41PI/dashboard", *(target for target, _ in ENCODED)}  # fmt: skip
    asked = sorted(target for target in strange if target.startswith("/"))
    found = site.ask("vercel", middleware, [["GET", target] for target in asked])
    answers = dict(zip(asked, found, strict=True))
    for target in ("/API/dashboard", "/Api/Projects?mode=page", "/%41PI/dashboard"):
        assert answers[target]["status"] == 404
    # Another address of the site, which the middleware ignores.
    assert answers["/caf%C3%A9"] is None


# --- Cloudflare, in workerd ---


def sent(
    port: int, method: str, target: str, headers: Mapping[str, str] = {}
) -> tuple[int, bytes, dict[str, str]]:
    with contextlib.closing(Raw("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, target, headers=dict(headers))
        with connection.getresponse() as response:
            given = {name.lower(): value for name, value in response.getheaders()}
            return response.status, response.read(), given


def judged(port: int, site: Site, asked: Sequence[Request]) -> dict[Request, str]:
    """The outcomes of requests to a server."""
    found = {}
    for request in asked:
        status, body, headers = sent(port, request.method, request.target)
        answer = {
            "status": status,
            "headers": headers,
            "body": hashlib.sha256(body).hexdigest() if body else "",
            "text": body.decode() if status >= 400 else "",
        }
        found[request] = site.judge(request, answer)
    return found


@pytest.fixture(scope="session", params=["", "/registry"], ids=["root", "prefix"])
def cloud(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    need("wrangler")
    built = Site(tmp_path_factory.mktemp("cloudflare"), request.param, "cloudflare")
    built.write(cloudflare.outside(built.given[1]))
    # Netlify runs the same script and gets all requests.
    built.tiered = kinds(built.tiered)
    (built.folder / "build").symlink_to(built.out)
    return built


def conditional(port: int, target: str, **more: str) -> tuple[int, bytes, dict[str, str]]:
    """The answer to GET with headers; HEAD has the same without a body."""
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    status, body, given = sent(port, "GET", target, headers)
    assert sent(port, "HEAD", target, headers)[:2] == (status, b"")
    return status, body, given


def assert_conditions(port: int, site: Site) -> None:
    """Clients with a current copy get 304, for files, prepared pages and the query tier."""
    prefix = site.grammar.prefix
    files = ("/api/dashboard.json", "/api/projects?mode=page", "/api/projects/page")
    for target in (*files, *(f"/api/{query}" for query in QUERIES)):
        status, body, headers = conditional(port, prefix + target)
        assert status == 200 and body and headers["etag"], target
        exposed = "ETag, Content-Location, Retry-After, Link"
        assert headers["access-control-expose-headers"] == exposed
        status, body, again = conditional(port, prefix + target, If_None_Match=headers["etag"])
        # Pages omits it from a 304 of a file.
        tag = again.get("etag", headers["etag"])
        assert (status, body, tag) == (304, b"", headers["etag"]), target
        assert conditional(port, prefix + target, If_None_Match='"other"')[0] == 200


@pytest.mark.slow
def test_workers_answer_every_kind_of_request(cloud: Site) -> None:
    with workerd(cloud.folder, config=str(cloud.folder / "wrangler.jsonc")) as port:
        found = judged(port, cloud, cloud.tiered)
        assert_conditions(port, cloud)
    assert worst(found, EXACT) == {}


@pytest.mark.slow
def test_pages_answer_every_kind_of_request(cloud: Site) -> None:
    # As documented: the files for Workers are not there.
    (cloud.folder / "wrangler.jsonc").rename(cloud.folder / "of-workers.jsonc")
    # Workers run the same script.  Pages adds its own routing of paths and methods and its own file
    # serving, tested with each path, method and outcome.
    times, asked = Counter[tuple[Any, ...]](), []
    for request in cloud.tiered:
        kind = request.method, request.path, request.status, request.problem
        times[kind] += 1
        asked += [request] * (times[kind] <= 2)
    assert len(asked) > 500 or cloud.grammar.prefix
    options = ("--inspector-port", "0", "--log-level", "error", "--compatibility-date=2025-10-01")
    with wrangler(cloud.folder, "pages", "dev", "build", *options) as port:
        found = judged(port, cloud, asked)
        assert_conditions(port, cloud)
    # Pages redirects an index.html to its folder, as its documentation says.
    inner = {r: found.pop(r) for r in list(found) if r.path.endswith("/index.html")}
    assert worst(found, EXACT) == {} and worst(inner, EXACT, SAFE) == {}


# --- a bucket of Cloudflare, in workerd ---


@contextlib.contextmanager
def bucket(site: Site) -> Iterator[int]:
    """The port of a worker with a bucket that contains a published build."""
    need("wrangler")
    need("miniflare")
    folder = site.folder / "store"
    store = Store(f"file://{folder}/registry")
    publish(site.out, store)
    place = f"{pointed(store).tree_path}/"
    objects = []
    for name in store.names(""):
        path = name.removeprefix(place[:-1]) if name.startswith(place) else name
        objects.append([f"of/me{name}", f"{folder}/registry{name}", object_headers(path)])
    script = site.write(r2.outside(*site.given[:2]))["/r2-worker.js"]
    with workerd(site.folder, script=str(script), prefix="of/me", objects=objects) as port:
        yield port


@pytest.fixture(scope="session", params=["", "/registry"], ids=["root", "prefix"])
def of_bucket(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    built = Site(tmp_path_factory.mktemp("bucket"), request.param, "r2")
    # Workers and Netlify run the same script.
    built.tiered = kinds(built.tiered)[::3]
    return built


@pytest.mark.slow
def test_a_bucket_answers_requests_of_many_kinds(of_bucket: Site) -> None:
    site = of_bucket
    with bucket(site) as port:
        found = judged(port, site, site.tiered)
        assert_conditions(port, site)
        # Files beside the tree have no address, and pages send their policy.
        for path in ("/current.json", "/trees/", "/of/me/current.json"):
            assert conditional(port, path)[0] == 404
        _, body, headers = conditional(port, f"{site.grammar.prefix}/")
        assert body and headers["content-security-policy"] == POLICY
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert_parts(port, site)
    assert worst(found, EXACT) == {}


def assert_parts(port: int, site: Site) -> None:
    """Parts of a file of a bucket (RFC 9110 section 14)."""
    path = site.grammar.prefix + Slice(site.grammar["projects"]).path()
    body = (site.out / path.removeprefix(site.grammar.prefix)[1:]).read_bytes()
    size = len(body)

    def part(asked: str, **more: str) -> tuple[int, bytes, str | None]:
        status, data, headers = sent(port, "GET", path, {"Range": asked, **more})
        return status, data, headers.get("content-range")

    assert part("bytes=2-5") == (206, body[2:6], f"bytes 2-5/{size}")
    assert part(f"bytes={size - 3}-") == (206, body[-3:], f"bytes {size - 3}-{size - 1}/{size}")
    assert part("bytes=-4") == (206, body[-4:], f"bytes {size - 4}-{size - 1}/{size}")
    assert part(f"bytes=0-{2 * size}") == (206, body, f"bytes 0-{size - 1}/{size}")
    assert part(f"bytes=-{2 * size}") == (206, body, f"bytes 0-{size - 1}/{size}")
    for beyond in (f"bytes={size}-", f"bytes={size}-{size + 9}", "bytes=-0"):
        assert part(beyond) == (416, b"", f"bytes */{size}"), beyond
    for whole in ("bytes=5-2", "bytes=0-1,4-5", "bytes=-", "lines=1-2", "bytes=a-"):
        assert part(whole) == (200, body, None), whole
    assert part("bytes=2-5", **{"If-Range": '"other"'}) == (200, body, None)


def test_a_bucket_is_read_through_its_pointer(plain: Site) -> None:
    one, other = "of/me/trees/1-00000000", "of/me/trees/2-00000000"
    current = "of/me/current.json"

    def pointer(tree: str) -> dict[str, str]:
        return {current: json.dumps({"kind": "pointer", "tree": tree})}

    steps: list[dict[str, Any]] = [
        {"target": "/robots.txt"},
        {"objects": {current: "{}"}, "target": "/robots.txt"},
        {"objects": pointer("../secret"), "target": "/robots.txt"},
        {"objects": pointer("1-00000000") | {f"{one}/robots.txt": "a", f"{other}/robots.txt": "bc"},
         "target": "/robots.txt"},
        {"objects": pointer("2-00000000"), "later": 59, "target": "/robots.txt"},
        {"later": 2, "target": "/robots.txt", "headers": {"if-none-match": 'W/"2"'}},
        {"target": "/robots.txt", "headers": {"if-match": '"3"'}},
        {"target": "/robots.txt", "method": "HEAD"},
        {"target": "/a%2frobots.txt"},
        {"target": "/%ff"},
        {"objects": {current: "no JSON"}, "later": 61, "target": "/robots.txt"},
        {"fails": True, "target": "/robots.txt"},
        # After a miss, a search reads the pointer again.
        {"objects": pointer("1-00000000"), "target": "/api/projects?mode=page&q=a"},
    ]  # fmt: skip
    written = plain.write(r2.outside(*plain.given[:2]))["/r2-worker.js"]
    script = written.rename(plain.folder / "r2-worker.mjs")
    told = node(HERE / "pointed.mjs", given={"script": str(script), "steps": steps})
    statuses = [503, 503, 503, 200, 200, 304, 412, 200, 404, 404, 200, 503, 503]
    assert [answer["status"] for answer in told] == statuses
    assert [told[n]["text"] for n in (3, 4, 7, 10)] == ["a", "a", "", "bc"]
    for answer in told[:3]:
        assert answer["reads"] == [current] and "Nothing is published" in answer["text"]
        assert {name: answer["headers"][name.lower()] for name in UNAVAILABLE} == UNAVAILABLE
    assert told[4]["reads"] == [f"{one}/robots.txt"]  # cached for a minute
    assert told[5]["reads"] == [current, f"{other}/robots.txt"]
    assert "just now" in told[11]["text"] and told[11]["headers"]["content-type"] == PROBLEM
    assert not any("robots" in key for n in (8, 9) for key in told[n]["reads"])
    assert told[12]["reads"].count(current) == 1
    assert told[12]["reads"][-1].startswith(one)
