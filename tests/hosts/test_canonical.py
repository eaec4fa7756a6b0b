"""Hosts that ignore queries: their redirects, and no answer at the address of a list."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from generator.contract.artifact import Alias
from generator.grammar.grammar import Grammar
from generator.grammar.headers import (
    CACHE,
    EDITOR_POLICY,
    EMBED_POLICY,
    IMMUTABLE,
    MEDIA_POLICY,
    POLICY,
    REVALIDATE,
)
from generator.grammar.paths import API_CATALOG, DASHBOARD, MANIFEST_ROOT
from generator.hosts import _patterns as shapes
from generator.hosts import firebase, gitlab_pages
from generator.model.symbols import Symbols
from support import awkward, commands

PREFIX = "/registry"


def symbols(prefix: str = "") -> Symbols:
    return Symbols(awkward.grammar(prefix), {}, frozenset(), {}, {}, {})


def lists(grammar: Grammar) -> list[str]:
    """Addresses with a query that must not have an answer."""
    return [DASHBOARD.removesuffix(".json"), *(c.root for c in grammar.collections.values())]


ALIASES = [Alias("projects", "old-name", "new-name"), Alias("events", "was-upcoming", "upcoming")]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("canonical")
    return awkward.build(folder, "github-pages", "gitlab-pages", "firebase")


def test_a_bare_query_address_has_no_file_and_no_index(out: Path) -> None:
    grammar = awkward.grammar()
    for path in lists(grammar):
        for name in ("", ".html", "/index.html", "/index.json", "/index"):
            assert not (out / f"{path}{name}"[1:]).is_file()
    # Some hosts answer /a with /a.html.
    assert not [
        path
        for path in (out / "api").rglob("*")
        if path.is_file() and path.suffix not in (".json", ".ics", ".md", ".js", ".bin", ".txt")
    ]


def test_github_pages_publishes_every_file(out: Path) -> None:
    assert (out / ".nojekyll").read_bytes() == b""
    assert (out / API_CATALOG[1:]).is_file()


# --- GitLab Pages: documented matching; `:name` stands for one segment, the first rule counts ---


def gitlab(prefix: str = "", aliases: list[Alias] = ALIASES) -> list[list[str]]:
    (artifact,) = gitlab_pages.render(symbols(prefix), aliases)
    assert artifact.path == "/_redirects"
    return [line.split(" ") for line in artifact.data.decode().splitlines()]


def followed(rules: list[list[str]], path: str) -> tuple[str, str] | None:
    for source, target, status in rules:
        if found := re.fullmatch(re.sub(r":([a-z]+)", r"(?P<\1>[^/]+)", source), path):
            return shapes.fill_placeholders(target, found.groupdict().__getitem__), status
    return None


@pytest.mark.parametrize("prefix", ["", PREFIX])
def test_gitlab_pages_redirects_slugs_to_files_and_former_slugs_to_present_slugs(
    prefix: str,
) -> None:
    grammar, rules = awkward.grammar(prefix), gitlab(prefix)
    for collection in grammar.collections.values():
        wanted = grammar.url(collection.record_path("acme"))
        assert followed(rules, grammar.url(f"{collection.root}/acme")) == (wanted, "302")
    assert followed(rules, grammar.url(f"{grammar.projects.root}/old-name")) == (
        grammar.url(grammar.projects.record_path("new-name")),
        "302",
    )


def test_gitlab_pages_answers_no_list_and_rewrites_nothing() -> None:
    rules = gitlab()
    for path in lists(awkward.grammar()):
        assert followed(rules, path) is followed(rules, f"{path}/") is None
    assert {status for _, _, status in rules} == {"302"}


@pytest.mark.parametrize("slug", ["a", "a" * 90])
def test_gitlab_pages_gets_no_more_rules_than_it_reads(slug: str) -> None:
    rules = gitlab(aliases=[Alias("projects", f"{slug}-{n}", slug) for n in range(2_000)])
    assert len(rules) <= (gitlab_pages.LIMITS.rules or 0)
    assert sum(len(" ".join(rule)) + 1 for rule in rules) <= 64_000
    # With many former slugs, all other rules are still there.
    assert followed(rules, f"{awkward.grammar().events.root}/acme")


# --- Firebase ---


def hosting(prefix: str = "") -> dict[str, Any]:
    (artifact,) = firebase.outside(symbols(prefix), ALIASES)
    lines = artifact.data.decode().splitlines()
    assert artifact.path == "/firebase.json" and lines[0].startswith("//")
    found: dict[str, Any] = json.loads(
        "\n".join(line for line in lines if not line.startswith("//"))
    )["hosting"]
    return found


def redirected(rules: list[dict[str, Any]], path: str) -> tuple[str, int] | None:
    for rule in rules:
        pattern = rule["regex"] if "regex" in rule else f"^{re.escape(rule['source'])}$"
        if found := re.search(pattern, path):
            return shapes.fill_placeholders(
                rule["destination"], found.groupdict().__getitem__
            ), rule["type"]
    return None


def test_firebase_redirects_slugs_to_files_and_former_slugs_to_present_slugs() -> None:
    grammar, rules = awkward.grammar(), hosting()["redirects"]
    for collection in grammar.collections.values():
        assert redirected(rules, f"{collection.root}/acme") == (collection.record_path("acme"), 302)
    assert redirected(rules, f"{grammar.projects.root}/old-name") == (
        grammar.projects.record_path("new-name"),
        302,
    )


def test_firebase_redirects_no_file_and_no_list(out: Path) -> None:
    rules = hosting()["redirects"]
    for path in [*(f"/{path}" for path in commands.files(out)), *lists(awkward.grammar())]:
        assert redirected(rules, path) is None, path
    assert "rewrites" not in hosting()


def test_firebase_publishes_dot_files_and_no_files_for_other_hosts() -> None:
    ignored = hosting()["ignore"]
    assert {"firebase.json", "_redirects", ".netlify/**"} <= set(ignored)
    assert not [pattern for pattern in ignored if pattern.startswith(("*", ".well"))]


def test_firebase_sends_each_header_once() -> None:
    blocks = {
        block["source"]: {each["key"]: each["value"] for each in block["headers"]}
        for block in hosting()["headers"]
    }
    policy = "Content-Security-Policy"
    assert blocks["/"][policy] == blocks["/projects/**"][policy] == POLICY
    assert blocks["/embed/**"][policy] == EMBED_POLICY
    assert blocks["/admin/**"][policy] == EDITOR_POLICY
    assert blocks["/media/**"][policy] == MEDIA_POLICY
    assert blocks["/media/**"]["Cache-Control"] == IMMUTABLE
    assert policy not in blocks["**"] and policy not in blocks["/api/projects/**"]
    assert blocks["/assets/**"]["Cache-Control"] == IMMUTABLE
    assert "Cache-Control" not in blocks["**"]
    assert (
        blocks["/api/projects/**"]["Cache-Control"]
        == blocks["/projects/**"]["Cache-Control"]
        == CACHE
    )
    assert blocks["/api/*"]["Cache-Control"] == CACHE
    assert blocks[MANIFEST_ROOT]["Cache-Control"] == REVALIDATE
