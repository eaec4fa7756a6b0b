"""A mirror is whole at every moment: after a kill, and of a half-published or hostile host."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.disk.output_state import OutputError
from generator.features.mirror.mirror import MirrorResult, mirror
from generator.features.verify.files import find_unlisted, verify
from generator.grammar.paths import MANIFEST_ROOT
from generator.reader.copying import CopyOptions
from generator.reader.location import FolderReader
from generator.reader.verified import Trust, Untrusted
from support import commands
from support.commands import Signal, files
from support.fake_host import FakeHost, Given, Host, bomb
from support.lanes import fast_first
from support.manifests import divided

BASE = "https://registry.example"


def copied(out: Path, read: ReadFiles, **changed: object) -> MirrorResult:
    options = CopyOptions(out, BASE, frozenset(), 1 << 30)
    return mirror(read, options._replace(**changed))  # type: ignore[arg-type]


def is_copy(out: Path, published: Path) -> bool:
    """Whether a mirror is whole and a copy of exactly this build."""
    outcome = verify(FolderReader(out, stay=True), Trust())
    same = (out / MANIFEST_ROOT[1:]).read_bytes() == (published / MANIFEST_ROOT[1:]).read_bytes()
    return same and not outcome.faults and not list(find_unlisted(out, outcome.paths))


def test_a_copy_equals_the_published_files_and_gives_the_same_answers(
    two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    old, out = two_builds[0], tmp_path / "copy"
    done = copied(out, Host(old))
    assert is_copy(out, old) and done.downloads.number > done.root.files
    published, copy = files(old), files(out)
    changed = {path.split("/")[0] for path in published if copy.get(path) != published[path]}
    assert changed == {"404.html", "_headers", "_redirects", ".netlify"}
    first, second = (commands.run_forked("get", "projects/bloom", "--from", p) for p in (old, out))
    assert first == second


def test_unchanged_files_are_not_fetched_again(
    two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = two_builds
    out, host = tmp_path / "copy", Host(old)
    copied(out, host)
    host.asked.clear()
    assert copied(out, host).downloads.number == 0 and host.asked == [MANIFEST_ROOT]
    host.folder = new
    before, after = files(old), files(new)
    copied(out, host)
    assert is_copy(out, new)
    fetched = {path[1:] for path in host.asked}
    assert len(fetched) == len(host.asked) - 1  # the root was requested before, too
    assert all(before.get(path) != after[path] for path in fetched)
    assert not (out / "api/projects/slug/cairn.json").exists()
    inode = (out / "api/problems/not-found.json").stat().st_ino
    host.folder = old
    with pytest.raises(Untrusted, match="older copy"):
        copied(out, host)
    assert is_copy(out, new)
    assert (out / "api/problems/not-found.json").stat().st_ino == inode


def test_files_stay_the_same_when_the_number_of_bins_grows(
    two_builds: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For example after a registry has grown."""
    old, new = two_builds
    out = tmp_path / "copy"
    copied(out, Host(old))
    grown = shutil.copytree(new, tmp_path / "grown")
    monkeypatch.setattr(manifest, "MAX_MEAN", 8)
    divided(grown)
    host = Host(grown)
    copied(out, host)
    assert is_copy(out, grown)
    before, after = files(old), files(grown)
    fetched = {path[1:] for path in host.asked if path and "/manifest/" not in path}
    assert fetched and all(before.get(path) != after[path] for path in fetched)


def test_a_snapshot_in_parts_is_copied(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest, "MAX_MEAN", 4)
    monkeypatch.setattr(manifest, "MAX_FLAT_BITS", 3)
    from datetime import date

    from generator.build import build
    from generator.build.options import BuildOptions
    from generator.published.history.provenance import Moment
    from support import registries

    content, out = registries.write(tmp_path / "content"), tmp_path / "built"
    now = datetime.now(UTC)
    build(str(content), out, Moment(now, date(2026, 6, 1), None), BuildOptions(site=False, jobs=1))
    assert (out / "api/manifest/snapshot/1.json").exists()
    copied(tmp_path / "copy", Host(out))
    assert is_copy(tmp_path / "copy", out)
    assert [*verify(FolderReader(out, stay=True), Trust(), 30).faults] == []


@pytest.fixture
def first(two_builds: tuple[Path, Path], host: FakeHost, tmp_path: Path) -> Path:
    """A mirror of the first build; the host now serves the second build."""
    done = commands.run_forked("mirror", host.base, tmp_path / "first")
    assert done.status == 0, done.err
    host.folder = two_builds[1]
    return tmp_path / "first"


@pytest.mark.parametrize(
    "points",
    fast_first(
        1, [[7, 270, 480], [1, 2, 3, 4, 5, 80, 12, 20, 35, 50, 120, 170, 220, 330, 400, 560, 640]]
    ),
)
def test_after_any_kill_the_copy_is_whole_and_the_next_run_continues(
    points: list[int], two_builds: tuple[Path, Path], host: FakeHost, first: Path
) -> None:
    old, new = two_builds
    killed = 0
    for point in points:
        out = shutil.copytree(first, first.with_name(f"at-{point}"))
        beside = first.parent / ".registry"
        shutil.copytree(beside / first.name, beside / out.name)
        done = commands.run_forked("mirror", host.base, out, signals=Signal(point))
        killed += done.status == -9
        assert is_copy(out, old) or is_copy(out, new), point
        stored = beside / out.name / "mirror/fetched"
        partial_files = {path.name for path in stored.glob("*")} if stored.exists() else set()
        host.seen.clear()
        done = commands.run_forked("mirror", host.base, out)
        assert done.status == 0 and is_copy(out, new), (point, done.err)
        requested = [request.target.removeprefix(host.prefix) for request, _ in host.seen]
        again = {commands_digest(new, path) for path in requested if path != MANIFEST_ROOT}
        assert not again & partial_files, "what was fetched is not fetched again"
        assert sorted(os.listdir(beside / out.name)) == ["lock", "mirror", "names"]
        assert sorted(os.listdir(beside / out.name / "mirror")) == ["from", "seen"]
    assert killed > len(points) / 2, "the points should lie within what it does"


def commands_digest(published: Path, path: str) -> str:
    return manifest.sha256_hex((published / path[1:]).read_bytes())


@pytest.mark.parametrize("points", fast_first(1, [[250], [3, 30, 130, 400, 600]]))
def test_a_killed_first_copy_continues(
    points: list[int], two_builds: tuple[Path, Path], host: FakeHost, tmp_path: Path
) -> None:
    for point in points:
        out = tmp_path / f"at-{point}"
        done = commands.run_forked("mirror", host.base, out, signals=Signal(point))
        assert not out.exists() or is_copy(out, two_builds[0]), (point, done.err)
        done = commands.run_forked("mirror", host.base, out)
        assert done.status == 0 and is_copy(out, two_builds[0])


def test_a_reader_never_sees_a_mixed_copy(two_builds: tuple[Path, Path], tmp_path: Path) -> None:
    """A reader with the folder open sees all files of one build."""
    old, new = two_builds
    out, host = tmp_path / "copy", Host(old)
    copied(out, host)
    host.folder, digests, stop = new, set[str](), threading.Event()

    def read_repeatedly() -> None:
        while not stop.is_set():
            folder = os.open(out, os.O_RDONLY)
            try:
                texts = [
                    read_in(folder, path)
                    for path in ("api/manifest/root.json", "api/projects/slug/bloom.json")
                ]
            except FileNotFoundError:
                continue  # the opened folder is gone: it was the old copy
            finally:
                os.close(folder)
            digests.add(manifest.sha256_hex(b"".join(texts)))

    def read_in(folder: int, path: str) -> bytes:
        with open(os.open(path, os.O_RDONLY, dir_fd=folder), "rb") as file:
            return file.read()

    def digest_of(build: Path) -> str:
        paths = ("api/manifest/root.json", "api/projects/slug/bloom.json")
        return manifest.sha256_hex(b"".join((build / path).read_bytes() for path in paths))

    reader = threading.Thread(target=read_repeatedly)
    reader.start()
    try:
        copied(out, host)
    finally:
        stop.set()
        reader.join()
    assert digest_of(old) != digest_of(new) and digests <= {digest_of(old), digest_of(new)}


def refused(out: Path, host: ReadFiles, match: str, **changed: object) -> None:
    before = commands.stamps(out) if out.exists() else None
    with pytest.raises((Untrusted, OutputError), match=match):
        copied(out, host, **changed)
    assert (commands.stamps(out) if out.exists() else None) == before


def test_a_version_far_in_the_future_does_not_block_later_versions(
    two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = two_builds
    host, out = Host(old), tmp_path / "copy"
    root = json.loads((old / MANIFEST_ROOT[1:]).read_bytes())
    fields = {k: root[k] for k in root if k not in ("schema_version", "kind", "signatures")}
    far = manifest.render_root({**fields, "version": 2**52}, [])
    host.wrong = lambda path, data: far if path == MANIFEST_ROOT else data
    assert copied(out, host).root.version == 2**52
    host.wrong, host.folder = lambda path, data: data, new
    copied(out, host)
    assert is_copy(out, new)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the most memory that was had")
@pytest.mark.parametrize("encoding", fast_first(1, ["gzip", "gzip, gzip"]))
@pytest.mark.parametrize(
    "suffix", fast_first(1, ["slug/bloom.json", "root.json", "snapshot.json", "bins/0.json"])
)
def test_a_decompression_bomb_is_refused_in_little_memory(
    suffix: str, encoding: str, host: FakeHost, tmp_path: Path
) -> None:
    body = bomb() if encoding == "gzip" else gzip.compress(bomb())
    host.wrong = lambda request: (
        Given(200, {"Content-Encoding": encoding}, body)
        if request.target.endswith(suffix)
        else None
    )
    out = tmp_path / "copy"
    done = subprocess.run(
        [*commands.program("measured"), "mirror", host.base, str(out)],
        env=commands.environment(XDG_STATE_HOME=str(tmp_path / "state")),
        capture_output=True,
        text=True,
        check=False,
    )
    errors, _, peak = done.stderr.rpartition("PEAK ")
    assert any(request.target.endswith(suffix) for request, _ in host.seen)
    assert done.returncode in (1, 2) and "Traceback" not in errors and not out.exists(), errors
    assert int(peak) < 200


def test_a_registry_published_again_during_the_copy_is_copied_whole(
    two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = two_builds
    host = Host(old)

    def switched(path: str, data: bytes | None) -> bytes | None:
        if path == "/api/projects/slug/bloom.json":
            host.folder = new
        file = host.folder / path[1:]
        return file.read_bytes() if file.is_file() else None

    host.wrong = switched
    assert copied(tmp_path / "copy", host).root.version > 0
    assert is_copy(tmp_path / "copy", new)


def test_a_copy_above_the_size_limit_is_refused(published: Path, tmp_path: Path) -> None:
    refused(tmp_path / "copy", Host(published), "allow more with --most", max_bytes=1000)


def test_a_foreign_folder_is_refused(published: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("Dear Ada")
    refused(mine, Host(published), "holds other files and no mirror")
    refused(published, Host(published), "holds other files and no mirror")
    out = tmp_path / "copy"
    copied(out, Host(published))
    refused(
        out,
        Host(published),
        "is a mirror of https://registry.example;",
        base="https://other.example",
    )
    (out / "letter.txt").write_text("Dear Ada")
    refused(out, Host(published), "'letter.txt', which is not of the mirror")


def test_a_link_in_place_of_the_state_is_refused(published: Path, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "copy", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / ".registry/copy").mkdir(parents=True)
    (tmp_path / ".registry/copy/mirror").symlink_to(elsewhere)
    refused(out, Host(published), "is a link")
    assert not os.listdir(elsewhere)


def test_damaged_files_are_repaired_when_checked(published: Path, tmp_path: Path) -> None:
    out, host = tmp_path / "copy", Host(published)
    copied(out, host)
    same_size = out / "api/projects/slug/bloom.json"
    same_size.write_bytes(same_size.read_bytes().replace(b"Bloom", b"Gloom"))
    (out / "api/index.json").unlink()
    (out / "api/foreign.json").write_text("{}")
    assert copied(out, host).downloads.number == 0 and not is_copy(out, published)
    assert copied(out, host, check=True).downloads.number == 2
    assert is_copy(out, published)
