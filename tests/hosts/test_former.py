"""Lists, pages and feeds of former slugs of programs and organizations, on hosts with and without
redirects.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from generator.grammar.grammar import Slice
from generator.site import paths
from support import awkward, commands, servers
from support.lanes import fast_first

GRAMMAR = awkward.grammar()
FORMER = [
    (was, replace(was, value=now))
    for collection, alias, now in (
        (GRAMMAR["programs"], "old-program", "renamed-program"),
        (GRAMMAR["organizations"], "old-org", "renamed-org"),
        (GRAMMAR["organizations"], "older-org", "renamed-org"),
    )
    for was in GRAMMAR.slices_for_value(collection, alias)
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("former")
    hosts = "github-pages", "netlify"
    return {host: awkward.build(folder / host, host, site=True) for host in hosts}


def pages(out: Path, part: Slice) -> list[str]:
    return sorted(path.name for path in (out / part.folder[1:] / "page").glob("*"))


def site_page(out: Path, part: Slice, number: int) -> Path:
    """The page of the site for a page of a list."""
    return out / paths.file(paths.list_page(part, number))[1:]


def test_without_redirects_every_page_says_where_it_is(built: dict[str, Path]) -> None:
    out = built["github-pages"]
    assert max(len(pages(out, now)) for _, now in FORMER) == 2
    for was, now in FORMER:
        assert pages(out, was) == pages(out, now) != []
        for number in range(1, len(pages(out, now)) + 1):
            said = json.loads((out / was.path(number)[1:]).read_bytes())
            assert said["kind"] == "moved"
            assert said["links"] == {"self": was.path(number), "replaced_by": now.path(number)}
            moved = {"slug": was.value, "replaced_by": now.value}
            assert said["data"] == {"collection": f"{was.filter}s", **moved}


def test_hosts_that_redirect_have_no_such_files(built: dict[str, Path]) -> None:
    rules = (built["netlify"] / "_redirects").read_text().splitlines()
    for was, now in FORMER:
        assert not (built["netlify"] / was.folder[1:]).exists()
        assert f"{was.folder}/* {now.folder}/:splat 301" in rules


def test_the_site_redirects_each_page_of_a_former_list(
    built: dict[str, Path],
) -> None:
    led = set()
    for out in built.values():
        for was, now in FORMER:
            for number in range(1, len(pages(out, now)) + 1):
                page = html.read_text() if (html := site_page(out, was, number)).exists() else ""
                to = paths.list_page(now, number)
                assert f'<meta http-equiv="refresh" content="0; url={to}">' in page, html
                led.add(to)
            assert not site_page(out, was, len(pages(out, now)) + 1).exists()
    pages_of = {"/projects/program/renamed-program/page/2/", "/programs/organization/renamed-org/"}
    assert pages_of < led


def test_a_feed_goes_on_with_the_same_content(built: dict[str, Path]) -> None:
    for out in built.values():
        feeds = [
            (out / was.feed[1:], out / now.feed[1:])
            for was, now in FORMER
            if was.collection is GRAMMAR["events"]
        ]
        assert len(feeds) == 3
        assert all(b"BEGIN:VEVENT" in was.read_bytes() == now.read_bytes() for was, now in feeds)


def test_a_client_gets_the_present_name(built: dict[str, Path]) -> None:
    for out in built.values():
        for more in ([], ["--filter", "year=2024"]):
            words = ["list", "projects", "--from", out, "--filter", "program=old-program", *more]
            done = commands.run_forked(*words)
            assert done.status != 0
            said = 'The program "old-program" is now called "renamed-program".'
            assert said in done.err, done.err


@pytest.mark.parametrize("engine", fast_first(1, servers.PROGRAMS))
def test_a_server_redirects_only_where_no_file_is(engine: str, tmp_path: Path) -> None:
    """A build that is also for a host without redirects has files there, which are verified."""
    if servers.find(servers.PROGRAMS[engine]) is None:
        commands.lacking(f"{engine} is not installed: make test HOSTS=1")
    out = awkward.build(tmp_path, "nginx", "apache", "caddy", "github-pages")
    with servers.serve(engine, tmp_path / "content", out, tmp_path / engine) as client:
        for was, now in FORMER:
            found = client.ask("GET", was.path())
            assert (found.status, found.body) == (200, (out / was.path()[1:]).read_bytes())
            query = client.ask("GET", f"{was.collection.root}?mode=page&{was.filter}={was.value}")
            assert (query.status, query.headers["location"]) == (308, now.path())
            assert client.ask("GET", was.path(99)).headers["location"] == now.path(99)
        done = commands.run_forked("verify", f"http://127.0.0.1:{client.port}")
        assert done.status == 0, done.out
        done = commands.run_forked("mirror", f"http://127.0.0.1:{client.port}", tmp_path / "mirror")
        assert done.status == 0, done.err
