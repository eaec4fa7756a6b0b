"""A publish is compared with the present records of the store: not with the last build on this
machine, and not with nothing if this machine has no build yet.
"""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

import pytest

from generator.contract.pointer import POINTER
from generator.guard.state import state_of_published
from generator.stores.publish import published_state
from generator.stores.store import Store
from support import registries
from support.commands import Done, run_forked
from support.stores import MOST, pointed

pytest.importorskip("fsspec", reason="the package fsspec is not installed")
NOW = int(time.time()) - 86_400


def write(folder: Path, count: int, first: int = 0) -> None:
    shutil.rmtree(folder / "content", ignore_errors=True)
    projects = {f"p{n:02}": {"name": f"P {n}", "year": 2000} for n in range(first, first + count)}
    registries.write(folder / "content", registries.api_alone(projects=projects))


def build(folder: Path, url: str, *options: str, at: int = 0) -> Done:
    env = {"SOURCE_DATE_EPOCH": str(NOW + at)}
    return run_forked("build", "--out", url, *options, cwd=folder, env=env)


def publish(folder: Path, url: str, *options: str) -> Done:
    return run_forked("publish", "out", url, *options, cwd=folder)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with 30 projects, published from a machine that no longer exists."""
    url = f"file://{tmp_path}/store"
    write(tmp_path / "gone", 30)
    done = build(tmp_path / "gone", url)
    assert done.status == 0 and f"Nothing is published at {url}: this is the first" in done.err
    shutil.rmtree(tmp_path / "gone")
    return url


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine without any build yet."""
    (tmp_path / "machine").mkdir()
    return tmp_path / "machine"


def test_a_machine_without_a_build_knows_the_published_records(url: str, machine: Path) -> None:
    write(machine, 15)
    pointer = Store(url).read(POINTER, MOST)
    done = build(machine, url, at=1)
    assert done.status == 1 and "15 of 30 projects are gone: p15, p16, p17" in done.err
    assert Store(url).read(POINTER, MOST) == pointer
    write(machine, 30, first=15)  # half of the records are replaced
    done = build(machine, url, at=1)
    assert done.status == 1 and "15 of 30 projects are gone: p00, p01, p02" in done.err
    write(machine, 29)
    assert build(machine, url, at=1).status == 0
    write(machine, 15)
    assert build(machine, url, "--allow-loss", at=2).status == 0
    assert build(machine, url, at=3).status == 0


def test_the_next_publish_is_not_compared_with_a_failed_publish(url: str, machine: Path) -> None:
    write(machine, 15)
    done = build(machine, url, "--allow-loss", at=-1000)
    assert done.status == 2 and "has version" in done.err, "it is older than what is published"
    done = build(machine, url, at=1)
    assert done.status == 1 and "15 of 30 projects are gone" in done.err


def test_a_finished_build_is_compared_when_it_is_published(url: str, machine: Path) -> None:
    write(machine, 15)
    assert build(machine, "out", at=1).status == 0
    now = pointed(Store(url))
    done = publish(machine, url)
    assert done.status == 1 and "15 of 30 projects are gone" in done.err
    assert "Nothing was published" in done.err
    assert pointed(Store(url)) == now and "publishing.json" not in Store(url).folders("")
    (fingerprint,) = re.findall("`registry approve ([0-9a-f]{16})`", done.err)
    assert fingerprint in build(machine, url, at=1).err, "a build says the same"
    assert run_forked("approve", fingerprint, cwd=machine).status == 0
    assert publish(machine, url).status == 0
    assert pointed(Store(url)) != now
    done = publish(machine, url)
    assert done.status == 0 and "it was published already" in done.out


def test_settings_and_approvals_come_from_the_content(url: str, machine: Path) -> None:
    write(machine, 15)
    assert build(machine, "out", at=1).status == 0
    (machine / "content").rename(machine / "records")
    assert publish(machine, url).status == 1, "without content the guards are those by default"
    with (machine / "records" / "registry.yaml").open("a") as file:
        file.write("# changed\n")
    settings = (machine / "records" / "registry.yaml").read_text()
    (machine / "records" / "registry.yaml").write_text(
        settings.replace("{", '{"allow_loss": true,', 1)
    )
    assert publish(machine, url, "--content", "records").status == 0


def test_loss_is_allowed_once(url: str, machine: Path) -> None:
    write(machine, 15)
    assert build(machine, "out", at=1).status == 0
    assert publish(machine, url, "--allow-loss").status == 0


def test_a_store_that_cannot_be_compared_stops_a_publish(
    url: str, machine: Path, tmp_path: Path
) -> None:
    place = pointed(Store(url)).tree_path
    (tmp_path / f"store{place}/api/coverage.json").unlink()
    write(machine, 29)
    assert build(machine, "out", at=1).status == 0
    for done in (build(machine, url, at=1), publish(machine, url)):
        assert done.status == 2 and "coverage.json cannot be read" in done.err
        assert "--allow-loss" in done.err
    assert publish(machine, url, "--allow-loss").status == 0


def test_a_truncated_list_does_not_count_as_fewer_records(
    url: str, machine: Path, tmp_path: Path
) -> None:
    place = pointed(Store(url)).tree_path
    (tmp_path / f"store{place}/api/projects/page/1.json").write_bytes(b'{"data": []}')
    write(machine, 30, first=30)
    done = build(machine, url, at=1)
    assert done.status == 2 and "the lists have 0 of the 30 projects" in done.err


def test_the_records_of_a_store_equal_the_state_of_the_build(url: str, machine: Path) -> None:
    """So a build without changes does nothing."""
    write(machine, 30)
    assert build(machine, url).status == 0
    done = build(machine, url)
    assert done.status == 0 and "Nothing changed" in done.out
    state = published_state(Store(url))
    assert state is not None and state_of_published(state).kept().whole
