"""Files of an output, read while they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.api.artifact import Artifact
from generator.build.files import _MOST, Files
from generator.build.report import Sizes, Values
from generator.build.write import Tree


@pytest.mark.parametrize("size", [0, 1, _MOST - 1, _MOST, _MOST + 1, 3 * _MOST])
def test_a_file_is_read_whole_whatever_its_size(tmp_path: Path, size: int) -> None:
    files = Files(tmp_path / "out", Tree(tmp_path), None, Sizes())
    data = bytes(number % 251 for number in range(size))
    files.put("x", Artifact("/a/file", data), Values(("as_of",)))
    assert files.now("/a/file") == data
    assert files.now("/a/lost") == b""
    files.tree.close()
