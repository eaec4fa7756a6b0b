"""The inventories of content and output, and their comparison with the files."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from generator.build.cache.inventory import (
    BLOB_ID,
    INPUT,
    NO_DIGEST,
    NO_STAT,
    OUTPUT,
    RACY,
    SHA_256,
    Inventory,
    blob_id,
    content_digest,
    content_inventory,
    inventory,
    output_inventory,
    pack_numbers,
    stable_stat,
)

FILES = [
    ("b/é.yaml", (3, 4, 5), bytes(range(BLOB_ID))),
    ("a", (1, 2, 3), NO_DIGEST),
    ("b/", NO_STAT, NO_DIGEST),
]


def test_an_inventory_returns_its_files_in_order() -> None:
    listed = inventory(FILES)
    assert list(listed.entries(INPUT, BLOB_ID)) == sorted(FILES)
    assert listed.names() == [path for path, *_ in sorted(FILES)] and listed.files == 3


def test_an_empty_inventory_has_no_file() -> None:
    assert Inventory().names() == [] and list(Inventory().entries(OUTPUT, SHA_256)) == []


def test_names_that_are_not_utf8_survive() -> None:
    name = os.fsdecode(b"a\xff.yaml")
    assert inventory([(name, NO_STAT, NO_DIGEST)]).names() == [name]


def test_a_time_is_cut_to_its_last_64_bits() -> None:
    assert pack_numbers([1 << 64]) == pack_numbers([0]) and pack_numbers(
        [(1 << 63) + 1]
    ) == pack_numbers([1 - (1 << 63)])


def test_content_is_listed_with_the_stats_of_its_input_files(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "a.yaml").write_text("name: A\n")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "projects" / "lost.yaml").symlink_to("nowhere")
    listed = content_inventory(str(tmp_path))
    stats = dict(zip(listed.names(), listed.stats_of(INPUT), strict=True))
    stat = (tmp_path / "projects" / "a.yaml").stat()
    assert stats == {
        "notes.txt": NO_STAT,
        "projects/": NO_STAT,
        "projects/a.yaml": (stat.st_mtime_ns, stat.st_ctime_ns, 8),
        "projects/lost.yaml": NO_STAT,
    }


def test_an_output_is_listed_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "a.json").write_text("{}")
    (tmp_path / "link").symlink_to("api")
    listed = output_inventory(str(tmp_path))
    assert listed.names() == ["/api/a.json", "/link"]
    stat = (tmp_path / "api" / "a.json").stat()
    assert next(iter(listed.stats_of(OUTPUT))) == (stat.st_mtime_ns, 2)


@pytest.mark.parametrize(
    ("mtime", "ctime", "known"),
    [
        (-RACY - 1, -RACY - 1, True),
        (-RACY, -RACY - 1, False),
        (-RACY - 1, -RACY, False),
        (5, 5, False),
    ],
)
def test_a_file_that_may_change_within_its_time_has_no_stat(
    mtime: int, ctime: int, known: bool
) -> None:
    began = time.time_ns() // 1_000_000_000 * 1_000_000_000 + 500_000_000
    stat = began + mtime, began + ctime, 10
    assert stable_stat(stat, began) == (stat if known else (0, 0, 10))


def test_file_systems_of_whole_seconds_need_longer() -> None:
    began = 10_000_000_000
    assert stable_stat((8_000_000_000, 8_000_000_000, 1), began) == (0, 0, 1)
    assert stable_stat((7_000_000_000, 7_000_000_000, 1), began) != (0, 0, 1)


def test_a_blob_id_is_that_of_git() -> None:
    assert blob_id(b"hello\n").hex() == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_the_content_digest_covers_names_and_bytes() -> None:
    files = {"a/b.yaml": ((1, 1, 1), b"x" * 20), "c.txt": (NO_STAT, NO_DIGEST)}
    assert content_digest(files) == content_digest({"a/b.yaml": ((2, 2, 2), b"x" * 20)})
    assert content_digest(files) != content_digest({"a/b.yaml": ((1, 1, 1), b"y" * 20)})
    assert content_digest(files) != content_digest({"a-b.yaml": ((1, 1, 1), b"x" * 20)})
