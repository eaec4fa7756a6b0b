"""Which files of a content folder are records, and how their bytes are read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.dialect.folder import (
    COLLECTIONS,
    MAX_BYTES,
    FileRead,
    Source,
    is_input,
    read_file,
    scan,
)


def laid(folder: Path, *paths: str) -> Path:
    for path in ("registry.yaml", *paths):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("name: A\n", "utf-8")
    return folder


def test_records_are_found_at_any_depth_in_the_order_of_their_paths(tmp_path: Path) -> None:
    laid(
        tmp_path,
        "projects/z.yaml",
        "projects/b/y.yml",
        "projects/b/c/d/x.yaml",
        "projects/a.yaml",
        "events/2026/e.yaml",
    )
    content = scan(str(tmp_path))
    assert content.sources == {
        "organizations": [],
        "programs": [],
        "events": [Source("e", "events/2026/e.yaml")],
        "projects": [
            Source("a", "projects/a.yaml"),
            Source("x", "projects/b/c/d/x.yaml"),
            Source("y", "projects/b/y.yml"),
            Source("z", "projects/z.yaml"),
        ],
    }
    assert content.problems == []


def test_hidden_files_and_readmes_are_left_alone(tmp_path: Path) -> None:
    laid(
        tmp_path,
        ".git/x.yaml",
        ".github/workflows/x.yml",
        "projects/.hidden.yaml",
        "projects/README.md",
        "readme.txt",
    )
    content = scan(str(tmp_path))
    assert content.sources["projects"] == []
    assert content.problems == []


@pytest.mark.parametrize("folder", [".drafts", "projects/.more", "projects/a/.b"])
def test_hidden_folders_are_reported(folder: str, tmp_path: Path) -> None:
    content = scan(str(laid(tmp_path, f"{folder}/x.yaml")))
    assert content.sources["projects"] == []
    (problem,) = content.problems
    assert (problem.path, problem.code, problem.severity) == (
        f"{tmp_path}/{folder}",
        "stray-file",
        "warning",
    )


def test_the_folder_of_a_collection_may_be_a_link(tmp_path: Path) -> None:
    laid(tmp_path / "content")
    laid(tmp_path / "real", "one.yaml", "a/two.yaml")
    (tmp_path / "real" / "registry.yaml").unlink()
    (tmp_path / "content" / "projects").symlink_to("../real")
    content = scan(str(tmp_path / "content"))
    assert [source.path for source in content.sources["projects"]] == [
        "projects/a/two.yaml",
        "projects/one.yaml",
    ]
    assert content.problems == []


@pytest.mark.parametrize(
    "make",
    [Path.touch, lambda path: path.symlink_to("nowhere")],
    ids=["a file", "a link to nothing"],
)
def test_a_file_with_the_name_of_a_collection_stops_the_build(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    make(laid(tmp_path) / "projects")
    (problem,) = scan(str(tmp_path)).problems
    assert (problem.code, problem.severity, problem.message) == (
        "stray-file",
        "error",
        "this is a file, and must be a folder of projects",
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("acme.YAML", "this looks like a project, but .YAML must be in lower case"),
        ("acme.Yml", "this looks like a project, but .Yml must be in lower case"),
        ("acme.json", "this looks like a project in JSON"),
        ("acme", "this looks like a project whose file name lacks .yaml"),
        ("acme.yaml~", "this looks like a copy that an editor or a merge left"),
        ("acme.yaml.orig", "this looks like a copy that an editor or a merge left"),
        ("#acme.yaml#", "this looks like a copy that an editor or a merge left"),
        ("notes.doc", "the build ignores this: names of record files end in .yaml or .yml"),
        ("logo.jpg", "this looks like a logo, and .jpg files are ignored"),
        ("logo.PNG", "this looks like a logo, but .PNG must be in lower case"),
    ],
)
def test_other_files_among_records_are_errors_with_a_guess(
    name: str, message: str, tmp_path: Path
) -> None:
    (problem,) = scan(str(laid(tmp_path, f"projects/a/{name}"))).problems
    assert (problem.code, problem.severity, problem.message) == ("stray-file", "error", message)


def test_logos_are_found_beside_records_but_not_beside_events(tmp_path: Path) -> None:
    paths = [f"{folder}/acme.{ending}" for folder in COLLECTIONS for ending in ("png", "svg")]
    content = scan(str(laid(tmp_path, *paths, "projects/a/acme.svg", "projects/.hidden.svg")))
    assert content.logos == sorted(
        path for path in (*paths, "projects/a/acme.svg") if not path.startswith("events/")
    )
    assert all(map(is_input, content.logos)) and not is_input("events/acme.svg")
    assert [problem.message for problem in content.problems if problem.code == "stray-file"] == [
        "events have no logo"
    ] * 2


def test_a_link_is_no_logo(tmp_path: Path) -> None:
    laid(tmp_path, "projects/one.svg")
    (tmp_path / "projects/two.svg").symlink_to("one.svg")
    content = scan(str(tmp_path))
    assert content.logos == ["projects/one.svg"]
    assert "this logo is a link" in [problem.message for problem in content.problems]


def test_a_name_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    laid(tmp_path, "projects/one.yaml", "projects/two.yaml")
    os.rename(tmp_path / "projects/two.yaml", os.fsencode(tmp_path / "projects") + b"/caf\xe9.yaml")
    os.mkdir(os.fsencode(tmp_path / "projects") + b"/\xff")
    (tmp_path / "projects/one.yaml").rename(
        os.fsdecode(os.fsencode(tmp_path / "projects") + b"/\xff/one.yaml")
    )
    content = scan(str(tmp_path))
    assert sorted((problem.code, problem.severity) for problem in content.problems) == [
        ("invalid-slug", "error"), ("unreadable-file", "error")]  # fmt: skip


@pytest.mark.parametrize("name", [b"caf\xe9.YAML", b"a\x1b[31m.Yml", b"x\xff", b"\xff.json"])
def test_messages_about_any_name_can_be_printed(name: bytes, tmp_path: Path) -> None:
    laid(tmp_path, "projects/one.yaml")
    os.rename(tmp_path / "projects/one.yaml", os.fsencode(tmp_path / "projects/") + b"/" + name)
    (problem,) = scan(str(tmp_path)).problems
    assert (problem.path + problem.message + str(problem.hint)).isprintable()


def test_a_folder_may_have_the_name_of_a_record(tmp_path: Path) -> None:
    content = scan(str(laid(tmp_path, "projects/acme.yaml/acme.yaml")))
    assert content.sources["projects"] == [Source("acme", "projects/acme.yaml/acme.yaml")]
    assert content.problems == []


def test_a_link_to_a_file_is_a_record_and_a_link_to_a_folder_is_not(tmp_path: Path) -> None:
    laid(tmp_path / "content", "projects/one.yaml")
    laid(tmp_path / "elsewhere", "two.yaml")
    (tmp_path / "content/projects/two.yaml").symlink_to(tmp_path / "elsewhere/two.yaml")
    (tmp_path / "content/projects/more").symlink_to(tmp_path / "elsewhere")
    content = scan(str(tmp_path / "content"))
    assert [source.slug for source in content.sources["projects"]] == ["one", "two"]
    taken = content.read_content("projects/two.yaml")
    assert isinstance(taken, FileRead) and taken.raw == b"name: A\n"
    (problem,) = content.problems
    assert (problem.code, problem.severity, problem.path.rpartition("/")[2]) == (
        "stray-file",
        "error",
        "more",
    )


@pytest.mark.parametrize(
    ("name", "severity", "hint"),
    [
        ("project", "error", 'did you mean "projects"?'),
        ("organisations", "error", 'did you mean "organizations"?'),
        ("Events", "error", 'did you mean "events"?'),
        ("notes", "warning", "records belong in organizations/, programs/, events/, projects/"),
    ],
)
def test_a_folder_that_is_nearly_a_collection_stops_the_build(
    tmp_path: Path, name: str, severity: str, hint: str
) -> None:
    """Otherwise its records would be missing from the output."""
    (problem,) = scan(str(laid(tmp_path, f"{name}/a.txt"))).problems
    assert (problem.code, problem.severity, problem.hint) == ("stray-file", severity, hint)


def test_paths_are_shown_as_an_author_types_them_and_on_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(laid(tmp_path))
    content = scan(".")
    assert content.display_path("projects/日本.yaml") == "./projects/日本.yaml"
    assert content.display_path("projects/a\nb\x1b[0m.yaml") == r"./projects/a\nb\x1b[0m.yaml"
    assert content.display_path(os.fsdecode(b"projects/caf\xe9.yaml")) == r"./projects/caf\xe9.yaml"


def test_a_file_is_read_whole_with_the_stat_it_had(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    for size in (0, 1, 65_536, MAX_BYTES):
        file.write_bytes(b"#" * size)
        raw, (changed, touched, length) = read_file(str(file))
        stat = file.stat()
        assert (len(raw), changed, touched, length) == (
            size,
            stat.st_mtime_ns,
            stat.st_ctime_ns,
            size,
        )


def test_a_file_that_is_too_long_is_not_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "a.yaml").open("wb") as file:
        file.truncate(1 << 40)
    assert len(read_file(str(tmp_path / "a.yaml")).raw) == MAX_BYTES + 1


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.yaml")
    with pytest.raises(OSError, match="not a regular file"):
        read_file(str(tmp_path / "a.yaml"))
