"""The rules of Netlify and Vercel alone, without scripts, by Netlify's own parsers and
matcher (netlify.mjs), and as Vercel documents its routes (edge.mjs).
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from generator.contract.addresses import page_policies
from generator.contract.artifact import Alias
from generator.features.embed import EMBEDS
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.headers import CACHE, IMMUTABLE, POLICY, REVALIDATE
from generator.grammar.paths import (
    AGENT_OVERVIEW,
    API_CATALOG,
    ASSETS,
    MANIFEST_ROOT,
    SKILL,
    problem_path,
)
from generator.grammar.refusals import PROBLEMS
from generator.hosts import netlify
from generator.kinds import built_in
from generator.reader.deployment import Deployment
from generator.serve import answer as development
from support.asked import EXACT, LEAK, SAFE, WRONG
from support.edges import HOSTS, Site, fallback, worst
from support.engines import ask, need

ROOT = HOSTS.parents[1]
LEAKS = HOSTS / "leaks.txt"


@pytest.fixture(scope="session", autouse=True)
def tools() -> None:
    need("netlify-redirector", "@vercel/routing-utils")


def report(out: Path, *urls: str, config: Path | None = None) -> dict[str, Any]:
    """What Netlify reads, and its answers."""
    asked = {"site": str(out), "config": config and str(config), "urls": urls}
    found: dict[str, Any] = ask(HOSTS / "netlify.mjs", asked)
    return found


@pytest.mark.parametrize("host", ["netlify", "vercel"])
def test_rules_alone_have_only_the_documented_leaks(
    host: str, plain: Site, regenerate: bool
) -> None:
    """The queries that rules answer with rows, or wrong rows, without their script: leaks.txt."""
    asked = [r for r in plain.requests if r.method == "GET"]
    if host == "netlify":
        found = {r: plain.judge(r, a) for r, a in zip(asked, fallback(plain, asked), strict=True)}
    else:
        found = {r: outcome for r, outcome in plain.routed.items() if r.method == "GET"}
    # Rules refuse a query for a list of a former slug: they have no address for its file.
    former = [r for r in found if r.status == 308 and r.query]
    assert former and {found.pop(r) for r in former} <= {WRONG, SAFE}
    assert worst(found, EXACT, SAFE, LEAK) == {}
    leaks = [r for r, outcome in found.items() if outcome == LEAK]
    assert {r.status for r in leaks} <= {400, 404}
    shown = {r.target if len(r.target) < 200 else f"{r.target[:60]}…{len(r.target)}" for r in leaks}
    lines = LEAKS.read_text("utf-8").splitlines()
    if regenerate:
        lines = [line for line in lines if not line.startswith(f"{host} ")]
        lines += [f"{host} {target}" for target in shown]
        LEAKS.write_text("\n".join(sorted(lines)) + "\n", "utf-8")
    assert {line.partition(" ")[2] for line in lines if line.startswith(f"{host} ")} == shown


def test_netlify_reads_every_rule_and_every_header(site: Site) -> None:
    found = report(site.out)
    assert found["errors"] == []
    # A rule that repeats another would be dropped silently.
    assert found["rules"] == len((site.out / "_redirects").read_text().splitlines()) > 0
    headers = (site.out / "_headers").read_text().splitlines()
    assert found["blocks"] == sum(not line.startswith(" ") for line in headers) > 0


def test_former_slugs_redirect_to_the_record(site: Site) -> None:
    prefix, root = site.grammar.prefix, site.grammar["projects"].root
    for target in (f"{root}/old-name", f"{prefix}{root}/old-name"):
        (answer,) = report(site.out, target)["answers"]
        assert (answer["status"], answer["location"]) == (301, f"{prefix}{root}/new-name")


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["", "/registry"])
def test_former_slugs_beyond_the_limit_of_rules_have_a_file_that_names_the_record(
    prefix: str, tmp_path: Path
) -> None:
    grammar = Grammar(built_in(), {"topic": "Topic", "deep_tech": "Deep technology"}, prefix)
    aliases = [Alias("projects", f"old-{n:05}", "new") for n in range(10_000)]
    for artifact in netlify.render(SimpleNamespace(grammar=grammar), aliases):  # type: ignore[arg-type]
        if not artifact.path.startswith("/.netlify/"):
            (tmp_path / artifact.path[1:]).write_bytes(artifact.data)
    rules = len((tmp_path / "_redirects").read_text().splitlines())
    assert 9_998 <= rules <= (netlify.LIMITS.rules or 0)
    root = grammar["projects"].root
    first, last = report(tmp_path, f"{root}/old-00000", f"{root}/old-09999")["answers"]
    assert (first["status"], first["location"]) == (301, grammar.url(f"{root}/new"))
    assert last["target"] == grammar["projects"].record_path("old-09999")


def test_every_answer_has_each_header_once(site: Site) -> None:
    root = site.grammar["projects"].root
    files = [f"/{path.relative_to(site.out)}" for path in site.out.rglob("*") if path.is_file()]
    urls = [path for path in files if not path.startswith(("/_", "/.netlify/"))]
    urls += ["/", f"{root}/nobody", f"{root}?limit=3"]
    urls += [site.grammar.url(url) for url in urls]
    for answer in report(site.out, *urls)["answers"]:
        headers, url = answer["headers"], answer["url"]
        assert [name for name, values in headers.items() if len(values) > 1] == [], url
        assert headers["access-control-allow-origin"] == ["*"]
        assert headers["x-content-type-options"] == ["nosniff"]
        asset, embed = (f"{place}/" in url for place in (ASSETS, EMBEDS))
        root = url.endswith(MANIFEST_ROOT)
        assert headers["cache-control"] == [IMMUTABLE if asset else REVALIDATE if root else CACHE]
        if url.endswith(("/", ".html")):
            assert headers["content-security-policy"] == [
                page_policies()["/embed"] if embed else POLICY
            ]


def test_content_types_without_an_extension_are_configured(plain: Site) -> None:
    expected = {
        problem_path("not-found"): "application/problem+json",
        plain.grammar["projects"].root: "application/problem+json",
        SKILL: "text/markdown; charset=utf-8",
        AGENT_OVERVIEW: "text/markdown; charset=utf-8",
        Slice(plain.grammar["events"], "program", "page").feed: "text/calendar; charset=utf-8",
        API_CATALOG: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
        Slice(plain.grammar["projects"]).path(): None,
    }
    for answer in report(plain.out, *expected)["answers"]:
        (given,) = answer["headers"].get("content-type", [None])
        assert given == expected[answer["url"]]


def test_refusals_name_problems_that_are_published(plain: Site) -> None:
    lines = [line.split() for line in (plain.out / "_redirects").read_text().splitlines()]
    targets = {line[-2] for line in lines if line[-1] == "404"}
    assert targets <= {problem_path(code) for code in PROBLEMS}
    assert all((plain.out / target[1:]).is_file() for target in targets)


# --- documentation and configuration ---


def test_the_documentation_names_real_leaks(plain: Site) -> None:
    text = (ROOT / "docs" / "host-netlify.md").read_text()
    table = text.partition("### What is not refused")[2].partition("\n\nSo compare ")[0]
    cells = [line.split("|")[1:3] for line in table.splitlines() if "`" in line]
    pairs: list[tuple[str, str]] = []
    for row in cells:
        wrong, answered = (re.findall("`([^`]+[=/][^`]+)`", cell) for cell in row)
        pairs += zip(wrong, answered + answered[-1:] * len(wrong), strict=False)
    assert len(pairs) > 6
    projects, events = plain.grammar["projects"], plain.grammar["events"]
    urls = [url if url[0] == "/" else f"{projects.root}?{url}" for pair in pairs for url in pair]
    answers, served = report(plain.out, *urls)["answers"], Deployment.open(plain.out)
    for wrong, right in zip(answers[::2], answers[1::2], strict=True):
        assert (wrong["status"], wrong["target"]) == (200, right["target"]), wrong
        collection = events if "/calendar/" in right["url"] else projects
        if "?" not in right["url"] and right["url"] != collection.root:
            continue  # a single document without parameters
        found = development.answer("GET", right["url"], served)
        assert found.body == (plain.out / right["target"][1:]).read_bytes()
        refused = development.answer("GET", wrong["url"], served)
        assert refused.status in (400, 404), wrong


def test_the_documentation_has_the_number_of_rules() -> None:
    text = (ROOT / "docs" / "host-netlify.md").read_text()
    told = re.findall(r"(\d+) families: ([\d,]+)\s+rules", text)
    assert len(told) > 2
    for families, rules in told:
        grammar = Grammar(built_in(), {f"family_{n}": "" for n in range(int(families))})
        redirects, *_ = netlify.render(SimpleNamespace(grammar=grammar), [])  # type: ignore[arg-type]
        assert len(redirects.data.splitlines()) == int(rules.replace(",", "")), families


def test_the_configuration_publishes_what_it_builds(plain: Site) -> None:
    config = ROOT / "netlify.toml"
    build = tomllib.loads(config.read_text())["build"]
    assert build["publish"] == "build"
    assert build["command"] == "python -m generator build --strict"
    assert build["environment"]["PYTHON_VERSION"] == "3.11"
    # It adds nothing: all rules and headers are in the output.
    assert report(plain.out, config=config) == report(plain.out)
