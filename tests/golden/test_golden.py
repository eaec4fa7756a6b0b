"""A small registry and its full build are kept side by side: the diff of a change shows the diff of
the API.

Unreadable files are kept in a readable form: a file of the search index as its keys or the numbers
of its values, with its name and the digest of its bytes; a script as its size and digest.  The
manifest is compared with the digests of all other files and not kept.

After a change of the output: `pytest tests/golden --regenerate`, and read the diff.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from generator.search.blocks import Spec
from support import index_files
from support.commands import TODAY, build, differing, files

HERE = Path(__file__).parent


def readable(built: Mapping[str, bytes]) -> dict[str, bytes]:
    """path -> kept bytes of the files of a build."""
    kept = {}
    for path, data in built.items():
        digest = f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
        if part := _indexed(path):
            # Without its checksum: a changed file changes only its own expected text.
            lines = [path.rpartition("/")[2], digest, *decoded(part[2], path, data, built)]
            kept[f"{part[1]}.txt"] = "".join(f"{line}\n" for line in lines).encode()
        elif path.endswith(".js"):
            kept[f"{path}.txt"] = f"{digest}\n".encode()
        else:
            kept[path] = data
    return kept


_indexed = re.compile(r"(api/index/[a-z]+/(.+)/[0-9]+)-[0-9a-f]{8}\.txt").fullmatch


def decoded(what: str, path: str, data: bytes, built: Mapping[str, bytes]) -> Iterator[str]:
    """A shard with one key a line and its ids by level (see search/format.py); names with one key
    and name a line; a column with one record a line; other files unchanged.
    """
    if what == "keys":
        for key, body in index_files.entries(data):
            checks = [f"{len(body) // 4} pages"] if key.startswith(b"=") else []
            lists = {} if checks else index_files.lists(body)
            levels = (f"{level}: {' '.join(map(str, ids))}" for level, ids in lists.items())
            yield " | ".join([key.decode(), *checks, *levels])
    elif what == "names":
        for key, body in index_files.entries(data):
            yield from (f"{key.decode()} | {line}" for line in body.decode().splitlines())
    elif what.startswith("columns/") and not what.endswith("/values"):
        collection, name = path.split("/")[2], what.removeprefix("columns/")
        manifest = json.loads(built[f"api/index/{collection}/manifest.json"])
        spec = Spec(**manifest["columns"][name])
        for numbers in index_files.column(spec, data, manifest["count"]):
            yield " ".join(map(str, numbers))
    else:
        yield from data.decode().splitlines()


def difference(path: str, expected: bytes | None, found: bytes | None) -> str:
    """The first different lines of a file."""
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


def test_the_build_of_a_small_registry_is_unchanged(regenerate: bool, tmp_path: Path) -> None:
    """In a copy outside of the checkout: build.json names no commit."""
    content = shutil.copytree(HERE / "content", tmp_path / "content")
    out = build(
        content, tmp_path / "out", "--as-of", TODAY, env={"GIT_CEILING_DIRECTORIES": str(tmp_path)}
    )
    found = readable(
        {path: data for path, data in files(out).items() if not path.startswith("api/manifest/")}
    )
    if regenerate:
        shutil.rmtree(HERE / "build", ignore_errors=True)
        for path, data in found.items():
            file = HERE / "build" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    expected = files(HERE / "build")
    changed = [
        difference(path, expected.get(path), found.get(path)) for path in differing(expected, found)
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
