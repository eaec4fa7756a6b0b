"""Content from an archive or a bucket gives the same build as its folder, and no archive writes
outside its place.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest

from generator.features.buckets import unpack as unpacking
from generator.features.buckets.content import fetch_content
from generator.features.buckets.messages import StoreError
from generator.features.buckets.store import Store
from generator.features.buckets.unpack import Refused, unpack
from support import commands, registries
from support.lanes import fast_first
from support.logos import drawn
from support.stores import S3


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("content")
    registries.write(folder / "content", registries.api_alone())
    (folder / "content/projects/drawn.yaml").write_text("name: Drawn\nlogo: drawn.svg\n")
    (folder / "content/projects/drawn.svg").write_bytes(drawn("drawn"))
    return folder / "content"


@pytest.fixture(scope="module")
def wanted(content: Path) -> dict[str, bytes]:
    return commands.files(commands.build(content, content.parent / "build"))


def tarred(content: Path, archive: Path, mode: str, inside: str) -> Path:
    with tarfile.open(archive, mode) as opened:  # type: ignore[call-overload]
        opened.add(content, inside or ".")
    return archive


def zipped(content: Path, archive: Path, inside: str) -> Path:
    shutil.make_archive(str(archive.with_suffix("")), "zip", content)
    if inside:
        with zipfile.ZipFile(archive, "w") as opened:
            for name, data in commands.files(content).items():
                opened.writestr(f"{inside}/{name}", data)
    return archive


def test_a_build_from_an_archive_is_compared_with_the_last_build_from_it(tmp_path: Path) -> None:
    projects = {f"p{n}": {"name": f"Project {n}"} for n in range(20)}
    folder = registries.write(tmp_path / "content", registries.content(projects=projects))
    archive = tarred(folder, tmp_path / "c.tar.gz", "w:gz", "content")
    words = ("build", "--content", archive, "--out", tmp_path / "out", "--no-site", "--jobs", "1")
    assert commands.run_forked(*words).status == 0
    assert "Nothing changed" in commands.run_forked(*words).out
    for file in sorted(folder.glob("projects/*"))[:9]:
        file.unlink()
    tarred(folder, archive, "w:gz", "content")
    lost = commands.run_forked(*words)
    assert lost.status == 1 and "9 of 20 projects are gone" in lost.err


@pytest.mark.parametrize(
    "packed",
    fast_first(
        2,
        [
            lambda content, to: tarred(content, to / "c.tar.gz", "w:gz", "content"),
            lambda content, to: zipped(content, to / "c.zip", "registry-main/content"),
            lambda content, to: tarred(content, to / "c.tgz", "w:gz", ""),
            lambda content, to: tarred(content, to / "c.tar", "w:", "registry-1a2b/content"),
            lambda content, to: zipped(content, to / "c.zip", ""),
        ],
    ),
)
def test_an_archive_gives_the_bytes_of_its_folder(
    content: Path,
    wanted: dict[str, bytes],
    tmp_path: Path,
    packed: Callable[[Path, Path], Path],
) -> None:
    archive = packed(content, tmp_path)
    for where in (archive, f"file://{archive}"):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        commands.build(where, tmp_path / "out")  # type: ignore[arg-type]
        assert commands.files(tmp_path / "out") == wanted, where


@pytest.mark.slow
def test_a_folder_of_a_bucket_gives_the_bytes_of_that_folder(
    s3: S3, content: Path, wanted: dict[str, bytes], tmp_path: Path
) -> None:
    store = Store(s3.url)
    for name, data in commands.files(content).items():
        store.put(f"/{name}", data)
    for name in ("/projects/readme.txt", "/drafts/a.yaml", "/current.json"):
        store.put(name, b"\0")
    done = commands.run_forked("build", "--content", s3.url, "--no-site", "--out", tmp_path / "out")
    assert done.status == 0, done
    assert commands.files(tmp_path / "out") == wanted
    none = commands.run_forked("build", "--content", f"{s3.url}/none", "--out", tmp_path / "other")
    assert none.status == 2 and f"{s3.url}/none has no content" in none.err, none


def test_problems_are_reported_by_their_path_in_the_archive(content: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(content, tmp_path / "content")
    (copy / "projects" / "wrong.yaml").write_text("name: Wrong\nyear: soon\n")
    archive = tarred(copy, tmp_path / "c.tar.gz", "w:gz", "content")
    for command in ("check", "build"):
        more = ("--out", tmp_path / "out")
        done = commands.run_forked(command, "--content", archive, *more)
        assert done.status == 1 and f"{archive}:projects/wrong.yaml:2:" in done.err, done
        assert "| year: soon" in done.err and "/registry-" not in done.err, done
    done = commands.run_forked("check", "--content", archive, "--format", "json")
    assert f"{archive}:projects/wrong.yaml" in done.out and "/registry-" not in done.out


# --- untrusted archives ---


def with_files(*files: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as opened:
        for file in files:
            if isinstance(file, tarfile.TarInfo):
                opened.addfile(file)
            else:
                info = tarfile.TarInfo(file[0])
                info.size = len(file[1])
                opened.addfile(info, io.BytesIO(file[1]))
    return packed.getvalue()


def link(name: str, to: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, to
    return info


def zip_of(*files: tuple[str, bytes], mode: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            opened.writestr(info, data)
    return packed.getvalue()


@pytest.mark.parametrize(
    "packed",
    [
        with_files(("../outside.yaml", b"x")),
        with_files(("content/../../outside.yaml", b"x")),
        with_files(("/outside.yaml", b"x")),
        with_files(("a\\b.yaml", b"x")),
        with_files(("a\nb.yaml", b"x")),
        with_files(("a" * 2000, b"x")),
        with_files(("a.yaml", b"x"), ("./a.yaml", b"y")),
        with_files(("a.yaml", b"x"), ("a.yaml/b.yaml", b"y")),
        zip_of(("../outside.yaml", b"x")),
        zip_of(("/outside.yaml", b"x")),
        zip_of(("a//b.yaml", b"x")),
        b"",
        b"PK\3\4 and nothing more",
        b"\x1f\x8b and nothing more",
        b"BZh and nothing more",
        b"\xfd7zXZ\0 and nothing more",
        b"\x28\xb5\x2f\xfd and nothing more",
        b"no archive" * 100,
        gzip.compress(with_files(("a.yaml", b"x" * 5000)), mtime=0)[:-40],
        with_files(("a.yaml", b"x" * 5000))[:1024],
    ],
    ids=lambda packed: f"{crc32(packed):08x}",
)
def test_foreign_paths_duplicates_and_invalid_archives_are_refused(
    packed: bytes, tmp_path: Path
) -> None:
    archive, target = tmp_path / "c.tar", tmp_path / "in" / "target"
    archive.write_bytes(packed)
    target.mkdir(parents=True)
    with pytest.raises((Refused, OSError)):
        unpack(archive, target)
    assert sorted(os.listdir(tmp_path)) == ["c.tar", "in"] and os.listdir(tmp_path / "in") == [
        "target"
    ]
    with pytest.raises(StoreError, match=r"c\.tar"), fetch_content(str(archive)):
        pass


@pytest.mark.parametrize(
    "packed",
    [
        with_files(("c/registry.yaml", b"name: A"), link("c/projects", "/etc")),
        with_files(("c/registry.yaml", b"name: A"), link("c/projects/a.yaml", "../../x")),
        with_files(
            ("c/registry.yaml", b"name: A"),
            link("c/projects/a.yaml", "c/registry.yaml", tarfile.LNKTYPE),
        ),
        with_files(("c/registry.yaml", b"name: A"), link("c/pipe", "", tarfile.FIFOTYPE)),
    ],
    ids=lambda packed: f"{crc32(packed):08x}",
)
def test_a_link_in_the_content_is_refused_and_a_link_outside_is_ignored(
    packed: bytes, tmp_path: Path
) -> None:
    archive = tmp_path / "c.tar"
    archive.write_bytes(packed)
    with pytest.raises(StoreError, match="plain files only"), fetch_content(str(archive)):
        pass
    archive.write_bytes(with_files(("c/registry.yaml", b"name: A"), link("site", "/etc")))
    with fetch_content(str(archive)) as came:
        assert sorted(os.listdir(came.folder)) == ["registry.yaml"]
        assert sorted(os.listdir(Path(came.folder).parent)) == ["c"]


def test_a_link_in_a_zip_is_a_plain_file(tmp_path: Path) -> None:
    archive = tmp_path / "c.zip"
    archive.write_bytes(zip_of(("registry.yaml", b"/etc/passwd"), mode=0o120777))
    with pytest.raises(StoreError), fetch_content(str(archive)):
        pass


def test_sizes_are_bounded_whatever_the_archive_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MAX_FILE", 10_000)
    monkeypatch.setattr(unpacking, "MAX_BYTES", 25_000)
    monkeypatch.setattr(unpacking, "MAX_FILES", 50)
    large, zeros = b"\0" * 10_001, b"\0" * 9_000
    lying = bytearray(zip_of(("a.yaml", large)))
    place = lying.index(b"PK\1\2")
    lying[place + 24 : place + 28] = (10).to_bytes(4, "little")  # the size in the directory
    for name, packed in {
        "file": with_files(("a.yaml", large)),
        "all": with_files(*((f"{n}.yaml", zeros) for n in range(3))),
        "bomb": gzip.compress(with_files(*((f"{n}.yaml", zeros) for n in range(3)))),
        "zip": zip_of(("a.yaml", large)),
        "zips": zip_of(*((f"{n}.yaml", zeros) for n in range(3))),
        "lying": bytes(lying),
        "many": with_files(*((f"{n}.yaml", b"") for n in range(51))),
    }.items():
        (tmp_path / name).mkdir()
        archive = tmp_path / f"{name}.tar"
        archive.write_bytes(packed)
        with pytest.raises(Refused):
            unpack(archive, tmp_path / name)
        written = sum(len(data) for data in commands.files(tmp_path / name).values())
        assert written <= 25_000, name


def test_a_header_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, 8 << 30
    archive = tmp_path / "c.tar"
    archive.write_bytes(info.tobuf() + b"\0" * 10_240)
    with pytest.raises(Refused, match="header"):
        unpack(archive, tmp_path)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([("notes.txt", b"x")], "has no content"),
        ([("a/registry.yaml", b""), ("b/registry.yaml", b"")], "several folders (a, b)"),
    ],
)
def test_an_archive_without_content_is_reported(
    files: list[tuple[str, bytes]], says: str, tmp_path: Path
) -> None:
    archive = tmp_path / "c.tar"
    archive.write_bytes(with_files(*files))
    done = commands.run_forked("build", "--content", archive, "--out", tmp_path / "out")
    assert done.status == 2 and says in done.err and str(archive) in done.err, done


def test_a_later_error_is_not_reported_as_an_error_of_the_archive(
    content: Path, tmp_path: Path
) -> None:
    archive = tarred(content, tmp_path / "c.tar", "w:", "content")
    with pytest.raises(OSError, match="no space") as raised, fetch_content(str(archive)) as came:
        raise OSError("no space")
    assert not isinstance(raised.value, StoreError) and not os.path.exists(came.folder)


def test_a_file_other_than_an_archive_is_reported(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    done = commands.run_forked(
        "build", "--content", tmp_path / "notes.txt", "--out", tmp_path / "out"
    )
    assert done.status == 2 and "is a file, and no archive" in done.err, done
