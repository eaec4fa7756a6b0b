"""A client of a registry: what it asks a host for, and when it refuses what it reads."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from generator.contract.files import POINTER, Pointer, parse_pointer
from generator.engine.table import MAX_READS
from generator.grammar.paths import INDEX, MANIFEST_ROOT
from generator.grammar.refusals import QueryError
from generator.reader import location
from generator.reader.client import Client
from generator.reader.documents import ClientError
from generator.reader.location import PointerReader
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


WAYS = "late", "stays", "gone"
ONE, TWO = (Pointer(f"{n}-0123abcd", (), n, "0" * 64) for n in (1, 2))


class Bucket:
    """Files by path, the requested paths, and paths to refuse."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.refused: set[str] = set()

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        self.asked += paths
        if self.refused & set(paths):
            raise ClientError("403")
        return [self.files.get(path) for path in paths]


@pytest.fixture
def bucket() -> Bucket:
    bucket = Bucket()
    bucket.files = {
        POINTER: ONE.encoded(),
        f"{ONE.tree_path}{INDEX}": b"one",
        f"{ONE.tree_path}{MANIFEST_ROOT}": b"root of one",
        f"{TWO.tree_path}{INDEX}": b"two",
        f"{TWO.tree_path}{MANIFEST_ROOT}": b"root of two",
    }
    return bucket


def test_an_api_without_a_pointer_causes_no_request_for_it(bucket: Bucket) -> None:
    bucket.files[INDEX] = b"itself"
    read = PointerReader(bucket)
    assert read([INDEX, "/none"]) == [b"itself", None] and read(["/none"]) == [None]
    assert bucket.asked == [INDEX, "/none", "/none"]


def test_a_pointer_is_requested_once(bucket: Bucket) -> None:
    read = PointerReader(bucket)
    assert read([INDEX]) == [b"one"] and read([INDEX, "/none"]) == [b"one", None]
    assert bucket.asked.count(POINTER) == 1 and bucket.asked.count(INDEX) == 1


def test_an_empty_host_gets_one_request_for_a_pointer(bucket: Bucket) -> None:
    bucket.files.clear()
    read = PointerReader(bucket)
    assert read([INDEX]) == [None] and read([INDEX]) == [None]
    assert bucket.asked.count(POINTER) == 1


def test_a_bucket_that_sends_403_for_missing_files_is_read(bucket: Bucket) -> None:
    bucket.refused = {INDEX}
    assert PointerReader(bucket)([INDEX]) == [b"one"]
    bucket.refused = {INDEX, POINTER}
    with pytest.raises(ClientError, match="403"):
        PointerReader(bucket)([INDEX])


def test_a_new_version_is_seen_after_a_while_with_a_root_and_when_the_old_one_is_gone(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = {
        name: PointerReader(bucket, stay=name == "stays") for name in ("late", "stays", "gone")
    }
    for read in reads.values():
        assert read([INDEX]) == [b"one"]
    bucket.files[POINTER] = TWO.encoded()
    for read in reads.values():
        assert read([INDEX]) == [b"one"]
    now = location.time.monotonic()
    monkeypatch.setattr(location.time, "monotonic", lambda: now + 61)
    assert reads["late"]([INDEX]) == [b"two"] and reads["stays"]([INDEX]) == [b"one"]
    assert reads["stays"]([MANIFEST_ROOT, INDEX]) == [b"root of two", b"two"]
    monkeypatch.setattr(location.time, "monotonic", lambda: now)
    del bucket.files[f"{ONE.tree_path}{INDEX}"]
    assert reads["gone"]([INDEX]) == [b"two"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"\xff",
        b" " * 70_000 + ONE.encoded(),
        ONE.encoded().replace(b"1-0123abcd", b"../../etc"),
        ONE.encoded().replace(b"1-0123abcd", b"1-0123abcd/../.."),
        ONE.encoded().replace(b"1-0123abcd", b"1-0123abcd\\n"),
        ONE.encoded().replace(b"1-0123abcd", b"0-0123abcd"),
        ONE.encoded().replace(b'"former":[]', b'"former":["x"]'),
        ONE.encoded().replace(
            b'"former":[]', b'"former":[' + b'"1-0123abcd",' * 200 + b'"1-0123abcd"]'
        ),
        ONE.encoded().replace(b'"version":1', b'"version":true'),
        ONE.encoded().replace(b'"version":1', b'"version":-1'),
        ONE.encoded().replace(b"00000000", b"zzzzzzzz"),
        ONE.encoded().replace(b'"kind":"pointer"', b'"kind":"index"'),
    ],
    ids=range(14),
)
def test_an_invalid_pointer_is_ignored(bucket: Bucket, raw: bytes) -> None:
    assert parse_pointer(ONE.encoded()) == ONE and parse_pointer(raw) is None
    bucket.files[POINTER] = raw
    assert PointerReader(bucket)([INDEX]) == [None]
    assert all(path in (INDEX, POINTER) for path in bucket.asked)
