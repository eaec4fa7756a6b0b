"""Answers in memory: every request of the list that all hosts share, and outputs that are damaged,
moved or replaced.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from generator.disk import safe_paths as module
from generator.grammar import headers
from generator.grammar.grammar import Slice
from generator.grammar.paths import DASHBOARD, INDEX, SKILL
from generator.grammar.refusals import PROBLEMS
from generator.reader.deployment import Deployment
from generator.reader.documents import Unreadable
from generator.reader.location import FolderReader
from generator.serve.answer import HttpAnswer, answer
from support import awkward
from support.answers import deployed
from support.asked import digest, requests, tiered
from support.lanes import sample

SECRET = b"not to be seen"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | None], Deployment]:
    return lambda base_url: Deployment.open(
        awkward.build(tmp_path_factory.mktemp("answer"), base_url=base_url)
    )


@pytest.fixture(scope="module")
def site(build: Callable[[str | None], Deployment]) -> Deployment:
    return build(None)


@pytest.fixture(scope="module")
def prefixed(build: Callable[[str | None], Deployment]) -> Deployment:
    return build("https://registry.example.org/registry")


@pytest.fixture
def own(tmp_path: Path) -> Deployment:
    """A site that the test may damage."""
    return Deployment.open(awkward.build(tmp_path))


def out_of(site: Deployment) -> Path:
    assert isinstance(site.files, FolderReader)
    return site.files.out


def get(target: str, site: Deployment) -> HttpAnswer:
    return answer("GET", target, site)


def code(found: HttpAnswer) -> str:
    assert found.headers["Content-Type"] == headers.PROBLEM
    document: dict[str, Any] = json.loads(found.body)
    assert document["status"] == found.status
    return str(document["code"])


@pytest.mark.parametrize(("which", "step"), sample([("site", 4)], [("site", 1), ("prefixed", 1)]))
def test_every_listed_request_gets_exactly_its_response(
    which: str, step: int, request: pytest.FixtureRequest
) -> None:
    """Every `step`th of them."""
    site: Deployment = request.getfixturevalue(which)
    grammar = awkward.grammar(site.grammar.prefix)
    assert (site.grammar.tag_families, site.grammar.prefix) == (awkward.FAMILIES, grammar.prefix)
    all_requests = tiered(requests(grammar, out_of(site)), grammar, out_of(site))
    assert len(all_requests) > 3000
    for wanted in all_requests[::step]:
        found = answer(wanted.method, wanted.target, site)
        given = found.status, found.headers.get("Location")
        assert given == (wanted.status, wanted.location), wanted
        if wanted.method == "HEAD":
            assert found == get(wanted.target, site)._replace(body=b""), wanted
        elif wanted.file is not None and digest(found.body) != wanted.file:
            assert found.body == (out_of(site) / wanted.file[1:]).read_bytes(), wanted
        elif wanted.problem is not None:
            assert code(found) == wanted.problem, wanted


def test_a_missing_page_of_a_list_is_refused_like_its_query(site: Deployment) -> None:
    projects, events = site.grammar["projects"], site.grammar["events"]
    for target, query, detail in (
        ("/page/9.json", "page=9", "There is no page 9: the list has 2 pages."),
        ("/sort/-year/page/9.json", "sort=-year&page=9", "There is no page 9: the list has 2"),
        ("/by/year/2024/page/9.json", "year=2024&page=9", "There is no page 9: the list has 2"),
        ("/by/year/1999/page/1.json", "year=1999", "No project has the year 1999. "),
        ("/by/tag_topic/spice/page/1.json", "tag_topic=spice", 'No project has the tag_topic "sp'),
    ):
        missing = get(projects.root + target, site)
        refused = get(f"{projects.root}?mode=page&{query}", site)
        assert (missing.status, missing.body) == (refused.status, refused.body)
        assert code(missing) == "not-found" and detail in missing.body.decode().replace('\\"', '"')
    assert b"There is no page 9" in get(f"{events.root}/upcoming/page/9.json", site).body
    for target in ("/page/01.json", "/sort/name/page/1.json", "/by/year/x/page/1.json"):
        missing = get(projects.root + target, site)
        assert json.loads(missing.body)["detail"] == PROBLEMS["not-found"][2]


def test_an_incomplete_output_is_no_site(own: Deployment) -> None:
    """Each of these files is damaged in turn, and mended."""
    for path in (INDEX, own.grammar.first.filters_path):
        file = out_of(own) / path[1:]
        whole = file.read_bytes()
        for damage in (None, b"{", b"{}", b"[]", b"null"):
            file.unlink() if damage is None else file.write_bytes(damage)
            with pytest.raises(Unreadable):
                Deployment.open(out_of(own))
            file.write_bytes(whole)
    assert Deployment.open(out_of(own))


def test_the_query_tier_answers_only_queries_without_a_page(site: Deployment) -> None:
    """The index is read for no others."""
    reads = list[str]()

    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        reads.extend(paths)
        return site.files(paths)

    fresh, projects = deployed(site.grammar, read), site.grammar["projects"]
    for raw in ("mode=page", "mode=page&year=2024", "mode=page&year=1999", "mode=page&q="):
        get(f"{projects.root}?{raw}", fresh)
    assert reads and not any(path.startswith(projects.index_folder) for path in reads)
    for raw in ("mode=page&year=2024&status=active", "mode=page&q=heat&page=9"):
        reads.clear()
        get(f"{projects.root}?{raw}", deployed(site.grammar, read))
        assert reads[0] == projects.manifest_path


def test_a_build_without_its_index_answers_with_a_retry_time(own: Deployment) -> None:
    (out_of(own) / own.grammar["projects"].manifest_path[1:]).unlink()
    found = get("/api/projects?mode=page&q=heat", own)
    assert (found.status, found.headers["Content-Type"]) == (503, headers.PROBLEM)
    assert found.headers["Retry-After"] == headers.UNAVAILABLE["Retry-After"]
    assert json.loads(found.body)["detail"] == "There is no search index of projects here."
    assert get("/api/projects?mode=page", own).status == 200


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["/api", "/api/projects", "/api/projects/page"])
def test_a_prefix_that_looks_like_the_api_hides_nothing(prefix: str, tmp_path: Path) -> None:
    site = Deployment.open(
        awkward.build(tmp_path, base_url=f"https://registry.example.org{prefix}")
    )
    lists = ("/api/projects?mode=page", "/api/calendar/events", "/api/programs/sort")
    for path in (DASHBOARD, *lists, SKILL):
        found = get(prefix + path, site)
        assert (found.status, found.body) == (200, get(path, site).body), path
    assert code(get(f"{prefix}/api/projects", site)) == "mode-required"
    assert code(get("/api/projects", site)) == "mode-required"


def test_no_file_at_a_bare_query_address_is_served(own: Deployment) -> None:
    roots = [c.root for c in own.grammar.collections.values()]
    raws = ("", "?", "?mode=page", "?page=1")
    before = [get(root + raw, own) for raw in raws for root in roots]
    for root in roots:
        (out_of(own) / root[1:] / "index.html").write_bytes(SECRET)
        (out_of(own) / f"{root[1:]}.html").write_bytes(SECRET)
    assert [get(root + raw, own) for raw in raws for root in roots] == before
    (out_of(own) / "api" / "projects").rename(out_of(own) / "elsewhere")
    (out_of(own) / "api" / "projects").write_bytes(SECRET)
    assert code(get("/api/projects", own)) == "mode-required"
    lost = get("/api/projects?mode=page", own)
    assert (lost.status, b"/api/projects/page/1.json is missing" in lost.body) == (503, True)


def test_hidden_files_and_links_in_a_folder_are_not_served(own: Deployment, tmp_path: Path) -> None:
    out = out_of(own)
    (tmp_path / "secret.json").write_bytes(SECRET)
    hidden = (".secret.json", ".well-known/.secret.json", "api/.secret.json", ".git/config",
              "_secret.json")  # fmt: skip
    links = "secret-link.json", "api/projects/slug/link.json", "api/projects/page/7.json"
    for path in hidden:
        (out / path).parent.mkdir(exist_ok=True)
        (out / path).write_bytes(SECRET)
    for path in links:
        (out / path).symlink_to(tmp_path / "secret.json")
    (out / "linked").symlink_to(tmp_path)
    os.mkfifo(out / "pipe.json")
    for path in (*hidden, *links, "linked/secret.json", "pipe.json", "linked/../secret.json"):
        found = get(f"/{path}", own)
        assert found.status == 404 and SECRET not in found.body, path


def test_the_output_itself_may_be_reached_by_a_link(site: Deployment, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(out_of(site))
    assert get(DASHBOARD, Deployment.open(tmp_path / "link")).status == 200


def test_a_file_that_disappears_during_a_replacement_is_found_in_the_new_output(
    own: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = awkward.build(out_of(own).parent / "again")
    real = module.read_file

    def late(folder: int, segments: list[str], most: int) -> bytes | None:
        monkeypatch.setattr(module, "read_file", real)
        out_of(own).rename(out_of(own).parent / "old")
        new.rename(out_of(own))
        return None

    monkeypatch.setattr(module, "read_file", late)
    path = Slice(own.grammar["projects"]).path()
    assert own.read(path) == (out_of(own) / path[1:]).read_bytes()
    assert own.read("/api/nothing.json") is None
