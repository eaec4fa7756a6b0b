"""What lies in a folder against what was noted of it: nothing that was changed, added or removed is
missed.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.build.inventory import (
    INPUT,
    OUTPUT,
    Folder,
    Inventory,
    difference,
    gathered,
    lookup,
    pack,
    patched,
)
from generator.build.look import Side, _stamps, bundles, inputs, look, unlike
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


def seen(
    root: Path, noted: Inventory, width: int, settled: dict[str, bytes]
) -> tuple[Side, set[str], dict[str, bytes]]:
    """A side, its folders that may not be as noted, and the stamps of those that are."""
    side = Side.of(str(root), noted, width, settled)
    others, stamps = set[str](), dict(settled)
    for _, unlike_, stamped in look(list(bundles([side])), [side]):
        others.update(unlike_)
        stamps |= dict(stamped)
    return side, others, {of: stamp for of, stamp in stamps.items() if of not in others}


def unlike_in(root: Path, noted: Inventory, settled: dict[str, bytes]) -> str | None:
    return unlike(*seen(root, noted, OUTPUT, settled)[:2])


def content_in(root: Path, noted: Inventory, settled: dict[str, bytes]) -> dict[str, Folder]:
    return inputs(str(root), noted, seen(root, noted, INPUT, settled)[1])


@pytest.fixture(params=[1, 2, 2000], ids=lambda size: f"bundles of {size}")
def bundled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.build.look._BUNDLE", request.param)


@pytest.mark.parametrize("small", [0, 8])
@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changed_in_an_output_is_named(
    change: str, settled: bool, small: int, bundled: None, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Also where the last look has listed all folders, and their files are looked at together."""
    monkeypatch.setattr("generator.build.look._SMALL", small)
    had = written(tmp_path)
    known = seen(tmp_path, had, OUTPUT, {})[2] if settled else {}
    assert known.keys() == (
        {"", "list", "other", "other/deep", "other/deep/er"} if settled else set()
    )
    assert unlike_in(tmp_path, had, known) is None
    later(tmp_path)
    make, path = CHANGES[change]
    make(tmp_path)
    assert unlike_in(tmp_path, had, known) == path


def later(root: Path) -> None:
    """Wait until a file system tells the time of another change as another time."""
    before = os.stat(root).st_ctime_ns
    while os.stat(root).st_ctime_ns == before:
        (root / "probe").touch()
        (root / "probe").unlink()


@pytest.mark.parametrize("settled", [False, True])
def test_an_empty_folder_more_is_no_change_but_what_is_put_into_it(
    settled: bool, bundled: None, tmp_path: Path
) -> None:
    had = written(tmp_path)
    known = seen(tmp_path, had, OUTPUT, {})[2] if settled else {}
    later(tmp_path / "list")
    (tmp_path / "list" / "empty").mkdir()
    side, others, stamps = seen(tmp_path, had, OUTPUT, known)
    assert unlike(side, others) is None
    (tmp_path / "list" / "empty" / "1").touch()
    assert unlike_in(tmp_path, had, known | stamps) == "list/empty/1"


SWAPS: dict[str, Callable[[Path], object]] = {
    "by another": lambda folder: folder.with_name("another").rename(folder),
    "by a link": lambda folder: folder.symlink_to("another"),
}


@pytest.mark.parametrize("swap", SWAPS)
def test_a_folder_in_the_place_of_another_is_looked_at(
    swap: str, bundled: None, tmp_path: Path
) -> None:
    """Though it holds files of the same names, times and sizes, and one more."""
    had = written(tmp_path)
    known = seen(tmp_path, had, OUTPUT, {})[2]
    shutil.copytree(tmp_path / "list", tmp_path / "another")
    (tmp_path / "another" / "more").touch()
    (tmp_path / "list").rename(tmp_path / "away")
    SWAPS[swap](tmp_path / "list")
    # Also where the folder above would not show it.
    known[""] = _stamps([os.fsencode(tmp_path)], Side.of(str(tmp_path), had, OUTPUT))[0]
    assert "list" in seen(tmp_path, had, OUTPUT, known)[1]


@pytest.mark.parametrize("width", [INPUT, OUTPUT])
def test_a_file_whose_time_is_set_back_after_its_folder_is_known(
    width: int, bundled: None, tmp_path: Path
) -> None:
    """Of the content the time of change is noted, which nobody sets back; of the output the size
    is, which is another.
    """
    had = written(tmp_path)
    if width == INPUT:
        (tmp_path / "projects").mkdir()
        (tmp_path / "projects" / "a.yaml").write_text("name: A\n")
        had = inputs(str(tmp_path), {}, ())
    known = seen(tmp_path, had, width, {})[2]
    path = tmp_path / ("projects/a.yaml" if width == INPUT else "list/1.json")
    stat = path.stat()
    later(tmp_path)
    path.write_text("name: B\n" if width == INPUT else "others than those")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    side, others, stamps = seen(tmp_path, had, width, known)
    folder = path.parent.name
    assert _stamps([os.fsencode(path.parent)], side) == [known[folder]]
    assert folder in others and folder not in stamps


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
@pytest.mark.parametrize("settled", [False, True])
def test_inputs_tell_what_changed_whether_a_folder_was_known_or_not(
    settled: bool, change: Callable[[Path], object], expected: tuple[list[str], ...], tmp_path: Path
) -> None:
    root = tmp_path / "content"
    folder = root / "projects"
    folder.mkdir(parents=True)
    (root / "programs" / "deep").mkdir(parents=True)
    (root / "programs" / "deep" / "d.yaml").write_text("name: D\n")
    for name in "ab":
        (folder / f"{name}.yaml").write_text(f"name: {name}\n")
    before = inputs(str(root), {}, ())
    assert content_in(root, before, {}) == before
    known = seen(root, before, INPUT, {})[2] if settled else {}
    later(root)
    change(folder)
    after = content_in(root, before, known)
    assert after == inputs(str(root), {}, ())
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


@pytest.mark.parametrize("several", [1, 5, 30])
@pytest.mark.parametrize("width", [INPUT, OUTPUT])
def test_a_folder_with_files_put_in_and_taken_out_is_that_of_its_files(
    width: int, several: int
) -> None:
    chance = random.Random(several)

    def some() -> tuple[tuple[int, ...], bytes]:
        digest = chance.randbytes(20) if width == INPUT else b""
        return tuple(chance.randrange(1 << 40) for _ in range(width)), digest

    files = {b"%d" % chance.randrange(100): some() for _ in range(40)}
    held = {"a": pack(files)}
    for _ in range(200):
        names = [b"%d" % chance.randrange(100) for _ in range(chance.randint(1, several))]
        changes = {name: chance.choice([some(), some(), None]) for name in names}
        held = patched(held, {f"a/{name.decode()}": what for name, what in changes.items()}, width)
        files = {n: what for n, what in (files | changes).items() if what is not None}
        assert held == ({"a": pack(files)} if files else {})
