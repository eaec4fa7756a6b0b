"""What a former slug of a program or an organization had: its lists and its feed, where a host
redirects and where none does.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from generator.api.grammar import Slice
from generator.reader.site import Site
from generator.serve.answer import answer
from support import awkward, commands

GRAMMAR = awkward.grammar()
FORMER = [
    (was, replace(was, value=now))
    for collection, alias, now in (
        (GRAMMAR.programs, "old-program", "renamed-program"),
        (GRAMMAR.organizations, "old-org", "renamed-org"),
        (GRAMMAR.organizations, "older-org", "renamed-org"),
    )
    for was in GRAMMAR.lists_of(collection, alias)
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("former")
    return {host: awkward.build(folder / host, host) for host in ("github-pages", "netlify")}


def pages(out: Path, part: Slice) -> list[str]:
    return sorted(path.name for path in (out / part.folder[1:] / "page").glob("*"))


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


def test_a_feed_goes_on_with_the_same_content(built: dict[str, Path]) -> None:
    for out in built.values():
        feeds = [
            (out / was.feed[1:], out / now.feed[1:])
            for was, now in FORMER
            if was.collection is GRAMMAR.events
        ]
        assert len(feeds) == 3
        assert all(b"BEGIN:VEVENT" in was.read_bytes() == now.read_bytes() for was, now in feeds)


def test_the_development_server_leads_on(built: dict[str, Path]) -> None:
    for out in built.values():
        for was, now in FORMER:
            asked = {
                f"{was.collection.root}?mode=page&{was.filter}={was.value}&page=2": now.path(2)
            }
            if out is built["netlify"]:
                asked[was.path()] = now.path()
            for target, location in asked.items():
                found = answer("GET", target, Site.open(out))
                assert (found.status, found.headers["Location"]) == (308, location), target


def test_a_client_is_told_what_it_is_called_now(built: dict[str, Path]) -> None:
    for out in built.values():
        for more in ([], ["--filter", "year=2024"]):
            done = commands.run(
                "list", "projects", "--from", out, "--filter", "program=old-program", *more
            )
            assert (
                done.status != 0
                and 'The program "old-program" is now called "renamed-program".' in done.err
            ), done.err
