"""Files next to an output may come from anyone: because of them a build touches only the output and
its own files.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import generator.hosts
from generator.contract.artifact import module_names
from generator.disk import output_state
from generator.disk.output_state import OutputState
from support import commands, registries
from support.commands import differing, files, run_forked, stamps
from support.lanes import fast_first

build = functools.partial(commands.build, site=True)  # with the site, as `registry build` does

PRECIOUS = "Mine.\n"
FOLDERS = (".registry", ".registry/out")
NOTES = ["content", "features", "lock", "made", "names", "state", "table"]


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return registries.write(tmp_path / "site" / "content", registries.API)


@pytest.fixture
def out(content: Path) -> Path:
    return build(content, content.parent / "out")


@pytest.fixture
def state(out: Path) -> Path:
    return out.parent / ".registry" / "out"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Somebody's files, which must not change."""
    home = tmp_path / "home"
    for name in (
        "precious",
        "new-1-0/precious",
        "old-1/precious",
        "api/index.json",
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(PRECIOUS)
    return home


@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, "a file") for name in FOLDERS),
        *(
            (name, how)
            for name in (*FOLDERS, ".registry/out/lock")
            for how in ("a link", "a link to nothing")
        ),
    ],
)
def test_an_invalid_state_folder_is_refused(
    name: str, how: str, content: Path, out: Path, home: Path
) -> None:
    place, whole = out.parent / name, files(out)
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    if how == "a file":
        place.write_text(PRECIOUS)
    else:
        place.symlink_to(home if how == "a link" else home / "nothing")
    before = stamps(home)
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2
    assert str(place) in done.err and "Remove it" in done.err and "Traceback" not in done.err
    assert stamps(home) == before
    assert files(out) == whole
    place.unlink()
    shutil.rmtree(out)
    build(content, out)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("name", FOLDERS)
def test_a_state_folder_of_another_user_is_refused(name: str, content: Path, out: Path) -> None:
    os.chown(out.parent / name, 12345, 12345)
    before = stamps(out)
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2
    assert str(out.parent / name) in done.err and "another user" in done.err
    assert stamps(out) == before


@pytest.mark.parametrize(
    "name", fast_first(1, ["state", "content", "made", "names", "state.new", "content.new"])
)
@pytest.mark.parametrize("how", ["a link", "a second name", "a folder", "a named pipe"])
def test_state_files_are_not_written_through_links(
    name: str, how: str, content: Path, out: Path, state: Path, home: Path
) -> None:
    """Each file is replaced and never written in place, because its inode may be shared with any
    file."""
    place = state / name
    place.unlink(missing_ok=True)
    if how == "a link":
        place.symlink_to(home / "precious")
    elif how == "a second name":
        place.hardlink_to(home / "precious")
    elif how == "a folder":
        (place / "full").mkdir(parents=True)
    else:
        os.mkfifo(place)
    before = {path: stamp for path, stamp in stamps(home).items() if path != "."}
    (content / "projects" / "bloom.yaml").write_text("name: Blossom\n")
    build(content, out)
    (content / "projects" / "bloom.yaml").write_text("name: Bloom\n")
    build(content, out, "--host", "nginx")
    assert {path: stamp for path, stamp in stamps(home).items() if path != "."} == before
    assert (home / "precious").read_text() == PRECIOUS
    assert json.loads((state / "state").read_bytes())


def test_a_copy_made_of_hard_links_does_not_change(
    content: Path, out: Path, state: Path, tmp_path: Path
) -> None:
    """`cp -al` makes such a copy."""
    shutil.copytree(state, tmp_path / "copy", copy_function=os.link)
    before = files(tmp_path / "copy")
    for name in ("bloom", "cairn"):
        (content / "projects" / f"{name}.yaml").write_text("name: Blossom\n")
        build(content, out)
    assert files(tmp_path / "copy") == before


def test_the_next_command_clears_only_what_killed_builds_left(
    content: Path, out: Path, state: Path, home: Path
) -> None:
    before = stamps(home)
    for command in (
        ("build", "--content", content, "--out", out),
        ("list", "projects", "--from", out),
    ):
        (state / "new-x").write_text("A file.\n")
        (state / "new-0-0" / "api").mkdir(parents=True)
        (state / "old-1").symlink_to(home)
        os.mkfifo(state / "new-pipe")
        (state / "names.new").write_text("{")
        (state / "newer").write_text(PRECIOUS)
        assert run_forked(*command).status == 0
        assert sorted(os.listdir(state)) == sorted([*NOTES, "newer"])
    assert stamps(home) == before


# --- the tree that the last exchange left ---


def linked_folder(tree: Path, home: Path) -> None:
    shutil.rmtree(tree / "api")
    (tree / "api").symlink_to(home / "api")


def other_bytes(tree: Path, home: Path) -> None:
    """Of the same size and time as the file of the output."""
    page = tree / "api" / "index.json"
    data, stat = page.read_bytes(), page.stat()
    page.unlink()
    page.write_bytes(b"x" * len(data))
    os.utime(page, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def folder_for_a_file(tree: Path, home: Path) -> None:
    (tree / "api" / "index.json").unlink()
    (tree / "api" / "index.json").mkdir()


def file_for_a_folder(tree: Path, home: Path) -> None:
    shutil.rmtree(tree / "api" / "projects")
    (tree / "api" / "projects").write_text(PRECIOUS)


TREES: dict[str, Callable[[Path, Path], object]] = {
    "a link for a folder": linked_folder,
    "other bytes": other_bytes,
    "a folder for a file": folder_for_a_file,
    "a file for a folder": file_for_a_folder,
    "a link for a file": lambda tree, home: (tree / "api" / "x").symlink_to(home / "precious"),
    "a second name": lambda tree, home: (tree / "api" / "x").hardlink_to(home / "precious"),
    "a named pipe": lambda tree, home: os.mkfifo(tree / "api" / "x"),
    "nothing": lambda tree, home: shutil.rmtree(tree),
}


@pytest.mark.parametrize("case", fast_first(4, TREES))
def test_a_changed_tree_adds_nothing_to_an_output_and_changes_nothing_else(
    case: str, content: Path, out: Path, state: Path, home: Path, tmp_path: Path
) -> None:
    (content / "projects" / "bloom.yaml").write_text("name: Blossom\n")
    build(content, out)
    TREES[case](state / "tree", home)
    before = stamps(home)
    (content / "projects" / "bloom.yaml").write_text("name: Bloomed\n")
    build(content, out)
    assert differing(files(out), files(build(content, tmp_path / "clean"))) == []
    if case != "a second name":  # its number of names changes
        assert stamps(home) == before
    assert (home / "precious").read_text() == PRECIOUS


@pytest.mark.parametrize("kind", ["a folder", "a link"])
def test_an_output_that_a_killed_build_moved_away_comes_back(
    kind: str, out: Path, state: Path, home: Path
) -> None:
    """As where two folders cannot be exchanged in one step."""
    whole = files(out)
    out.rename(state / "old-1")
    if kind == "a link":
        (state / "old-1").rename(home / "moved")
        (state / "old-1").symlink_to(home / "moved")
    done = run_forked("list", "projects", "--from", out)
    assert (done.status == 0) == (kind == "a folder")
    assert files(out) == whole if kind == "a folder" else not os.path.lexists(out)
    assert sorted(os.listdir(state)) == NOTES


def test_an_output_is_exchanged_where_it_takes_two_renames(
    content: Path, out: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output_state, "_exchange", lambda new, out: False)
    for name in ("Blossom", "Bloomed"):
        (content / "projects" / "bloom.yaml").write_text(f"name: {name}\n")
        build(content, out)
        assert differing(files(out), files(build(content, tmp_path / name))) == []
        assert sorted(os.listdir(state)) == sorted([*NOTES, "tree"])


def test_the_lock_is_released_when_opening_fails(
    out: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(OutputState, "tidy", fail)
    for _ in range(2):
        with pytest.raises(Exception, match="Input/output"), OutputState(out, pytest.fail):
            pass
    monkeypatch.undo()
    with OutputState(out, pytest.fail):
        pass


# --- the output ---


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions mean nothing to root")
def test_an_unwritable_parent_folder_is_reported(tmp_path: Path) -> None:
    content, site = registries.write(tmp_path / "content", registries.API), tmp_path / "site"
    site.mkdir(0o500)
    done = run_forked("build", "--content", content, "--out", site / "out")
    assert done.status == 2 and "--out" in done.err
    assert list(site.iterdir()) == []


@pytest.mark.slow
def test_an_output_for_any_host_can_be_rebuilt(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    every = module_names(generator.hosts)
    together = [host for host in every if host not in ("cloudflare", "gitlab-pages")]
    for hosts in (together, ["cloudflare"], ["gitlab-pages"]):
        options = [option for host in hosts for option in ("--host", host)]
        build(content, tmp_path / hosts[0], *options)
        build(content, tmp_path / hosts[0])
