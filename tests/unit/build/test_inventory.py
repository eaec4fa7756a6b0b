"""What lies in a folder against what was noted of it: nothing that was changed, added or removed is
missed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.build.inventory import (
    INPUT,
    OUTPUT,
    Folder,
    difference,
    gathered,
    lookup,
)
from generator.build.look import inputs, unlike, unlike_share
from generator.records.folder import scan

NAMES = ["index.json", "list/1.json", "list/2.json", "list/3.json", "other/deep/er/1.json"]


def written(root: Path) -> dict[str, Folder]:
    """Files below `root`, and what is noted of them."""
    for name in NAMES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, ns=(10**18, 10**18 + len(name)))
    return gathered(
        (f"/{name}", (stat := (root / name).stat()).st_mtime_ns, stat.st_size) for name in NAMES
    )


def replace(path: Path, new: Callable[[Path], object]) -> None:
    path.unlink()
    new(path)


CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "other bytes": (lambda root: (root / "list/2.json").write_text("another"), "list/2.json"),
    "another time": (lambda root: os.utime(root / "list/1.json"), "list/1.json"),
    "a file more": (lambda root: (root / "list/4.json").touch(), "list/4.json"),
    "a hidden file more": (lambda root: (root / "list/.x").touch(), "list/.x"),
    "a file less": (lambda root: (root / "list/3.json").unlink(), "list/3.json"),
    "another file instead": (
        lambda root: (root / "list/3.json").rename(root / "list/9.json"),
        "list/3.json",
    ),
    "a folder for a file": (lambda root: replace(root / "list/2.json", Path.mkdir), "list/2.json"),
    "a link for a file": (
        lambda root: replace(root / "list/2.json", lambda path: path.symlink_to("1.json")),
        "list/2.json",
    ),
    "a file in a new folder": (
        lambda root: ((root / "new").mkdir(), (root / "new/1").touch()),
        "new/1",
    ),
    "a file in a folder that had none": (
        lambda root: (root / "other/deep/1").touch(),
        "other/deep/1",
    ),
    "a folder less": (lambda root: shutil.rmtree(root / "other/deep/er"), "other/deep/er/"),
}


@pytest.mark.parametrize("share", [0, 2, 3])
@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changed_in_an_output_is_named(change: str, share: int, tmp_path: Path) -> None:
    had = written(tmp_path)
    assert unlike(str(tmp_path), had, ("list", share)) is None
    assert unlike_share(str(tmp_path), had, ("list", share)) is None
    make, path = CHANGES[change]
    make(tmp_path)
    found = {
        unlike(str(tmp_path), had, ("list", share)),
        unlike_share(str(tmp_path), had, ("list", share)),
    }
    assert path in found


def test_an_empty_folder_more_is_no_change(tmp_path: Path) -> None:
    had = written(tmp_path)
    (tmp_path / "list" / "empty").mkdir()
    assert unlike(str(tmp_path), had, ("", 0)) is None


def test_a_folder_that_changes_are_looked_for_in_by_name_may_be_gone(tmp_path: Path) -> None:
    had = written(tmp_path)
    shutil.rmtree(tmp_path / "list")
    assert unlike_share(str(tmp_path), had, ("list", 2)) == "list/"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda folder: (folder / "a.yaml").write_text("name: Another\n"),
            ([], [], ["projects/a.yaml"]),
        ),
        (lambda folder: (folder / "c.yaml").touch(), (["projects/c.yaml"], [], [])),
        (lambda folder: (folder / "b.yaml").unlink(), ([], ["projects/b.yaml"], [])),
        (
            lambda folder: (folder.parent / "programs" / "deep" / "x.yaml").touch(),
            (["programs/deep/x.yaml"], [], []),
        ),
        (lambda folder: (folder / ".hidden").touch(), ([], [], [])),
        (
            lambda folder: replace(folder / "a.yaml", Path.mkdir),
            (["projects/a.yaml/"], ["projects/a.yaml"], []),
        ),
        (
            lambda folder: replace(folder / "a.yaml", lambda path: path.symlink_to(".")),
            (["projects/a.yaml//"], ["projects/a.yaml"], []),
        ),
        (
            lambda folder: (
                folder.rename(folder.parent.parent / "real"),
                folder.symlink_to("../real"),
            ),
            ([], [], []),
        ),
        (
            lambda folder: (
                (folder.parent / "programs/deep").rename(folder / "deep"),
                (folder.parent / "programs/deep").symlink_to("../projects/deep"),
            ),
            (
                ["programs/deep//", "projects/deep/", "projects/deep/d.yaml"],
                ["programs/deep/", "programs/deep/d.yaml"],
                [],
            ),
        ),
        (lambda folder: (folder / ".more").mkdir(), (["projects/.more//"], [], [])),
        (
            lambda folder: os.utime(folder / "a.yaml", (-(10**9), -(10**9))),
            ([], [], ["projects/a.yaml"]),
        ),
    ],
    ids=[
        "changed",
        "added",
        "removed",
        "below",
        "hidden",
        "a folder for a file",
        "a link to a folder for a file",
        "a link for a collection's folder",
        "a link for a folder",
        "a hidden folder",
        "a time before 1970",
    ],
)
def test_inputs_tell_what_changed_whether_a_folder_was_known_or_not(
    change: Callable[[Path], object], expected: tuple[list[str], ...], tmp_path: Path
) -> None:
    root = tmp_path / "content"
    folder = root / "projects"
    folder.mkdir(parents=True)
    (root / "programs" / "deep").mkdir(parents=True)
    (root / "programs" / "deep" / "d.yaml").write_text("name: D\n")
    for name in "ab":
        (folder / f"{name}.yaml").write_text(f"name: {name}\n")
    before = inputs(str(root), {})
    assert inputs(str(root), before) == before
    change(folder)
    after = inputs(str(root), before)
    assert after == inputs(str(root), {})
    assert tuple(difference(before, after, INPUT)) == expected
    # What a scan finds is what a look at the inputs finds, whatever is there.
    assert {here: sorted(names) for here, names in scan(str(root)).names.items()} == {
        here: sorted(map(os.fsdecode, held.files(INPUT))) for here, held in after.items()
    }


@pytest.mark.parametrize("time", [-1, -(10**18), 2**63, 10**19])
def test_times_before_1970_and_after_2262_are_times(time: int) -> None:
    noted = gathered([("/a", time, 1), ("/b", time + 1, 1)])
    assert lookup(noted, "a", OUTPUT) != lookup(noted, "b", OUTPUT)
    assert lookup(noted, "b", OUTPUT) == ((time + 1 + 2**63) % 2**64 - 2**63, 1)
