"""Precompressed files are equal to their originals when decompressed, kept up to date, and change
no other file.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from generator.disk.output_state import OutputError
from generator.features.precompressed.compression import Compression
from support import commands, registries

GZIP = ("--as-of", commands.TODAY, "--precompress", "gzip")


def halves(out: Path, ending: str = ".gz") -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The plain files of an output, and the compressed files by the names of their originals."""
    every = commands.files(out)
    packed = {
        path.removesuffix(ending): every.pop(path) for path in list(every) if path.endswith(ending)
    }
    return every, packed


def test_every_longer_text_has_a_compressed_file(tmp_path: Path) -> None:
    source = registries.write(tmp_path / "content", registries.SMALL)
    plain = commands.files(commands.build(source, tmp_path / "plain", "--as-of", commands.TODAY))
    files, packed = halves(commands.build(source, tmp_path / "packed", *GZIP))
    assert files == plain
    # A file without an extension gets its type from a server rule by name; hosts have files of
    # their own.
    texts = [
        path
        for path in plain
        if "." in path.rpartition("/")[2] and not path.startswith((".netlify", "_"))
    ]
    assert packed.keys() == {path for path in texts if len(plain[path]) >= 500}
    assert all(gzip.decompress(data) == plain[path] for path, data in packed.items())
    assert all(data[4:8] == bytes(4) for data in packed.values()), "no time is in it"


def test_any_number_of_processes_writes_the_same_bytes(tmp_path: Path) -> None:
    source = registries.write(tmp_path / "content", registries.SMALL)
    single = commands.files(commands.build(source, tmp_path / "one", *GZIP, "--jobs", "1"))
    assert commands.files(commands.build(source, tmp_path / "two", *GZIP, "--jobs", "2")) == single


@pytest.mark.slow
def test_compressed_files_follow_changes_and_are_removed_without_the_option(tmp_path: Path) -> None:
    records = registries.content(registries.SMALL)
    long: dict[str, Any] = {
        "name": "Long",
        "description": "A text that is long enough. " * 30,
        "tags": {"topic": ["space"]},
    }

    def built(change: dict[str, Any] | None, *options: str) -> None:
        path = tmp_path / "content" / "projects" / "long.yaml"
        path.unlink(missing_ok=True)
        if change is not None:
            registries.write(tmp_path / "content", {"projects": {"long": change}})
        done = commands.run_forked(
            "build", "--content", tmp_path / "content", "--out", tmp_path / "out", *options
        )
        assert done.status == 0, done.err
        clean = commands.build(
            tmp_path / "content",
            tmp_path / f"clean-{len(list(tmp_path.iterdir()))}",
            *options,
            site=True,
        )
        assert commands.files(tmp_path / "out") == commands.files(clean)

    registries.write(tmp_path / "content", records)
    slug = tmp_path / "out/api/projects/slug/long.json.gz"
    for change, exists in (
        (None, False),
        (long, True),
        ({**long, "description": "Short."}, False),
        (long, True),
        (None, False),
    ):
        built(change, *GZIP)
        assert slug.exists() == exists
    built(long, "--as-of", commands.TODAY)
    assert halves(tmp_path / "out")[1] == {}


def test_brotli_works_and_without_its_package_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "brotli", None)
    with pytest.raises(OutputError, match="pip install 'brotli"):
        Compression(("br",))
    monkeypatch.undo()
    import brotli

    source = registries.write(tmp_path / "content", registries.SMALL)
    files, packed = halves(
        commands.build(source, tmp_path / "out", *GZIP[:2], "--precompress", "br"), ".br"
    )
    assert packed and all(brotli.decompress(data) == files[path] for path, data in packed.items())
