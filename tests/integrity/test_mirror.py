"""A mirror is whole at every moment: after a kill, a half-published registry or a hostile host, the
former copy is still there.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from generator.contract import manifest
from generator.contract.manifest import Entry
from generator.disk.output_state import OutputError
from generator.grammar.paths import BUILD, MANIFEST_ROOT, MANIFEST_SNAPSHOT, manifest_bin
from generator.reader import verified
from generator.reader.location import ReadFiles, folder_reader
from generator.reader.losses import TooManyLost
from generator.reader.mirror import MirrorOptions, MirrorResult, mirror
from generator.reader.verified import Trust, Untrusted
from generator.reader.verify import find_unlisted, verify
from support import commands
from support.commands import Signal, files
from support.fake_host import FakeHost, Given, bomb
from support.manifests import divided

BASE = "https://registry.example"


class Host:
    """Read a folder like a host, and record the requested paths."""

    def __init__(self, folder: Path):
        self.folder, self.asked = folder, [""]
        self.wrong: Callable[[str, bytes | None], bytes | None] = lambda path, data: data

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        self.asked += paths
        contents = folder_reader(self.folder)(paths)
        return [self.wrong(path, data) for path, data in zip(paths, contents, strict=True)]


def copied(out: Path, read: ReadFiles, **changed: object) -> MirrorResult:
    options = MirrorOptions(out, BASE, frozenset(), 1 << 30)
    return mirror(read, options._replace(**changed))  # type: ignore[arg-type]


def is_copy(out: Path, published: Path) -> bool:
    """Whether a mirror is whole and a copy of exactly this build."""
    outcome = verify(folder_reader(out), Trust())
    same = (out / MANIFEST_ROOT[1:]).read_bytes() == (published / MANIFEST_ROOT[1:]).read_bytes()
    return same and not outcome.faults and not list(find_unlisted(out, outcome.paths))


def test_a_copy_equals_the_published_files_and_gives_the_same_answers(
    two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    old, out = two_builds[0], tmp_path / "copy"
    done = copied(out, Host(old))
    assert is_copy(out, old) and done.old_version == 0 and done.downloads.number > done.root.files
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


def test_a_mirror_stays_if_the_registry_lost_too_many_records(
    published: Path, tmp_path: Path
) -> None:
    out = tmp_path / "copy"
    copied(out, Host(published))
    before = files(out)
    for file in (published / "api/projects/slug").iterdir():
        file.unlink()
    divided(published)
    with pytest.raises(TooManyLost, match="3 of 3 projects are gone"):
        copied(out, Host(published))
    assert files(out) == before
    copied(out, Host(published), allow_loss=True)
    assert is_copy(out, published)


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


@pytest.mark.parametrize(
    "path",
    [
        "/api/.htaccess",
        "/api/.user.ini",
        "/evil.php",
        "/api/evil.php",
        "/api/projects/slug/x.php",
        "/web.config",
        "/.git/hooks/post-checkout",
        "/functions/_middleware.js",
        "/api/_worker.js",
        "/netlify/edge-functions/x.js",
        "/netlify.toml",
        "/vercel.json",
        "/api/x.js",
        "/.well-known/acme-challenge/x",
        "/assets/site-0123abcd.php",
        "/assets/x.php.y-0123abcd.css",
        "/assets/x.css",
        "/projects/x/index.php",
        "/projects/x/index.html.php",
        "/cgi-bin/x.json",
        "/api/projects/slug/X.json",
        "/api/projects/slug/x.json%00.php",
        "/api/projects/page/1.json\u2028",
    ],
)
def test_an_unpublishable_path_is_refused_and_nothing_is_copied(
    published: Path, tmp_path: Path, path: str
) -> None:
    out = tmp_path / "copy"
    before = shutil.copytree(published, tmp_path / "before")
    copied(out, Host(published))
    evil = published / path[1:]
    evil.parent.mkdir(parents=True, exist_ok=True)
    evil.write_bytes(b"<?php")
    divided(published)
    with pytest.raises(Untrusted):
        copied(out, Host(published))
    assert is_copy(out, before) and not (out / path[1:]).exists()


def test_a_mirror_names_refused_paths(published: Path, tmp_path: Path) -> None:
    for name in ("evil.php", "api/.htaccess"):
        (published / name).write_bytes(b"x")
    divided(published)
    with pytest.raises(Untrusted, match=r"no build publishes: /api/\.htaccess, /evil\.php\. "):
        copied(tmp_path / "copy", Host(published))
    assert not (tmp_path / "copy").exists()


def test_a_snapshot_in_parts_is_copied(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest, "MAX_MEAN", 4)
    monkeypatch.setattr(manifest, "MAX_FLAT_BITS", 3)
    from datetime import date

    from generator.build import build
    from generator.build.options import BuildOptions
    from generator.build.provenance import Moment
    from support import registries

    content, out = registries.write(tmp_path / "content"), tmp_path / "built"
    now = datetime.now(UTC)
    build(str(content), out, Moment(now, date(2026, 6, 1), None), BuildOptions(site=False, jobs=1))
    assert (out / "api/manifest/snapshot/1.json").exists()
    copied(tmp_path / "copy", Host(out))
    assert is_copy(tmp_path / "copy", out)
    assert [*verify(folder_reader(out), Trust(), 30).faults] == []


# --- kills ---


@pytest.fixture
def first(two_builds: tuple[Path, Path], host: FakeHost, tmp_path: Path) -> Path:
    """A mirror of the first build; the host now serves the second build."""
    done = commands.run_forked("mirror", host.base, tmp_path / "first")
    assert done.status == 0, done.err
    host.folder = two_builds[1]
    return tmp_path / "first"


def test_after_any_kill_the_copy_is_whole_and_the_next_run_continues(
    two_builds: tuple[Path, Path], host: FakeHost, first: Path
) -> None:
    old, new = two_builds
    killed = 0
    points = (1, 2, 3, 4, 5, 7, 12, 20, 35, 50, 80, 120, 170, 220, 270, 330, 400, 480, 560, 640)
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
        assert sorted(os.listdir(beside / out.name)) == ["lock", "mirror"]
        assert sorted(os.listdir(beside / out.name / "mirror")) == ["from", "seen"]
    assert killed > 12, "the points should lie within what it does"


def commands_digest(published: Path, path: str) -> str:
    return manifest.sha256_hex((published / path[1:]).read_bytes())


def test_a_killed_first_copy_continues(
    two_builds: tuple[Path, Path], host: FakeHost, tmp_path: Path
) -> None:
    for point in (3, 30, 130, 250, 400, 600):
        out = tmp_path / f"at-{point}"
        done = commands.run_forked("mirror", host.base, out, signals=Signal(point))
        assert not out.exists() or is_copy(out, two_builds[0]), (point, done.err)
        done = commands.run_forked("mirror", host.base, out)
        assert done.status == 0 and is_copy(out, two_builds[0])


def test_a_reader_never_sees_a_mixed_copy(two_builds: tuple[Path, Path], tmp_path: Path) -> None:
    """The whole copy changes in one step: a reader with the folder open sees all files of one
    build."""
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


# --- faulty and hostile hosts ---


def refused(out: Path, host: ReadFiles, match: str, **changed: object) -> None:
    before = commands.stamps(out) if out.exists() else None
    with pytest.raises((Untrusted, OutputError), match=match):
        copied(out, host, **changed)
    assert (commands.stamps(out) if out.exists() else None) == before


@pytest.mark.parametrize("there", [False, True], ids=["first", "update"])
@pytest.mark.parametrize(
    ("path", "match"),
    [
        ("/api/projects/slug/bloom.json", "its bytes differ|bytes and should have"),
        ("/api/index.json", "its bytes differ|bytes and should have"),
        (MANIFEST_SNAPSHOT, "not what was published"),
        (BUILD, "its bytes differ|bytes and should have"),
        ("a bin", "not what was published"),
    ],
)
def test_a_file_with_other_bytes_is_refused(
    path: str, match: str, there: bool, two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = two_builds
    out, host = tmp_path / "copy", Host(old)
    if there:
        copied(out, host)
    host.folder = new
    bits = json.loads((new / MANIFEST_ROOT[1:]).read_bytes())["bits"]
    if path == "a bin":
        path = manifest_bin(manifest.bin_number("/api/projects/slug/bloom.json", bits))
    host.wrong = lambda requested, data: (
        data.replace(b"a", b"b") if requested == path and data else data
    )
    refused(out, host, match)
    host.wrong = lambda requested, data: None if requested == path else data
    refused(out, host, "it is missing")
    host.wrong = lambda requested, data: data
    copied(out, host)
    assert is_copy(out, new)


def test_an_expired_root_and_an_invalid_root_are_refused(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, out = Host(published), tmp_path / "copy"
    copied(out, host)

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(days=40)

    with monkeypatch.context() as patched:
        patched.setattr(verified, "datetime", Later)
        refused(out, host, "it expired at")
    for text in (b"", b"<html>", b"{}", None):
        host.wrong = lambda path, data, text=text: text if path == MANIFEST_ROOT else data  # type: ignore[misc]
        refused(out, host, MANIFEST_ROOT)


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
@pytest.mark.parametrize("encoding", ["gzip", "gzip, gzip"])
@pytest.mark.parametrize("suffix", ["root.json", "snapshot.json", "bins/0.json", "slug/bloom.json"])
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


def test_a_manifest_with_a_false_size_is_refused(published: Path, tmp_path: Path) -> None:
    root = json.loads((published / MANIFEST_ROOT[1:]).read_bytes())
    fields = {k: root[k] for k in root if k not in ("schema_version", "kind", "signatures")}
    for lie in ({"bytes": 5}, {"files": root["files"] - 1}, {"bytes": root["bytes"] + 1}):
        raw = manifest.render_root({**fields, **lie, "version": root["version"] + 1}, [])
        (published / MANIFEST_ROOT[1:]).write_bytes(raw)
        refused(tmp_path / "copy", Host(published), "another number of files")
        shutil.rmtree(tmp_path / ".registry")


def test_a_file_too_large_for_readers_is_refused(published: Path, tmp_path: Path) -> None:
    requested: list[str] = []
    large = Entry("/api/changes.json", 1 << 40, "a" * 64)
    raw = manifest.render_bin(0, [large], str)
    snapshot = manifest.render_snapshot(MANIFEST_SNAPSHOT, 0, [manifest.sha256_hex(raw)], str)
    build = (published / BUILD[1:]).read_bytes()
    fields = {
        "version": 1,
        "issued_at": "2026-01-01T00:00:00Z",
        "expires_at": "9026-01-01T00:00:00Z",
        "files": 1,
        "bytes": 1 << 40,
        "bits": 0,
        "snapshot": {"size": len(snapshot), "sha256": manifest.sha256_hex(snapshot)},
        "build": {"size": len(build), "sha256": manifest.sha256_hex(build)},
        "keys": [],
        "handovers": [],
    }
    contents = {
        MANIFEST_ROOT: manifest.render_root(fields, []),
        MANIFEST_SNAPSHOT: snapshot,
        manifest_bin(0): raw,
        BUILD: build,
    }

    def read(paths: Sequence[str]) -> list[bytes | None]:
        requested.extend(paths)
        return [contents.get(path) for path in paths]

    refused(tmp_path / "copy", read, "too many for a file", max_bytes=1 << 50)
    assert large.path not in requested


# --- the folder of the mirror ---


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


# --- the command ---


def test_messages_and_status_of_the_command(host: FakeHost, tmp_path: Path) -> None:
    out = tmp_path / "copy"
    done = commands.run_forked("mirror", host.base, out)
    assert done.status == 0 and "files fetched" in done.out
    assert "nothing changed" in commands.run_forked("mirror", host.base, out).out
    host.wrong = lambda request: Given(body=b"{}") if request.target.endswith("root.json") else None
    done = commands.run_forked("mirror", host.base, out)
    assert (done.status, done.out) == (1, "") and "no root of a manifest" in done.err
    assert commands.run_forked("mirror", "nowhere", out).status == 2
    assert commands.run_forked("mirror", host.base, tmp_path / "published").status == 2
    host.wrong = lambda request: Given(status=500)
    assert commands.run_forked("mirror", host.base, out).status == 2
