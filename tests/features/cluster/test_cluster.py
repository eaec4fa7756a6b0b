"""A build on a dask cluster writes the same bytes as a build on this machine, even when workers
fail. If it cannot finish, it reports why and leaves the output unchanged.

Scheduler and workers are separate processes, as users run them.
"""

from __future__ import annotations

import contextlib
import io
import marshal
import pickle
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from generator.build.output import Tree
from generator.contract.artifact import Artifact
from generator.disk.output_state import OutputError, fingerprint
from generator.features.cluster.worker import (
    Pickler,
    SharedTree,
    Stage,
    registry_digest,
    version,
    work,
)
from generator.published.content.records import read
from generator.published.history.provenance import Moment
from generator.published.published import Published
from support import commands, own_fields, registries
from support.clusters import Cluster, cluster
from support.commands import ROOT, differing, files, run, stamps
from support.disks import mounted

pytestmark = pytest.mark.slow

#: The fields of support.commands.stamps.
Stamps = dict[str, tuple[int, ...]]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster") / "two", 2) as started:
        yield started


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Content with several chunks of records."""
    folder = tmp_path_factory.mktemp("content") / "content"
    program = ROOT / "benchmarks" / "generate.py"
    subprocess.run([sys.executable, program, folder, "--projects", "1200"], check=True)
    return folder


@pytest.fixture(scope="module")
def local(large: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return commands.build(large, tmp_path_factory.mktemp("local") / "out")


def on(cluster: Cluster) -> tuple[str, ...]:
    return "--executor", "dask", "--scheduler", cluster.address


def build(*arguments: object, **options: Any) -> commands.Done:
    """Run `registry build` in a process that has already imported the slow modules."""
    return commands.run_forked("build", *arguments, imported=("distributed",), **options)


def start(content: Path, out: Path, cluster: Cluster) -> subprocess.Popen[bytes]:
    words = ("build", "--content", content, "--out", out, "--no-site", *on(cluster))
    return commands.start(*words, stderr=subprocess.PIPE)


def wait_for_records(out: Path) -> None:
    """Wait until a worker writes project records."""
    until = time.monotonic() + 60
    while not any((out.parent / ".registry" / out.name).glob("new-*/api/projects/*")):
        assert time.monotonic() < until
        time.sleep(0.002)


def test_same_bytes_and_the_place_of_the_build_is_reported(
    two: Cluster, large: Path, local: Path, tmp_path: Path
) -> None:
    # Task arguments are small: dask warns about large ones.
    done = run(
        *("build", "--content", large, "--out", tmp_path / "out", "--no-site", *on(two)),
        env={"DASK_DISTRIBUTED__ADMIN__LARGE_GRAPH_WARNING_THRESHOLD": "16kB"},
    )
    assert done.status == 0 and "Warning" not in done.err, done.err
    assert f"Building on the cluster at {two.address}" in done.err
    assert not differing(files(local), files(tmp_path / "out"))
    # The data shared with the workers is gone, and the next build does not need it.
    left = {path.name for path in (tmp_path / ".registry" / "out").iterdir()}
    assert not any(name.startswith(("new-", "old-")) for name in left)
    again = build("--content", large, "--out", tmp_path / "out", "--no-site", *on(two))
    assert again.status == 0 and "Nothing changed" in again.out


def test_own_fields_a_site_packed_files_and_a_relative_folder(two: Cluster, tmp_path: Path) -> None:
    content = own_fields.content()
    content["projects"] = dict(list(content["projects"].items())[:25])
    registries.write(tmp_path / "content", content)
    options = ("--content", "content", "--precompress", "gzip")
    local_build = build(*options, "--out", "here", cwd=tmp_path)
    cluster_build = build(*options, "--out", "there", *on(two), cwd=tmp_path)
    assert (local_build.status, cluster_build.status) == (0, 0), cluster_build.err
    assert not differing(files(tmp_path / "here"), files(tmp_path / "there"))
    # Build changed content into the same output: unchanged files are linked, as usual.
    content["registry"]["license"] = "CC0-1.0"
    registries.write(tmp_path / "content", content)
    local_build = build(*options, "--out", "here", cwd=tmp_path)
    cluster_build = build(*options, "--out", "there", *on(two), cwd=tmp_path)
    assert (local_build.status, cluster_build.status) == (0, 0), cluster_build.err
    assert not differing(files(tmp_path / "here"), files(tmp_path / "there"))


def test_problems_are_reported_as_in_a_local_build(two: Cluster, tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    for name in ("a", "b"):
        (tmp_path / "content" / "projects" / f"{name}.yaml").write_text("name: [1]\nfirst: 2\n")
    local_build = build("--content", "content", "--out", "out", cwd=tmp_path)
    cluster_build = build("--content", "content", "--out", "out", *on(two), cwd=tmp_path)
    assert (local_build.status, cluster_build.status) == (1, 1), cluster_build.err
    assert cluster_build.err.partition("\n")[2] == local_build.err
    assert not (tmp_path / "out").exists()


def test_a_killed_worker_and_an_added_worker(large: Path, local: Path, tmp_path: Path) -> None:
    with cluster(tmp_path / "cluster", 1) as workers:
        building = start(large, tmp_path / "out", workers)
        wait_for_records(tmp_path / "out")
        workers.workers[0].kill()  # the only worker: its task is left unfinished
        workers.add()
        _, errors = building.communicate(timeout=120)
        assert building.returncode == 0, errors.decode()
    assert not differing(files(local), files(tmp_path / "out"))


@pytest.fixture
def before(tmp_path: Path) -> Stamps:
    """The files of an existing output."""
    registries.write(tmp_path / "small")
    return stamps(commands.build(tmp_path / "small", tmp_path / "out"))


def test_a_scheduler_that_is_killed(large: Path, before: Stamps, tmp_path: Path) -> None:
    with cluster(tmp_path / "cluster", 1) as workers:
        building = start(large, tmp_path / "out", workers)
        wait_for_records(tmp_path / "out")
        workers.scheduler.kill()
        _, errors = building.communicate(timeout=120)
    assert building.returncode == 2
    assert f"The scheduler at {workers.address} stopped" in errors.decode()
    assert "Traceback" not in errors.decode()
    assert stamps(tmp_path / "out") == before


def test_a_disk_that_becomes_full_for_workers(large: Path, tmp_path: Path) -> None:
    registries.write(tmp_path / "small")
    with mounted(tmp_path / "disk", "size=64m") as disk, cluster(tmp_path / "cluster", 2) as two:
        before = stamps(commands.build(tmp_path / "small", disk / "out"))
        building = start(large, disk / "out", two)
        wait_for_records(disk / "out")
        with (disk / "ballast").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(bytes(1 << 16)):
                pass
        _, errors = building.communicate(timeout=120)
        assert building.returncode == 2 and "disk is full" in errors.decode()
        assert "Traceback" not in errors.decode()
        assert stamps(disk / "out") == before
        left = {path.name for path in (disk / ".registry" / "out").iterdir()}
        assert not any(name.startswith(("new-", "old-")) for name in left)


def test_a_restarted_scheduler_at_the_same_address(
    large: Path, local: Path, before: Stamps, tmp_path: Path
) -> None:
    with cluster(tmp_path / "cluster", 1) as workers:
        building = start(large, tmp_path / "out", workers)
        wait_for_records(tmp_path / "out")
        address = workers.address
        workers.restart()
        workers.add()
        assert workers.address == address
        _, errors = building.communicate(timeout=120)
        # The new scheduler knows nothing of this build, whichever client connects again.
        assert building.returncode == 2, errors.decode()
        assert f"The scheduler at {address} stopped" in errors.decode()
        assert "Traceback" not in errors.decode()
        assert stamps(tmp_path / "out") == before
        done = build("--content", large, "--out", tmp_path / "out", "--no-site", *on(workers))
        assert done.status == 0, done.err
    assert not differing(files(local), files(tmp_path / "out"))


def test_an_interrupt(large: Path, tmp_path: Path) -> None:
    with cluster(tmp_path / "cluster", 1) as workers:
        building = start(large, tmp_path / "out", workers)
        wait_for_records(tmp_path / "out")
        building.send_signal(signal.SIGINT)
        _, errors = building.communicate(timeout=120)
        assert building.returncode == 2 and "Traceback" not in errors.decode()
        assert not (tmp_path / "out").exists()
        # The cluster is free for the next build, which finds no leftover files.
        assert not any((tmp_path / ".registry" / "out").glob("new-*"))
        done = build("--content", large, "--out", tmp_path / "out", "--no-site", *on(workers))
        assert done.status == 0, done.err


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The folder from which another version of the generator is imported."""
    for name in ("generator", "templates"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / "other" / name, ignore=ignored)
    with (tmp_path / "other" / "generator" / "__init__.py").open("a") as file:
        file.write('__version__ = "0.0.7"\n')
    return tmp_path / "other"


def test_a_worker_of_another_version(other: Path, tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    with cluster(tmp_path / "cluster", 0) as alone:
        alone.add(PYTHONPATH=str(other))
        words = ("--content", tmp_path / "content", "--out", tmp_path / "out")
        done = build(*words, *on(alone))
    assert done.status == 2 and "The worker number-0 (tcp://" in done.err
    assert "runs another version of the generator" in done.err
    assert f": 0.0.7 with Python {platform.python_version()}, and not {version()};" in done.err
    assert not (tmp_path / "out").exists()


def test_a_scheduler_of_another_version_passes_work_on(other: Path, tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    worker = other / "generator" / "features" / "cluster" / "worker.py"
    text = worker.read_text("utf-8")
    worker.write_text(text.replace("class Stage(", "class Phase("), "utf-8")
    with cluster(tmp_path / "cluster", 0, PYTHONPATH=str(other)) as alone:
        alone.add()
        words = ("--content", tmp_path / "content", "--out", tmp_path / "out")
        done = build(*words, "--no-site", *on(alone))
    assert done.status == 0, done.err
    assert (tmp_path / "out").exists()


def test_a_scheduler_without_the_generator(tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    (tmp_path / "other" / "generator").mkdir(parents=True)
    (tmp_path / "other" / "generator" / "__init__.py").touch()
    words = ("--content", tmp_path / "content", "--out", tmp_path / "out")
    with cluster(tmp_path / "cluster", 0, PYTHONPATH=str(tmp_path / "other")) as alone:
        done = build(*words, *on(alone))
    assert done.status == 2 and "Traceback" not in done.err
    assert f"The scheduler at {alone.address} does not run this generator" in done.err
    assert "Install the same lock file in all places" in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:1"])
def test_an_unreachable_cluster(address: str, tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    options = ("--content", tmp_path / "content", "--out", tmp_path / "out")
    done = build(*options, "--executor", "dask", "--scheduler", address)
    assert done.status == 2 and f"{address} does not answer" in done.err
    assert "Traceback" not in done.err and not (tmp_path / "out").exists()


def test_a_worker_reports_folders_that_it_cannot_see(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    stage = Stage(
        fingerprint(), version(), "/nowhere/new-1", b"", "/nowhere/new-2", str(content),
        str(tmp_path), registry_digest(content),
    )  # fmt: skip
    cases = [
        (stage, "does not see the output's folder, /nowhere"),
        (stage._replace(content="/nowhere"), "does not see the content folder /nowhere"),
        (
            stage._replace(content="x", working_folder="/nowhere"),
            "this build was called in, /nowhere",
        ),
        (stage._replace(registry=b""), "sees another registry.yaml"),
        (stage._replace(mark="1"), "runs another version"),
        (stage._replace(file=str(content / "registry.yaml")), "with different contents than"),
    ]
    for case, message in cases:
        answer = work((0, 0, b""), "generator.published.content.read:read_parts", case)
        assert message.encode() in answer and b"nothing was written" in answer


def test_a_worker_accepts_only_valid_items(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    shared, items = pickle.dumps(None), pickle.dumps([1, 2])
    file, chunks = tmp_path / "shared", tmp_path / "chunks"
    file.write_bytes(shared)
    chunks.write_bytes(b"chunk" + items)
    stage = Stage(
        fingerprint(), version(), str(file), sha256(shared).digest(), str(chunks),
        str(content), str(tmp_path), registry_digest(content),
    )  # fmt: skip
    place = 5, len(items), sha256(items).digest()
    assert marshal.loads(work(place, f"{__name__}:_sum", stage)) == (True, 3)
    chunks.write_bytes(b"chunk" + pickle.dumps([1, 3]))
    assert b"with different contents than" in work(place, f"{__name__}:_sum", stage)


def test_a_worker_gets_what_small_items_need(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    records = read(str(content), Moment.of_day(registries.AS_OF), texts=tmp_path / "new-1")
    published, packed = Published(records), io.BytesIO()
    Pickler(packed).dump(published)
    # Texts stay in their file, and what finds a record, or was read of its file, stays here.
    for table in published.tables.values():
        for texts in (table.summaries, table.documents, table.words):
            assert not any(text in packed.getvalue() for text in texts)
    there = pickle.loads(packed.getvalue())
    assert not any(there.records.entries.values())
    for stage in published.stages:
        here, anywhere = published.items_of(stage)
        assert here and anywhere and not {*here} & {*anywhere}
        for item in anywhere:
            assert [*there.make(item)] == [*published.make(item)]
    assert "_positions" in there.__dict__ and not there.index._checks
    with (tmp_path / "new-1").open("ab") as file:
        file.write(b"more")
    with pytest.raises(OutputError, match="with different contents than were written"):
        pickle.loads(packed.getvalue())


def _sum(items: list[int], shared: None) -> int:
    return sum(items)


def test_a_file_is_written_once_by_whichever_worker(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    plain = Tree(tmp_path / "tree", None, frozenset())
    packed = io.BytesIO()
    Pickler(packed).dump(plain)
    tree, other_tree = (pickle.loads(packed.getvalue()) for _ in range(2))
    assert isinstance(tree, SharedTree)
    first = tree.write(Artifact("/a/b/c.json", b"{}"))
    assert other_tree.write(Artifact("/a/b/c.json", b"{}")) == first
    with pytest.raises(OutputError, match="written twice with different contents"):
        other_tree.write(Artifact("/a/b/c.json", b"[]"))
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]
