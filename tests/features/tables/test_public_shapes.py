"""Excerpts in the shapes of public tables come in by a map alone, and maps of them are guessed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from generator.dialect.folder import scan
from generator.features.tables.guessing import guess
from generator.features.tables.mapping import placeholders
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


def _columns(chosen: Path) -> dict[str, set[str]]:
    """The fields of each column that a map names; places are one field."""
    found: dict[str, set[str]] = {}
    for name, source in yaml.safe_load(chosen.read_text("utf-8"))["fields"].items():
        source = source if isinstance(source, dict) else {"text": source}
        text = source.get("text") or ""
        for column in placeholders(text) or [source.get("column") or text]:
            field = name.partition(".")[0] if name.startswith("locations") else name
            found.setdefault(column, set()).add(field)
    return {column: fields for column, fields in found.items() if column}


def test_most_columns_of_the_excerpts_are_guessed(tmp_path: Path) -> None:
    """As measured: columns that the map has for the same field, for another one, and none of it."""
    right, wrong, left = [], [], []
    for shape in SHAPES:
        folder = tmp_path / shape.stem
        folder.mkdir()
        table = laid(folder, shape)
        wanted = _columns(folder / "map.yaml")
        kind = yaml.safe_load((folder / "map.yaml").read_text("utf-8"))["kind"]
        content = str(folder / "content")
        collection = scan(content).kinds.collection_of[kind]
        made = guess(content, [str(folder / table)], "", collection)
        found = {each.column.name: each.field for each in made.proposals}
        for column, fields in wanted.items():
            name = found.get(column, "")
            name = "locations" if name.startswith("locations") else name
            kept = right if name in fields else wrong if name else left
            kept.append(f"{shape.stem}: {column} → {name}, not {fields}")
    counts = len(right), len(wrong), len(left)
    assert counts[0] >= 140 and counts[1] <= 3 and sum(counts) == 160, "\n".join([*wrong, *left])
