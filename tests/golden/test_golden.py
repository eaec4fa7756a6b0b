"""A small registry and its whole build, kept side by side, so that the diff of a change is the diff
of the API.

What nobody reads is kept as what can be read: a file of the search index as its keys or numbers,
with the digest of its bytes, in a file with `.txt` after its name; a script as its size and digest
alone.

After a change that is meant to show: `pytest tests/golden --regenerate`, and read the diff.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from generator.search import format
from support.commands import TODAY, build, differing, files

HERE = Path(__file__).parent


def readable(built: Mapping[str, bytes]) -> dict[str, bytes]:
    """path -> bytes as they are kept, of a build's files."""
    kept = {}
    for path, data in built.items():
        if path.endswith((".bin", ".js")):
            digest = f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
            lines = [digest, *decoded(path, data, built)] if path.endswith(".bin") else [digest]
            kept[f"{path}.txt"] = "".join(f"{line}\n" for line in lines).encode()
        else:
            kept[path] = data
    return kept


def decoded(path: str, data: bytes, built: Mapping[str, bytes]) -> Iterator[str]:
    """A shard as one line a key, its positions by class (see search/format.py); numbers of a sort
    as one line a record.
    """
    collection, what, *order, _ = path.removeprefix("api/index/").split("/")
    if what == "keys":
        for key, body in format.entries(data):
            yield " | ".join(
                [
                    key.decode(),
                    *(" ".join(map(str, positions)) or "-" for positions in format.unpack(body)),
                ]
            )
    else:
        width, _ = json.loads(built[f"api/index/{collection}/manifest.json"])["sorts"][
            "/".join(order)
        ]
        yield from (
            str(int.from_bytes(data[at : at + width], "little"))
            for at in range(0, len(data), width)
        )


def shown(path: str, expected: bytes | None, found: bytes | None) -> str:
    """What differs in one file, the first lines of it."""
    if expected is None or found is None:
        return f"{path}: {'is new' if expected is None else 'is gone'}"
    before, after = (
        text.decode("utf-8", "replace").replace('},{"', '},\n{"').splitlines()
        for text in (expected, found)
    )
    lines = [
        line[:200]
        for line in difflib.unified_diff(before, after, "expected", "found", n=0, lineterm="")
    ]
    return "\n".join([f"{path}:", *lines[2:10]])


def test_the_build_of_a_small_registry_is_what_it_was(regenerate: bool, tmp_path: Path) -> None:
    """In a copy outside of the checkout, so that build.json names no commit."""
    content = shutil.copytree(HERE / "content", tmp_path / "content")
    out = build(
        content, tmp_path / "out", "--as-of", TODAY, env={"GIT_CEILING_DIRECTORIES": str(tmp_path)}
    )
    found = readable(files(out))
    if regenerate:
        shutil.rmtree(HERE / "build", ignore_errors=True)
        for path, data in found.items():
            file = HERE / "build" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    expected = files(HERE / "build")
    changed = [
        shown(path, expected.get(path), found.get(path)) for path in differing(expected, found)
    ]
    assert not changed, (
        f"{len(changed)} files differ; with --regenerate they are written anew\n"
        + "\n".join(changed[:10])
    )


def test_the_small_registry_has_a_second_page_and_something_of_everything() -> None:
    there = files(HERE / "build")
    assert "api/projects/page/2.json" in there and "api/projects/page/3.json" not in there
    assert [
        path
        for path, data in there.items()
        if path.endswith(".json") and b"/registry.example/api" in data
    ] == []
    for kind in ("application_window", "deadline", "event"):
        assert f"api/calendar/events/by/kind/{kind}.ics" in there
    assert sum(b'"kind":"moved"' in data for path, data in there.items() if "/slug/" in path) == 5
