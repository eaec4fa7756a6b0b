"""Readers of random histories are killed at random times: each ends with a fresh copy."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.contract.files import ReadFiles
from generator.contract.manifest import sha256_hex
from generator.features.changes import past
from generator.features.changes.sync import SyncResult, sync
from generator.published.history.provenance import moment
from generator.reader.copying import CopyOptions
from generator.reader.location import host_reader
from generator.text.words import format_utc
from support import commands, registries
from support.commands import differing, files
from support.fake_host import FakeHost, serving
from support.kinds import KIND_OF
from support.manifests import record_files

pytestmark = pytest.mark.slow

STEPS, PAGE = 14, 5


class Killed(BaseException):
    """The reader is killed here."""


class Repository:
    """A checkout with random commits of records, and the builds of it."""

    def __init__(self, folder: Path, chance: random.Random):
        self.folder, self.content, self.chance = folder, folder / "content", chance
        self.seconds, self.number = 1_700_000_000, 0
        settings = {**registries.SMALL["registry"], "publish": {"changes": True}}
        registries.write(self.content, {**registries.SMALL, "registry": settings})
        self.git("init", "-q", "-b", "main")
        self.commit()

    def git(self, *words: str) -> str:
        self.seconds += self.chance.choice([0, 60, 86_400])
        when = f"{self.seconds} +0000"
        author = {"NAME": "a", "EMAIL": "a@example.org", "DATE": when}
        who = {f"GIT_{of}_{k}": v for of in ("AUTHOR", "COMMITTER") for k, v in author.items()}
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env=commands.environment(**who), check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")

    def a_project(self) -> Path:
        return self.chance.choice(sorted((self.content / "projects").rglob("*.yaml")))

    def edit(self) -> None:
        self.number += 1
        record = self.a_project()
        fields = {**json.loads(record.read_text()), "summary": f"Text {self.number}."}
        record.write_text(registries.as_yaml(fields))

    def add(self) -> None:
        self.number += 1
        name = f"projects/{self.chance.choice(['', 'inner/'])}new-{self.number}"
        registries.write(self.content, {"projects": {}})
        file = self.content / f"{name}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(registries.as_yaml({"name": f"New {self.number}", "programs": ["launch"]}))

    def rename(self) -> None:
        self.number += 1
        record = self.a_project()
        fields = json.loads(record.read_text())
        fields["aliases"] = [*fields.get("aliases", []), record.stem]
        record.unlink()
        record.with_name(f"other-{self.number}.yaml").write_text(registries.as_yaml(fields))

    def remove(self) -> None:
        if len(list((self.content / "projects").rglob("*.yaml"))) > 2:
            self.a_project().unlink()

    def rename_organization(self) -> None:
        """Records that name it change without a commit of their own."""
        self.number += 1
        file = self.content / "organizations/harbour-fund.yaml"
        fields = {**json.loads(file.read_text()), "name": f"Fund {self.number}"}
        file.write_text(registries.as_yaml(fields))

    def change_settings(self) -> None:
        self.number += 1
        file = self.content / "registry.yaml"
        settings = json.loads(file.read_text())
        settings["tag_families"][f"family_{self.number}"] = {"label": "More"}
        file.write_text(registries.as_yaml(settings))

    def merge(self) -> None:
        self.git("switch", "-q", "-c", f"branch-{self.seconds}-{self.number}")
        branch = self.git("branch", "--show-current").strip()
        for _ in range(2):
            self.add()
            self.commit()
        self.git("switch", "-q", "main")
        self.rename_organization()
        self.commit()
        self.git("merge", "-q", "--no-ff", "-m", "merge", branch)

    def revert(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.git("revert", "--no-edit", "-m", "1", "HEAD")
            return
        with contextlib.suppress(subprocess.CalledProcessError):
            self.git("revert", "--no-edit", "HEAD")

    def rewrite(self) -> None:
        self.edit()
        self.git("add", "-A")
        self.git("commit", "-q", "--amend", "-m", "other")

    def step(self) -> str:
        """Something happens; its name."""
        records = (self.edit, self.add, self.rename, self.remove, self.rename_organization,
                   self.change_settings)  # fmt: skip
        histories = self.merge, self.revert, self.rewrite
        what = self.chance.choice((*records, *records, *histories))
        what()
        if what in records:
            self.commit()
        return what.__name__

    def build(self, out: Path) -> Path:
        when = moment(str(self.content), date(2026, 11, 21), {})
        options = BuildOptions(site=False, jobs=1, loss="allow")
        report = build(str(self.content), out, when, options)
        assert not report.failed, report.problems
        return out


def read_json(file: Path) -> Any:
    return json.loads(file.read_bytes())


def pages_of(out: Path) -> list[bytes]:
    folder = out / "api/changes"
    return [(folder / f"{n + 1}.json").read_bytes() for n in range(len(list(folder.iterdir())))]


def check_pages(out: Path, repository: Repository) -> None:
    """Replayed, the pages give the present records; times are those of git."""
    present: set[str] = set()
    before, seq = None, 0
    for number, raw in enumerate(pages_of(out), 1):
        page = json.loads(raw)
        expected = {"href": f"/api/changes/{number - 1}.json", "sha256": before}
        assert page["previous"] == (expected if number > 1 else None)
        assert page["page"] == {"number": number} and {*page} == {
            "schema_version", "kind", "page", "previous", "data",
        }  # fmt: skip
        before = sha256_hex(raw)
        for entry in page["data"]:
            seq += 1
            assert entry["seq"] == seq
            key = f"{entry['collection']}/{entry['slug']}"
            assert (key in present) == (entry["change"] in ("changed", "removed")), entry
            if entry["former"]:
                present.remove(f"{entry['collection']}/{entry['former']}")
            (present.discard if entry["change"] == "removed" else present.add)(key)
            assert bool(entry["fields"]) <= (entry["change"] in ("changed", "renamed"))
    records = record_files(out)
    assert present == records.keys()
    last = read_json(out / "api/changes.json")["links"]["last"]
    assert last == f"/api/changes/{len(pages_of(out))}.json"
    for key, raw in records.items():
        [file] = (repository.content / key.partition("/")[0]).rglob(f"{Path(key).name}.yaml")
        line = repository.git("log", "-1", "--first-parent", "--format=%ct", "--", str(file))
        at = json.loads(raw)["meta"]["updated_at"]
        assert at == format_utc(datetime.fromtimestamp(int(line), UTC))


class Reader:
    """A target that is brought up to date now and then."""

    def __init__(self, target: Path, host: FakeHost):
        self.target, self.host = target, host

    def sync(self, read: ReadFiles | None = None) -> SyncResult:
        read = read or host_reader(self.host.base, 10, stay=True)
        return sync(read, CopyOptions(self.target, self.host.base, frozenset(), 1 << 30))

    def content(self) -> tuple[dict[str, bytes], Any]:
        """The records and the state."""
        if self.target.suffix != ".sqlite":
            state = read_json(self.target / "sync.json")
            records = {k.removesuffix(".json"): v for k, v in files(self.target).items()}
            return {k: v for k, v in records.items() if k != "sync"}, state
        records = {}
        with contextlib.closing(sqlite3.connect(self.target)) as database:
            for name in KIND_OF:
                for slug, title, record in database.execute(f"SELECT * FROM {name}"):
                    records[f"{name}/{slug}"] = record.encode()
                    assert json.loads(record)["data"]["name"] == title
            state = {k: json.loads(v) for k, v in database.execute("SELECT * FROM state")}
        return records, state


@contextlib.contextmanager
def killed_at(number: int) -> Iterator[Callable[[ReadFiles], ReadFiles]]:
    """Raise Killed at this operation on files, or on the network; a wrapper for the reader."""
    left = [number]

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            if threading.current_thread() is threading.main_thread():  # not the server's
                left[0] -= 1
                if left[0] < 0:
                    raise Killed
            return function(*arguments, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ("write_bytes", "read_bytes", "replace", "rename", "unlink", "mkdir"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        patch.setattr(shutil, "rmtree", counted(shutil.rmtree))
        yield counted


@pytest.mark.parametrize("seed", range(3))
def test_readers_of_a_random_history_end_with_a_fresh_copy(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "MAX_CHANGES", PAGE)
    chance = random.Random(seed)
    repository = Repository(tmp_path / "checkout", chance)
    out = repository.build(tmp_path / "out")
    sealed: list[bytes] = []
    kills = 0
    with serving(out) as host:
        names = "folder", "other", "file.sqlite", "late.sqlite"
        readers = [Reader(tmp_path / "readers" / name, host) for name in names]
        for _ in range(STEPS):
            what = repository.step()
            repository.build(out)
            check_pages(out, repository)
            full = [raw for raw in pages_of(out) if len(json.loads(raw)["data"]) == PAGE]
            assert what == "rewrite" or full[: len(sealed)] == sealed
            sealed = full
            for reader in chance.sample(readers[:3], chance.randrange(3)):
                with contextlib.suppress(Killed), killed_at(chance.randrange(120)) as counted:
                    kills += 1
                    reader.sync(counted(host_reader(host.base, 10, stay=True)))
                    kills -= 1
        whole = repository.build(tmp_path / "whole")
        assert set(differing(files(out), files(whole))) <= set(commands.OF_BUILDS)
        fresh = Reader(tmp_path / "fresh", host)
        assert fresh.sync().removed == 0
        expected = record_files(out)
        assert fresh.content()[0] == expected and kills > 3
        for reader in readers:
            reader.sync()
            assert reader.content()[0] == expected
            assert {**reader.content()[1]} == {**fresh.content()[1]}
            again = reader.sync()
            assert (again.added, again.changed, again.removed) == (0, 0, 0)
            assert again.downloads.number <= 3
