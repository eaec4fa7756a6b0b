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
from typing import Any

import pytest

from generator.disk.output_state import Journal, OutputState
from support import commands, registries
from support.commands import Done, cpu, differing, files, run_forked, stamps
from support.lanes import fast_first

build = functools.partial(commands.build, site=True)  # with the site, as `registry build` does

PRECIOUS = "Mine.\n"
FOLDERS = (".registry", ".registry/out")
NOTES = ["content", "features", "lock", "made", "state", "table"]


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


def planted(
    state: Path, move: Any, remove: Any = (), tree: Any = "new-1-0", places: Any = None
) -> Path:
    """A journal by an attacker who knows even the identities of both folders; its tree."""
    (state / "new-1-0" / "api").mkdir(parents=True, exist_ok=True)
    (state / "new-1-0" / "api" / "x.json").write_text("12345")
    (state / "new-1-0" / "precious").write_text("12345")
    folders = (state / "new-1-0", state.parents[1] / "out")
    known = [[folder.stat().st_dev, folder.stat().st_ino] for folder in folders]
    journal = {"tree": tree, "move": move, "remove": list(remove)}
    places = known if places is None else [a or b for a, b in zip(places, known, strict=False)]
    (state / "journal").write_text(json.dumps({**journal, "places": places}))
    return state / "new-1-0"


def instead(make: Callable[[Path, Path], object]) -> Callable[[Path, Path], object]:
    """A journal that moves a file, with something else in the place of that file."""

    def plant(state: Path, home: Path) -> None:
        file = planted(state, {"/api/x.json": 5}) / "api" / "x.json"
        file.unlink()
        make(file, home)

    return plant


def link_on_the_way(state: Path, home: Path) -> None:
    tree = planted(state, {"/api/index.json": 6})
    (tree / "api" / "x.json").unlink()
    (tree / "api").rmdir()
    (tree / "api").symlink_to(home / "api")


def link_of_the_output(state: Path, home: Path) -> None:
    tree = planted(state, {"/api/y/z.json": 6}, ["/api/y/precious"])
    (tree / "api" / "y").mkdir()
    (tree / "api" / "y" / "z.json").write_text("123456")
    (state.parents[1] / "out" / "api" / "y").symlink_to(home)


PATHS = (
    "/../../home/precious", "precious", 7, "/link/precious", "/../precious", "../precious",
    "/api/../../../home/precious", "/api//x.json", "/api/./x.json", "//api/x.json", "/", "",
    "/api/\0", "/api/x.json/", "/mine.txt", "/api/\ud800", None,
)  # fmt: skip
TREES = ("../../../home", "new-1-0/../../../..", "..", "state", "lock", "", ".", "/", 7)
#: What plants a journal beside an output, given its state and the folder of somebody.
HOSTILE: dict[str, Callable[[Path, Path], object]] = {
    "a link": instead(lambda file, home: file.symlink_to(home / "precious")),
    "a second name": instead(lambda file, home: file.hardlink_to(home / "precious")),
    "another size": lambda state, home: planted(state, {"/api/x.json": 6}),
    "a link on the way": link_on_the_way,
    "a link of the output": link_of_the_output,
    "another tree": lambda state, home: planted(state, {"/api/x.json": 5}, places=[[1, 1], None]),
    "another output": lambda state, home: planted(state, {"/api/x.json": 5}, places=[None, [1, 1]]),
    "no places": lambda state, home: planted(state, {"/api/x.json": 5}, places=[]),
    **{
        f"{kind} {path!r}": lambda state, home, path=path, kind=kind: planted(  # type: ignore[misc]
            state, {"/api/x.json": 5} | ({path: 5} if kind == "move" else {}),
            [path] if kind == "remove" else [],
        )
        for path in PATHS for kind in ("move", "remove")
    },
    "a list of moves": lambda state, home: planted(state, ["/../../home/precious"]),
    **{
        f"tree {tree!r}": lambda state, home, tree=tree: planted(  # type: ignore[misc]
            state, {"/api/index.json": 6, "/api/x.json": 5}, tree=tree
        )
        for tree in TREES
    },
    "a folder": instead(lambda file, home: file.mkdir()),
    "a named pipe": instead(lambda file, home: os.mkfifo(file)),
}  # fmt: skip


@pytest.mark.parametrize("case", fast_first(11, HOSTILE))
def test_a_journal_changes_nothing_outside_the_output(
    case: str, content: Path, out: Path, state: Path, home: Path
) -> None:
    """Such as a journal that was committed, copied or restored."""
    whole = files(out)
    HOSTILE[case](state, home)
    before = stamps(home)
    if not case.startswith(("move", "remove", "tree")):  # the tree and the output are known
        done = run_forked("list", "projects", "--from", out)
        assert (done.status, done.out) == (2, "") and files(out) == whole
    build(content, out)
    assert differing(files(out), whole) == []
    assert sorted(os.listdir(state)) == NOTES
    if case != "a second name":  # its number of names changes
        assert stamps(home) == before
    assert (home / "precious").read_text() == PRECIOUS
    assert (content / "registry.yaml").is_file()


JOURNALS: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "no JSON": lambda path: path.write_bytes(b"\xff{"),
    "of the first version": lambda path: path.write_text(
        '{"tree": "new-1-0", "move": ["/../../home/precious"], "remove": []}'
    ),
    "deep": lambda path: path.write_text("[" * 200_000),
    "a large number": lambda path: path.write_text("9" * 10_000),
    "huge": lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 1 << 40),
    "a named pipe": os.mkfifo,
    "a folder": lambda path: (path / "full").mkdir(parents=True),
    "a link": lambda path: path.symlink_to("/dev/zero"),
    "a link to nothing": lambda path: path.symlink_to("nothing"),
}


@pytest.mark.parametrize("journal", fast_first(3, JOURNALS))
def test_an_invalid_journal_is_dropped_and_everything_is_built(
    journal: str, content: Path, out: Path, state: Path
) -> None:
    whole = files(out)
    JOURNALS[journal](state / "journal")
    done = run_forked("list", "projects", "--from", out)
    assert (done.status, done.out) == (2, "")
    assert (
        "half of one build" in done.err
        and "registry build" in done.err
        and "Traceback" not in done.err
    )
    assert run_forked("check", "--content", content, "--out", out) == Done(2, "", done.err)
    began = cpu()
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 0, done.err
    assert cpu() - began < 30
    assert differing(files(out), whole) == []
    assert sorted(os.listdir(state)) == NOTES
    assert run_forked("list", "projects", "--from", out).status == 0


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
    "name", fast_first(1, ["state", "content", "made", "state.new", "content.new", "journal.new"])
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
        (state / "journal.new").write_text("{")
        (state / "newer").write_text(PRECIOUS)
        assert run_forked(*command).status == 0
        assert sorted(os.listdir(state)) == sorted([*NOTES, "newer"])
    assert stamps(home) == before


# --- the journal ---


def test_an_unwritable_place_is_found_before_the_journal_is_written(out: Path, state: Path) -> None:
    with OutputState(out) as output_state:
        tree = state / "new-1"
        (tree / "api").mkdir(parents=True)
        (tree / "api" / "x.json").write_text("x")
        (out / "api" / "link").symlink_to(out / "api")
        (tree / "api" / "link").mkdir()
        (tree / "api" / "link" / "x.json").write_text("x")
        with pytest.raises(OSError):
            output_state.apply_changes("new-1", {"/api/x.json": 1, "/api/link/x.json": 1}, [])
        assert not (state / "journal").exists()
        assert not (out / "api" / "x.json").exists()
        output_state.apply_changes(
            "new-1", {"/api/x.json": 1}, ["/api/index.json", "/api/nothing/x.json"]
        )
        assert (out / "api" / "x.json").read_text() == "x"
        assert not (out / "api" / "index.json").exists()
        assert not (state / "journal").exists()


def test_a_journal_is_on_disk_before_it_takes_effect(
    out: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    real, sync = os.rename, os.fsync
    monkeypatch.setattr(
        os, "rename", lambda *a, **k: (happened.append(f"rename {a[1]}"), real(*a, **k))
    )
    monkeypatch.setattr(os, "fsync", lambda file: (happened.append("fsync"), sync(file)))
    with OutputState(out) as output_state:
        (state / "new-1" / "api").mkdir(parents=True)
        (state / "new-1" / "api" / "x.json").write_text("x")
        output_state.apply_changes("new-1", {"/api/x.json": 1}, [])
    assert happened == ["fsync", "rename journal", "fsync", "rename x.json"]
    journal = Journal("new-1", [[1, 2], [3, 4]], {"/api/é\udcff.json": 5}, ["/404.html"])
    assert Journal.parse(journal.encoded()) == journal


def test_the_lock_is_released_when_opening_fails(
    out: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(OutputState, "_recover", fail)
    for _ in range(2):
        with pytest.raises(Exception, match="Input/output"), OutputState(out, patience=0):
            pass
    monkeypatch.undo()
    with OutputState(out, patience=0):
        pass
