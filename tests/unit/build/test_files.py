"""Files of an output: written, kept, read during a build, and replaced."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from generator.build.output.files import _MOST, Files
from generator.build.output.write import PathTaken, Tree
from generator.build.report import ChangedInputs, FromFile, FullBuild
from generator.contract.artifact import Artifact

CAUSE = ChangedInputs(("as_of",))


def noted(data: bytes) -> tuple[int, int, bytes]:
    return 7, len(data), hashlib.sha256(data).digest()


@pytest.mark.parametrize("size", [0, 1, _MOST - 1, _MOST, _MOST + 1, 3 * _MOST])
def test_a_file_is_read_whole_whatever_its_size(tmp_path: Path, size: int) -> None:
    files = Files(tmp_path / "out", Tree(tmp_path), {})
    data = bytes(number % 251 for number in range(size))
    files.put("x", Artifact("/a/file", data), CAUSE)
    assert files.read("/a/file") == data
    assert files.read("/a/lost") == b""
    files.tree.close()


def test_an_unchanged_file_is_kept_and_counted(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "same").write_bytes(b"same")
    (tmp_path / "new").mkdir()
    before = {"/same": noted(b"same"), "/other": noted(b"old"), "/gone": noted(b"gone")}
    files = Files(tmp_path / "out", Tree(tmp_path / "new"), before, ["/stray"], CAUSE)
    assert not files.put("x", Artifact("/same", b"same"), FromFile("/y"))
    assert files.put("x", Artifact("/other", b"new"), FromFile("/y"))
    files.note_removal("/gone", FromFile("/z"))
    assert files.written == {"/other": FromFile("/y")}
    assert files.removed == {"/gone": FromFile("/z"), "/stray": CAUSE}
    assert files.sizes == {"x": (2, 7)}
    assert files.read("/same") == b"same" and files.read("/other") == b"new"
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["other"]
    files.tree.close()


def test_a_full_build_has_one_cause(tmp_path: Path) -> None:
    files = Files(tmp_path / "out", Tree(tmp_path), {}, (), FullBuild("no earlier build was found"))
    files.put("x", Artifact("/a", b"a"), FromFile("/y"))
    assert files.written == {"/a": FullBuild("no earlier build was found")}
    files.tree.close()


@pytest.mark.parametrize("before", [{}, {"/a": noted(b"a")}])
def test_two_files_at_one_path_are_an_error(
    before: dict[str, tuple[int, int, bytes]], tmp_path: Path
) -> None:
    files = Files(tmp_path / "out", Tree(tmp_path), before)
    files.put("x", Artifact("/a", b"a"), CAUSE)
    with pytest.raises(PathTaken, match="/a"):
        files.put("y", Artifact("/a", b"a"), CAUSE)
    files.tree.close()
