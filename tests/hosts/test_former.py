"""Lists, pages and feeds of former slugs of programs and organizations, on hosts with and without
redirects.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from generator.grammar.grammar import Slice
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from generator.site import paths
from support import awkward, commands, registries, servers

GRAMMAR = awkward.grammar()
FORMER = [
    (was, replace(was, value=now))
    for collection, alias, now in (
        (GRAMMAR.programs, "old-program", "renamed-program"),
        (GRAMMAR.organizations, "old-org", "renamed-org"),
        (GRAMMAR.organizations, "older-org", "renamed-org"),
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
            assert (said["kind"], said["links"]) == (
                "moved",
                {"self": was.path(number), "replaced_by": now.path(number)},
            )
            assert said["data"] == {
                "collection": f"{was.filter}s",
                "slug": was.value,
                "replaced_by": now.value,
            }


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
    assert {
        "/projects/program/renamed-program/page/2/",
        "/programs/organization/renamed-org/",
    } < led


@pytest.mark.slow
def test_redirect_pages_follow_changes_of_the_list_and_the_slug(tmp_path: Path) -> None:
    """Across builds, if no file of the API says so."""
    records = deepcopy(awkward.CONTENT)
    programs, projects = records["programs"], records["projects"]
    renamed = programs["renamed-program"]

    def leave(*numbers: int) -> None:
        for number in numbers:
            projects[f"project-{number}"]["programs"] = ["page"]

    def another_has_it() -> None:
        programs["page"]["aliases"] = renamed.pop("aliases")

    changes: list[tuple[int, Callable[[], None]]] = [
        (15, lambda: None),
        (12, lambda: leave(1, 2)),  # there is no second page any more
        (15, lambda: renamed["aliases"].append("oldest-program")),
        (12, lambda: renamed["aliases"].remove("old-program")),
        (12, lambda: leave(*range(3, 12))),
        (14, another_has_it),
    ]
    for number, (count, change) in enumerate(changes):
        change()
        shutil.rmtree(tmp_path / "content", ignore_errors=True)
        content = registries.write(tmp_path / "content", records)
        outs = tmp_path / "out", tmp_path / str(number)
        for out in outs:
            commands.build(content, out, "--host", "netlify", "--as-of", awkward.AS_OF, site=True)
        had, clean = map(old_pages, outs)
        assert had == clean and len(had) == count, number
        if number == 4:  # an empty list redirects to the record
            page = had["projects/program/oldest-program/index.html"]
            assert b'content="0; url=/programs/renamed-program/"' in page


def old_pages(out: Path) -> dict[str, bytes]:
    every = (page for page in out.rglob("*.html") if "/old" in str(page))
    return {str(page.relative_to(out)): page.read_bytes() for page in every}


def test_a_feed_goes_on_with_the_same_content(built: dict[str, Path]) -> None:
    for out in built.values():
        feeds = [
            (out / was.feed[1:], out / now.feed[1:])
            for was, now in FORMER
            if was.collection is GRAMMAR.events
        ]
        assert len(feeds) == 3
        assert all(b"BEGIN:VEVENT" in was.read_bytes() == now.read_bytes() for was, now in feeds)


def test_the_development_server_redirects(built: dict[str, Path]) -> None:
    for out in built.values():
        for was, now in FORMER:
            asked = {
                f"{was.collection.root}?mode=page&{was.filter}={was.value}&page=2": now.path(2)
            }
            if out is built["netlify"]:
                asked[was.path()] = now.path()
            for target, location in asked.items():
                found = answer("GET", target, Deployment.open(out))
                assert (found.status, found.headers["Location"]) == (308, location), target


def test_a_client_gets_the_present_name(built: dict[str, Path]) -> None:
    for out in built.values():
        for more in ([], ["--filter", "year=2024"]):
            done = commands.run_forked(
                "list", "projects", "--from", out, "--filter", "program=old-program", *more
            )
            assert (
                done.status != 0
                and 'The program "old-program" is now called "renamed-program".' in done.err
            ), done.err


@pytest.mark.parametrize(
    "engine",
    [
        "nginx",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("caddy", "apache", "htaccess")),
    ],
)
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
