"""Which files of a content folder are records, and how their bytes are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.dialect.folder import MAX_BYTES, Source, is_input, read_file, scan
from support.kinds import COLLECTIONS


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


def test_logos_are_found_beside_records_but_not_beside_events(tmp_path: Path) -> None:
    paths = [f"{folder}/acme.{ending}" for folder in COLLECTIONS for ending in ("png", "svg")]
    content = scan(str(laid(tmp_path, *paths, "projects/a/acme.svg", "projects/.hidden.svg")))
    assert content.logos == sorted(
        path for path in (*paths, "projects/a/acme.svg") if not path.startswith("events/")
    )
    assert all(is_input(logo, content.kinds) for logo in content.logos)
    assert not is_input("events/acme.svg", content.kinds)


@pytest.mark.parametrize("name", [b"caf\xe9.YAML", b"a\x1b[31m.Yml", b"x\xff", b"\xff.json"])
def test_messages_about_any_name_can_be_printed(name: bytes, tmp_path: Path) -> None:
    laid(tmp_path, "projects/one.yaml")
    os.rename(tmp_path / "projects/one.yaml", os.fsencode(tmp_path / "projects/") + b"/" + name)
    (problem,) = scan(str(tmp_path)).problems
    assert (problem.path + problem.message + str(problem.hint)).isprintable()


def test_a_link_to_a_file_is_a_record(tmp_path: Path) -> None:
    laid(tmp_path / "content", "projects/one.yaml", "projects/acme.yaml/acme.yaml")
    laid(tmp_path / "elsewhere", "two.yaml")
    (tmp_path / "content/projects/two.yaml").symlink_to(tmp_path / "elsewhere/two.yaml")
    content = scan(str(tmp_path / "content"))
    assert [source.slug for source in content.sources["projects"]] == ["acme", "one", "two"]
    taken = content.read_content("projects/two.yaml")
    assert isinstance(taken, bytes) and taken == b"name: A\n"
    assert content.problems == []


def test_paths_are_shown_as_an_author_types_them_and_on_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(laid(tmp_path))
    content = scan(".")
    assert content.display_path("projects/日本.yaml") == "./projects/日本.yaml"
    assert content.display_path("projects/a\nb\x1b[0m.yaml") == r"./projects/a\nb\x1b[0m.yaml"
    assert content.display_path(os.fsdecode(b"projects/caf\xe9.yaml")) == r"./projects/caf\xe9.yaml"


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    for size in (0, 1, 65_536, MAX_BYTES):
        file.write_bytes(b"#" * size)
        assert read_file(str(file)) == b"#" * size


def test_a_file_that_is_too_long_is_not_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "a.yaml").open("wb") as file:
        file.truncate(1 << 40)
    assert len(read_file(str(tmp_path / "a.yaml"))) == MAX_BYTES + 1


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.yaml")
    with pytest.raises(OSError, match="not a regular file"):
        read_file(str(tmp_path / "a.yaml"))
