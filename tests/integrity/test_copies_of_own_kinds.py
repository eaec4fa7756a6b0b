"""Registries that declare kinds are verified, mirrored and synced, by the kinds that they tell."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from generator.contract.files import ReadFiles
from generator.features.changes.sync import SyncResult, sync
from generator.features.mirror.mirror import mirror
from generator.features.verify.files import check_answer, verify
from generator.guard.published import Damaged, PublishedState
from generator.reader.client import Client
from generator.reader.copying import CopyOptions, TooManyLost
from generator.reader.location import FolderReader
from generator.reader.verified import Trust, Untrusted
from support import commands, own_kinds, registries
from support.registries import Content
from support.talk import call, text

BASE = "https://registry.example"
TARGETS = "copy", "copy.sqlite"
#: The venues are a collection with a word of SQL as its name, and another with that of a table.
TOOLS = registries.content(own_kinds.TOOLS)
for _old, _new, _one in (("venues", "transaction", "venue"), ("tools", "state", "machine")):
    _kinds = TOOLS["registry"]["kinds"]
    _kinds[_new] = {**_kinds.pop(_old), "one": _one}
    TOOLS[_new] = TOOLS.pop(_old)
_fields = TOOLS["registry"]["kinds"]["papers"]["fields"]
_fields["about"] |= {"of": "state"}
_fields["venue"] |= {"of": "transaction"}
TOOLS["registry"]["kinds"]["state"]["fields"]["depends_on"] |= {"of": "state"}


def without_rounds(content: Content) -> Content:
    kinds = {k: of for k, of in content["registry"]["kinds"].items() if k != "rounds"}
    less = registries.content(content, registry={"kinds": kinds})
    del less["rounds"]
    return less


REGISTRIES = {"investors": own_kinds.INVESTORS, "tools": TOOLS,
              "less": without_rounds(own_kinds.INVESTORS)}  # fmt: skip


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root, found = tmp_path_factory.mktemp("kinds"), {}
    for n, (name, content) in enumerate(REGISTRIES.items()):
        made = registries.write(root / name / "content", content)
        epoch = {"SOURCE_DATE_EPOCH": str(int(time.time()) - 3600 + n)}
        found[name] = commands.build(made, root / name / "build", env=epoch)
    return found


def options(target: Path, **changed: Any) -> CopyOptions:
    return CopyOptions(target, BASE, frozenset(), 1 << 30)._replace(**changed)


def record_files(out: Path, name: str) -> dict[str, bytes]:
    """Key -> bytes of each record."""
    return {
        f"{collection}/{slug}": file.read_bytes()
        for collection in REGISTRIES[name]
        if collection != "registry"
        for slug in REGISTRIES[name][collection]
        for place in ("calendar/events" if collection == "events" else collection,)
        if (file := out / f"api/{place}/slug/{slug}.json")
    }


def held(target: Path) -> dict[str, bytes]:
    if target.suffix != ".sqlite":
        return {f"{f.parent.name}/{f.stem}": f.read_bytes() for f in target.glob("*/*.json")}
    with contextlib.closing(sqlite3.connect(target)) as database:
        tables = [name for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'state'"
        )]  # fmt: skip
        return {
            f"{name.rstrip('_')}/{slug}": record.encode()
            for name in tables
            for slug, record in database.execute(f'SELECT slug, record FROM "{name}"')
        }


def synced(target: Path, read: ReadFiles, **changed: Any) -> SyncResult:
    return sync(read, options(target, **changed))


@pytest.mark.parametrize("name", ["investors", "tools"])
def test_a_build_is_verified_and_mirrored(
    name: str, builds: dict[str, Path], tmp_path: Path
) -> None:
    out, copy = builds[name], tmp_path / "copy"
    assert verify(FolderReader(out), Trust()).faults == []
    mirror(FolderReader(out), options(copy))
    assert verify(FolderReader(copy), Trust()).faults == []
    done = commands.run_forked("list", name.replace("tools", "papers"), "--from", copy)
    assert done.status == 0, done.err
    # Kinds that a registry does not have cannot bring files into a copy of it.
    other = builds["tools" if name == "investors" else "investors"]
    index = (other / "api/index.json").read_bytes()

    def read(paths: Any) -> Any:
        found = FolderReader(out)(paths)
        return [
            index if p == "/api/index.json" else raw for p, raw in zip(paths, found, strict=True)
        ]

    with pytest.raises(Untrusted, match=r"index\.json: it has"):
        mirror(read, options(tmp_path / "other"))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["investors", "tools"])
def test_records_of_all_kinds_are_synced(
    name: str, target: str, builds: dict[str, Path], tmp_path: Path
) -> None:
    copy = tmp_path / target
    first = synced(copy, FolderReader(builds[name]))
    assert held(copy) == record_files(builds[name], name)
    assert (first.records, first.added) == (len(held(copy)), len(held(copy)))
    again = synced(copy, FolderReader(builds[name]))
    assert (again.added, again.changed, again.removed) == (0, 0, 0)


@pytest.mark.parametrize("target", TARGETS)
def test_a_kind_may_come_and_is_not_lost_by_mistake(
    target: str, builds: dict[str, Path], tmp_path: Path
) -> None:
    copy, less, more = tmp_path / target, builds["less"], builds["investors"]
    synced(copy, FolderReader(less))
    # The manifest of the other build is older.
    shutil.rmtree(tmp_path / ".registry")
    assert synced(copy, FolderReader(more)).added == 3
    assert held(copy) == record_files(more, "investors")
    shutil.rmtree(tmp_path / ".registry")
    with pytest.raises(TooManyLost, match="3 of 3 rounds are gone"):
        synced(copy, FolderReader(less))
    assert held(copy) == record_files(more, "investors")
    assert synced(copy, FolderReader(less), allow_loss=True).removed == 3
    assert held(copy) == record_files(less, "less")


def test_a_mirror_does_not_lose_a_kind_by_mistake(builds: dict[str, Path], tmp_path: Path) -> None:
    copy, less, more = tmp_path / "copy", FolderReader(builds["less"]), builds["investors"]
    mirror(FolderReader(more), options(copy))
    with pytest.raises(TooManyLost, match="3 of 3 rounds are gone"):
        mirror(less, options(copy))
    assert (copy / "api/rounds/slug/bloom-a.json").is_file()
    mirror(less, options(copy, allow_loss=True))
    assert not (copy / "api/rounds").exists()


def test_an_answer_about_an_own_kind_proves_itself(builds: dict[str, Path]) -> None:
    asked = {"collection": "rounds", "slug": "bloom-a", "proof": True}
    proved = text(call(Client.open(str(builds["investors"])), "get_record", asked)).encode()
    assert check_answer(proved, Trust()).path == "/api/rounds/slug/bloom-a.json"


def test_guards_name_an_index_that_breaks_a_rule(builds: dict[str, Path], tmp_path: Path) -> None:
    out = shutil.copytree(builds["tools"], tmp_path / "out")
    assert [*PublishedState.open(str(out)).grammar.collections] == [
        "papers",
        "transaction",
        "state",
    ]
    index = json.loads((out / "api/index.json").read_bytes())
    index["kinds"]["search"] = index["kinds"].pop("papers")
    (out / "api/index.json").write_text(json.dumps(index))
    with pytest.raises(Damaged, match="reserved"):
        PublishedState.open(str(out))
    done = commands.run_forked("list", "papers", "--from", out)
    assert done.status == 2 and "is no build" in done.err and "reserved" in done.err
