"""The manifest lists every published file with its size and hash, and depends only on the files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.contract import manifest
from generator.contract.manifest import Malformed
from generator.features.precompressed.compression import Compression
from generator.published.history.provenance import Moment
from generator.published.report import Report
from support import registries
from support.commands import files

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
ROOT = "api/manifest/root.json"
LEFT_OUT = ("api/manifest/", "api/build.json", "404.html", "_", ".netlify/")


def run(content: Path, out: Path, clock: datetime | None = None, **options: Any) -> Report:
    moment = Moment(AT, date(2026, 6, 1), None, clock is not None, clock)
    report = build(
        str(content),
        out,
        moment,
        BuildOptions(**{"jobs": 1, "site": False, "loss": "allow", **options}),
    )
    assert not report.failed, report.problems
    return report


def load(out: Path, path: str) -> Any:
    return json.loads((out / path).read_bytes())


def root(out: Path) -> Any:
    return load(out, ROOT)


def entries(out: Path) -> dict[str, list[Any]]:
    """Every entry, found from the root by hashes alone."""
    root_data = root(out)
    snapshot = (out / "api/manifest/snapshot.json").read_bytes()
    assert root_data["snapshot"] == digest_of(snapshot)
    assert root_data["build"] == digest_of((out / "api/build.json").read_bytes())
    hashes = json.loads(snapshot)["data"]
    if (out / "api/manifest/snapshot").exists():
        parts = [(out / f"api/manifest/snapshot/{n}.json").read_bytes() for n in range(len(hashes))]
        assert hashes == [sha256(part).hexdigest() for part in parts]
        hashes = [digest for part in parts for digest in json.loads(part)["data"]]
    assert len(hashes) == 1 << root_data["bits"]
    every = {}
    for number, expected in enumerate(hashes):
        raw = (out / f"api/manifest/bins/{number}.json").read_bytes()
        assert sha256(raw).hexdigest() == expected
        for path, size, digest in json.loads(raw)["data"]:
            first = int.from_bytes(sha256(path.encode()).digest(), "big") >> (
                256 - root_data["bits"]
            )
            assert first == number
            every[path[1:]] = [size, digest]
    assert len(every) == root_data["files"]
    assert sum(size for size, _ in every.values()) == root_data["bytes"]
    assert not (out / f"api/manifest/bins/{len(hashes)}.json").exists()
    return every


def digest_of(data: bytes) -> dict[str, Any]:
    return {"size": len(data), "sha256": sha256(data).hexdigest()}


def assert_lists_all_files(out: Path) -> None:
    """Assert that the manifest lists exactly the published files."""
    expected = {
        path: [len(data), sha256(data).hexdigest()]
        for path, data in files(out).items()
        if not path.startswith(LEFT_OUT) and not path.endswith((".gz", ".br"))
    }
    assert entries(out) == expected


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return registries.write(tmp_path / "content")


def test_every_published_file_is_listed_with_its_size_and_hash(
    content: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run(content, out, site=True, finishes={"copies": Compression(("gzip",))})
    assert_lists_all_files(out)
    assert "projects/index.html" in entries(out) and (out / f"{ROOT}.gz").exists()


@pytest.fixture(params=["flat", "in parts"])
def small_bins(
    request: Any, content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small, nearly too numerous bins, in one snapshot or in a snapshot of several parts."""
    run(content, tmp_path / "counted")
    monkeypatch.setattr(manifest, "MAX_MEAN", -(-root(tmp_path / "counted")["files"] // 32))
    if request.param == "in parts":
        monkeypatch.setattr(manifest, "MAX_FLAT_BITS", 3)


def edit(content: Path, slug: str, text: str) -> None:
    (content / "projects" / f"{slug}.yaml").write_text(text)


@pytest.mark.slow
def test_a_second_build_writes_the_manifest_of_a_first_one(
    small_bins: None, content: Path, tmp_path: Path
) -> None:
    out, bits = tmp_path / "out", set()
    run(content, out)
    for number in range(4):
        for other in range(30 * (number == 1)):
            edit(content, f"new-{other}", f"name: Tree {other}\nyear: {1900 + other}\n")
        for other in range(30 * (number == 3)):
            (content / "projects" / f"new-{other}.yaml").unlink()
        edit(content, f"tree-{number}", f"name: Tree {number}\n")
        run(content, out)
        assert_lists_all_files(out)
        bits.add(root(out)["bits"])
        run(content, tmp_path / f"clean-{number}")
        assert files(out) == files(tmp_path / f"clean-{number}")
    assert len(bits) > 1, "the number of bins should have changed"


def test_an_edit_writes_few_bins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(manifest, "MAX_MEAN", 1)
    content, out = registries.write(tmp_path / "content"), tmp_path / "out"
    run(content, out)
    total_bins = sum(path.startswith("api/manifest/bins/") for path in files(out))
    edit(content, "bloom", "name: Bloom\nteam_size: 9\n")
    report = run(content, out)
    differing = [path for paths in report.difference for path in paths]
    bins = [path for path in differing if "/manifest/bins/" in path]
    assert 0 < len(bins) <= len([*filter(manifest.is_listed, differing)]) < total_bins


def test_a_daily_build_without_changes_renews_only_the_root(content: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(content, out, AT)
    before = root(out)
    assert before["version"] == AT.timestamp() and before["expires_at"] == "2026-07-01T12:00:00Z"
    assert run(content, out, AT + timedelta(hours=11)).is_current
    report = run(content, out, AT + timedelta(days=1))
    assert report.difference == ((), (f"/{ROOT}",), ())
    after = root(out)
    assert after["version"] > before["version"] and after["expires_at"] == "2026-07-02T12:00:00Z"
    assert run(content, out, AT + timedelta(days=1)).is_current
    assert_lists_all_files(out)


def test_the_version_grows_even_if_the_clock_was_set_back(content: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(content, out, AT)
    for back, name in ((0, "a"), (1000, "b")):
        before = root(out)["version"]
        edit(content, name, "name: Another\n")
        run(content, out, AT - timedelta(seconds=back))
        assert root(out)["version"] == before + 1


def damaged_bin(out: Path) -> Path:
    return out / "api/manifest/bins/0.json"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"kind": "manifest_bin", "number": 0}', None])
def test_an_invalid_bin_is_rewritten(text: str | None, content: Path, tmp_path: Path) -> None:
    """It has the size and time of the former bin, which no build would leave."""
    import os

    out = tmp_path / "out"
    run(content, out)
    for path in (out / "api/manifest/bins").iterdir():
        stat = path.stat()
        if text is None:  # an entry with another hash of a file that stays
            hashed = rb'(harbour-2020\.json",\d+,")[0-9a-f]{64}'
            path.write_bytes(re.sub(hashed, rb"\g<1>" + b"0" * 64, path.read_bytes(), count=1))
        else:
            path.write_bytes(text.encode().ljust(stat.st_size))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    edit(content, "bloom", "name: Bloom anew\n")
    run(content, out)
    assert_lists_all_files(out)


def a_root(**changed: Any) -> bytes:
    root: dict[str, Any] = {
        "version": 7,
        "issued_at": "2026-06-01T12:00:00Z",
        "expires_at": "2026-07-01T12:00:00Z",
        "files": 3,
        "bytes": 9,
        "bits": 0,
        "snapshot": {"size": 1, "sha256": "a" * 64},
        "build": {"size": 1, "sha256": "b" * 64},
        "keys": [],
        "handovers": [],
    }
    return manifest.render_root({**root, **changed}, [])


def test_the_body_of_a_root_is_what_is_signed() -> None:
    assert manifest.read_root(a_root()).body.endswith(b',"handovers":[]}')


@pytest.mark.parametrize(
    "more", [b',"version":9', b',"x":[]', b',"signatures":[]', b' ,"signatures" :[]', b',"x":[{}]']
)
def test_nothing_follows_the_signatures_of_a_root(more: bytes) -> None:
    """It would not be signed, and other readers would take it for a part of the root."""
    with pytest.raises(Malformed):
        manifest.read_root(a_root().rstrip(b"}\n") + more + b"}\n")


@pytest.mark.parametrize(
    "changed",
    [
        {"version": -1}, {"version": True}, {"version": 1 << 53}, {"version": "7"}, {"bits": 3},
        {"bits": 21, "files": 1 << 30}, {"snapshot": {"size": 1, "sha256": "A" * 64}},
        {"snapshot": {"size": -1, "sha256": "a" * 64}}, {"expires_at": "never"},
        {"handovers": [{}]}, {"handovers": [{"old": "a", "new": "b", "signature": "c"}] * 65},
        {"handovers": [{"old": "a" * 300, "new": "b", "signature": "c"}]},
    ],
)  # fmt: skip
def test_an_invalid_root_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        manifest.read_root(a_root(**changed))


@pytest.mark.parametrize(
    "raw", [b"", b"{}", b"null", b"[]", b"\xff", b'{"signatures":[]}', b"x" * (2 << 20)]
)
def test_invalid_manifest_files_are_refused(raw: bytes) -> None:
    refused: list[Callable[[], Any]] = [
        lambda: manifest.read_root(raw),
        lambda: manifest.read_bin(raw, 0, 0),
        lambda: manifest.read_hashes(raw, 0, 1),
    ]
    for read in refused:
        with pytest.raises(Malformed):
            read()


@pytest.mark.parametrize(
    "entry",
    [
        ["/../etc/passwd", 1, "a" * 64], ["/api/../../x.json", 1, "a" * 64],
        ["/api//x.json", 1, "a" * 64], ["/api/./x.json", 1, "a" * 64],
        ["/api\\x.json", 1, "a" * 64], ["/api/x\n.json", 1, "a" * 64],
        ["/api/x\0.json", 1, "a" * 64], ["api/x.json", 1, "a" * 64], ["/", 1, "a" * 64],
        ["/" + "a" * 2000, 1, "a" * 64], ["/_redirects", 1, "a" * 64],
        ["/.netlify/edge-functions/x.js", 1, "a" * 64], ["/.htaccess", 1, "a" * 64],
        ["/api/manifest/root.json", 1, "a" * 64], ["/api/build.json", 1, "a" * 64],
        ["/api/x.json", -1, "a" * 64], ["/api/x.json", True, "a" * 64],
        ["/api/x.json", 1.0, "a" * 64], ["/api/x.json", 1, "a" * 63],
        ["/api/x.json", 1, "A" * 64], ["/api/x.json", 1], {"path": "/api/x.json"}, None,
    ],
)  # fmt: skip
def test_an_invalid_entry_or_path_is_refused(entry: Any) -> None:
    def a_bin(entry: Any) -> bytes:
        return json.dumps({"kind": "manifest_bin", "number": 0, "data": [entry]}).encode()

    assert list(manifest.read_bin(a_bin(["/api/x.json", 1, "a" * 64]), 0, 0)) == ["/api/x.json"]
    with pytest.raises(Malformed):
        manifest.read_bin(a_bin(entry), 0, 0)


def test_an_entry_of_another_bin_is_refused() -> None:
    entry = manifest.ManifestEntry("/api/x.json", 1, "a" * 64)
    number = manifest.bin_number(entry.path, 5)
    raw = manifest.render_bin(number, [entry], str)
    assert manifest.read_bin(raw, number, 5) == {entry.path: entry}
    for other, bits in ((number ^ 1, 5), (number, 6)):
        with pytest.raises(Malformed):
            manifest.read_bin(manifest.render_bin(other, [entry], str), other, bits)


@pytest.mark.parametrize(
    ("files", "bits"),
    [
        *((0, 0), (1, 0), (256, 0), (257, 1), (512, 1), (513, 2), (18_000, 7), (100_000, 9)),
        *((100_001, 11), (10**6, 14), (10**9, 20)),
    ],
)
def test_the_number_of_bins_depends_on_the_number_of_files(files: int, bits: int) -> None:
    assert manifest.bits_for_files(files) == bits


def test_a_snapshot_of_many_bins_has_parts() -> None:
    flat, large = manifest.BinLayout.from_bits(10), manifest.BinLayout.from_bits(14)
    assert flat.hash_files() == ["/api/manifest/snapshot.json"] and flat.hashes_per_part == 1024
    assert large.part_count == large.hashes_per_part == 128
    assert large.hash_files()[1] == "/api/manifest/snapshot/1.json"
    assert len(large.hash_files()) == 128
