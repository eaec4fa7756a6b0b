"""Pages of every change: only with the whole history, valid, the same whatever was noted."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from generator.features.changes.sync import sync
from generator.reader.copying import CopyOptions
from generator.reader.location import FolderReader
from support import registries
from support.commands import OF_BUILDS, build, differing, files, run_forked
from support.git import commit, git

pytestmark = pytest.mark.slow


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with 131 changes: 130 new records, and a year for one of them."""
    folder = tmp_path / "checkout"
    settings = {**registries.SMALL["registry"], "publish": {"changes": True}}
    registries.write(folder / "content", {**registries.SMALL, "registry": settings})
    for number in range(120):
        (folder / f"content/projects/p-{number}.yaml").write_text(f"name: Project {number}\n")
    git(folder, "init", "-q")
    git(folder, "config", "uploadpack.allowFilter", "true")
    commit(folder)
    (folder / "content/projects/p-7.yaml").write_text("name: Project 7\nyear: 2020\n")
    commit(folder)
    return folder


def read(out: Path, path: str) -> Any:
    return json.loads((out / path).read_bytes())


def updated(out: Path) -> set[str | None]:
    return {
        json.loads(file.read_bytes())["meta"]["updated_at"]
        for file in out.glob("api/**/slug/*.json")
    }


@pytest.mark.parametrize("lacking", ["git", "a commit", "depth", "blobs"])
def test_without_the_whole_history_nothing_of_it_is_published(
    lacking: str, checkout: Path, tmp_path: Path
) -> None:
    clone, out = tmp_path / "clone", tmp_path / "out"
    options = {"depth": "--depth=1", "blobs": "--filter=blob:none"}
    if lacking in options:
        git(tmp_path, "clone", "-q", options[lacking], f"file://{checkout}", "clone")
    else:
        shutil.copytree(checkout / "content", clone / "content")
        if lacking == "a commit":
            git(clone, "init", "-q")
    for _ in range(2):  # the second build has nothing to do and says it too
        done = run_forked("build", "--content", clone / "content", "--out", out, "--no-site")
        assert "The changes of the history are not published" in done.out, done.err
    assert updated(out) == {None}
    assert not (out / "api/changes").exists()
    assert read(out, "api/changes.json")["links"] == {"self": "/api/changes.json"}
    if lacking == "depth":
        git(clone, "fetch", "-q", "--unshallow")
        build(clone / "content", out)
        assert None not in updated(out) and (out / "api/changes/2.json").exists()


def test_pages_and_records_are_valid_and_described(checkout: Path, tmp_path: Path) -> None:
    out = build(checkout / "content", tmp_path / "out")
    for path in ("changes/1", "changes/2", "changes", "projects/slug/p-7", "index"):
        document = read(out, f"api/{path}.json")
        schema = read(out, f"api/schemas/{document['kind']}.json")
        jsonschema.Draft202012Validator(schema).validate(document)
        assert document.keys() == schema["properties"].keys()
    pages = [read(out, f"api/changes/{number}.json")["data"] for number in (1, 2)]
    assert [len(pages[0]), pages[1][0]["seq"]] == [100, 101]
    last = pages[1][-1]
    assert (last["change"], last["slug"], last["fields"]) == ("changed", "p-7", ["year"])
    assert read(out, "api/projects/slug/p-7.json")["meta"] == {"updated_at": last["at"]}
    assert "/api/changes/{page}.json" in read(out, "api/openapi.json")["paths"]
    named = {surface["template"] for surface in read(out, "api/index.json")["data"]["surfaces"]}
    assert "/api/changes/{page}.json" in named


@pytest.mark.parametrize("damage", ["nothing", "cut", "other bytes", "gone", "of no commit here"])
def test_notes_of_the_history_never_change_a_page(
    damage: str, checkout: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    env = {"REGISTRY_CACHE": str(cache)}
    out = build(checkout / "content", tmp_path / "out", env=env)
    for number, file in enumerate(cache.iterdir()):
        raw = file.read_bytes()
        if damage == "gone":
            file.unlink()
        elif damage in ("cut", "other bytes"):
            half = len(raw) // 2
            file.write_bytes(raw[:half] + (b"x" + raw[half + 1 :] if number % 2 else b""))
    if damage == "of no commit here":
        git(checkout, "commit", "-q", "--amend", "-m", "other")
    (checkout / "content/projects/p-8.yaml").write_text("name: Project 8\nyear: 2001\n")
    commit(checkout)
    build(checkout / "content", out, env=env)
    whole = build(checkout / "content", tmp_path / "whole", env={"REGISTRY_CACHE": ""})
    assert set(differing(files(out), files(whole))) <= set(OF_BUILDS)
    assert os.path.exists(out / "api/changes/1.json")


@pytest.mark.parametrize("where", ["", "/proc/nowhere", "a file", "another's", "a checkout"])
def test_notes_that_cannot_be_kept_stop_nothing(where: str, checkout: Path, tmp_path: Path) -> None:
    """Also in a folder that others can write to, or that a clone can bring."""
    folder = checkout / "notes" if where == "a checkout" else tmp_path / "notes"
    folder.mkdir(0o700)
    if where == "another's":
        folder.chmod(0o777)
    if where == "a file":
        (folder / "x").write_text("a file")
    named = {"": "", "/proc/nowhere": where, "a file": str(folder / "x")}.get(where, str(folder))
    build(checkout / "content", tmp_path / "out", env={"REGISTRY_CACHE": named})
    assert [path.name for path in folder.iterdir()] == ["x"] * (where == "a file")
    assert os.path.exists(tmp_path / "out/api/changes/1.json")


def test_a_commit_of_what_was_built_already_renews_the_times(
    checkout: Path, tmp_path: Path
) -> None:
    """The bytes of no record change between the two builds, only the history."""
    out = build(checkout / "content", tmp_path / "out")
    before = read(out, "api/projects/slug/p-9.json")["meta"]
    (checkout / "content/projects/p-9.yaml").write_text("name: Project 9\nyear: 2021\n")
    (checkout / "content/projects/new.yaml").write_text("name: New\n")
    build(checkout / "content", out)
    assert read(out, "api/projects/slug/p-9.json")["meta"] == before
    assert read(out, "api/projects/slug/new.json")["meta"] == {"updated_at": None}
    commit(checkout, GIT_COMMITTER_DATE="1900000000 +0000")
    build(checkout / "content", out)
    for slug in ("p-9", "new"):
        meta = read(out, f"api/projects/slug/{slug}.json")["meta"]
        assert meta == {"updated_at": "2030-03-17T17:46:40Z"}


def test_a_reader_hears_what_happened_or_that_the_history_was_rewritten(
    checkout: Path, tmp_path: Path
) -> None:
    out, target = tmp_path / "out", tmp_path / "copy"

    def changes() -> list[tuple[int, str, str]] | None:
        build(checkout / "content", out, env={"SOURCE_DATE_EPOCH": None})
        asked = CopyOptions(target, "https://registry.example", frozenset(), 1 << 30)
        found = sync(FolderReader(out, stay=True), asked).changes
        return found if found is None else [(c["seq"], c["change"], c["slug"]) for c in found]

    record = checkout / "content/projects/p-3.yaml"
    assert changes() == []  # a first sync
    record.write_text("name: Project 3\nyear: 2001\n")
    commit(checkout)
    assert changes() == [(132, "changed", "p-3")]
    assert changes() == []
    record.rename(record.with_name("other.yaml"))
    commit(checkout)
    (checkout / "content/projects/p-4.yaml").unlink()
    commit(checkout)
    assert changes() == [(133, "renamed", "other"), (134, "removed", "p-4")]
    git(checkout, "reset", "-q", "--hard", "HEAD~1")
    assert changes() is None and changes() == []
    (checkout / "content/projects/p-5.yaml").unlink()
    git(checkout, "add", "-A")
    git(checkout, "commit", "-q", "--amend", "-m", "other")
    assert changes() is None


def test_git_that_fails_stops_the_build(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin/git"
    real = shutil.which("git")
    script.write_text(f'#!/bin/sh\ncase "$*" in *--reverse*) exit 9;; esac\nexec {real} "$@"\n')
    script.chmod(0o755)
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    where = "--content", checkout / "content", "--out", tmp_path / "out"
    done = run_forked("build", *where, env=env)
    assert done.status == 2 and "The history of" in done.err and "git fsck" in done.err


def test_changes_of_a_kind_that_is_gone_are_not_published(tmp_path: Path) -> None:
    """Also if an earlier build noted them, and no commit says that the kind is gone."""
    kinds = {"ships": {"one": "ship"}, "ports": {"one": "port"}}
    settings = {**registries.SMALL["registry"], "publish": {"changes": True}, "kinds": kinds}
    records = {"ships": {"fram": {"name": "Fram"}}, "ports": {"oslo": {"name": "Oslo"}}}
    content = registries.write(tmp_path / "content", {"registry": settings, **records})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    out = build(content, tmp_path / "out", site=True)
    assert {change["collection"] for change in read(out, "api/changes.json")["data"]} == {*kinds}
    del kinds["ships"]
    shutil.rmtree(content / "ships")
    registries.write(content, {"registry": settings})
    build(content, out, "--allow-loss", site=True)
    for path in ("api/changes.json", "api/changes/1.json"):
        assert {change["collection"] for change in read(out, path)["data"]} == {"ports"}
