"""Responses in memory: queries, addresses, methods, media types, and files that no response may
reveal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from generator.grammar import headers
from generator.grammar.grammar import Query, Slice
from generator.grammar.paths import (
    AGENT_SKILLS,
    API_CATALOG,
    BUILD,
    DASHBOARD,
    EMBEDS,
    FEED,
    INDEX,
    LLMS,
    MEDIA,
    NOT_FOUND,
    OPENAPI,
    ROBOTS,
    SEARCH_SCRIPT,
    SITEMAP,
    SKILL,
    logo_path,
    problem_path,
)
from generator.grammar.refusals import PROBLEMS
from generator.reader import site as module
from generator.reader.site import BuildNotFound, Site
from generator.search import engine as search
from generator.serve.answer import Answer, answer
from support import awkward
from support.asked import digest, requests, tiered

SECRET = b"not to be seen"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | None], Site]:
    return lambda base_url: Site.open(
        awkward.build(tmp_path_factory.mktemp("answer"), base_url=base_url)
    )


@pytest.fixture(scope="module")
def site(build: Callable[[str | None], Site]) -> Site:
    return build(None)


@pytest.fixture(scope="module")
def prefixed(build: Callable[[str | None], Site]) -> Site:
    return build("https://registry.example.org/registry")


@pytest.fixture
def own(tmp_path: Path) -> Site:
    """A site that the test may damage."""
    return Site.open(awkward.build(tmp_path))


def get(target: str, site: Site) -> Answer:
    return answer("GET", target, site)


def code(found: Answer) -> str:
    assert found.headers["Content-Type"] == headers.PROBLEM
    document: dict[str, Any] = json.loads(found.body)
    assert document["status"] == found.status
    return str(document["code"])


# --- the whole list ---


@pytest.mark.parametrize("which", ["site", "prefixed"])
def test_every_listed_request_gets_exactly_its_response(
    which: str, request: pytest.FixtureRequest
) -> None:
    site: Site = request.getfixturevalue(which)
    grammar = awkward.grammar(site.grammar.prefix)
    all_requests = tiered(requests(grammar, site.out), grammar, site.out)
    assert len(all_requests) > 3000
    for wanted in all_requests:
        found = answer(wanted.method, wanted.target, site)
        assert (found.status, found.headers.get("Location")) == (wanted.status, wanted.location), (
            wanted
        )
        if wanted.method == "HEAD":
            assert found == get(wanted.target, site)._replace(body=b""), wanted
        elif wanted.file is not None:
            assert (
                digest(found.body) == wanted.file
                or found.body == (site.out / wanted.file[1:]).read_bytes()
            ), wanted
        elif wanted.problem is not None:
            assert code(found) == wanted.problem, wanted


# --- the grammar, from the output ---


def test_the_grammar_is_that_of_the_output(site: Site, prefixed: Site) -> None:
    assert site.grammar.tag_families == awkward.FAMILIES
    assert (site.grammar.prefix, prefixed.grammar.prefix) == ("", "/registry")


@pytest.mark.parametrize(
    ("path", "damage"),
    [
        *(
            (path, damage)
            for path in (INDEX, "/api/projects/filters.json")
            for damage in (None, "{", "{}", "[]", "null")
        ),
        *((problem_path(name), damage) for name in PROBLEMS for damage in (None, "{")),
    ],
)
def test_an_incomplete_output_is_no_site(own: Site, path: str, damage: str | None) -> None:
    if damage is None:
        (own.out / path[1:]).unlink()
    else:
        (own.out / path[1:]).write_text(damage)
    with pytest.raises(BuildNotFound):
        Site.open(own.out)


# --- problems ---


@pytest.mark.parametrize(
    ("target", "wanted", "detail", "allowed"),
    [
        ("/api/projects", "mode-required", "/api/projects?mode=page", None),
        ("/api/projects?mode=all", "mode-required", "count or rows", ["page", "count", "rows"]),
        ("/api/projects?mode=page&colour=red", "unknown-parameter", '"colour"', "parameters"),
        ("/api/projects?mode=page&year=2024&year=2025", "repeated-parameter", '"year"', None),
        ("/api/projects?mode=page&sort=size", "invalid-parameter", '"size"',
         ["-team_size"]),
        ("/api/projects?mode=page&sort=height", "invalid-parameter", '"height"',
         ["name", "-year", "year", "-team_size"]),
        ("/api/projects?mode=page&yaer=2024", "unknown-parameter", '"yaer"', ["year"]),
        ("/api/projects?mode=page&status=Activ", "invalid-parameter", '"status" has', ["active"]),
        ("/api/projects?mode=page&location=San%20Francisco&year=2024", "invalid-parameter",
         '"location" has', ["us-ca-san-francisco"]),
        ("/api/projects?mode=page&team_size=many", "invalid-parameter", '"team_size" has', None),
        ("/api/projects?mode=count&by=statsu", "invalid-parameter",
         '"statsu" to count by', ["status"]),
        ("/api/projects?mode=count&by=year,year", "invalid-parameter", "at most 3 different",
         "filters"),
        ("/api/projects?mode=count&by=year,", "invalid-parameter", '"" to count by', "filters"),
        ("/api/projects?mode=page&year=24", "invalid-parameter", '"year"', ["2024"]),
        ("/api/projects?mode=page&q=%zz", "invalid-parameter", "percent-encoded", None),
        ("/api/projects?mode=page&year=1999&status=active", "not-found",
         'the year "1999"; /api/projects/filters/year.json', ["2024"]),
        ("/api/projects?mode=page&q=project-1+heat&page=2", "not-found",
         "no page 2: the list has 1 page.", None),
        ("/api/projects?mode=page&year=1999", "not-found",
         'the year "1999"; /api/projects/filters/year.json', ["2024"]),
        ("/api/projects/by/year/1999/page/1.json", "not-found", 'the year "1999"', None),
        ("/api/projects?mode=page&page=9", "not-found", "no page 9: the list has 2 pages", None),
        ("/api/projects/sort/-year/page/9.json", "not-found", "no page 9: the list has 2 pages",
         None),
        ("/api/calendar/events?mode=page&upcoming=true&page=7", "not-found",
         "no page 7: the list has 2 pages", None),
        ("/api/projects/nobody", "not-found", 'no project "nobody"', None),
        ("/api/projects/filters?mode=page", "unknown-parameter",
         "/api/projects/filters takes no parameters", None),
        ("/api/dashboard?year=2024", "unknown-parameter", "/api/dashboard takes no parameters",
         None),
        ("/api/nothing", "not-found", "page does not exist", None),
    ],
)  # fmt: skip
def test_a_problem_has_a_cause_and_a_remedy(
    site: Site, target: str, wanted: str, detail: str, allowed: list[str] | str | None
) -> None:
    found = get(target, site)
    document = json.loads(found.body)
    assert (found.status, code(found)) == (PROBLEMS[wanted][0], wanted)
    assert detail in document["detail"]
    projects = site.grammar.projects
    known = {
        "parameters": list(site.grammar.parameters(projects)),
        "filters": list(projects.filters),
    }
    assert document["allowed"] == (known[allowed] if isinstance(allowed, str) else allowed)
    published = json.loads((site.out / problem_path(wanted)[1:]).read_bytes())
    assert document == {**published, "detail": document["detail"], "allowed": document["allowed"]}


def test_the_query_tier_answers_only_queries_without_a_page(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries: list[str] = []
    real = search.Engine.answer

    def answered(engine: search.Engine, query: Query) -> bytes:
        queries.append(query.query_string)
        return real(engine, query)

    monkeypatch.setattr(search.Engine, "answer", answered)
    fresh, root = Site.open(site.out), site.grammar.projects.root
    found = get(f"{root}?mode=page&year=2024&status=active", fresh)
    assert (found.status, found.headers["Content-Type"]) == (200, headers.MEDIA_TYPES["json"])
    assert json.loads(found.body)["query"]["filters"] == {"year": "2024", "status": "active"}
    assert code(get(f"{root}?mode=page&q=heat&page=9", fresh)) == "not-found"
    assert queries == ["mode=page&year=2024&status=active", "mode=page&q=heat&page=9"]
    for raw in (
        "mode=page",
        "mode=page&year=2024",
        "mode=page&year=1999",
        "year=2024&status=active",
        "mode=page&q=",
    ):
        get(f"{root}?{raw}", fresh)
    assert len(queries) == 2


def test_a_build_without_its_index_answers_with_a_retry_time(own: Site) -> None:
    (own.out / own.grammar.projects.manifest_path[1:]).unlink()
    found = get("/api/projects?mode=page&q=heat", own)
    assert (found.status, found.headers["Content-Type"]) == (503, headers.PROBLEM)
    assert found.headers["Retry-After"] == headers.UNAVAILABLE["Retry-After"]
    assert json.loads(found.body) == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "There is no search index of projects here.",
    }
    assert get("/api/projects?mode=page", own).status == 200


# --- methods and headers ---


@pytest.mark.parametrize(
    "target",
    [
        "/api/projects?mode=page",
        "/api/projects",
        DASHBOARD,
        "/nothing",
        "/api/projects/old-name",
        "*",
    ],
)
def test_options_allows_requests_of_browsers(site: Site, target: str) -> None:
    found = answer("OPTIONS", target, site)
    assert (found.status, found.body) == (204, b"")
    assert found.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert headers.PREFLIGHT.items() <= found.headers.items()
    # RFC 9110 section 8.6: a server sends no Content-Length with 204.
    assert "Content-Length" not in found.headers


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "BREW", "get"]
)
@pytest.mark.parametrize("target", ["/api/projects?mode=page", DASHBOARD, "/nothing"])
def test_other_methods_are_refused_with_the_allowed_methods(
    site: Site, method: str, target: str
) -> None:
    found = answer(method, target, site)
    assert (found.status, found.headers["Allow"], found.headers["Content-Type"]) == (
        405,
        "GET, HEAD, OPTIONS",
        headers.PROBLEM,
    )
    # RFC 9457 section 4.2.1: a problem with only a status.
    assert json.loads(found.body)["type"] == "about:blank"


def test_every_response_allows_every_origin_and_is_revalidated(
    site: Site,
) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        for target in (
            "/api/projects?mode=page",
            "/api/projects",
            "/nothing",
            SKILL,
            "/api/projects/old-name",
            DASHBOARD,
        ):
            found = answer(method, target, site).headers
            assert found["Access-Control-Allow-Origin"] == "*"
            assert found["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "target",
    [
        "/api/projects?mode=page",
        "/api/projects?mode=page&q=project&year=2024",
        "/api/projects/page",
        SKILL,
        "/404.html",
    ],
)
def test_a_client_with_a_current_copy_gets_304(site: Site, method: str, target: str) -> None:
    first = answer("GET", target, site)
    tag = first.headers["ETag"]
    assert answer("HEAD", target, site).headers == first.headers
    for known in (tag, f"W/{tag}", f'"other", W/{tag}', "*", " * "):
        again = answer(method, target, site, known=known)
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
        assert again.headers["Access-Control-Allow-Origin"] == "*"
        assert not {"Content-Length", "Content-Type"} & set(again.headers)
    for other in ("", '"other"', tag.strip('"'), tag[:-2] + '"', '"*"'):
        assert answer(method, target, site, known=other).status == 200
    # The text of the page is part of the response.
    if target.endswith(".html"):
        assert (
            answer(method, target, site, lambda page: page + b"<p>dressed", known=tag).status == 200
        )


def test_a_refusal_is_sent_even_to_a_matching_etag(site: Site) -> None:
    for target in (
        "/api/projects",
        "/api/projects?mode=page&page=99",
        "/nothing",
        "/api/projects/old-name",
    ):
        assert "ETag" not in get(target, site).headers
        assert answer("GET", target, site, known="*") == get(target, site)


@pytest.mark.parametrize("text", ["café", "Łódź", "東京", "naïve café"])
def test_unencoded_text_is_read_as_utf8(site: Site, text: str) -> None:
    """Each byte of a target is one character, as sent by `curl '…?q=café'`."""
    raw = text.replace(" ", "+").encode().decode("latin-1")
    found = get(f"/api/projects?mode=page&q={raw}", site)
    assert json.loads(found.body)["query"]["q"] == text
    assert found == get(f"/api/projects?mode=page&q={quote(text)}", site)


@pytest.mark.parametrize("raw", ["\xff", "caf\xe9", "a\xc3", "\xed\xa0\x80", "\xc0\xaf"])
def test_invalid_utf8_is_refused_encoded_or_not(site: Site, raw: str) -> None:
    found = get(f"/api/projects?mode=page&q={raw}", site)
    assert (found.status, json.loads(found.body)["code"]) == (400, "invalid-parameter")
    assert found == get(f"/api/projects?mode=page&q={quote(raw, encoding='latin-1')}", site)


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("/api/projects?mode=page", "application/json"),
        ("/api/projects/project-1", "application/json"),
        ("/api/dashboard", "application/json"),
        ("/api/calendar/events", "application/json"),
        *((path, "application/json") for path in (INDEX, BUILD, DASHBOARD, OPENAPI, AGENT_SKILLS)),
        *((problem_path(name), "application/problem+json") for name in PROBLEMS),
        (FEED, "text/calendar; charset=utf-8"),
        (SKILL, "text/markdown; charset=utf-8"),
        *((path, "text/plain; charset=utf-8") for path in (LLMS, ROBOTS)),
        (SITEMAP, "application/xml"),
        (SEARCH_SCRIPT, "text/javascript; charset=utf-8"),
        (NOT_FOUND, "text/html; charset=utf-8"),
        (
            API_CATALOG,
            'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
        ),
    ],
)
def test_media_types_are_those_of_the_hosts(
    site: Site, prefixed: Site, target: str, wanted: str
) -> None:
    assert (get(target, site).status, get(target, site).headers["Content-Type"]) == (200, wanted)
    found = get(prefixed.grammar.prefix + target, prefixed)
    assert (found.status, found.headers["Content-Type"]) == (200, wanted)


def test_pages_come_with_the_policy_of_the_hosts_and_documents_do_not(site: Site) -> None:
    assert get("/nothing", site).headers["Content-Security-Policy"] == headers.POLICY
    assert "Content-Security-Policy" not in get(DASHBOARD, site).headers
    page = site.out / EMBEDS[1:] / "years" / "index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("<!doctype html>")
    framed = get(f"{EMBEDS}/years/", site).headers
    assert framed["Content-Security-Policy"] == headers.EMBED_POLICY


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_logos_come_with_the_policy_of_the_hosts(site: Site, ending: str) -> None:
    path = logo_path(f"{'0' * 32}.{ending}")
    (site.out / MEDIA[1:]).mkdir(exist_ok=True)
    (site.out / path[1:]).write_bytes(b"<svg/>")
    assert get(path, site).headers["Content-Security-Policy"] == headers.MEDIA_POLICY


def test_only_pages_are_modified(site: Site) -> None:
    def dress(page: bytes) -> bytes:
        return page + b"<p>dressed"

    for target in (NOT_FOUND, "/nothing"):
        found = answer("GET", target, site, dress)
        assert found.body == (site.out / NOT_FOUND[1:]).read_bytes() + b"<p>dressed"
        assert found.headers["Content-Length"] == str(len(found.body))
        assert answer("HEAD", target, site, dress).headers == found.headers
    for target in (DASHBOARD, SKILL, "/api/projects", "/api/projects?mode=page", LLMS):
        assert answer("GET", target, site, dress) == get(target, site)


def test_without_a_build_nothing_is_answered(site: Site) -> None:
    for target in ("/api/projects?mode=page", DASHBOARD, "/api/projects/project-1"):
        found = answer("GET", target, None)
        assert (found.status, found.headers["Content-Type"]) == (503, headers.PROBLEM)
    page = answer("GET", "/", None, lambda page: page.replace(b"</body>", b"why</body>"))
    assert (page.status, page.headers["Content-Type"]) == (503, headers.MEDIA_TYPES["html"])
    assert b"why" in page.body
    assert answer("OPTIONS", "/", None) == answer("OPTIONS", "/", site)
    assert answer("POST", DASHBOARD, None).status == 405


# --- addresses ---


@pytest.mark.parametrize(
    "target",
    [
        "/api/p%72ojects?mode=page",
        "http://localhost:8000/api/projects?mode=page",
        "HTTPS://x/api/projects?mode=page",
    ],
)
def test_other_spellings_of_an_address_are_the_same(site: Site, target: str) -> None:
    """RFC 3986 section 6.2.2.2, RFC 9112 section 3.2.2."""
    assert get(target, site) == get("/api/projects?mode=page", site)


def test_a_prefix_is_removed_once(prefixed: Site) -> None:
    assert get("/registry/api/dashboard", prefixed).body == get("/api/dashboard", prefixed).body
    assert code(get("/registry/api/projects", prefixed)) == "mode-required"
    assert get("/registry/registry/api/dashboard", prefixed).status == 404
    assert get("/registryapi/dashboard", prefixed).status == 404
    assert get("/registry", prefixed).headers["Location"] == "/registry/"
    assert get("/registry/", prefixed).status == 404  # the API alone has no page there


@pytest.mark.parametrize("prefix", ["/api", "/api/projects", "/api/projects/page"])
def test_a_prefix_that_looks_like_the_api_hides_nothing(prefix: str, tmp_path: Path) -> None:
    site = Site.open(awkward.build(tmp_path, base_url=f"https://registry.example.org{prefix}"))
    for path in (
        DASHBOARD,
        "/api/projects?mode=page",
        "/api/calendar/events",
        "/api/programs/sort",
        SKILL,
    ):
        found = get(prefix + path, site)
        assert (found.status, found.body) == (200, get(path, site).body), path
    assert code(get(f"{prefix}/api/projects", site)) == "mode-required"
    assert code(get("/api/projects", site)) == "mode-required"


def test_an_index_page_is_answered_at_its_folder(own: Site) -> None:
    assert get("/", own).status == 404
    (own.out / "docs").mkdir()
    for path in ("index.html", "docs/index.html"):
        (own.out / path).write_text(path)
    assert (get("/", own).body, get("/docs/", own).body) == (b"index.html", b"docs/index.html")
    assert get("/", own).headers["Content-Type"] == headers.MEDIA_TYPES["html"]
    assert (get("/docs", own).status, get("/docs", own).headers["Location"]) == (308, "/docs/")


def test_no_file_at_a_bare_query_address_is_served(own: Site) -> None:
    roots = [c.root for c in own.grammar.collections.values()]
    before = {
        raw: [get(root + raw, own) for root in roots] for raw in ("", "?", "?mode=page", "?page=1")
    }
    for root in roots:
        (own.out / root[1:] / "index.html").write_bytes(SECRET)
        (own.out / f"{root[1:]}.html").write_bytes(SECRET)
    assert {raw: [get(root + raw, own) for root in roots] for raw in before} == before
    (own.out / "api" / "projects").rename(own.out / "elsewhere")
    (own.out / "api" / "projects").write_bytes(SECRET)
    assert code(get("/api/projects", own)) == "mode-required"
    lost = get("/api/projects?mode=page", own)
    assert (lost.status, b"/api/projects/page/1.json is missing" in lost.body) == (503, True)


# --- nothing outside of the output ---


ESCAPES = [
    "/../secret.json", "/api/../../secret.json", "/api/../index.html/../../secret.json",
    "/%2e%2e/secret.json", "/..%2fsecret.json", "/%2e%2e%2fsecret.json", "/..%5csecret.json",
    "/..\\secret.json", "/./../secret.json", "//secret.json", "/.secret.json",
    "/.well-known/../.secret.json", "/.well-known/.secret.json", "/api/.secret.json",
    "/.git/config", "/_secret.json", "/_redirects", "/secret-link.json", "/linked/secret.json",
    "/linked/../secret.json", "/api/projects/slug/link.json", "/api/projects/link",
    "/api/projects?mode=page&page=7", "/api/projects/page/7.json", "/secret.json%00.html",
    "/pipe.json", "/api", "/api/", "/api/organizations/page", "/api/organizations/page/",
    "/" + "x" * 300,
    "/" + "x/" * 3000, "/%", "/%zz", "/%ff", "../secret.json", "", "?", "http://",
    "/api/projects/slug/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fsecret.json",
]  # fmt: skip


def test_nothing_outside_of_the_output_is_served(own: Site) -> None:
    outside = own.out.parent / "secret.json"
    outside.write_bytes(SECRET)
    for hidden in (
        ".secret.json",
        ".well-known/.secret.json",
        "api/.secret.json",
        ".git/config",
        "_secret.json",
        "_redirects",
    ):
        (own.out / hidden).parent.mkdir(exist_ok=True)
        (own.out / hidden).write_bytes(SECRET)
    for link in ("secret-link.json", "api/projects/slug/link.json", "api/projects/page/7.json"):
        (own.out / link).symlink_to(outside)
    (own.out / "linked").symlink_to(outside.parent)
    os.mkfifo(own.out / "pipe.json")
    for target in ESCAPES:
        for method in ("GET", "HEAD"):
            found = answer(method, target, own)
            assert found.status == 404, target
            assert SECRET not in found.body, target


def test_the_output_itself_may_be_reached_by_a_link(site: Site, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(site.out)
    assert get(DASHBOARD, Site.open(tmp_path / "link")).status == 200


def test_a_file_that_disappears_during_a_replacement_is_found_in_the_new_output(
    own: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = awkward.build(own.out.parent / "again")
    real = module.read_file

    def late(folder: int, segments: list[str], most: int) -> bytes | None:
        monkeypatch.setattr(module, "read_file", real)
        own.out.rename(own.out.parent / "old")
        new.rename(own.out)
        return None

    monkeypatch.setattr(module, "read_file", late)
    path = Slice(own.grammar.projects).path()
    assert own.read(path) == (own.out / path[1:]).read_bytes()
    assert own.read("/api/nothing.json") is None


# --- ranges (RFC 9110 section 14) ---


@pytest.mark.parametrize(
    ("wanted", "start", "end"),
    [("bytes=0-9", 0, 10), ("bytes=5-", 5, None), ("bytes=-8", -8, None), ("bytes=0-0", 0, 1),
     ("bytes=2-999999999", 2, None), ("bytes=-999999999", 0, None)],
)  # fmt: skip
def test_a_range_of_a_file_is_answered_with_its_bytes(
    wanted: str, start: int, end: int | None, site: Site
) -> None:
    whole = get(SEARCH_SCRIPT, site)
    assert whole.headers["Accept-Ranges"] == "bytes"
    found = answer("GET", SEARCH_SCRIPT, site, ranged=(wanted, whole.headers["ETag"]))
    assert (found.status, found.body) == (206, whole.body[start:end])
    first = whole.body.index(found.body) if end else len(whole.body[:start])
    place = f"bytes {first}-{first + len(found.body) - 1}/{len(whole.body)}"
    assert found.headers["Content-Range"] == place
    assert found.headers["Content-Length"] == str(len(found.body))
    assert found.headers["ETag"] == whole.headers["ETag"]


@pytest.mark.parametrize(
    ("method", "wanted", "condition", "status"),
    [("GET", "bytes=999999999-", "", 416), ("GET", "bytes=-0", "", 416),
     ("GET", "bytes=0-1,4-5", "", 200), ("GET", "bytes=-", "", 200), ("GET", "bytes=5-2", "", 200),
     ("GET", "lines=0-1", "", 200), ("GET", "bytes=0-1", '"older"', 200),
     ("HEAD", "bytes=0-1", "", 200)],
)  # fmt: skip
def test_other_ranges_are_refused_or_ignored(
    method: str, wanted: str, condition: str, status: int, site: Site
) -> None:
    found = answer(method, SEARCH_SCRIPT, site, ranged=(wanted, condition))
    assert found.status == status
    if status == 416:
        size = len(get(SEARCH_SCRIPT, site).body)
        assert (found.body, found.headers["Content-Range"]) == (b"", f"bytes */{size}")


def test_a_missing_file_has_no_ranges(site: Site) -> None:
    assert answer("GET", "/data/none.parquet", site, ranged=("bytes=0-1", "")).status == 404
