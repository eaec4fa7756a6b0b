"""Hosts that ignore queries: their redirects, and no answer at the address of a list.

GitLab Pages and Firebase match rules as they document: `:name` of GitLab stands for one segment,
Firebase searches a `regex`, and the first rule counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from generator.contract.addresses import page_policies
from generator.contract.artifact import Alias
from generator.grammar import headers
from generator.hosts import _patterns as shapes
from generator.hosts import firebase, gitlab_pages
from generator.model.symbols import Symbols
from support import awkward, commands

#: Addresses with a query that must not have an answer.
LISTS = ("/api/dashboard", "/api/projects", "/api/programs", "/api/organizations",
         "/api/calendar/events")  # fmt: skip
ALIASES = [Alias("projects", "old-name", "new-name"), Alias("events", "was-upcoming", "upcoming")]
#: Pattern, target and status.
Rules = list[tuple[str, str, int]]


def symbols(prefix: str = "") -> Symbols:
    return Symbols(awkward.grammar(prefix), {}, frozenset(), {}, {})


def gitlab(prefix: str = "", aliases: Sequence[Alias] = ALIASES) -> Rules:
    (artifact,) = gitlab_pages.render(symbols(prefix), [*aliases])
    assert artifact.path == "/_redirects"
    lines = (line.split(" ") for line in artifact.data.decode().splitlines())
    segment = r"(?P<\1>[^/]+)"
    return [(f"^{re.sub(r':([a-z]+)', segment, s)}$", t, int(status)) for s, t, status in lines]


def hosting() -> dict[str, Any]:
    (artifact,) = firebase.outside(symbols(), ALIASES)
    text = artifact.data.decode()
    assert artifact.path == "/firebase.json" and text.startswith("//")
    found: dict[str, Any] = json.loads(re.sub(r"(?m)^//.*\n", "", text))["hosting"]
    return found


def of_firebase(prefix: str = "") -> Rules:
    return [
        (rule.get("regex") or f"^{re.escape(rule['source'])}$", rule["destination"], rule["type"])
        for rule in hosting()["redirects"]
    ]


def followed(rules: Rules, path: str) -> tuple[str, int] | None:
    for pattern, target, status in rules:
        if found := re.search(pattern, path):
            return shapes.fill_placeholders(target, found.groupdict().__getitem__), status
    return None


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("canonical")
    return awkward.build(folder, "github-pages", "gitlab-pages", "firebase")


def test_a_bare_query_address_has_no_file_and_no_index(out: Path) -> None:
    for path in LISTS:
        for name in ("", ".html", "/index.html", "/index.json", "/index"):
            assert not (out / f"{path}{name}"[1:]).is_file()
    # Some hosts answer /a with /a.html.
    endings = {path.suffix for path in (out / "api").rglob("*") if path.is_file()}
    assert endings <= {".json", ".ics", ".md", ".js", ".bin", ".txt"}


def test_github_pages_publishes_every_file(out: Path) -> None:
    assert (out / ".nojekyll").read_bytes() == b""
    assert (out / ".well-known/api-catalog").is_file()


@pytest.mark.parametrize(
    ("rules", "prefix"), [(gitlab, ""), (gitlab, "/registry"), (of_firebase, "")]
)
def test_slugs_are_redirected_to_files_and_former_slugs_to_present_slugs(
    rules: Callable[[str], Rules], prefix: str
) -> None:
    grammar, known = awkward.grammar(prefix), rules(prefix)
    for collection in grammar.collections.values():
        wanted = grammar.url(collection.record_path("acme"))
        assert followed(known, grammar.url(f"{collection.root}/acme")) == (wanted, 302)
    wanted = grammar.url(grammar["projects"].record_path("new-name"))
    assert followed(known, grammar.url("/api/projects/old-name")) == (wanted, 302)


def test_gitlab_pages_answers_no_list_and_rewrites_nothing() -> None:
    rules = gitlab()
    assert [p for p in LISTS if followed(rules, p) or followed(rules, f"{p}/")] == []
    assert {status for _, _, status in rules} == {302}


@pytest.mark.parametrize("slug", ["a", "a" * 90])
def test_gitlab_pages_gets_no_more_rules_than_it_reads(slug: str) -> None:
    aliases = [Alias("projects", f"{slug}-{n}", slug) for n in range(2_000)]
    (artifact,) = gitlab_pages.render(symbols(), aliases)
    assert len(artifact.data.splitlines()) <= (gitlab_pages.LIMITS.rules or 0)
    assert len(artifact.data) <= 64_000
    # With many former slugs, all other rules are still there.
    assert followed(gitlab(aliases=aliases), "/api/calendar/events/acme")


def test_firebase_redirects_no_file_and_no_list(out: Path) -> None:
    rules = of_firebase()
    paths = [*(f"/{path}" for path in commands.files(out)), *LISTS]
    assert [path for path in paths if followed(rules, path)] == []
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
    policies = {
        "/": headers.POLICY, "/projects/**": headers.POLICY, "/embed/**": page_policies()["/embed"],
        "/admin/**": page_policies()["/admin"], "/media/**": headers.MEDIA_POLICY,
        "**": None, "/api/projects/**": None,
    }  # fmt: skip
    caches = {
        "/media/**": headers.IMMUTABLE, "/assets/**": headers.IMMUTABLE, "**": None,
        "/api/projects/**": headers.CACHE, "/projects/**": headers.CACHE, "/api/*": headers.CACHE,
        "/api/manifest/root.json": headers.REVALIDATE,
    }  # fmt: skip
    for name, wanted in (("Content-Security-Policy", policies), ("Cache-Control", caches)):
        assert {source: blocks[source].get(name) for source in wanted} == wanted
