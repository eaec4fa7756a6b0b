"""`registry release` with clones of the repository, and what its archive holds.

Its messages and refusals are in tests/transcripts/release.txt.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
import yaml

from support.commands import Done, run_forked
from support.git import commit, git
from support.registries import content, write

NAME = "small-registry"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a registry of one commit."""
    top = tmp_path / "repository"
    write(top / "content", content(registry={"base_url": "https://registry.example/under"}))
    git(top, "init", "-q", "-b", "main")
    git(top, "config", "user.name", "A")
    git(top, "config", "user.email", "a@example.org")
    commit(top, "First")
    return top


def release(top: Path, *arguments: object) -> Done:
    return run_forked("release", *arguments, cwd=top)


def released(top: Path, version: str) -> Done:
    """A whole release: prepare, commit, tag."""
    assert release(top, version, "--to", top.parent / "files").status == 0
    commit(top, f"Release {version}")
    done = release(top, version, "--to", top.parent / "files")
    assert done.status == 0, done.err
    return done


def archive(folder: Path, version: str) -> Path:
    return folder / f"{NAME}-{version}.tar.gz"


def test_a_release_is_made_again_from_any_clone_with_its_history(
    repository: Path, tmp_path: Path
) -> None:
    released(repository, "1.0")
    git(tmp_path, "clone", "-q", str(repository), "clone")
    done = release(tmp_path / "clone", "1.0", "--again", "--to", tmp_path / "again")
    assert done.status == 0, done.err
    made, again = (archive(tmp_path / folder, "1.0") for folder in ("files", "again"))
    assert made.read_bytes() == again.read_bytes()
    git(tmp_path, "clone", "-q", "--depth=1", "-b", "v1.0", f"file://{repository}", "copy")
    for arguments in (("1.0", "--again"), ("1.1",)):
        done = release(tmp_path / "copy", *arguments)
        assert done.status == 2 and "--unshallow" in done.err


@pytest.mark.slow
def test_without_a_version_the_prepared_one_is_released(repository: Path) -> None:
    settings = repository / "content" / "registry.yaml"
    for arguments in (["3.1"], []):  # the second prepares the day: 3.1 has its tag
        assert release(repository, *arguments).status == 0
        version = yaml.safe_load(settings.read_text())["release"]["version"]
        commit(repository, f"Release {version}")
        done = release(repository, "--to", repository.parent / "files")
        assert f"Tagged v{version}." in done.out, done
    assert version != "3.1"
    again = release(repository, "--again", "--to", repository.parent / "again")
    assert again.status == 0 and archive(repository.parent / "again", version).is_file()


def test_the_archive_is_the_whole_build_with_its_manifest(repository: Path, tmp_path: Path) -> None:
    released(repository, "2026.11")
    with tarfile.open(archive(tmp_path / "files", "2026.11")) as tar:
        members = tar.getmembers()
        tar.extractall(tmp_path / "unpacked", filter="data")
    assert [m.name for m in members] == sorted(m.name for m in members)
    assert {(m.mtime, m.uid, m.gid, m.mode, m.uname) for m in members} == {(0, 0, 0, 0o644, "")}
    folder = tmp_path / "unpacked" / f"{NAME}-2026.11"
    assert run_forked("verify", folder).status == 0
    address = "https://registry.example/under/"
    page = (folder / "docs/cite/index.html").read_text()
    assert "version 2026.11" in page and address in page
    assert f"<loc>{address}docs/cite/</loc>" in (folder / "sitemap.xml").read_text()


@pytest.mark.slow
def test_a_tag_that_no_release_made_is_passed_over(repository: Path) -> None:
    latin = repository / "latin"
    latin.write_bytes(b"caf\xe9\n")
    git(repository, "tag", "-a", "-F", str(latin), "v0.2")
    latin.unlink()
    released(repository, "1.0")
    assert "The first release." in (repository.parent / f"files/{NAME}-1.0.md").read_text()
    assert "There is no release v0.2" in release(repository, "0.2", "--again").err
