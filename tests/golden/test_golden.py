"""A small registry and its whole build, kept side by side, so that the diff of a change is the diff of the API.

After a change that is meant to show: `pytest tests/golden --regenerate`, and read the diff.
"""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path

from support.commands import TODAY, build, differing, files

HERE = Path(__file__).parent


def shown(path: str, expected: bytes | None, found: bytes | None) -> str:
    """What differs in one file, the first lines of it."""
    if expected is None or found is None:
        return f"{path}: {'is new' if expected is None else 'is gone'}"
    before, after = (text.decode("utf-8", "replace").replace('},{"', '},\n{"').splitlines() for text in (expected, found))
    lines = [line[:200] for line in difflib.unified_diff(before, after, "expected", "found", n=0, lineterm="")]
    return "\n".join([f"{path}:", *lines[2:10]])


def test_the_build_of_a_small_registry_is_what_it_was(regenerate: bool, tmp_path: Path) -> None:
    """In a copy outside of the checkout, so that build.json names no commit."""
    content = shutil.copytree(HERE / "content", tmp_path / "content")
    out = build(content, tmp_path / "out", "--as-of", TODAY, env={"GIT_CEILING_DIRECTORIES": str(tmp_path)})
    if regenerate:
        shutil.rmtree(HERE / "build", ignore_errors=True)
        shutil.copytree(out, HERE / "build")
    expected, found = files(HERE / "build"), files(out)
    changed = [shown(path, expected.get(path), found.get(path)) for path in differing(expected, found)]
    assert not changed, f"{len(changed)} files differ; with --regenerate they are written anew\n" + "\n".join(changed[:10])


def test_the_small_registry_has_a_second_page_and_something_of_everything() -> None:
    there = files(HERE / "build")
    assert "api/projects/page/2.json" in there and "api/projects/page/3.json" not in there
    assert [path for path, data in there.items() if path.endswith(".json") and b"/registry.example/api" in data] == []
    for kind in ("application_window", "deadline", "event"):
        assert f"api/calendar/events/by/kind/{kind}.ics" in there
    assert sum(b'"kind":"moved"' in data for path, data in there.items() if "/slug/" in path) == 5
