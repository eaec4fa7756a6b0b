"""`registry release`: what it refuses, what it writes, and the same bytes when it is made again."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.commands import Done, run_forked
from support.registries import content, write

NAME = "small-registry"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a registry of two commits."""
    top = tmp_path / "repository"
    write(top / "content", content(registry={"base_url": "https://registry.example/under"}))
    git(top, "init", "-q", "-b", "main")
    git(top, "config", "user.name", "A")
    git(top, "config", "user.email", "a@example.org")
    commit(top, "First")
    return top


def git(top: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=top, check=True, capture_output=True, text=True)
    return done.stdout


def commit(top: Path, message: str) -> None:
    git(top, "add", "--all")
    git(top, "commit", "-q", "-m", message)


def release(top: Path, *arguments: object) -> Done:
    return run_forked("release", *arguments, cwd=top)


def released(top: Path, version: str) -> Done:
    """A whole release: prepare, commit, tag."""
    assert release(top, version, "--to", top.parent / "files").status == 0
    commit(top, f"Release {version}")
    done = release(top, version, "--to", top.parent / "files")
    assert done.status == 0, done.err
    return done


def archive(folder: Path, version: str) -> bytes:
    return (folder / f"{NAME}-{version}.tar.gz").read_bytes()


def test_a_release_is_made_again_with_the_same_bytes(repository: Path, tmp_path: Path) -> None:
    released(repository, "1.0")
    write(repository / "content", {"projects": {"delta": {"name": "Delta | [x](y)"}}})
    commit(repository, "Delta")
    released(repository, "1.1")
    # From a fresh clone, on another day, with later commits.
    git(tmp_path, "clone", "-q", str(repository), "clone")
    write(repository / "content", {"projects": {"echo": {"name": "Echo"}}})
    commit(repository, "Echo")
    for where, version in ((tmp_path / "clone", "1.0"), (repository, "1.1")):
        done = release(where, version, "--again", "--to", tmp_path / "again")
        assert done.status == 0, done.err
        assert archive(tmp_path / "again", version) == archive(tmp_path / "files", version)
    notes = (tmp_path / "files" / f"{NAME}-1.1.md").read_text()
    assert "`v1.0` → `v1.1`" in notes and "`delta`" in notes
    assert (tmp_path / "again" / f"{NAME}-1.1.md").read_text() == notes
    assert "The first release." in (tmp_path / "files" / f"{NAME}-1.0.md").read_text()


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
    assert again.status == 0 and archive(repository.parent / "again", version)


def test_the_archive_is_the_whole_build_with_its_manifest(repository: Path, tmp_path: Path) -> None:
    released(repository, "2026.11")
    with tarfile.open(fileobj=io.BytesIO(archive(tmp_path / "files", "2026.11"))) as tar:
        members = tar.getmembers()
        tar.extractall(tmp_path / "unpacked", filter="data")
    assert [m.name for m in members] == sorted(m.name for m in members)
    assert {(m.mtime, m.uid, m.gid, m.mode, m.uname) for m in members} == {(0, 0, 0, 0o644, "")}
    folder = tmp_path / "unpacked" / f"{NAME}-2026.11"
    assert run_forked("verify", folder).status == 0
    page = (folder / "docs/cite/index.html").read_text()
    assert "version 2026.11" in page and "https://registry.example/under/" in page
    assert (
        "<loc>https://registry.example/under/docs/cite/</loc>"
        in (folder / "sitemap.xml").read_text()
    )
    tag = git(repository, "for-each-ref", "--format=%(objecttype) %(contents)", "refs/tags")
    assert re.match(r"tag Release 2026\.11\n\nas_of: \d{4}-\d\d-\d\d\ngenerator: \S+\n", tag)


def test_citation_cff_keeps_its_authors(repository: Path) -> None:
    assert release(repository, "1.0").status == 0
    written = yaml.safe_load((repository / "CITATION.cff").read_text())
    assert {key: written[key] for key in ("cff-version", "type", "title", "version", "url")} == {
        "cff-version": "1.2.0",
        "type": "dataset",
        "title": "Small Registry",
        "version": "1.0",
        "url": "https://registry.example/under",
    }
    assert written["authors"] and written["message"] and written["license"] == "CC0-1.0"
    own = "cff-version: 1.2.0\n# ours\nauthors:\n  - family-names: Berg\nversion: '0.9'\n"
    (repository / "CITATION.cff").write_text(own)
    commit(repository, "Ours")
    assert release(repository, "1.1").status == 0
    text = (repository / "CITATION.cff").read_text()
    assert "# ours\nauthors:\n  - family-names: Berg\n" in text
    assert yaml.safe_load(text)["version"] == "1.1"


def dirty(top: Path) -> None:
    (top / "content/projects/bloom.yaml").write_text("name: Bloom\nyear: 2023\n")


def untracked(top: Path) -> None:
    (top / "content/projects/new.yaml").write_text("name: New\n")


def shallow(top: Path) -> None:
    commits = top.parent / "shallow"
    commit_twice = top / "content/projects/bloom.yaml"
    commit_twice.write_text("name: Bloom\n")
    commit(top, "Second")
    git(top.parent, "clone", "-q", "--depth=1", f"file://{top}", str(commits))
    shutil.rmtree(top)
    commits.rename(top)


def tagged(top: Path) -> None:
    git(top, "tag", "v1.0")


def no_mapping(top: Path) -> None:
    (top / "CITATION.cff").write_text("- ours\n")
    commit(top, "Ours")


def no_checkout(top: Path) -> None:
    shutil.rmtree(top / ".git")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [(dirty, "Commit these changes"), (untracked, "projects/new.yaml"),
     (shallow, "--unshallow"), (tagged, "never moved"), (no_checkout, "a tag of git"),
     (no_mapping, "CITATION.cff cannot be changed")],
)  # fmt: skip
def test_what_is_refused(spoil: Callable[[Path], Any], words: str, repository: Path) -> None:
    spoil(repository)
    before = (repository / "content/registry.yaml").read_bytes()
    done = release(repository, "1.0")
    assert done.status == 2 and words in done.err
    assert (repository / "content/registry.yaml").read_bytes() == before


def test_content_with_errors_makes_no_tag(repository: Path) -> None:
    (repository / "content/projects/bloom.yaml").write_text("name: Bloom\nprograms: [gone]\n")
    commit(repository, "Wrong")
    assert release(repository, "1.0").status == 0
    commit(repository, "Release")
    done = release(repository, "1.0")
    assert done.status == 2 and "fix the problems above" in done.err
    assert f"{repository}/content/projects/bloom.yaml:2:12: error" in done.err
    assert git(repository, "tag") == ""


@pytest.mark.parametrize("version", ["v1", "1..0", "-x", "1.0/../x", "1.0\n", "1." * 40, "1.lock"])
def test_versions_that_are_no_tags_are_refused(version: str, repository: Path) -> None:
    assert release(repository, "--", version).status == 2


def test_tags_that_no_release_made_are_passed_over(repository: Path) -> None:
    git(repository, "tag", "-a", "-m", "as_of: soon\ngenerator: x", "v0.1")
    latin = repository / "latin"
    latin.write_bytes(b"caf\xe9\n")
    git(repository, "tag", "-a", "-F", str(latin), "v0.2")
    latin.unlink()
    released(repository, "1.0")
    assert "The first release." in (repository.parent / f"files/{NAME}-1.0.md").read_text()
    for version in ("0.1", "0.2"):
        assert f"There is no release v{version}" in release(repository, version, "--again").err


def test_a_release_is_not_made_again_without_its_history(repository: Path) -> None:
    released(repository, "1.0")
    copy = repository.parent / "copy"
    origin = f"file://{repository}"
    git(repository.parent, "clone", "-q", "--depth=1", "-b", "v1.0", origin, str(copy))
    done = release(copy, "1.0", "--again")
    assert done.status == 2 and "--unshallow" in done.err


def test_an_archive_by_another_generator_is_not_made_again(repository: Path) -> None:
    message = "Release 1.0\n\nas_of: 2026-01-01\ngenerator: 0.0.1\n"
    git(repository, "tag", "-a", "-m", message, "v1.0")
    done = release(repository, "1.0", "--again")
    assert done.status == 2 and "registry-generator==0.0.1" in done.err
    assert "There is no release v3" in release(repository, "3", "--again").err
