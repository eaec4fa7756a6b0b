"""A client of a registry: what it asks a host for, and when it refuses what it reads.  The
transcripts have its answers.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from generator.engine.table import MAX_READS
from generator.grammar.refusals import QueryError
from generator.reader.answers import ClientError
from generator.reader.client import Client
from support import registries
from support.commands import build, run_forked
from support.fake_host import Asked, FakeHost, Given, serving


def test_pages_of_two_builds_are_reported(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    client = Client.open(str(copy))
    with pytest.raises(ClientError, match="published again during this read"):
        for page in client.pages(client.collections["projects"], []):
            (copy / "api" / "build.json").write_text(f"{page['page']['number']}")


def test_a_list_that_shrinks_while_it_is_read_is_reported(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    client = Client.open(str(copy))
    pages = client.pages(client.collections["projects"], [])
    next(pages)
    (copy / "api" / "build.json").write_text("another")
    (copy / "api" / "projects" / "page" / "2.json").unlink()
    with pytest.raises(ClientError, match="published again during this read"):
        list(pages)


@pytest.mark.parametrize(
    "slug", ["../../build", "bloom/../bloom", "", "bloom.json", "%2e", "bloom?x", "a" * 101]
)
def test_an_invalid_slug_is_never_requested(slug: str, host: FakeHost) -> None:
    client = Client.open(host.base)
    with pytest.raises(QueryError, match="There is no project"):
        client.record(client.collections["projects"], slug)
    assert not [asked for asked, _ in host.seen if "/slug/" in asked.target]


def test_words_are_handed_on_as_they_are(site: Path) -> None:
    client = Client.open(str(site))
    words = "a&page=2 %41 é+"
    _, found = client.query(client.collections["projects"], [], "page", q=words)
    assert found["query"]["q"] == words


def test_suggestions_over_http_take_few_requests(
    named: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving(named) as host:
        client = Client.open(host.base)
        with pytest.raises(QueryError) as raised:
            client.record(client.collections["projects"], "wotl")
        assert raised.value.allowed == ("wolt",)
        assert len(host.seen) <= MAX_READS


# --- where ----------------------------------------------------------------------------------------


def test_a_folder_without_a_build_says_what_to_do(tmp_path: Path) -> None:
    for where in (tmp_path, tmp_path / "nothing", "registry.example/registry"):
        with pytest.raises(
            ClientError, match=r"There is no build in .*registry build.*--from.*https://"
        ):
            Client.open(str(where))


@pytest.mark.parametrize("end", ["", "/", "//", "/api/index.json"])
def test_a_base_url_may_have_a_pasted_suffix(end: str, host: FakeHost) -> None:
    assert Client.open(host.base + end).where == host.base


@pytest.mark.parametrize("path", ["", "/registry/api", "/other"])
def test_an_address_without_a_registry_is_reported(path: str, host: FakeHost) -> None:
    with pytest.raises(ClientError, match="There is no registry at"):
        Client.open(f"http://{host.name}{path}")


def test_only_canonical_files_are_asked_for(host: FakeHost) -> None:
    client = Client.open(host.base)
    projects = client.collections["projects"]
    client.query(projects, [], "page")
    client.query(projects, [("year", "2004"), ("program", "launch")], "page", q="kite")
    assert all(status == 200 and "?" not in asked.target for asked, status in host.seen)


# --- hosts that answer something else -------------------------------------------------------------


def test_a_host_that_sends_its_first_page_for_every_miss_has_no_such_record(host: FakeHost) -> None:
    """Hosts of single-page applications do this."""

    def fallback(asked: Asked) -> Given | None:
        page = Given(
            200,
            {"Content-Type": "text/html; charset=utf-8"},
            b"\n<!doctype html><title>App</title>",
        )
        return page if host.file(asked.target) is None else None

    host.wrong = fallback
    client = Client.open(host.base)
    with pytest.raises(QueryError, match='There is no project "nothing"'):
        client.record(client.collections["projects"], "nothing")
    with pytest.raises(QueryError, match='No project has the tag_topic "nothing"'):
        client.query(client.collections["projects"], [("tag_topic", "nothing")], "page")
    with pytest.raises(ClientError, match="There is no registry at"):
        Client.open(f"http://{host.name}/elsewhere")


def test_a_build_older_than_its_content_is_named(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    build(content, tmp_path / "build")

    def said() -> str:
        done = run_forked("count", "projects", cwd=tmp_path)
        assert done.status == 0, done
        return done.err

    later = time.time() + 5
    assert said() == ""
    os.utime(content / "projects/bloom.yaml", (later, later))
    assert said() == ("content has changed since this build: `registry build` makes it again.\n")
    other = shutil.copytree(tmp_path / "build", tmp_path / "other")
    assert run_forked("count", "projects", "--from", str(other)).err == ""
    os.utime(content / "projects/bloom.yaml", (0, 0))
    (content / "projects/cairn.yaml").unlink()
    os.utime(content / "projects", (later, later))
    assert "has changed" in said()
