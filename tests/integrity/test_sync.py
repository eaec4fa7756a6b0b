"""A sync trusts no host: after any answer the target is what it was, or a copy of the registry."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from generator.disk.output_state import OutputError
from generator.features.changes.sync import SyncResult, sync
from generator.grammar.paths import MANIFEST_ROOT
from generator.reader.copying import CopyOptions, TooManyLost, check_losses
from support import commands
from support.fake_host import FakeHost, Host
from support.kinds import KIND_OF
from support.manifests import divided, record_files

BASE = "https://registry.example"
TARGETS = "copy", "copy.sqlite"


def synced(target: Path, read: Host, **changed: Any) -> SyncResult:
    return sync(read, CopyOptions(target, BASE, frozenset(), 1 << 30)._replace(**changed))


def content(target: Path) -> dict[str, bytes]:
    """Key -> bytes of each record."""
    if target.suffix != ".sqlite":
        return {f"{f.parent.name}/{f.stem}": f.read_bytes() for f in target.glob("*/*.json")}
    with contextlib.closing(sqlite3.connect(target)) as database:
        return {
            f"{name}/{slug}": record.encode()
            for name in KIND_OF
            for slug, record in database.execute(f"SELECT slug, record FROM {name}")
        }


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_follows_a_registry_that_publishes_no_changes(
    name: str, two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = two_builds
    target, host = tmp_path / name, Host(old)
    first = synced(target, host)
    assert content(target) == record_files(old) and first.changes == []
    assert (first.records, first.added) == (len(content(target)), len(content(target)))
    host.folder, host.asked = new, []
    before = record_files(old)
    second = synced(target, host)
    after = content(target)
    assert after == record_files(new) and second.changes == []
    fetched = {path for path in host.asked if "/slug/" in path}
    assert len(fetched) == second.added + second.changed == len(after.items() - before.items())
    assert (second.added, second.removed) == (1, 1)
    host.asked.clear()
    third = synced(target, host)
    assert host.asked == [MANIFEST_ROOT]
    assert (third.added, third.changed, third.removed) == (0, 0, 0)


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_no_copy_of_this_registry_is_refused(
    name: str, published: Path, tmp_path: Path
) -> None:
    target, host = tmp_path / name, Host(published)
    with pytest.raises(OutputError, match="allow more with --most"):
        synced(target, host, max_bytes=100)
    synced(target, host)
    with pytest.raises(OutputError, match="is a copy of https://registry"):
        synced(target, host, base="https://other.example")
    foreign = tmp_path / f"foreign-{name}"
    if foreign.suffix == ".sqlite":
        with contextlib.closing(sqlite3.connect(foreign)) as database:
            database.execute("CREATE TABLE projects (mine)")
    else:
        foreign.mkdir()
        (foreign / "mine.txt").write_text("x")
    with pytest.raises(OutputError, match="choose another target"):
        synced(foreign, host)
    no_target = tmp_path / f"file-{name}"
    no_target.write_text("text, and no database")
    with pytest.raises(OutputError, match="choose another target"):
        synced(no_target, host)
    assert no_target.read_text() == "text, and no database"


@pytest.mark.parametrize("damage", ["page", "downloads", "no downloads", "nothing"])
@pytest.mark.parametrize("name", TARGETS)
def test_a_damaged_state_is_made_again(
    name: str, damage: str, two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    target, host = tmp_path / name, Host(two_builds[0])
    synced(target, host)
    host.folder = two_builds[1]
    if target.suffix == ".sqlite":
        with contextlib.closing(sqlite3.connect(target)) as database:
            database.execute("DELETE FROM projects WHERE slug = 'bloom'")
            if damage == "page":
                database.execute("""UPDATE state SET value = '["x", 1, ""]' WHERE key = 'page'""")
            database.commit()
    else:
        state = json.loads((target / "sync.json").read_bytes())
        (target / "projects/bloom.json").write_text("changed")
        state |= {"page": ["x", 1, ""]} if damage == "page" else {}
        (target / "sync.json").write_text(json.dumps(state))
    for file in (tmp_path / ".registry" / name / "sync/fetched").iterdir():
        if damage == "downloads":
            file.write_bytes(b"{}")
        elif damage == "no downloads":
            file.unlink()
    synced(target, host)
    assert content(target) == record_files(two_builds[1])


@pytest.mark.parametrize(
    ("was", "now", "former", "lost"),
    [
        (10, 8, 0, False),  # a fifth
        (10, 7, 0, True),
        (10, 7, 1, False),  # a former slug is no loss
        (9, 1, 0, False),  # fewer than ten: only all of them
        (9, 0, 0, True),
        (9, 0, 9, True),
        (0, 0, 0, False),
    ],
)
def test_the_rule_for_losses_is_that_of_builds(was: int, now: int, former: int, lost: bool) -> None:
    before, after, known = ([f"projects/a{n}" for n in range(m)] for m in (was, now, now + former))
    try:
        check_losses([*before, "events/e"], [*after, "events/e"], [*known, "events/e"])
    except TooManyLost as error:
        assert lost and f" of {was} projects are gone" in str(error)
    else:
        assert not lost


def test_the_command_prints_no_control_characters(
    host: FakeHost, published: Path, tmp_path: Path
) -> None:
    """Of a page of changes, whose texts are a host's."""
    target = tmp_path / "copy"
    pages = published / "api/changes"
    pages.mkdir()

    def publish(*kinds: str) -> commands.Done:
        entries = [
            {"seq": n, "at": "2026-11-01T00:00:00Z", "commit": "0" * 40, "change": kind,
             "collection": "projects", "slug": "bloom", "name": "Bloom", "former": None,
             "fields": []}
            for n, kind in enumerate(kinds, 1)
        ]  # fmt: skip
        page = {"schema_version": "1.2", "kind": "change_page", "page": {"number": 1},
                "previous": None, "data": entries}  # fmt: skip
        (pages / "1.json").write_text(json.dumps(page))
        divided(published)
        return commands.run_forked("sync", target, "--from", host.base)

    assert publish("added").status == 0
    done = publish("added", "\x1b]0;x\x07\x9bremoved")
    assert done.status == 0 and r"1 \x1b]0;x\x07\x9bremoved" in done.out, done
    assert not {*"\x1b\x07\x9b"} & {*done.out}
