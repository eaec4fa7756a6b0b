"""Netlify's answers, computed with its own parsers and matcher (netlify.mjs), compared with the
grammar.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from generator.grammar.grammar import Collection, Count, Grammar, Slice
from generator.grammar.headers import CACHE, EMBED_POLICY, IMMUTABLE, POLICY, REVALIDATE
from generator.grammar.paths import (
    AGENT_OVERVIEW,
    API_CATALOG,
    ASSETS,
    DASHBOARD,
    EMBEDS,
    MANIFEST_ROOT,
    SKILL,
    problem_path,
)
from generator.grammar.refusals import PROBLEMS, QueryError
from generator.grammar.routes import routes
from generator.hosts import netlify
from support.engines import ask, need

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
COLLECTIONS = ("projects", "programs", "organizations", "events")

REGISTRY = """\
name: Test registry
description: Eleven records of each kind, all alike, so that every slice has a second page of one.
page_size: 10
tag_families:
  topic: {label: Topic, tags: {space: Space, energy: Energy}}
  deep_tech: {label: Deep technology}
organization_categories: {university: University, fund: Fund}
program_types: {accelerator: Accelerator}
"""
COMMON = """\
name: Number %(n)s
year: 2024
tags: {topic: [space], deep_tech: [lasers]}
locations: [{country: US, region: California}]
aliases: [%(kind)s-was-%(n)s]
"""
RECORDS = {
    "organizations": COMMON + "category: university\n",
    "programs": COMMON + "kind: cohort\ntype: accelerator\norganization: organization-1\n",
    "projects": COMMON + "programs: [program-1]\n",
    "events": "name: Number %(n)s\nkind: deadline\ndue: 2031-05-%(n)02d\nprogram: "
    "program-1\norganization: organization-1\n",
}
VALUES = {
    "tag_topic": "space",
    "tag_deep_tech": "lasers",
    "program": "program-1",
    "organization": "organization-1",
    "organization_category": "university",
    "category": "university",
    "location": "us-california",
    "year": "2024",
    "status": "active",
    "type": "accelerator",
    "team_size": "5",
    "by": "location",
    "like": "a",
    "page": "2",
    "slug": "project-1",
    "q": "number",
    "upcoming": "true",
    "mode": "page",
}
EVENT_VALUES = {"kind": "deadline", "by": "kind", "month": "2031-05", "year": "2031",
                "status": "confirmed", "stage": "paper"}  # fmt: skip

#: Queries that only JavaScript at the edge can refuse: rules ignore parameters that they do not
#: name, and see only the last parameter with a `=`.  Query of a list -> the query whose answer it
#: gets instead.
LEAKS = {
    # Parameters that no rule names.
    "mode=page&colour=red": "mode=page",
    "mode=page&tag_topic=space&colour=red": "mode=page&tag_topic=space",
    "colour=red&mode=page&page=2": "mode=page&page=2",
    "mode=page&utm_source=newsletter": "mode=page",
    "mode=page&pAGE=2": "mode=page",
    "mode=page&page%20=2": "mode=page",
    # Brackets are impossible in a rule: the matcher reads a rule's key as a regular expression.
    "mode=page&tag_topic[]=space": "mode=page",
    "mode=page&tag_topic%5B%5D=space": "mode=page",
    # A percent-encoded key is a different key.
    "mode=page&t%61g_topic=space": "mode=page",
    "mode=page&p%61ge=2": "mode=page",
    # A key without `=`.
    "mode=page&tag_topic": "mode=page",
    "mode=page&limit": "mode=page",
    # A `&` at the end hides the parameter before it.
    "mode=page&tag_topic=space&": "mode=page",
    "tag_topic=space&mode=page&page=2&": "mode=page&tag_topic=space",
    # Empty parameters elsewhere are skipped.
    "&mode=page": "mode=page",
    "mode=page&&tag_topic=space": "mode=page&tag_topic=space",
    # The last value of a repeated parameter counts.
    "mode=page&tag_topic=energy&tag_topic=space": "mode=page&tag_topic=space",
    "mode=page&page=2&page=1": "mode=page",
    "mode=page&mode=page": "mode=page",
    "mode=table&mode=page": "mode=page",
    # Values are decoded.
    "mode=p%61ge": "mode=page",
    "mode=page&tag_topic=sp%61ce": "mode=page&tag_topic=space",
    "mode=page&sort=%2Dyear": "mode=page&sort=-year",
}
#: Likewise at the bare address of the calendar, which answers with upcoming events.
CALENDAR_LEAKS = (
    "colour=red",
    "utm_source=newsletter",
    "kind",
    "limit",
    "k%69nd=deadline",
    "m%6Fde=page",
    "mode=page&",
    "&",
)


class Site(NamedTuple):
    """A build, and the grammar of its addresses."""

    folder: Path
    grammar: Grammar

    def ask(self, urls: Iterable[str], config: Path | None = None) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = self.report(urls, config)["answers"]
        return answers

    def report(self, urls: Iterable[str] = (), config: Path | None = None) -> dict[str, Any]:
        asked = {"site": str(self.folder), "config": config and str(config), "urls": list(urls)}
        report: dict[str, Any] = ask(HERE / "netlify.mjs", asked)
        return report

    def read(self, path: str) -> dict[str, Any]:
        document: dict[str, Any] = json.loads((self.folder / path[1:]).read_bytes())
        return document

    def files(self) -> list[str]:
        found = sorted(
            f"/{p.relative_to(self.folder).as_posix()}"
            for p in self.folder.rglob("*")
            if p.is_file()
        )
        return [
            path
            for path in found
            if path not in ("/_redirects", "/_headers") and not path.startswith("/.netlify/")
        ]


@pytest.fixture(scope="session", autouse=True)
def tools() -> None:
    need("netlify-redirector")


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Site]:
    def build(base_url: str) -> Site:
        content = tmp_path_factory.mktemp("content")
        (content / "registry.yaml").write_text(
            REGISTRY + (f"base_url: {base_url}\n" if base_url else "")
        )
        for collection, record in RECORDS.items():
            (content / collection).mkdir()
            for n in range(1, 12):
                text = record % {"n": n, "kind": collection[:-1]}
                (content / collection / f"{collection[:-1]}-{n}.yaml").write_text(text)
        out = tmp_path_factory.mktemp("site") / "build"
        command = [
            sys.executable,
            "-m",
            "generator",
            "build",
            "--content",
            str(content),
            "--out",
            str(out),
        ]
        run = subprocess.run(
            [*command, "--host", "netlify", "--as-of", "2026-11-01"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        prefix = base_url.removeprefix("https://registry.example.org")
        return Site(out, Grammar({"topic": "Topic", "deep_tech": "Deep technology"}, prefix))

    return build


@pytest.fixture(scope="session")
def site(build: Callable[[str], Site]) -> Site:
    return build("")


@pytest.fixture(scope="session")
def prefixed(build: Callable[[str], Site]) -> Site:
    return build("https://registry.example.org/registry")


def value(collection: Collection, name: str) -> str:
    """A value with eleven records."""
    if collection.name == "events":
        return {**VALUES, **EVENT_VALUES}[name]
    return {**VALUES, "kind": "cohort"}[name]


def terms(grammar: Grammar, collection: Collection) -> list[str]:
    """Every parameter except the mode, with a possible value; each sort."""
    names = [name for name in grammar.parameters(collection) if name not in ("mode", "sort")]
    return [
        *(f"{name}={value(collection, name)}" for name in names),
        *(f"sort={sort}" for sort in collection.sorts),
    ]


def sets_of(found: list[str], most: int) -> Iterator[tuple[str, ...]]:
    """Every set of up to `most` terms without two values of a parameter."""
    for chosen in chain.from_iterable(combinations(found, n) for n in range(most + 1)):
        names = [term.partition("=")[0] for term in chosen]
        if len(set(names)) == len(names):
            yield chosen


def allowed(grammar: Grammar, collection: Collection, raw: str) -> str:
    """The page tier's answer: the path of a page or of a problem."""
    try:
        query = grammar.parse(collection, raw)
    except QueryError as error:
        return problem_path(error.code)
    if isinstance(query, Count) or not query.slice:
        return problem_path("unsupported-combination")
    return query.slice.path(query.page)


def answer_of(answer: dict[str, Any]) -> tuple[str, int, str | None, bool]:
    return answer["url"], answer["status"], answer["target"], answer["exists"]


def as_expected(url: str, target: str) -> tuple[str, int, str, bool]:
    return url, 404 if target.startswith(problem_path("")[: -len(".json")]) else 200, target, True


def asserts_refused(site: Site, urls: Iterable[str], code: str) -> None:
    for answer in site.ask(urls):
        assert answer_of(answer) == (answer["url"], 404, problem_path(code), True)


def test_netlify_reads_every_rule_and_every_header(site: Site, prefixed: Site) -> None:
    for built in (site, prefixed):
        report = built.report()
        assert report["errors"] == []
        # A rule that repeats another would be dropped silently.
        assert report["rules"] == len((built.folder / "_redirects").read_text().splitlines()) > 0
        headers = (built.folder / "_headers").read_text().splitlines()
        assert report["blocks"] == sum(not line.startswith(" ") for line in headers) > 0


@pytest.mark.parametrize("name", COLLECTIONS)
def test_every_shape_in_every_order_of_its_parameters_answers_its_file(
    site: Site, name: str
) -> None:
    collection = site.grammar.collections[name]
    expected: dict[str, str] = {}
    for route in routes(site.grammar):
        if route.path == collection.root and route.query:
            filled = {n: v or value(collection, n) for n, v in route.query.items()}
            target = route.target
            for n, v in filled.items():
                target = target.replace(f":{n}/", f"{v}/").replace(f":{n}.", f"{v}.")
            for order in permutations(filled.items()):
                expected[f"{route.path}?" + "&".join(f"{n}={v}" for n, v in order)] = target
    assert len(expected) > 100
    for answer in site.ask(expected):
        assert answer_of(answer) == (answer["url"], 200, expected[answer["url"]], True)
        query = site.grammar.parse(collection, answer["url"].partition("?")[2])
        assert site.read(answer["target"])["query"] == query.echo()


@pytest.mark.parametrize("name", COLLECTIONS)
def test_valid_parameters_get_their_page_or_are_refused(site: Site, name: str) -> None:
    collection = site.grammar.collections[name]
    expected = {}
    for chosen in sets_of(terms(site.grammar, collection), 3):
        for asked in (chosen, ("mode=page", *chosen), (*reversed(chosen), "mode=page")):
            if asked:
                raw = "&".join(asked)
                expected[f"{collection.root}?{raw}"] = allowed(site.grammar, collection, raw)
    found = {problem_path(code) for code in ("mode-required", "unsupported-combination")}
    assert found < set(expected.values())
    for answer in site.ask(expected):
        assert answer_of(answer) == as_expected(answer["url"], expected[answer["url"]])


@pytest.mark.parametrize("name", COLLECTIONS)
def test_unknown_parameters_that_a_rule_names_are_refused(site: Site, name: str) -> None:
    collection = site.grammar.collections[name]
    known = site.grammar.parameters(collection)
    others = {
        p for c in site.grammar.collections.values() for p in site.grammar.parameters(c)
    } - set(known)
    spelled = {spelling for p in known for spelling in (p.upper(), p.capitalize())} | {
        "tag-topic",
        "tagTopic",
        "topic",
        "deep_tech",
    }
    usual = {
        "limit",
        "offset",
        "page_size",
        "per_page",
        "size",
        "cursor",
        "order",
        "sort_by",
        "search",
        "tag",
        "fields",
    }
    assert others
    strangers = others | spelled | usual
    asked = [
        (
            f"{s}=5",
            f"mode=page&{s}=5",
            f"{s}=&mode=page&page=2",
            f"{terms(site.grammar, collection)[1]}&mode=page&{s}=5",
        )
        for s in strangers
    ]
    asserts_refused(
        site, (f"{collection.root}?{raw}" for raws in asked for raw in raws), "unknown-parameter"
    )


@pytest.mark.parametrize("name", COLLECTIONS)
def test_invalid_values_of_a_parameter_are_refused(site: Site, name: str) -> None:
    collection = site.grammar.collections[name]
    wrong = ["sort=", "sort=height", "sort=NAME", "sort=relevance", "sort=-name"]
    if name == "events":
        wrong += [
            "upcoming=",
            "upcoming=false",
            "upcoming=TRUE",
            "upcoming=1",
            "upcoming=false&sort=starts",
            "upcoming=true&sort=name",
        ]
    filters = [f"{f}={value(collection, f)}" for f in collection.prepared_filters]
    urls = [
        f"{collection.root}?mode=page&{w}{rest}"
        for w in wrong
        for rest in ("", "&page=2", *(f"&{f}" for f in filters if "true" not in w))
    ]
    asserts_refused(site, urls, "invalid-parameter")


@pytest.mark.parametrize("name", COLLECTIONS)
def test_values_without_a_file_are_not_found(site: Site, name: str) -> None:
    collection = site.grammar.collections[name]
    wrong = [
        "",
        "nothing-like-it",
        "..",
        "../..",
        "%2e%2e%2f..",
        "a%20b",
        "a+b",
        "%C3%A9",
        "*",
        ":year",
        "x" * 300,
    ]
    raws = [
        f"mode=page&{f}={v}{page}"
        for f in collection.prepared_filters
        for v in wrong
        for page in ("", "&page=2")
    ]
    prepared = next(iter(collection.prepared_filters))
    pages = ("", "0", "3", "-1", "02", "1.5", "two", "1e1", "99999999999", "../1", "+1", "1%00")
    raws += [
        f"mode=page{more}&page={p}"
        for p in pages
        for more in ("", f"&{prepared}={value(collection, prepared)}")
    ]
    for answer in site.ask(f"{collection.root}?{raw}" for raw in raws):
        assert (answer["status"], answer["exists"]) == (404, False), answer["url"]


@pytest.mark.parametrize("name", ["projects", "programs", "organizations"])
@pytest.mark.parametrize(
    "raw",
    [
        "",
        "?",
        "?mode",
        "?mode=",
        "?mode=table",
        "?mode=PAGE",
        "?MODE",
        "?page=2",
        "?year=2024",
        "?colour=red",
        "?mode=page&",
    ],
)
def test_bare_collections_ask_for_a_mode(site: Site, name: str, raw: str) -> None:
    root = site.grammar.collections[name].root
    unknown = raw == "?year=2024" and name == "organizations"
    asserts_refused(
        site, [f"{root}{raw}", f"{root}/{raw}"], "unknown-parameter" if unknown else "mode-required"
    )


def test_the_bare_calendar_answers_with_upcoming_events(site: Site) -> None:
    root = site.grammar.events.root
    target = Slice(site.grammar.events, "upcoming", "true").path()
    assert [answer_of(a) for a in site.ask([root, f"{root}/"])] == [
        (root, 200, target, True),
        (f"{root}/", 200, target, True),
    ]


def test_the_bare_calendar_refuses_parameters_without_a_mode(site: Site) -> None:
    events = site.grammar.events
    asked = [
        f"{events.root}?{name}={v}"
        for name in site.grammar.parameters(events)
        for v in ("", "1", "deadline")
    ]
    asserts_refused(site, asked, "mode-required")


@pytest.mark.parametrize("raw", LEAKS)
def test_the_leaks_are_exactly_these(site: Site, raw: str) -> None:
    projects = site.grammar.projects
    with pytest.raises(QueryError):
        site.grammar.parse(projects, raw)
    (answer,) = site.ask([f"{projects.root}?{raw}"])
    query = site.grammar.parse(projects, LEAKS[raw])
    assert query.slice is not None
    assert answer_of(answer)[1:] == (200, query.slice.path(query.page), True)
    # So a list says which query it answers.
    assert site.read(answer["target"])["query"] == query.echo()


@pytest.mark.parametrize("raw", CALENDAR_LEAKS)
def test_the_leaks_of_the_bare_calendar_are_exactly_these(site: Site, raw: str) -> None:
    events = site.grammar.events
    with pytest.raises(QueryError):
        site.grammar.parse(events, raw)
    (answer,) = site.ask([f"{events.root}?{raw}"])
    assert answer_of(answer)[1:] == (200, Slice(events, "upcoming", "true").path(), True)
    assert site.read(answer["target"])["query"]["filters"] == {"upcoming": "true"}


def test_records_are_answered_by_slug_and_the_dashboard_by_name(site: Site) -> None:
    expected = {DASHBOARD.removesuffix(".json"): DASHBOARD}
    for collection in site.grammar.collections.values():
        for slug in (f"{collection.kind}-1", f"{collection.kind}-11"):
            expected[f"{collection.root}/{slug}"] = collection.record_path(slug)
    for answer in site.ask(expected):
        assert answer_of(answer) == (answer["url"], 200, expected[answer["url"]], True)


def test_unknown_slugs_are_not_found(site: Site) -> None:
    roots = [c.root for c in site.grammar.collections.values()]
    slugs = (
        "nobody",
        "page",
        "by",
        "filters",
        "..",
        "%2e%2e",
        "project-1.json",
        "PROJECT-1",
        "project-1%2f..",
        "project-1/x",
    )
    for answer in site.ask(f"{root}/{slug}" for root in roots for slug in slugs):
        assert answer["status"] == 404, answer["url"]


def test_former_slugs_redirect_to_the_record(site: Site, prefixed: Site) -> None:
    for built in (site, prefixed):
        prefix = built.grammar.prefix
        for c in (built.grammar.projects, built.grammar.programs, built.grammar.organizations):
            old, new = f"{c.root}/{c.kind}-was-3", f"{c.root}/{c.kind}-3"
            for answer in built.ask(dict.fromkeys([old, prefix + old])):
                assert (answer["status"], answer["location"]) == (301, prefix + new)
            # The canonical address has a file that says so, and no rule hides it.
            (answer,) = built.ask([c.record_path(f"{c.kind}-was-3")])
            assert built.read(answer["target"])["links"]["replaced_by"] == prefix + c.record_path(
                f"{c.kind}-3"
            )


def test_former_slugs_beyond_the_limit_of_rules_have_a_file_that_names_the_record(
    site: Site, prefixed: Site, tmp_path: Path
) -> None:
    for grammar in (site.grammar, prefixed.grammar):
        aliases = [("projects", f"old-{n:05}", "new") for n in range(10_000)]
        for artifact in netlify.render(SimpleNamespace(grammar=grammar), aliases):  # type: ignore[arg-type]
            if not artifact.path.startswith("/.netlify/"):
                (tmp_path / artifact.path[1:]).write_bytes(artifact.data)
        rules = len((tmp_path / "_redirects").read_text().splitlines())
        assert 9_998 <= rules <= (netlify.LIMITS.rules or 0)
        root = grammar.projects.root
        first, last = Site(tmp_path, grammar).ask([f"{root}/old-00000", f"{root}/old-09999"])
        assert (first["status"], first["location"]) == (301, grammar.url(f"{root}/new"))
        assert last["target"] == grammar.projects.record_path("old-09999")


def test_every_file_is_served_at_its_own_address(site: Site, prefixed: Site) -> None:
    for built in (site, prefixed):
        paths = built.files()
        assert len(paths) > 200
        for prefix in dict.fromkeys(("", built.grammar.prefix)):
            for path, answer in zip(paths, built.ask(prefix + path for path in paths), strict=True):
                assert answer_of(answer) == (prefix + path, 200, path, True)


def test_addresses_under_the_api_without_a_file_are_a_problem(site: Site) -> None:
    projects = site.grammar.projects
    paths = [
        Slice(projects).path(3),
        Slice(projects, "year", "1999").path(),
        projects.record_path("nobody"),
    ]
    folders = ["/api", "/api/", f"{projects.root}/by/year/2024", "/api/nothing?mode=page"]
    asserts_refused(site, [*paths, *folders], "not-found")


def test_the_path_of_the_base_url_is_optional(prefixed: Site) -> None:
    grammar = prefixed.grammar
    assert grammar.prefix == "/registry"
    expected = {
        DASHBOARD.removesuffix(".json"): DASHBOARD,
        grammar.events.root: Slice(grammar.events, "upcoming", "true").path(),
    }
    for collection in grammar.collections.values():
        for raw in (
            "mode=page",
            "mode=page&page=2",
            "page=2",
            "limit=3&mode=page",
            "q=number&mode=page",
            "sort=x&mode=page",
        ):
            expected[f"{collection.root}?{raw}"] = allowed(grammar, collection, raw)
    urls = [prefix + url for url in expected for prefix in ("", "/registry")]
    for answer in prefixed.ask(urls):
        assert answer_of(answer) == as_expected(
            answer["url"], expected[answer["url"].removeprefix("/registry")]
        )


def test_every_answer_has_each_header_once(site: Site, prefixed: Site) -> None:
    for built in (site, prefixed):
        root = built.grammar.projects.root
        urls = [*built.files(), "/", f"{root}/nobody", f"{root}?limit=3"]
        for answer in built.ask([*urls, *(built.grammar.url(url) for url in urls)]):
            headers = answer["headers"]
            assert {
                name: len(values) for name, values in headers.items() if len(values) > 1
            } == {}, answer["url"]
            assert headers["access-control-allow-origin"] == ["*"]
            assert headers["x-content-type-options"] == ["nosniff"]
            asset, embed = (f"{place}/" in answer["url"] for place in (ASSETS, EMBEDS))
            root = answer["url"].endswith(MANIFEST_ROOT)
            assert headers["cache-control"] == [
                IMMUTABLE if asset else REVALIDATE if root else CACHE
            ]
            if answer["url"].endswith(("/", ".html")):
                assert headers["content-security-policy"] == [EMBED_POLICY if embed else POLICY]


def test_content_types_without_an_extension_are_configured(site: Site) -> None:
    feed = Slice(site.grammar.events, "program", "program-1").feed
    expected = {
        problem_path("not-found"): "application/problem+json",
        site.grammar.projects.root: "application/problem+json",
        SKILL: "text/markdown; charset=utf-8",
        AGENT_OVERVIEW: "text/markdown; charset=utf-8",
        feed: "text/calendar; charset=utf-8",
        API_CATALOG: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
        Slice(site.grammar.projects).path(): None,
    }
    for answer in site.ask(expected):
        (given,) = answer["headers"].get("content-type", [None])
        assert given == expected[answer["url"]]


def test_the_documentation_names_real_leaks(site: Site) -> None:
    text = (ROOT / "docs" / "host-netlify.md").read_text()
    table = text.partition("### What is not refused")[2].partition("\n\nSo compare ")[0]
    rows = [
        [re.findall("`([^`]+[=/][^`]+)`", cell) for cell in line.split("|")[1:3]]
        for line in table.splitlines()
        if "`" in line
    ]
    told = [
        (asked, answered[min(n, len(answered) - 1)])
        for wrong, answered in rows
        if answered
        for n, asked in enumerate(wrong)
    ]
    assert len(told) > 6
    urls = [
        url if url.startswith("/") else f"{site.grammar.projects.root}?{url}"
        for pair in told
        for url in pair
    ]
    answers = site.ask(urls)
    for wrong, right in zip(answers[::2], answers[1::2], strict=True):
        assert answer_of(wrong)[1:] == answer_of(right)[1:] == (200, right["target"], True)
        collection = site.grammar.events if "/calendar/" in right["url"] else site.grammar.projects
        if "?" not in right["url"] and right["url"] != collection.root:
            continue  # A single document without parameters.
        assert right["target"] == allowed(site.grammar, collection, right["url"].partition("?")[2])
        with pytest.raises(QueryError):
            site.grammar.parse(collection, wrong["url"].partition("?")[2])


def test_the_documentation_has_the_number_of_rules() -> None:
    told = re.findall(
        r"(\d+) families: ([\d,]+)\s+rules", (ROOT / "docs" / "host-netlify.md").read_text()
    )
    assert len(told) > 2
    for families, rules in told:
        grammar = Grammar({f"family_{n}": "" for n in range(int(families))})
        redirects, *_ = netlify.render(SimpleNamespace(grammar=grammar), [])  # type: ignore[arg-type]
        assert len(redirects.data.splitlines()) == int(rules.replace(",", "")), families


def test_refusals_name_problems_that_are_published(site: Site) -> None:
    lines = [line.split() for line in (site.folder / "_redirects").read_text().splitlines()]
    targets = {line[-2] for line in lines if line[-1] == "404"}
    assert targets <= {problem_path(code) for code in PROBLEMS}
    assert all((site.folder / target[1:]).is_file() for target in targets)


def test_the_configuration_publishes_what_it_builds(site: Site) -> None:
    config = ROOT / "netlify.toml"
    build = tomllib.loads(config.read_text())["build"]
    assert build["publish"] == "build"
    assert build["command"] == "python -m generator build --strict"
    assert build["environment"]["PYTHON_VERSION"] == "3.11"
    # It adds nothing: all rules and headers are in the output.
    with_it, without = site.report(config=config), site.report()
    assert with_it == without
