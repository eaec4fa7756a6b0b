"""A registry read from a folder and over HTTP: both give the same right answers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from generator.grammar.grammar import Query
from generator.grammar.refusals import QueryError
from generator.reader.answers import ClientError
from generator.reader.client import Client
from generator.search.reading import MAX_READS
from support.fake_host import Asked, FakeHost, Given, serving


@pytest.fixture(params=["folder", "host"])
def client(request: pytest.FixtureRequest, site: Path) -> Client:
    if request.param == "folder":
        return Client.open(str(site))
    return Client.open(request.getfixturevalue("host").base)


def published(site: Path, path: str) -> bytes:
    return (site / path).read_bytes()


def test_the_grammar_is_that_of_the_build(client: Client) -> None:
    assert client.grammar.prefix == "/registry"
    assert client.grammar.tag_families == {"topic": "Topic", "technology": "Technology"}


def test_a_prepared_page_is_given_as_it_is_published(client: Client, site: Path) -> None:
    query = client.query(client.grammar.projects, [("tag_topic", "space")], page=2)
    assert client.answer_with_bytes(query)[0] == published(
        site, "api/projects/by/tag_topic/space/page/2.json"
    )
    assert client.answer(query)["page"] == {
        "number": 2,
        "size": 10,
        "count": 10,
        "total_items": 20,
        "total_pages": 2,
    }


def test_pages_of_two_builds_are_reported(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    client = Client.open(str(copy))
    with pytest.raises(ClientError, match="published again during this read"):
        for page in client.pages(Query(client.grammar.projects)):
            (copy / "api" / "build.json").write_text(f"{page['page']['number']}")


def test_a_list_that_shrinks_while_it_is_read_is_reported(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    client = Client.open(str(copy))
    pages = client.pages(Query(client.grammar.projects))
    next(pages)
    (copy / "api" / "build.json").write_text("another")
    (copy / "api" / "projects" / "page" / "2.json").unlink()
    with pytest.raises(ClientError, match="published again during this read"):
        list(pages)


def test_a_record_is_given_as_it_is_published(client: Client, site: Path) -> None:
    raw, document = client.record_with_bytes(client.grammar.projects, "bloom")
    assert raw == published(site, "api/projects/slug/bloom.json")
    assert (
        document["data"]["name"]
        == "Bloom"
        == client.record(client.grammar.projects, "bloom")["data"]["name"]
    )


def test_a_former_slug_leads_to_the_record(client: Client) -> None:
    assert client.record(client.grammar.projects, "once-hostile")["data"]["slug"] == "hostile"


@pytest.mark.parametrize(
    "slug", ["../../build", "bloom/../bloom", "", "bloom.json", "%2e", "bloom?x", "a" * 101]
)
def test_an_invalid_slug_is_never_requested(slug: str, host: FakeHost) -> None:
    client = Client.open(host.base)
    with pytest.raises(QueryError, match="There is no project"):
        client.record(client.grammar.projects, slug)
    assert not [asked for asked, _ in host.seen if "/slug/" in asked.target]


def test_words_are_handed_on_as_they_are(client: Client) -> None:
    assert client.query(client.grammar.projects, q="a&page=2 %41 é+").q == "a&page=2 %41 é+"


def test_suggestions_over_http_take_few_requests(
    named: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving(named) as host:
        client = Client.open(host.base)
        with pytest.raises(QueryError) as raised:
            client.record(client.grammar.projects, "wotl")
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


@pytest.mark.parametrize(
    "index", [b"[]", b"{}", b'{"links": {"self": 1}}', b"", b"\xff", b"null", b'{"links": null}']
)
def test_an_index_of_another_kind_is_reported(index: bytes, host: FakeHost) -> None:
    host.wrong = lambda asked: (
        Given(body=index) if asked.target.endswith("/api/index.json") else None
    )
    with pytest.raises(ClientError, match="There is no registry at"):
        Client.open(host.base)


def test_only_canonical_files_are_asked_for(host: FakeHost) -> None:
    client = Client.open(host.base)
    projects = client.grammar.projects
    for query in (
        Query(projects),
        client.query(projects, [("year", "2004"), ("program", "launch")], q="kite"),
    ):
        client.answer(query)
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
        client.record(client.grammar.projects, "nothing")
    with pytest.raises(QueryError, match='No project has the tag_topic "nothing"'):
        client.answer(client.query(client.grammar.projects, [("tag_topic", "nothing")]))
    with pytest.raises(ClientError, match="There is no registry at"):
        Client.open(f"http://{host.name}/elsewhere")


def instead(host: FakeHost, asked_end: str, given_end: str) -> None:
    """The host sends a wrong file, like a host that ignores half of an address or a cache that
    confuses addresses.
    """
    body = (host.folder / given_end).read_bytes()
    host.wrong = lambda asked: Given(body=body) if asked.target.endswith(asked_end) else None


@pytest.mark.parametrize(
    ("given", "answered"),
    [
        ("page/1.json", "page 1, sorted by name"),
        ("by/year/2004/page/1.json", "page 1, sorted by name, year=2004"),
    ],
)
def test_the_answer_to_another_query_is_refused_with_an_explanation(
    given: str, answered: str, host: FakeHost
) -> None:
    instead(host, "/by/tag_topic/space/page/2.json", f"api/projects/{given}")
    client = Client.open(host.base)
    with pytest.raises(ClientError) as raised:
        client.answer(client.query(client.grammar.projects, [("tag_topic", "space")], page=2))
    lines = str(raised.value).splitlines()
    assert lines[0].startswith(
        f"{host.base}/api/projects/by/tag_topic/space/page/2.json does not answer the request"
    )
    assert lines[1:3] == [
        "  asked:    page 2, sorted by name, tag_topic=space",
        f"  answered: {answered}",
    ]
    assert "a cache" in lines[3]
    assert "Try again" in lines[4]


def test_another_list_with_the_same_query_is_refused(host: FakeHost) -> None:
    instead(host, "/projects/page/1.json", "api/programs/page/1.json")
    client = Client.open(host.base)
    with pytest.raises(
        ClientError, match=r"it says that it is /registry/api/programs/page/1\.json"
    ):
        client.answer(Query(client.grammar.projects))


@pytest.mark.parametrize(
    "given", ["api/projects/slug/cairn.json", "api/programs/slug/launch.json", "api/dashboard.json"]
)
def test_another_record_is_refused(given: str, host: FakeHost) -> None:
    instead(host, "/projects/slug/bloom.json", given)
    client = Client.open(host.base)
    with pytest.raises(ClientError, match="does not answer the request"):
        client.record(client.grammar.projects, "bloom")


def test_invalid_json_is_reported(host: FakeHost) -> None:
    client = Client.open(host.base)
    for body in (b"", b"oops", b"[]", b'{"kind": "project_list"', b'{"query": 1}'):
        host.wrong = lambda asked, body=body: Given(body=body)  # type: ignore[misc]
        with pytest.raises(ClientError, match="is not the JSON that it should be"):
            client.answer(Query(client.grammar.projects))


def test_a_registry_without_an_index_of_words_says_so(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    shutil.rmtree(copy / "api" / "index")
    client = Client.open(str(copy))
    assert client.answer(Query(client.grammar.projects))["data"]
    with pytest.raises(ClientError, match="search index"):
        client.answer(client.query(client.grammar.projects, q="kite"))


def test_a_damaged_index_is_never_an_answer(host: FakeHost) -> None:
    client = Client.open(host.base)

    def damage(asked: Asked) -> Given | None:
        body: Any = host.file(asked.target)
        return Given(body=body[:-1] + b"!") if "/api/index/projects/" in asked.target else None

    host.wrong = damage
    with pytest.raises(ClientError):
        client.answer(client.query(client.grammar.projects, q="kite"))


def test_text_from_a_host_is_made_printable(host: FakeHost) -> None:
    page = json.loads((host.folder / "api/projects/page/1.json").read_bytes())
    page["query"]["filters"] = {"year": "\x1b[31m"}
    body = json.dumps(page).encode()
    host.wrong = lambda asked: (
        Given(body=body) if asked.target.endswith("/projects/page/1.json") else None
    )
    client = Client.open(host.base)
    with pytest.raises(ClientError) as raised:
        client.answer(Query(client.grammar.projects))
    assert str(raised.value).replace("\n", "").isprintable()
