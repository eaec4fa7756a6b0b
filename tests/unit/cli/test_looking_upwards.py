"""Commands find the registry in a folder above the working folder, as git does."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import run_forked

YAML = "name: R\ndescription: D\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A registry with one project and nothing else, not yet built."""
    projects = tmp_path / "reg" / "content" / "projects"
    projects.mkdir(parents=True)
    projects.parent.joinpath("registry.yaml").write_text(YAML)
    projects.joinpath("acme.yaml").write_text("name: Acme\n")
    tmp_path.joinpath("reg", "notes", "old").mkdir(parents=True)
    return tmp_path / "reg"


@pytest.mark.parametrize("inside", ["content/projects", "content", "notes/old"])
def test_defaults_are_the_folders_of_the_nearest_registry(repository: Path, inside: str) -> None:
    here = repository / inside
    assert run_forked("check", cwd=here).status == 0
    assert run_forked("new", "project", "Bloom", cwd=here).status == 0
    assert (repository / "content/projects/bloom.yaml").is_file()
    assert run_forked("build", "--no-site", cwd=here).status == 0
    listed = run_forked("list", "projects", cwd=here)
    assert listed.status == 0 and '"bloom"' in listed.out and (repository / "build").is_dir()
    assert "Nothing changed" in run_forked("build", "--no-site", cwd=repository).out


def test_paths_that_the_user_writes_are_relative_to_the_working_folder(repository: Path) -> None:
    here = repository / "content/projects"
    (here / "bad.yaml").write_text("nam: B\n")
    assert run_forked("check", "acme.yaml", cwd=here).status == 0
    wrong = run_forked("check", "bad.yaml", cwd=here)
    assert wrong.status == 1 and "../../content/projects/bad.yaml:1" in wrong.err
    refused = run_forked("check", "--content", ".", cwd=here)
    assert refused.status == 2 and "./registry.yaml does not exist" in refused.err


def test_a_content_folder_of_the_working_folder_is_taken_first(repository: Path) -> None:
    inner = repository / "notes/old/content"
    inner.joinpath("projects").mkdir(parents=True)
    done = run_forked("check", cwd=inner.parent)
    assert done.status == 1 and "error[missing-registry]" in done.err
    inner.joinpath("registry.yaml").write_text("nam: x\n")
    assert "content/registry.yaml:1" in run_forked("check", cwd=inner / "projects").err


@pytest.mark.parametrize("arguments", [("check",), ("build",), ("list", "projects"), ("upgrade",)])
def test_above_a_registry_the_folder_is_named(repository: Path, arguments: tuple[str, ...]) -> None:
    done = run_forked(*arguments, cwd=repository.parent)
    assert done.status == 2 and done.err.endswith("There is one in reg: cd reg\n")
    done = run_forked(*arguments, cwd=repository.rename(repository.with_name("a b")).parent)
    assert done.err.endswith("There is one in a b: cd 'a b'\n")


def test_a_content_folder_with_another_name_is_named(repository: Path) -> None:
    renamed = repository.joinpath("content").rename(repository / "data")
    done = run_forked("check", cwd=renamed)
    assert done.status == 2 and "registry.yaml is in this folder: add --content ." in done.err
