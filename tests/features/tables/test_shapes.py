"""Excerpts in the shapes of public tables come in by a map alone, and maps of them are guessed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support import sessions

SHAPES = sorted((Path(__file__).parent / "shapes").glob("*.txt"))
REGISTRY = Path(__file__).parent / "shapes" / "registry.yaml"


def laid(folder: Path, shape: Path) -> str:
    """Write the files of an excerpt and an empty registry; return what is imported."""
    (folder / "content").mkdir()
    (folder / "content/registry.yaml").write_bytes(REGISTRY.read_bytes())
    steps = re.split(r"^=== ", shape.read_text("utf-8"), flags=re.M)[1:]
    paths = []
    for step in steps:
        path, _, text = step.partition("\n")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
        paths.append(path)
    first = next(path for path in paths if path != "map.yaml")
    return first.partition("/")[0]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda path: path.stem)
def test_an_excerpt_comes_in_by_a_map_alone(shape: Path, tmp_path: Path) -> None:
    table = laid(tmp_path, shape)
    done = sessions.run("import", table, "--map", "map.yaml", "--write", cwd=tmp_path)
    assert done.status == 0, done.err
    again = sessions.run("import", table, "--map", "map.yaml", "--write", cwd=tmp_path)
    assert "Nothing to do." in again.out, again.out
    check = sessions.run("check", cwd=tmp_path)
    assert check.status == 0, check.err
