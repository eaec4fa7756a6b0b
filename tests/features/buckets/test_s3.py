"""Buckets over HTTP, on an S3 server: no interrupted publish is visible to readers."""

from __future__ import annotations

import json
import signal
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from generator.contract.files import LEASE, POINTER
from generator.features.buckets.lease import Lease
from generator.features.buckets.publish import publish
from generator.features.buckets.store import Store
from generator.grammar.headers import CACHE, IMMUTABLE, REVALIDATE
from generator.grammar.paths import MANIFEST_ROOT
from support import commands, registries
from support.stores import S3, holds, pointed

pytestmark = pytest.mark.slow


def registry(*arguments: object, **more: Any) -> commands.Done:
    """Run `registry` in a process that has already imported the slow modules."""
    return commands.run_forked(*arguments, imported=("s3fs",), **more)


def test_a_build_goes_into_a_bucket_and_is_read_from_its_public_address(
    s3: S3, tmp_path: Path
) -> None:
    store = Store(s3.url)
    content = registries.write(tmp_path / "content", registries.api_alone())
    (content / "projects" / "fresh-3.yaml").write_text("name: Fresh 3\n")
    done = registry("build", "--content", content, "--out", s3.url, "--no-site", cwd=tmp_path)
    assert done.status == 0 and f"Published {s3.url}: " in done.out, done
    again = registry("build", "--content", content, "--out", s3.url, "--no-site", cwd=tmp_path)
    assert again.status == 0 and "it was published already" in again.out, again
    [build_folder] = (tmp_path / ".registry").glob("s3-*/build")
    assert holds(store, build_folder)
    assert (tmp_path / ".registry" / ".gitignore").read_text("utf-8").endswith("*\n")
    # All reading commands work with the base URL of the bucket.
    assert registry("verify", s3.public).status == 0
    record = registry("get", "projects/bloom", "--from", s3.public, "--verify", cwd=tmp_path)
    assert record.out == registry("get", "projects/bloom", "--from", build_folder).out
    assert "Fresh 3" in registry("search", "fresh", "--from", s3.public).out
    assert registry("mirror", s3.public, tmp_path / "copy").status == 0
    assert (tmp_path / "copy" / MANIFEST_ROOT[1:]).read_bytes() == (
        build_folder / MANIFEST_ROOT[1:]
    ).read_bytes()
    assert registry("diff", build_folder, s3.public).status == 0


def test_objects_have_their_type_and_cache_time(s3: S3, builds: list[Path]) -> None:
    store = Store(s3.url)
    assert store.keeps_headers
    publish(builds[0], store)
    place = pointed(store).tree_path
    wanted = {
        POINTER: ("application/json", REVALIDATE),
        f"{place}{MANIFEST_ROOT}": ("application/json", REVALIDATE),
        f"{place}/api/index.json": ("application/json", CACHE),
        f"{place}/api/problems/not-found.json": ("application/problem+json", CACHE),
        f"{place}/api/calendar/events.ics": ("text/calendar; charset=utf-8", CACHE),
        f"{place}/skill.md": ("text/markdown; charset=utf-8", CACHE),
    }
    for path, headers in wanted.items():
        answer = s3.head(path)
        assert (answer["content-type"], answer["cache-control"]) == headers, path
    from generator.features.buckets.tree import object_headers

    assert object_headers("/assets/site-1.css")["Cache-Control"] == IMMUTABLE
    logo = {"Content-Type": "image/svg+xml", "Cache-Control": IMMUTABLE}
    assert object_headers("/media/0123456789abcdef0123456789abcdef.svg") == logo


#: The kinds of requests, in the order of a publish, and whether the new version is published after
#: them.
KINDS = [
    ("create", LEASE, False),
    ("get", POINTER, False),
    ("remove", MANIFEST_ROOT, False),
    ("put", "/api/manifest/bins/", False),
    ("put", "/api/projects/slug/", False),
    ("remove", "/api/projects/slug/", False),
    ("put", "/api/manifest/snapshot.json", False),
    ("put", MANIFEST_ROOT, False),
    ("replace", LEASE, False),
    ("replace", POINTER, True),
    ("remove_below", "/trees/9-", True),
    ("remove", LEASE, True),
]


def test_a_publish_killed_after_each_kind_of_request_leaves_a_whole_version(
    s3: S3, builds: list[Path], hurried: None
) -> None:
    store, builds = Store(s3.url), builds[:3]
    publish(builds[0], store)
    publish(builds[1], store)
    for number, (kind, path, is_new) in enumerate(KINDS):
        old, new = builds[(number + 1) % 3], builds[(number + 2) % 3]
        store.put("/trees/9-00000000/api/index.json", b"{}")  # an old tree, to be pruned
        at = f"{kind},{path},1,after,SIGKILL"
        killed = registry(at, "publish", new, s3.url, "--older", program="stopped")
        assert killed.status == -signal.SIGKILL, (kind, path, killed.err)
        assert holds(store, new if is_new else old, strays=True), (kind, path)
        assert publish(new, store, older=True).put <= 40, (kind, path)
        assert holds(store, new), (kind, path)
        now = pointed(store)
        assert sorted(store.folders("/trees")) == sorted([now.tree, *now.former])
        assert store.read(LEASE, 9999) is None
    with urllib.request.urlopen(f"{s3.public}{pointed(store).tree_path}/api/index.json") as answer:
        assert json.load(answer)["kind"] == "index"


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("at", ["put,/api/projects/,5,after", f"create,{LEASE},1,after"])
def test_an_interrupted_publish_continues(
    s3: S3, builds: list[Path], hurried: None, at: str, number: str
) -> None:
    store = Store(s3.url)
    stopped = registry(f"{at},{number}", "publish", builds[3], s3.url, program="stopped")
    assert stopped.status == 2 and "Interrupted" in stopped.err, stopped.err
    assert store.read(POINTER, 9999) is None and store.read(LEASE, 9999) is None
    publish(builds[3], store)
    assert holds(store, builds[3])


def test_the_second_publisher_is_refused_with_the_name_of_the_first(
    s3: S3, builds: list[Path]
) -> None:
    store = Store(s3.url)
    with Lease(store) as first, ThreadPoolExecutor(1) as thread:
        running = thread.submit(registry, "publish", builds[0], s3.url)
        while not running.done():
            first.renew()
            time.sleep(0.5)
        done = running.result()
    assert done.status == 2 and "Another publish to s3://" in done.err, done
    assert "Publish again when it is done." in done.err and "Traceback" not in done.err
    assert store.read(POINTER, 9999) is None and store.read(LEASE, 9999) is None


def test_a_failed_condition_is_detected(s3: S3) -> None:
    store = Store(s3.url)
    assert store.create("/one", b"1") and not store.create("/one", b"2")
    first = store.get("/one", 9)
    assert first is not None and first.data == b"1"
    headers = {"Content-Type": "text/plain", "Cache-Control": REVALIDATE}
    assert store.replace("/one", b"3", first, headers)
    assert not store.replace("/one", b"4", first, headers) and store.read("/one", 9) == b"3"
    assert not store.replace("/one", b"5", None, headers)
    store.put("/empty", b"")
    assert store.read("/empty", 9) == b"" and store.read("/none", 9) is None


def test_missing_buckets_credentials_and_servers_are_reported(
    s3: S3, builds: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = registry("publish", builds[0], "s3://no-such-bucket/registry")
    assert done.status == 2 and "s3://no-such-bucket/registry" in done.err, done
    assert "make the bucket first" in done.err and "Traceback" not in done.err
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    done = registry("publish", builds[0], s3.url)
    assert done.status == 2 and "AWS_ACCESS_KEY_ID" in done.err, done


def test_no_message_has_the_credentials_of_an_address(s3: S3, builds: list[Path]) -> None:
    done = registry("publish", builds[0], f"s3://somebody:hunter2@no-such-{s3.bucket}/registry")
    assert done.status == 2 and f"s3://no-such-{s3.bucket}/registry" in done.err, done
    assert "hunter2" not in done.err + done.out and "somebody" not in done.err
