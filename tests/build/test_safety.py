"""A build never changes files that are not its own, and makes its own output whole again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import generator.hosts
from generator.contract.artifact import module_names
from support import commands, registries
from support.commands import build, differing, files, run_forked, stamps
from support.lanes import fast_first

MINE = "Mine.\n"


class Place(NamedTuple):
    """A content folder, and its output in a folder of its own with what a build keeps beside it."""

    content: Path
    out: Path

    def write(self, name: str, text: str = MINE) -> None:
        (self.out / name).parent.mkdir(parents=True, exist_ok=True)
        (self.out / name).write_text(text)

    def remove(self) -> None:
        shutil.rmtree(self.out.parent)
        self.out.parent.mkdir()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    content = registries.write(tmp_path / "content", registries.API)
    return Place(content, build(content, tmp_path / "site" / "out"))


# --- what is refused ---


def alone(name: str, text: str = MINE) -> Callable[[Place], object]:
    """A folder with this file and no build."""

    def change(place: Place) -> None:
        place.remove()
        place.write(name, text)

    return change


def in_build(name: str) -> Callable[[Place], object]:
    return lambda place: place.write(name)


def pipe(place: Place) -> None:
    alone("api/x")(place)
    (place.out / "api" / "x").unlink()
    os.mkfifo(place.out / "api" / "build.json")


def a_file(place: Place) -> None:
    place.remove()
    place.out.write_text(MINE)


def content_inside(place: Place) -> None:
    shutil.move(place.content, place.out / "content")
    place.content.symlink_to(place.out / "content")


def link_to_other(place: Place) -> None:
    other = registries.write(place.content.parent / "other", registries.API)
    build(other, place.content.parent / "elsewhere")
    shutil.rmtree(place.out)
    place.out.symlink_to(place.content.parent / "elsewhere")


#: What is in the output's place, and a part of the message.
REFUSED: dict[str, tuple[Callable[[Place], object], str]] = {
    "a folder with a note": (alone("notes.txt"), "--out"),
    "a git checkout": (alone(".git/HEAD"), "--out"),
    "a page like a build's": (alone("api/projects/page/1.json"), "--out"),
    "a build.json alone": (alone("api/build.json", '{"kind": "build"}'), "not a build"),
    "a build.json of another program": (
        alone("api/build.json", '{"kind":"build","generator":{"name":"x"}}'), "not a build"
    ),
    "a build.json that is a named pipe": (pipe, "not a build"),
    "a build with a git checkout": (in_build(".git/HEAD"), "contains .git"),
    "a build with a control character": (in_build("b\x1b[2J"), "contains b"),
    "a build that was made elsewhere": (
        lambda place: shutil.rmtree(place.out.parent / ".registry"), "none that was made here"
    ),
    "a build without a build.json": (
        lambda place: (place.out / "api" / "build.json").unlink(), "not a build"
    ),
    "a file": (a_file, "--out"),
    "a build with the content inside": (content_inside, "--out"),
    "a link to the build of other content": (link_to_other, "is a link to"),
    "a hidden file": (alone(".hidden"), "--out"),
    "an index.html": (alone("index.html"), "--out"),
    "a build with CNAME": (in_build("CNAME"), "contains CNAME"),
    "a build with __pycache__": (in_build("__pycache__/x.pyc"), "contains __pycache__"),
    "a build with another case": (in_build("API/x"), "contains API"),
    **{
        f"a build.json with {text[:20]!r}": (alone("api/build.json", text), "not a build")
        for text in ("{}", "", "[", "null", "[" * 100_000)
    },
}  # fmt: skip


@pytest.mark.parametrize("case", fast_first(14, REFUSED))
def test_a_place_with_files_of_others_is_refused(case: str, place: Place) -> None:
    change, message = REFUSED[case]
    change(place)
    if not place.content.is_symlink():
        (place.content / "projects" / "bloom.yaml").write_text("name: Blossom\n")
    before = stamps(place.out.parent)
    done = run_forked("build", "--content", place.content, "--out", place.out)
    assert done.status == 2, done
    assert message in done.err and "Traceback" not in done.err and "\x1b" not in done.err
    assert stamps(place.out.parent) == before


@pytest.mark.parametrize(
    ("content", "out"),
    [
        *(("content", out) for out in (
            "content", "content/build", "content/projects/build", "content/.build",
            "content/projects", ".", "..", "/",
        )),
        ("site/content", "site"),
    ],
)  # fmt: skip
def test_an_output_inside_or_around_the_content_is_refused(
    content: str, out: str, tmp_path: Path
) -> None:
    registries.write(tmp_path / content, registries.API)
    before = stamps(tmp_path)
    done = run_forked("build", "--content", content, "--out", out, cwd=tmp_path)
    assert done.status == 2 and "Traceback" not in done.err
    assert stamps(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions mean nothing to root")
def test_an_unwritable_parent_folder_is_reported(place: Place) -> None:
    place.remove()
    place.out.parent.chmod(0o500)
    done = run_forked("build", "--content", place.content, "--out", place.out)
    assert done.status == 2 and "--out" in done.err
    assert list(place.out.parent.iterdir()) == []


def test_no_command_writes_into_the_content_and_check_nowhere(place: Place) -> None:
    before = stamps(place.content.parent)
    assert run_forked("check", "--content", place.content, cwd=place.content.parent).status == 0
    assert stamps(place.content.parent) == before
    before = stamps(place.content)
    build(place.content, place.out, "--host", "nginx")
    assert stamps(place.content) == before


# --- what is made whole ---

PAGE = "api/projects/page/1.json"


def replaced(path: str, text: bytes | None) -> Callable[[Place], object]:
    """Other bytes in a file; None removes it."""

    def change(place: Place) -> None:
        (place.out / path).unlink()
        if text is not None:
            (place.out / path).write_bytes(text)

    return change


def same_size(place: Place) -> None:
    page = place.out / PAGE
    page.write_bytes(page.read_bytes().replace(b"Aurora", b"aurora"))


def pipes(place: Place) -> None:
    for name in (PAGE, "api/dashboard.json"):
        (place.out / name).unlink()
        os.mkfifo(place.out / name)


def folder(place: Place) -> None:
    (place.out / PAGE).unlink()
    (place.out / PAGE).mkdir()


def link(place: Place) -> None:
    shutil.move(place.out / "api" / "projects", place.out.parent.parent / "mine")
    (place.out / "api" / "projects").symlink_to(place.out.parent.parent / "mine")


def state(change: Callable[[bytes], bytes]) -> Callable[[Place], object]:
    def damage(place: Place) -> None:
        for path in (place.out.parent / ".registry").rglob("*"):
            if path.is_file():
                path.write_bytes(change(path.read_bytes()))

    return damage


WHOLE: dict[str, Callable[[Place], object]] = {
    "an empty folder": lambda place: (place.remove(), place.out.mkdir()),
    "no folder above": lambda place: shutil.rmtree(place.out.parent),
    "an extra file": lambda place: place.write("api/extra.json"),
    "a page of an older build": lambda place: place.write("api/projects/page/9.json"),
    "a file of a file manager": lambda place: place.write(".DS_Store"),
    "a changed page": same_size,
    "an empty page": replaced(PAGE, b""),
    "no page": replaced(PAGE, None),
    "a folder for a page": folder,
    "named pipes for pages": pipes,
    "a link for a folder": link,
    "a damaged state": state(lambda data: b"\xff damaged \x00"),
    "half of a state": state(lambda data: data[: len(data) // 2]),
}  # fmt: skip


@pytest.mark.parametrize("case", fast_first(12, WHOLE))
def test_an_output_becomes_that_of_a_clean_build(case: str, place: Place, tmp_path: Path) -> None:
    """An output is replaced as a whole, as --help states: otherwise a page of an older version
    would be served for ever.
    """
    whole = files(place.out)
    WHOLE[case](place)
    mine = tmp_path / "mine"
    before = stamps(mine) if mine.exists() else {}
    build(place.content, place.out)
    assert differing(files(place.out), whole) == []
    assert not before or stamps(mine) == before


@pytest.mark.parametrize("exists", [False, True])
def test_an_output_that_is_a_link_stays_a_link(exists: bool, place: Place) -> None:
    target, whole = place.out.parent.parent / "disk" / "target", files(place.out)
    target.parent.mkdir()
    place.remove()
    place.out.symlink_to(target)
    for _ in range(1 + exists):
        build(place.content, place.out)
    assert place.out.is_symlink() and place.out.resolve() == target
    assert differing(files(target), whole) == []
    assert [path.name for path in place.out.parent.iterdir()] == ["out"]


@pytest.mark.slow
def test_an_output_for_any_host_can_be_rebuilt(place: Place) -> None:
    every = module_names(generator.hosts)
    together = [host for host in every if host not in ("cloudflare", "gitlab-pages")]
    for hosts in (together, ["cloudflare"], ["gitlab-pages"]):
        options = [option for host in hosts for option in ("--host", host)]
        build(place.content, place.out.parent / hosts[0], *options)
        build(place.content, place.out.parent / hosts[0])


def test_the_state_of_a_build_is_outside_the_published_folder(place: Place) -> None:
    assert not any(".registry" in path.split("/") for path in files(place.out))
    assert {path.name for path in place.out.parent.iterdir()} == {"out", ".registry"}
    ignored = place.out.parent / ".registry" / ".gitignore"
    assert ignored.read_text().endswith("\n*\n")
    ignored.write_text("# My own.\n")
    build(place.content, place.out, "--host", "nginx")
    assert ignored.read_text() == "# My own.\n"


def test_an_error_found_after_reading_leaves_no_page(place: Place) -> None:
    """Workers write pages while the main process still links records."""
    words = ("build", "--content", place.content, "--out", place.out, "--jobs", "2")
    assert run_forked(*words).status == 0
    before = stamps(place.out), files(place.out.parent / ".registry")
    # A slug that is also an alias is found only after all records are read.
    (place.content / "projects/new.yaml").write_text("name: New\naliases: [cairn]\n")
    done = commands.run_forked(*words)
    assert done.status == 1 and "cairn" in done.err and "Nothing was written" in done.err
    assert (stamps(place.out), files(place.out.parent / ".registry")) == before
