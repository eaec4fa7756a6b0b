"""Files of an output: written, kept, counted and committed; and the digest of the content."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.build.output import BuildOutput, PathTaken, list_files
from generator.contract.artifact import Artifact
from generator.disk.output_state import OutputState
from generator.published.content.read import blob_id
from generator.published.content.records import content_digest
from generator.published.report import OutputDifference

BUILD = b"""{"kind": "build", "links": {"self": "/api/build.json"},
"generator": {"name": "registry-generator"}}"""
#: Files that stay, so that the others are few.
MANY = {f"/api/{number}.json": b"%d" % number for number in range(60)}


def make(out: Path, files: dict[str, bytes]) -> OutputDifference:
    """Build an output of these files."""
    with OutputState(out) as output_state:
        output = BuildOutput(output_state)
        for path, data in ({"/api/build.json": BUILD} | files).items():
            output.put("x", Artifact(path, data))
        assert output.listing.sizes["x"][0] == len(files) + 1
        output.complete()
        output.commit()
        return output.difference


def stamps(out: Path) -> dict[str, tuple[int, int]]:
    stats = {path: Path(f"{out}{path}").stat() for path in list_files(out)}
    return {path: (stat.st_ino, stat.st_mtime_ns) for path, stat in stats.items()}


def test_only_a_file_that_differs_is_new(tmp_path: Path) -> None:
    make(tmp_path, {"/api/same": b"same", "/api/other": b"old"})
    with OutputState(tmp_path) as output_state:
        output = BuildOutput(output_state)
        for path, data in (("/api/same", b"same"), ("/api/other", b"new")):
            output.put("x", Artifact(path, data))
        assert not output.is_new("/api/same") and output.is_new("/api/other")


@pytest.mark.parametrize("rest", [{}, MANY], ids=["many differ", "few differ"])
def test_a_file_with_the_same_bytes_stays_the_same_file(
    rest: dict[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = {"/api/same": b"same", "/api/other": b"old", "/api/gone/x": b"gone", **rest}
    assert make(out, first).added == tuple(sorted([*first, "/api/build.json"]))
    before = stamps(out)
    second = {"/api/same": b"same", "/api/other": b"new", "/api/more/y": b"more", **rest}
    assert make(out, second) == OutputDifference(
        ("/api/more/y",), ("/api/other",), ("/api/gone/x",)
    )
    after = stamps(out)
    assert {path for path in after if after[path] == before.get(path)} == {
        "/api/build.json", "/api/same", *rest
    }  # fmt: skip
    assert (out / "api/other").read_bytes() == b"new" and not (out / "api/gone").exists()
    assert make(out, second) == OutputDifference() and stamps(out) == after


def test_two_files_at_one_path_are_an_error(tmp_path: Path) -> None:
    for files in ({}, {"/api/a": b"a"}):  # new, and in the output already
        make(tmp_path / "out", files)
        with OutputState(tmp_path / "out") as output_state:
            output = BuildOutput(output_state)
            output.put("x", Artifact("/api/a", b"a"))
            with pytest.raises(PathTaken, match="/api/a"):
                output.put("y", Artifact("/api/a", b"a"))


@pytest.mark.parametrize("place", ["file", "folder"])
def test_what_is_behind_a_link_is_written_anew(place: str, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    make(out, {"/api/a/b": b"b", **MANY})
    linked = out / "api/a" if place == "folder" else out / "api/a/b"
    linked.rename(elsewhere)
    linked.symlink_to(elsewhere)
    make(out, {"/api/a/b": b"b", **MANY})
    assert (out / "api/a/b").read_bytes() == b"b"
    assert not (out / "api/a").is_symlink() and not (out / "api/a/b").is_symlink()
    assert elsewhere.exists()


def test_files_are_listed_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "a.json").write_text("{}")
    (tmp_path / "link").symlink_to("api")
    assert sorted(list_files(tmp_path)) == ["/api/a.json", "/link"]
    assert not list_files(tmp_path / "nothing")


def test_a_blob_id_is_that_of_git() -> None:
    assert blob_id(b"hello\n").hex() == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_the_content_digest_covers_names_and_bytes() -> None:
    digest = content_digest({"a/b.yaml": b"x" * 20})
    assert digest != content_digest({"a/b.yaml": b"y" * 20})
    assert digest != content_digest({"a-b.yaml": b"x" * 20})
    assert digest != content_digest({"a/b.yaml": b"x" * 20, "c": b"x" * 20})
